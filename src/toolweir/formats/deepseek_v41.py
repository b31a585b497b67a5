"""DeepSeek V4.1: DSML with a space before the word in each tag, in a ` calls` block. Source: vLLM's and SGLang's
parsers of this name."""

from .deepseek_v32 import dsml_tags
from .spec import Format

FORMAT = Format(
    name="deepseek_v41",
    openers=dsml_tags(" ", ("calls",)),
    aliases=("deepseek_v4_1", "deepseek_v4.1", "deepseekv41"),
    models=("DeepSeek-V4.1",),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<｜end▁of▁sentence｜>", "<｜User｜>"),
    markup=("<｜Assistant｜>",),
    special_tokens=("<think>", "</think>", "<｜end▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>"),
    calls_in_reasoning=True,
    server_names={"vllm": ("deepseek_v41",), "sglang": ("deepseekv41",)},
    example=(
        '<｜DSML｜ calls>\n<｜DSML｜ invoke name="get_weather">\n'
        '<｜DSML｜ parameter name="city" string="true">Oslo</｜DSML｜ parameter>\n'
        "</｜DSML｜ invoke>\n</｜DSML｜ calls>"
    ),
    summary="DSML with a space before the word in each tag, in a calls block.",
)
