"""Hunyuan 3 and 4: GLM's keys and values, several calls in a block. Source: the chat template of Hy3.

Every tag may carry a suffix; Hunyuan 4 leaves the tag behind the name out.
"""

from typing import Any

from .glm47 import pair_tags
from .spec import Format, Opener


def block_tags(suffix: str) -> tuple[Opener, ...]:
    calls, call, separator = f"tool_calls{suffix}", f"tool_call{suffix}", f"<tool_sep{suffix}>"
    grammar: dict[str, Any] = {
        "suffix": suffix,
        "function": f"<{call}>",
        "bare_names": True,
        "function_end": f"</{call}>",
        "wrapper_ends": (f"</{calls}>",),
        "markup": (f"<{calls}>", separator),
        "prefer": "typed",
        "integers": "written",
    }
    return (
        pair_tags(f"<{calls}>", f"</{calls}>", wrapped=True, **grammar),
        pair_tags(f"<{call}>", f"</{call}>", wrapped=False, **grammar),
    )


FORMAT = Format(
    name="hy_v3",
    openers=(*block_tags(""), *block_tags(":opensource")),
    aliases=("hy3", "hunyuan3", "hunyuan_v3", "hy_v4", "hy4", "hunyuan4", "hunyuan_v4", "hunyuan"),
    models=("Hy3", "Hy4"),
    reasoning=(("<think>", "</think>"), ("<think:opensource>", "</think:opensource>")),
    markup=("<｜hy_Assistant｜>", "<｜hy_Assistant:opensource｜>"),
    end_of_turn=("<｜hy_eos｜>", "<｜hy_eos:opensource｜>", "<｜hy_User｜>", "<｜hy_User:opensource｜>"),
    special_tokens=("<｜hy_eos｜>", "<｜hy_eos:opensource｜>", "<｜hy_Assistant｜>", "<｜hy_Assistant:opensource｜>"),
    calls_in_reasoning=True,
    server_names={"vllm": ("hy_v3", "hy_v4"), "sglang": ("hunyuan",), "tabbyapi": ("hy3",)},
    evidence=(("<tool_calls", "<tool_sep", "<tool_call"),),
    example=(
        "<tool_calls>\n<tool_call>get_weather<tool_sep>\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n"
        "</tool_call>\n</tool_calls>"
    ),
    summary="A bare name, then <arg_key> and <arg_value> tags, in <tool_call> tags in a <tool_calls> block.",
)
