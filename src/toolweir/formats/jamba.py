"""Jamba: an array of objects between <tool_calls> tags. Source: the chat template of Jamba 1.5."""

from .spec import Format, Opener

FORMAT = Format(
    name="jamba",
    openers=(Opener("<tool_calls>", "json_object", closers=("</tool_calls>",)),),
    aliases=("jamba1_5", "jamba_1.5"),
    models=("Jamba 1.5", "Jamba 1.6"),
    end_of_turn=("<|eom|>", "<|endoftext|>"),
    special_tokens=("<|eom|>", "<|endoftext|>"),
    server_names={"vllm": ("jamba",), "dynamo": ("jamba",)},
    evidence=(("<tool_calls>", "<|bom|>"),),
    example='<tool_calls>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]</tool_calls>',
    summary="An array of objects with `name` and `arguments` between <tool_calls> tags.",
)
