"""Seed-OSS: Qwen3-Coder's tags in a wrapper of its own. Source: the chat template of Seed-OSS-36B-Instruct."""

from .qwen3_coder import function_tags
from .spec import Format

FORMAT = Format(
    name="seed_oss",
    openers=function_tags("<seed:tool_call>", "</seed:tool_call>", value_whitespace="one_newline"),
    aliases=("seed", "seed_36b", "bytedance_seed"),
    models=("Seed-OSS-36B-Instruct",),
    reasoning=(("<seed:think>", "</seed:think>"),),
    end_of_turn=("<seed:eos>",),
    special_tokens=("<seed:tool_call>", "</seed:tool_call>", "<seed:think>", "</seed:think>", "<seed:eos>"),
    calls_in_reasoning=True,
    server_names={"vllm": ("seed_oss",), "llama.cpp": ("Seed-OSS",), "dynamo": ("seed_oss",)},
    evidence=(("<seed:tool_call>", "<function=", "<parameter="),),
    example=(
        "<seed:tool_call>\n<function=get_weather>\n<parameter=city>Oslo</parameter>\n</function>\n</seed:tool_call>"
    ),
    summary="Qwen3-Coder's <function=NAME> and <parameter=KEY> tags in <seed:tool_call> tags.",
)
