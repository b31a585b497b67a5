"""Phi-4-mini: the word functools and an array of objects. Source: the tool use guide of Phi-4-mini-instruct."""

from .spec import Format, Opener

FORMAT = Format(
    name="phi4_mini_json",
    openers=(
        Opener("functools", "json_object", weak=True),
        Opener("<|tool_call|>", "json_object", closers=("<|/tool_call|>",)),
    ),
    aliases=("phi4", "phi4_mini", "phi_4_mini"),
    models=("Phi-4-mini",),
    end_of_turn=("<|end|>", "<|endoftext|>"),
    special_tokens=("<|tool_call|>", "<|/tool_call|>", "<|end|>", "<|endoftext|>"),
    server_names={"vllm": ("phi4_mini_json",), "dynamo": ("phi4",)},
    evidence=(("functools", "<|assistant|>"),),
    example='functools[{"name": "get_weather", "arguments": {"city": "Oslo"}}]',
    summary="The word functools and an array of objects with `name` and `arguments`.",
)
