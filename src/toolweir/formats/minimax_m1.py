"""MiniMax M1: objects, one a line, between <tool_calls> tags. Source: the chat template of MiniMax M1."""

from .spec import Format, Opener

FORMAT = Format(
    name="minimax_m1",
    openers=(Opener("<tool_calls>", "json_object", closers=("</tool_calls>",)),),
    models=("MiniMax M1",),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<end_of_sentence>",),
    special_tokens=("<end_of_sentence>",),
    server_names={"vllm": ("minimax",)},
    evidence=(("<tool_calls>", "<beginning_of_sentence>"),),
    example='<tool_calls>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_calls>',
    summary="Objects with `name` and `arguments`, one a line, between <tool_calls> tags.",
)
