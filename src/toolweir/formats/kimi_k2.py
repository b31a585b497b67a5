"""Kimi K2: a header with the name and the call's number, before JSON. Source: the chat templates of Kimi K2.

The section around the calls is optional here: models forget its tags, and no call depends on them.
"""

from .spec import Format, Opener

SECTION = ("<|tool_calls_section_begin|>", "<|tool_call_section_begin|>")
CALL = "<|tool_call_begin|>"
CLOSERS = ("<|tool_call_end|>", "<|tool_calls_section_end|>", "<|tool_call_section_end|>")
OPTIONS = {
    "separators": (("<|tool_call_argument_begin|>", "arguments"),),
    "tail": "<|tool_call_end|>",
    "bare_body": True,
    "counted": True,
    "native_ids": True,
    "guided_prefix": "functions.",
    "guided_tags": ("<|tool_call_argument_begin|>",),
}

FORMAT = Format(
    name="kimi_k2",
    openers=(
        Opener(CALL, "header_json", closers=CLOSERS, options=OPTIONS),
        *(Opener(section, "header_json", options={**OPTIONS, "lead": CALL}) for section in SECTION),
    ),
    aliases=("kimi", "kimi_k2_thinking", "kimi_k2_5", "kimi_k2.5", "moonshot"),
    models=("Kimi K2", "Kimi K2 Thinking", "Kimi K2.5"),
    reasoning=(("<think>", "</think>"), ("◁think▷", "◁/think▷")),
    end_of_turn=("<|im_end|>",),
    special_tokens=(
        "<|tool_calls_section_begin|>",
        "<|tool_calls_section_end|>",
        "<|tool_call_begin|>",
        "<|tool_call_argument_begin|>",
        "<|tool_call_end|>",
        "<|im_end|>",
    ),
    keep_special_tokens=True,
    calls_in_reasoning=True,
    server_names={
        "vllm": ("kimi_k2",),
        "sglang": ("kimi_k2",),
        "dynamo": ("kimi_k2",),
        "llama.cpp": ("Kimi K2",),
    },
    example=(
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>"
        '{"city": "Oslo"}<|tool_call_end|><|tool_calls_section_end|>'
    ),
    summary="<|tool_call_begin|>, functions.NAME:NUMBER, <|tool_call_argument_begin|> and the arguments.",
)
