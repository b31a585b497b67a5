"""Llama 3 JSON: a bare object with `name` and `parameters`, or one behind <|python_tag|>; several are separated by `;`.

Source: the chat templates of Llama 3.1, 3.2 and 3.3.
"""

from .spec import Format, Opener

FORMAT = Format(
    name="llama3_json",
    openers=(
        Opener("<|python_tag|>", "json_object", options={"argument_keys": ("parameters", "arguments")}),
        Opener("", "json_object", options={"argument_keys": ("parameters", "arguments")}),
    ),
    aliases=("llama3", "llama3_1", "llama3.1", "llama3_2", "llama3.2", "llama3_3", "llama3.3", "llama4_json"),
    models=("Llama 3.1", "Llama 3.2", "Llama 3.3", "Llama 4"),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|eot|>"),
    special_tokens=("<|python_tag|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|eot|>"),
    keep_special_tokens=True,
    server_names={
        "vllm": ("llama3_json", "llama4_json"),
        "sglang": ("llama3",),
        "dynamo": ("llama3_json",),
        "llama.cpp": ("Llama 3.x",),
    },
    evidence=(("<|python_tag|>",), ("<|start_header_id|>", '"parameters"'), ("<|header_start|>", '"parameters"')),
    example='{"name": "get_weather", "parameters": {"city": "Oslo"}}',
    summary="A bare JSON object with `name` and `parameters` at the start of the turn, or behind <|python_tag|>.",
)
