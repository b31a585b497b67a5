"""Ling 3: GLM's tags in turns that end with a role's tag. Source: the chat template of Ling-3.0-Flash."""

from .glm47 import pair_tags
from .spec import Format

FORMAT = Format(
    name="ling3",
    openers=(pair_tags("<tool_call>", "</tool_call>"),),
    aliases=("ling", "ling_3", "ling3_flash"),
    models=("Ling-3.0-Flash",),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|role_end|>", "<|endoftext|>"),
    special_tokens=("<tool_call>", "</tool_call>", "<think>", "</think>", "<|role_end|>", "<|endoftext|>"),
    calls_in_reasoning=True,
    server_names={"vllm": ("ling3",), "sglang": ("ling3",), "llama.cpp": ("Ling 3",)},
    evidence=(("<tool_call>", "<arg_key>", "</arg_key>", "<arg_value>", "<|role_end|>"),),
    example="<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call><|role_end|>",
    summary="GLM's <arg_key> and <arg_value> tags, ended by <|role_end|>.",
)
