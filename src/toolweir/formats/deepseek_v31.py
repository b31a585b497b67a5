"""DeepSeek V3.1: a header with the name, before JSON. Source: the chat template of DeepSeek V3.1."""

from .spec import Format, Opener

SECTION = (
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁calls｜>",
    "<｜tool_calls_begin｜>",
    "<｜tool calls begin｜>",
    "<｜tool\\_calls\\_begin｜>",
)
"""How models spell the tag that begins a section of calls; some then forget the tag of the first call."""

CLOSERS = ("<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>")

CALL = "<｜tool▁call▁begin｜>"
SEPARATOR = "<｜tool▁sep｜>"
OPTIONS = {"separators": ((SEPARATOR, "arguments"),), "tail": "<｜tool▁call▁end｜>", "guided_tags": (SEPARATOR,)}

FORMAT = Format(
    name="deepseek_v31",
    openers=(
        Opener(CALL, "header_json", closers=CLOSERS, options=OPTIONS),
        *(Opener(section, "header_json", options={**OPTIONS, "lead": CALL}) for section in SECTION),
        *(Opener(section, "header_json", options=OPTIONS) for section in SECTION),
    ),
    aliases=("deepseekv31", "deepseek_v3_1", "deepseek_v3.1"),
    models=("DeepSeek V3.1", "DeepSeek V3.1-Terminus"),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<｜end▁of▁sentence｜>",),
    special_tokens=(
        "<｜tool▁calls▁begin｜>",
        "<｜tool▁calls▁end｜>",
        "<｜tool▁call▁begin｜>",
        "<｜tool▁call▁end｜>",
        "<｜tool▁sep｜>",
        "<｜end▁of▁sentence｜>",
    ),
    keep_special_tokens=True,
    calls_in_reasoning=True,
    server_names={
        "vllm": ("deepseek_v31",),
        "sglang": ("deepseekv31",),
        "dynamo": ("deepseek_v3_1",),
        "ollama": ("deepseek3",),
        "llama.cpp": ("DeepSeek V3.1",),
    },
    evidence=(("<｜tool▁call▁begin｜>", "<｜tool▁sep｜>"),),
    example=(
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}'
        "<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    summary="<｜tool▁call▁begin｜>, the name, <｜tool▁sep｜> and the arguments.",
)
