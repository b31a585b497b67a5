"""Granite 4: an object between <tool_call> tags. Source: the chat templates of Granite 4.0 and 4.1."""

from .spec import Format, Opener

FORMAT = Format(
    name="granite4",
    openers=(Opener("<tool_call>", "json_object", closers=("</tool_call>",)),),
    aliases=("granite4_0", "granite4.0", "granite4_1", "granite4.1"),
    models=("Granite 4.0", "Granite 4.1"),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|end_of_text|>",),
    special_tokens=("<tool_call>", "</tool_call>", "<|end_of_text|>"),
    server_names={"vllm": ("granite4",)},
    evidence=(("<tool_call>", "<|start_of_role|>"),),
    example='<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
    summary="An object with `name` and `arguments` between <tool_call> tags, repeated for each call.",
)
