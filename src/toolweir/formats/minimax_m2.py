"""MiniMax M2: invoke tags with named parameters. Source: the chat template of MiniMax-M2.

The template writes a value right between its tags; a model that begins one on a new line ends it with one too.
"""

from typing import Any

from .spec import Format, Opener

__all__ = ["FORMAT", "invoke_tags"]


def invoke_tags(opener: str, closer: str, *, prefix: str = "", **options: Any) -> tuple[Opener, ...]:
    """The openers of this grammar: <invoke name=..> tags inside `opener` and `closer`, or without them."""
    invoke, parameter = f"{prefix}invoke", f"{prefix}parameter"
    grammar: dict[str, Any] = {
        "function": f"<{invoke} name=",
        "function_end": f"</{invoke}>",
        "parameter": f"<{parameter} name=",
        "parameter_end": f"</{parameter}>",
        "wrapper_ends": (closer,),
        "markup": (opener,),
        "stray_tags": (f"</{parameter}>",),
        "guided_tags": (f"<{parameter} name=", f"</{parameter}>"),
        **options,
    }
    return (
        Opener(opener, "tagged", closers=(closer,), options={**grammar, "wrapped": True}),
        Opener(f"<{invoke} name=", "tagged", closers=(f"</{invoke}>",), options={**grammar, "wrapped": False}),
    )


FORMAT = Format(
    name="minimax_m2",
    openers=invoke_tags("<minimax:tool_call>", "</minimax:tool_call>", value_whitespace="newline_pair"),
    aliases=("minimax", "minimax_m2.1", "minimax_m2.5"),
    models=("MiniMax-M2", "MiniMax-M2.1", "MiniMax-M2.5"),
    reasoning=(("<think>", "</think>"),),
    markup=("]~b]ai",),
    end_of_turn=("[e~[",),
    special_tokens=("<minimax:tool_call>", "</minimax:tool_call>", "<think>", "</think>", "]~b]ai", "[e~["),
    calls_in_reasoning=True,
    server_names={
        "vllm": ("minimax_m2",),
        "sglang": ("minimax-m2", "minimax_m2"),
        "dynamo": ("minimax_m2",),
        "llama.cpp": ("MiniMax-M2",),
        "mlxcel": ("minimax_m2",),
    },
    evidence=(("<minimax:tool_call>",),),
    example=(
        '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Oslo</parameter>\n'
        "</invoke>\n</minimax:tool_call>"
    ),
    summary="<invoke name=..> tags with <parameter name=..> tags around bare values, in <minimax:tool_call> tags.",
)
