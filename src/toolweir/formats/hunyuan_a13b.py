"""Hunyuan A13B: an array of objects between <tool_calls> tags. Source: the chat template of Hunyuan-A13B-Instruct."""

from .spec import Format, Opener

FORMAT = Format(
    name="hunyuan_a13b",
    openers=(Opener("<tool_calls>", "json_object", closers=("</tool_calls>",)),),
    models=("Hunyuan A13B",),
    reasoning=(("<think>", "</think>"),),
    markup=("<answer>", "</answer>"),
    end_of_turn=("<|eos|>",),
    special_tokens=("<|eos|>",),
    server_names={"vllm": ("hunyuan_a13b",)},
    evidence=(("<tool_calls>", "<answer>"),),
    example='<tool_calls>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]</tool_calls>',
    summary="An array of objects between <tool_calls> tags; the answer between <answer> tags.",
)
