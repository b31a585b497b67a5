"""Step-3: invoke tags in a namespace, in DeepSeek's manner of blocks. Source: the parsers of SGLang and vLLM."""

from .minimax_m2 import invoke_tags
from .spec import Format, Opener

BLOCK = ("<｜tool_calls_begin｜>", "<｜tool_calls_end｜>")
CALL = ("<｜tool_call_begin｜>function<｜tool_sep｜>", "<｜tool_call_end｜>")

TAGS = invoke_tags(*BLOCK, prefix="steptml:", value_whitespace="trim", markup=(BLOCK[0], *CALL))

FORMAT = Format(
    name="step3",
    openers=(*TAGS, Opener(CALL[0], "tagged", closers=CALL[1:], options=TAGS[0].options)),
    aliases=("step_3",),
    models=("Step-3",),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<｜end▁of▁sentence｜>", "<|im_end|>"),
    special_tokens=(*BLOCK, "<｜tool_call_begin｜>", "<｜tool_sep｜>", "<｜tool_call_end｜>", "<think>", "</think>"),
    keep_special_tokens=True,
    calls_in_reasoning=True,
    server_names={"vllm": ("step3",), "sglang": ("step3",)},
    example=(
        f'{BLOCK[0]}{CALL[0]}<steptml:invoke name="get_weather">'
        f'<steptml:parameter name="city">Oslo</steptml:parameter></steptml:invoke>{CALL[1]}{BLOCK[1]}'
    ),
    summary="<steptml:invoke name=..> tags with <steptml:parameter name=..> tags, in special tokens.",
)
