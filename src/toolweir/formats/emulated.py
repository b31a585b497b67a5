"""Emulated calls: `TOOL_CALL {json}` from models whose template knows no tools; the prompt asks for this form.

Source: what hosts that emulate tools tell such models to write. The opener is an ordinary word, so only declared names
count.
"""

from .spec import Format, Opener

FORMAT = Format(
    name="emulated",
    openers=(Opener("TOOL_CALL", "json_object", weak=True, skips=":"),),
    aliases=("tool_call_text",),
    models=("models without native tools",),
    reasoning=(("<think>", "</think>"),),
    example='TOOL_CALL {"name": "get_weather", "arguments": {"city": "Oslo"}}',
    summary="The word TOOL_CALL and a JSON object with `name` and `arguments`, anywhere in the text.",
)
