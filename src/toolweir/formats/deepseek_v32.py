"""DeepSeek V3.2: DSML, tags whose parameters say what they are. Source: the chat template of DeepSeek-V3.2.

`string="true"` is a string as it stands, "false" is JSON. The blank line before a block belongs to the template. Models
mix up the block's names, so a block of the one may be called as that of another; a call needs no block around it.
"""

from typing import Any

from .spec import Format, Opener

__all__ = ["FORMAT", "dsml_tags"]

BLOCKS = ("function_calls", "tool_calls", "tool_call", "tools_calls")


def dsml_tags(gap: str = "", blocks: tuple[str, ...] = BLOCKS) -> tuple[Opener, ...]:
    """The openers of DSML; `gap` stands before the word in every tag."""
    start, end = f"<｜DSML｜{gap}", f"</｜DSML｜{gap}"
    invoke = f'{start}invoke name="'
    closers = tuple(f"{end}{block}>" for block in blocks)
    grammar: dict[str, Any] = {
        "function": invoke,
        "function_end": f"{end}invoke>",
        "parameter": f'{start}parameter name="',
        "parameter_end": f"{end}parameter>",
        "wrapper_ends": closers,
        "markup": tuple(f"{start}{block}>" for block in blocks),
        "verbatim_attribute": "string",
        "function_closer_needed": True,
        "value_whitespace": "keep",
        "stray_tags": (f"{end}parameter>",),
        "guided_tags": (f'{start}parameter name="', f"{end}parameter>"),
    }
    return (
        *(
            Opener(f"{start}{block}>", "tagged", closers=closers, options={**grammar, "wrapped": True}, blank_line=True)
            for block in blocks
        ),
        Opener(invoke, "tagged", closers=(f"{end}invoke>",), options={**grammar, "wrapped": False}, blank_line=True),
    )


FORMAT = Format(
    name="deepseek_v32",
    openers=dsml_tags(),
    aliases=("deepseek_v3_2", "deepseek_v3.2", "deepseekv32", "deepseek32", "dsml"),
    models=("DeepSeek-V3.2",),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<｜end▁of▁sentence｜>", "<｜User｜>"),
    markup=("<｜Assistant｜>",),
    special_tokens=("<think>", "</think>", "<｜end▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>"),
    calls_in_reasoning=True,
    server_names={
        "vllm": ("deepseek_v32",),
        "sglang": ("deepseekv32", "deepseek32"),
        "dynamo": ("deepseek_v3_2",),
        "llama.cpp": ("DeepSeek V3.2",),
    },
    evidence=(("｜DSML｜", "function_calls"),),
    example=(
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n'
        '<｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>\n'
        "</｜DSML｜invoke>\n</｜DSML｜function_calls>"
    ),
    summary="DSML: invoke tags with named parameters that say whether they are strings, in a function_calls block.",
)
