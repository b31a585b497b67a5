"""MiniMax M3: elements named after their keys, nested for objects and arrays; a token stands before every tag.

Source: the chat template of MiniMax-M3. It writes an empty string, object or array the same way, and leaves nulls out.
"""

from typing import Any

from .spec import Format, Opener

TOKEN = "]<]minimax[>["
CALL, CALL_END = f"{TOKEN}<tool_call>", f"{TOKEN}</tool_call>"
INVOKE, INVOKE_END = f"{TOKEN}<invoke name=", f"{TOKEN}</invoke>"

GRAMMAR: dict[str, Any] = {
    "function": INVOKE,
    "function_end": INVOKE_END,
    "parameter": f"{TOKEN}<",
    "parameter_end": f"{TOKEN}</",
    "wrapper_ends": (CALL_END,),
    "markup": (CALL,),
    "value_whitespace": "keep",
}

FORMAT = Format(
    name="minimax_m3",
    openers=(
        Opener(CALL, "elements", closers=(CALL_END,), options={**GRAMMAR, "wrapped": True}),
        Opener(INVOKE, "elements", closers=(INVOKE_END,), options={**GRAMMAR, "wrapped": False}),
    ),
    models=("MiniMax-M3",),
    reasoning=(("<mm:think>", "</mm:think>"),),
    markup=("]~b]ai",),
    end_of_turn=("[e~[",),
    special_tokens=(TOKEN, "<mm:think>", "</mm:think>", "]~b]ai", "[e~["),
    keep_special_tokens=True,
    calls_in_reasoning=True,
    server_names={
        "vllm": ("minimax_m3",),
        "sglang": ("minimax-m3", "minimax_m3"),
        "dynamo": ("minimax_m3",),
        "llama.cpp": ("MiniMax-M3",),
        "mlxcel": ("minimax_m3",),
    },
    evidence=(("]<]minimax[>[",),),
    example=(f'{CALL}\n{INVOKE}"get_weather">{TOKEN}<city>Oslo{TOKEN}</city>{INVOKE_END}\n{CALL_END}'),
    summary="Elements named after their keys, nested for objects and arrays, each tag behind a token.",
)
