"""Pythonic: a list of calls in Python's own notation, as the whole turn, or between the tokens of some models.

Source: the chat templates of Llama 3.2 (pythonic) and ToolACE; servers give Llama 4 and LFM2 to the same parser.
"""

from .spec import Format, Opener

FORMAT = Format(
    name="pythonic",
    openers=(
        *(
            Opener(opener, "literals", closers=(closer,), options={"bracketed": True, "block_end": closer})
            for opener, closer in (
                ("<|python_start|>", "<|python_end|>"),
                ("<|tool_call_start|>", "<|tool_call_end|>"),
            )
        ),
        Opener("", "literals", options={"bracketed": True}),
    ),
    aliases=("python_list", "toolace", "llama3_pythonic", "llama3.2_pythonic"),
    models=("Llama 3.2 1B", "Llama 3.2 3B", "ToolACE"),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|eot_id|>", "<|eom_id|>", "<|end_of_text|>"),
    special_tokens=("<|eot_id|>", "<|eom_id|>", "<|end_of_text|>"),
    server_names={"vllm": ("pythonic",), "dynamo": ("pythonic",)},
    evidence=(("[func_name1(",),),
    example='[get_weather(city="Oslo")]',
    summary="A list of calls in Python's notation at the start of the turn.",
)
