"""LongCat: Hermes calls between <longcat_tool_call> tags, as JSON or as key and value tags.

Source: the chat template of LongCat-Flash.
"""

from .spec import Format, Opener

CLOSERS = ("</longcat_tool_call>",)

FORMAT = Format(
    name="longcat",
    openers=(Opener("<longcat_tool_call>", "json_object", closers=CLOSERS),),
    aliases=("longcat_flash",),
    models=("LongCat-Flash",),
    reasoning=(("<longcat_think>", "</longcat_think>"), ("<think>", "</think>")),
    end_of_turn=("</longcat_s>",),
    special_tokens=("<longcat_tool_call>", "</longcat_tool_call>", "</longcat_s>"),
    server_names={"vllm": ("longcat",)},
    example='<longcat_tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</longcat_tool_call>',
    summary="A JSON object with `name` and `arguments`, or key and value tags, between <longcat_tool_call> tags.",
)
