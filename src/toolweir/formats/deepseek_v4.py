"""DeepSeek V4: DSML in a tool_calls block. Source: the chat template of DeepSeek-V4."""

from .deepseek_v32 import dsml_tags
from .spec import Format

FORMAT = Format(
    name="deepseek_v4",
    openers=dsml_tags(),
    aliases=("deepseekv4", "deepseek4"),
    models=("DeepSeek-V4", "DeepSeek-V4-Flash"),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<｜end▁of▁sentence｜>", "<｜User｜>"),
    markup=("<｜Assistant｜>",),
    special_tokens=("<think>", "</think>", "<｜end▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>"),
    calls_in_reasoning=True,
    server_names={
        "vllm": ("deepseek_v4",),
        "sglang": ("deepseekv4", "deepseek_v4"),
        "dynamo": ("deepseek_v4", "deepseek-v4", "deepseekv4"),
        "llama.cpp": ("DeepSeek V4",),
        "tabbyapi": ("deepseek_v4",),
    },
    evidence=(("｜DSML｜", "tool_calls"),),
    example=(
        '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_weather">\n'
        '<｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>\n'
        "</｜DSML｜invoke>\n</｜DSML｜tool_calls>"
    ),
    summary="DSML: invoke tags with named parameters that say whether they are strings, in a tool_calls block.",
)
