"""LFM2: a list of calls in Python's notation, or of JSON objects, between <|tool_call_start|> and <|tool_call_end|>.

Source: the chat templates of LFM2 and LFM2.5.
"""

from .spec import Format, Opener

OPENER, CLOSER = "<|tool_call_start|>", "<|tool_call_end|>"

FORMAT = Format(
    name="lfm2",
    openers=(
        Opener(OPENER, "literals", closers=(CLOSER,), options={"bracketed": True, "block_end": CLOSER, "json": True}),
        Opener(OPENER, "json_object", closers=(CLOSER,)),
    ),
    aliases=("lfm2_5", "lfm2.5", "liquid"),
    models=("LFM2", "LFM2.5", "LFM2-VL"),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|im_end|>", "<|endoftext|>"),
    special_tokens=(OPENER, CLOSER, "<|im_end|>", "<|endoftext|>"),
    keep_special_tokens=True,
    server_names={
        "vllm": ("lfm2",),
        "sglang": ("lfm2",),
        "ollama": ("lfm2", "lfm2-thinking"),
        "llama.cpp": ("LFM2 with JSON tools",),
    },
    evidence=(("<|tool_call_start|>",), ("<|tool_list_start|>",)),
    example='<|tool_call_start|>[get_weather(city="Oslo")]<|tool_call_end|>',
    summary="A list of calls in Python's notation, or of JSON objects, between tool call tokens.",
)
