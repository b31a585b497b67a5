"""LongCat: Hermes calls between <longcat_tool_call> tags, as JSON or as GLM's key and value tags.

Source: the chat template of LongCat-Flash.
"""

from .glm47 import pair_tags
from .spec import Format, Opener

TAGS = ("<longcat_tool_call>", "</longcat_tool_call>")

FORMAT = Format(
    name="longcat",
    openers=(
        Opener(TAGS[0], "json_object", closers=TAGS[1:]),
        pair_tags(*TAGS, arg="longcat_arg"),
    ),
    aliases=("longcat_flash",),
    models=("LongCat-Flash",),
    reasoning=(("<longcat_think>", "</longcat_think>"), ("<think>", "</think>")),
    end_of_turn=("</longcat_s>",),
    special_tokens=(*TAGS, "</longcat_s>"),
    server_names={"vllm": ("longcat",), "mlxcel": ("longcat",)},
    example='<longcat_tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</longcat_tool_call>',
    summary="A JSON object with `name` and `arguments`, or key and value tags, between <longcat_tool_call> tags.",
)
