"""K2 Horizon: GLM's keys and values in a namespace, with types or without, or a JSON call. Source: the forms that the
template's `tool_call_format` chooses from, as SGLang and vLLM read them."""

from typing import Any

from .glm47 import pair_tags
from .spec import Format, Opener

CALLS = ("<ifm|tool_calls>", "</ifm|tool_calls>")
CALL = ("<ifm|tool_call>", "</ifm|tool_call>")
GRAMMAR: dict[str, Any] = {
    "arg": "ifm|arg",
    "function": CALL[0],
    "bare_names": True,
    "function_end": CALL[1],
    "wrapper_ends": CALLS[1:],
    "markup": CALLS[:1],
    "type_opener": "<ifm|arg_type>",
    "type_end": "</ifm|arg_type>",
    "verbatim_value": "string",
    "prefer": "typed",
    "integers": "written",
}

FORMAT = Format(
    name="k2_horizon",
    openers=(
        pair_tags(*CALL, wrapped=False, **GRAMMAR),
        Opener(CALL[0], "json_object", closers=CALL[1:]),
    ),
    aliases=("k2_v3", "ifm_k2"),
    models=("K2 Horizon",),
    reasoning=tuple((f"<ifm|{word}>", f"</ifm|{word}>") for word in ("think", "think_fast", "think_faster")),
    markup=CALLS,
    end_of_turn=("</s>",),
    special_tokens=(*CALLS, *CALL, "<ifm|arg_key>", "</ifm|arg_key>", "<ifm|arg_value>", "</ifm|arg_value>"),
    server_names={"vllm": ("k2_horizon",), "sglang": ("k2_horizon",), "llama.cpp": ("K2 Horizon",)},
    example=(
        "<ifm|tool_calls>\n<ifm|tool_call>get_weather\n<ifm|arg_key>city</ifm|arg_key>\n"
        "<ifm|arg_value>Oslo</ifm|arg_value>\n</ifm|tool_call>\n</ifm|tool_calls>"
    ),
    summary="A bare name, then <ifm|arg_key> and <ifm|arg_value> tags, or a JSON call, in <ifm|tool_call> tags.",
)
