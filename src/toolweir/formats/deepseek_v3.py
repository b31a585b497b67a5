"""DeepSeek V3 and R1: a header with the name, before JSON in a fence.

Source: the chat templates of DeepSeek V3, V3-0324, R1 and R1-0528.
"""

from collections.abc import Mapping
from typing import Any

from .spec import Format, Opener

__all__ = ["CALL", "CALL_END", "FORMAT", "SEPARATOR", "sections"]

SECTION = (
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁calls｜>",
    "<｜tool_calls_begin｜>",
    "<｜tool calls begin｜>",
    "<｜tool\\_calls\\_begin｜>",
)
"""How models spell the tag that begins a section of calls; some then forget the tag of the first call."""

CALL = "<｜tool▁call▁begin｜>"
CALL_END = "<｜tool▁call▁end｜>"
SECTION_END = "<｜tool▁calls▁end｜>"
SEPARATOR = "<｜tool▁sep｜>"
END_OF_TURN = "<｜end▁of▁sentence｜>"


def sections(options: Mapping[str, Any], **own: Any) -> Format:
    """A format of this family: sections of calls, each read by these options of `header_json`.

    `own` are the fields in which its formats differ.
    """
    behind_call = {**options, "lead": CALL + options.get("lead", "")}
    return Format(
        openers=(
            Opener(CALL, "header_json", closers=(CALL_END, SECTION_END), options=options),
            *(Opener(section, "header_json", options=behind_call) for section in SECTION),
            *(Opener(section, "header_json", options=options) for section in SECTION),
        ),
        reasoning=(("<think>", "</think>"),),
        end_of_turn=(END_OF_TURN,),
        special_tokens=(SECTION[0], SECTION_END, CALL, CALL_END, SEPARATOR, END_OF_TURN),
        keep_special_tokens=True,
        calls_in_reasoning=True,
        **own,
    )


LEAD = "function" + SEPARATOR

FORMAT = sections(
    {
        "lead": LEAD,
        "separators": (("```json\n", "arguments"), ("```\n", "arguments")),
        "bare_body": True,
        "tail": "```",
        "guided_tags": (LEAD,),
    },
    name="deepseek_v3",
    aliases=("deepseekv3", "deepseek_r1", "deepseek_v3_0324", "deepseek_r1_0528", "cogito"),
    models=("DeepSeek V3", "DeepSeek V3-0324", "DeepSeek R1", "DeepSeek R1-0528", "Cogito v2"),
    server_names={
        "vllm": ("deepseek_v3",),
        "sglang": ("deepseekv3",),
        "dynamo": ("deepseek_v3",),
        "ollama": ("cogito",),
        "llama.cpp": ("DeepSeek R1",),
    },
    evidence=((CALL, SEPARATOR, "```json"),),
    example=(
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n"
        '```json\n{"city": "Oslo"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
    ),
    summary="<｜tool▁call▁begin｜>function<｜tool▁sep｜>, the name, and the arguments in a JSON fence.",
)
