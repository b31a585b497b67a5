"""MiMo: Qwen3-Coder's tags with values as they stand. Source: the chat template of MiMo-V2-Flash."""

from .qwen3_coder import function_tags
from .spec import Format

FORMAT = Format(
    name="mimo",
    openers=function_tags("<tool_call>", "</tool_call>", value_whitespace="keep"),
    aliases=("mimo_v2", "mimo_v2_flash", "xiaomi_mimo"),
    models=("MiMo-V2-Flash",),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|im_end|>", "<|endoftext|>"),
    special_tokens=("<tool_call>", "</tool_call>", "<think>", "</think>", "<|im_end|>", "<|endoftext|>"),
    calls_in_reasoning=True,
    server_names={"vllm": ("mimo",), "sglang": ("mimo",)},
    evidence=(("<tool_call>", "<function=", "<parameter=", "MiMo"),),
    example="<tool_call>\n<function=get_weather>\n<parameter=city>Oslo</parameter>\n</function>\n</tool_call>",
    summary="Qwen3-Coder's tags, whose values are kept whitespace and all.",
)
