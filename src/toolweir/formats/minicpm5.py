"""MiniCPM5: function tags with named parameters, quoted by CDATA where they hold markup or lines.

Source: the chat template of MiniCPM5-1B, which writes values that are no strings as Python does.
"""

from typing import Any

from .spec import Format, Opener

GRAMMAR: dict[str, Any] = {
    "wrapped": False,
    "function": "<function name=",
    "function_end": "</function>",
    "parameter": "<param name=",
    "parameter_end": "</param>",
    "quoted_value": ("<![CDATA[", "]]>"),
    "value_whitespace": "keep",
    "stray_tags": ("</param>",),
    "guided_tags": ("<param name=", "</param>"),
}

FORMAT = Format(
    name="minicpm5",
    openers=(Opener("<function name=", "tagged", closers=("</function>",), options=GRAMMAR),),
    aliases=("minicpm_5", "minicpm"),
    models=("MiniCPM5-1B",),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|im_end|>", "</s>"),
    special_tokens=("<think>", "</think>", "<|im_end|>", "</s>"),
    calls_in_reasoning=True,
    server_names={"vllm": ("minicpm5",), "sglang": ("minicpm5",), "llama.cpp": ("MiniCPM5",)},
    example='<function name="get_weather"><param name="city">Oslo</param></function>',
    summary="<function name=..> tags with <param name=..> tags around bare values or CDATA.",
)
