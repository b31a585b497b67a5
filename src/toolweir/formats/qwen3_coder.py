"""Qwen3-Coder: tags with bare text between them. Source: the chat templates of Qwen3-Coder, Qwen3.5, Step 3.5 and
Nemotron 3."""

from typing import Any

from .spec import Format, Opener

__all__ = ["FORMAT", "function_tags"]


def function_tags(opener: str, closer: str, **options: Any) -> tuple[Opener, ...]:
    """The openers of this grammar: a function inside `opener` and `closer`, or without them."""
    grammar: dict[str, Any] = {
        "function": "<function=",
        "function_end": "</function>",
        "parameter": "<parameter=",
        "parameter_end": "</parameter>",
        "wrapper_ends": (closer,),
        "markup": (opener,),
        "stray_tags": ("</parameter>",),
        "guided_tags": ("<parameter=", "</parameter>"),
        **options,
    }
    return (
        Opener(opener, "tagged", closers=(closer,), options={**grammar, "wrapped": True}),
        Opener("<function=", "tagged", closers=("</function>",), options={**grammar, "wrapped": False}),
    )


FORMAT = Format(
    name="qwen3_coder",
    openers=function_tags("<tool_call>", "</tool_call>", value_whitespace="one_newline"),
    aliases=(
        *("qwen3_5", "qwen3.5", "qwen35", "qwen3_xml", "qwen3_coder_xml", "qwen3_next_coder", "qwen_coder", "ornith"),
        *("step3_5", "step3.5", "step3p5", "step3_7", "step3.7", "step5", "nanbeige", "nanbeige4"),
        *("nemotron3", "nemotron_3", "nemotron_nano", "nemotron_3_nano", "nemotron_v3"),
    ),
    models=(*("Qwen3-Coder", "Qwen3-Coder-Next", "Qwen3.5", "Step 3.5", "Step 3.7", "Nemotron 3 Nano", "Nanbeige 4"),),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|im_end|>", "<|endoftext|>"),
    special_tokens=("<tool_call>", "</tool_call>", "<think>", "</think>", "<|im_end|>", "<|endoftext|>"),
    calls_in_reasoning=True,
    server_names={
        "vllm": ("qwen3_coder", "qwen3_xml", "step3p5", "step5"),
        "sglang": ("qwen3_coder", "step3p5", "nanbeige"),
        "dynamo": ("qwen3_coder", "nemotron_nano"),
        "ollama": ("qwen3-coder", "qwen3.5", "ornith", "nemotron-3-nano", "nemotron-3.5-nano"),
        "llama.cpp": ("Qwen3 Coder", "Nemotron V3"),
        "tabbyapi": ("qwen3_coder", "qwen3_5", "step3_5", "step3_7"),
    },
    example="<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
    summary="A <function=NAME> tag with <parameter=KEY> tags around bare values, in <tool_call> tags or without them.",
)
