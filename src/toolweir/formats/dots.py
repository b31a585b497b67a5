"""dots: MiniMax's tags, or a JSON call, in tags of its own. Source: SGLang's parser of this name."""

from .minimax_m2 import invoke_tags
from .spec import Format, Opener

TAGS = ("<dots_function_call>", "</dots_function_call>")

FORMAT = Format(
    name="dots",
    openers=(*invoke_tags(*TAGS, value_whitespace="keep"), Opener(TAGS[0], "json_object", closers=TAGS[1:])),
    aliases=("dots_llm", "dots1", "dots2"),
    models=("dots.llm",),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|im_end|>", "<|endoftext|>"),
    special_tokens=("<think>", "</think>", "<|im_end|>", "<|endoftext|>"),
    calls_in_reasoning=True,
    server_names={"vllm": ("dots",), "sglang": ("dots",)},
    evidence=(("<dots_function_call>",),),
    example=(
        '<dots_function_call><invoke name="get_weather"><parameter name="city">Oslo</parameter></invoke>'
        "</dots_function_call>"
    ),
    summary="<invoke name=..> tags, or a JSON call, in <dots_function_call> tags.",
)
