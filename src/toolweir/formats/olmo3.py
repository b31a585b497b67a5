"""OLMo 3: calls in Python's notation, one a line, between <function_calls> tags.

Source: the model card of OLMo 3.
"""

from .spec import Format, Opener

CLOSER = "</function_calls>"

FORMAT = Format(
    name="olmo3",
    openers=(Opener("<function_calls>", "literals", closers=(CLOSER,), options={"block_end": CLOSER}),),
    aliases=("olmo_3", "olmo3_think"),
    models=("OLMo 3 Instruct", "OLMo 3 Think"),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|im_end|>", "<|endoftext|>"),
    special_tokens=("<|im_end|>", "<|endoftext|>"),
    server_names={"vllm": ("olmo3",), "ollama": ("olmo3", "olmo3-think")},
    example='<function_calls>\nget_weather(city="Oslo")\n</function_calls>',
    summary="Calls in Python's notation, one a line, between <function_calls> tags.",
)
