"""A format that another distribution brings: the calls of a model that does not exist."""

from toolweir import Format, Opener

FORMAT = Format(
    name="corvid",
    openers=(Opener("<caw>", "json_object", closers=("</caw>",)),),
    aliases=("corvid_7b",),
    models=("Corvid 7B",),
    example='<caw>{"name": "get_weather", "arguments": {"city": "Oslo"}}</caw>',
    summary="A JSON object with `name` and `arguments` between <caw> tags.",
)
