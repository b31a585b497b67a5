"""Kimi K3: sections and calls between <|open|> and <|close|> tokens, values typed by an attribute.

Source: the chat template of Kimi-K3.
"""

from typing import Any

from .spec import Format, Opener


def opened(inside: str) -> str:
    return f"<|open|>{inside}<|sep|>"


def closed(inside: str) -> str:
    return f"<|close|>{inside}<|sep|>"


GRAMMAR: dict[str, Any] = {
    "function": '<|open|>call tool="',
    "function_end": closed("call"),
    "parameter": '<|open|>argument key="',
    "parameter_end": closed("argument"),
    "tag_end": "<|sep|>",
    "wrapper_ends": (closed("tools"), closed("message")),
    "markup": (opened("tools"),),
    "verbatim_attribute": "type",
    "verbatim_value": "string",
    "value_whitespace": "keep",
    "stray_tags": (closed("argument"),),
    "guided_tags": ('<|open|>argument key="', closed("argument")),
}

FORMAT = Format(
    name="kimi_k3",
    openers=(
        Opener(opened("tools"), "tagged", closers=(closed("tools"),), options={**GRAMMAR, "wrapped": True}),
        Opener(GRAMMAR["function"], "tagged", closers=(closed("call"),), options={**GRAMMAR, "wrapped": False}),
    ),
    aliases=("kimik3", "kimi3"),
    models=("Kimi-K3",),
    reasoning=((opened("think"), closed("think")),),
    markup=(opened("response"), closed("response"), opened('message role="assistant"'), closed("message")),
    end_of_turn=("<|end_of_msg|>",),
    special_tokens=("<|open|>", "<|close|>", "<|sep|>", "<|end_of_msg|>"),
    keep_special_tokens=True,
    calls_in_reasoning=True,
    server_names={
        "vllm": ("kimi_k3",),
        "sglang": ("kimi_k3",),
        "dynamo": ("kimi_k3",),
        "llama.cpp": ("Kimi K3",),
        "mlxcel": ("kimi_k3",),
    },
    evidence=(("<|open|>", "<|close|>", "<|sep|>"),),
    example=(
        '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|>'
        '<|open|>argument key="city" type="string"<|sep|>Oslo<|close|>argument<|sep|>'
        "<|close|>call<|sep|><|close|>tools<|sep|>"
    ),
    summary="Calls with typed arguments between <|open|>, <|sep|> and <|close|> tokens.",
)
