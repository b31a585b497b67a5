"""DeepSeek V3 and R1: a header with the name, before JSON in a fence.

Source: the chat templates of DeepSeek V3, V3-0324, R1 and R1-0528.
"""

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
LEAD = "function<｜tool▁sep｜>"
OPTIONS = {
    "lead": LEAD,
    "separators": (("```json\n", "arguments"), ("```\n", "arguments")),
    "bare_body": True,
    "tail": "```",
    "guided_tags": (LEAD,),
}

FORMAT = Format(
    name="deepseek_v3",
    openers=(
        Opener(CALL, "header_json", closers=CLOSERS, options=OPTIONS),
        *(Opener(section, "header_json", options={**OPTIONS, "lead": CALL + LEAD}) for section in SECTION),
        *(Opener(section, "header_json", options=OPTIONS) for section in SECTION),
    ),
    aliases=("deepseekv3", "deepseek_r1", "deepseek_v3_0324", "deepseek_r1_0528", "cogito"),
    models=("DeepSeek V3", "DeepSeek V3-0324", "DeepSeek R1", "DeepSeek R1-0528", "Cogito v2"),
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
        "vllm": ("deepseek_v3",),
        "sglang": ("deepseekv3",),
        "dynamo": ("deepseek_v3",),
        "ollama": ("cogito",),
        "llama.cpp": ("DeepSeek R1",),
    },
    evidence=(("<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "```json"),),
    example=(
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n"
        '```json\n{"city": "Oslo"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
    ),
    summary="<｜tool▁call▁begin｜>function<｜tool▁sep｜>, the name, and the arguments in a JSON fence.",
)
