"""Llama 4 pythonic: a list of calls in Python's notation, bare or between <|python_start|> and <|python_end|>.

Source: the chat template and the model card of Llama 4.
"""

from .spec import Format, Opener

CLOSER = "<|python_end|>"

FORMAT = Format(
    name="llama4_pythonic",
    openers=(
        Opener("<|python_start|>", "literals", closers=(CLOSER,), options={"bracketed": True, "block_end": CLOSER}),
        Opener("", "literals", options={"bracketed": True}),
    ),
    aliases=("llama4", "llama_4"),
    models=("Llama 4 Scout", "Llama 4 Maverick"),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|eot|>", "<|eom|>", "<|end_of_text|>"),
    special_tokens=("<|python_start|>", "<|python_end|>", "<|eot|>", "<|eom|>", "<|end_of_text|>"),
    server_names={"vllm": ("llama4_pythonic",), "sglang": ("pythonic",)},
    evidence=(("[func_name1(", "<|header_start|>"), ("<|python_start|>",)),
    example='[get_weather(city="Oslo")]',
    summary="A list of calls in Python's notation at the start of the turn, or between python tags.",
)
