"""DeepSeek V3.1: a header with the name, before JSON. Source: the chat template of DeepSeek V3.1."""

from .deepseek_v3 import CALL, CALL_END, SEPARATOR, sections

FORMAT = sections(
    {"separators": ((SEPARATOR, "arguments"),), "tail": CALL_END, "guided_tags": (SEPARATOR,)},
    name="deepseek_v31",
    aliases=("deepseekv31", "deepseek_v3_1", "deepseek_v3.1"),
    models=("DeepSeek V3.1", "DeepSeek V3.1-Terminus"),
    server_names={
        "vllm": ("deepseek_v31",),
        "sglang": ("deepseekv31",),
        "dynamo": ("deepseek_v3_1",),
        "ollama": ("deepseek3",),
        "llama.cpp": ("DeepSeek V3.1",),
    },
    evidence=((CALL, SEPARATOR),),
    example=(
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}'
        "<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    summary="<｜tool▁call▁begin｜>, the name, <｜tool▁sep｜> and the arguments.",
)
