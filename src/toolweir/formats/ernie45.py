"""ERNIE 4.5: an object between <tool_call> tags. Source: the chat template of ERNIE-4.5-21B-A3B-Thinking."""

from .spec import Format, Opener

FORMAT = Format(
    name="ernie45",
    openers=(Opener("<tool_call>", "json_object", closers=("</tool_call>",)),),
    aliases=("ernie", "ernie4_5", "ernie4.5"),
    models=("ERNIE 4.5 Thinking",),
    reasoning=(("<think>", "</think>"),),
    markup=("<response>", "</response>"),
    end_of_turn=("<|im_end|>", "</s>"),
    special_tokens=("<|im_end|>", "</s>"),
    server_names={"vllm": ("ernie45",)},
    evidence=(("<tool_call>", "<response>", "</think>"),),
    example='<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
    summary="An object between <tool_call> tags; the answer between <response> tags.",
)
