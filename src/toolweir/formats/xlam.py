"""xLAM: a bare array of objects, or one in a fence or behind a tag. Source: the model cards of xLAM 1 and 2."""

from .spec import Format, Opener

FORMAT = Format(
    name="xlam",
    openers=(
        Opener("", "json_object"),
        Opener("```json", "json_object", options={"strict_keys": True, "tail": "```"}, weak=True),
        Opener("[TOOL_CALLS]", "json_object"),
        Opener("<tool_call>", "json_object", closers=("</tool_call>",)),
    ),
    aliases=("xlam2", "xlam_2"),
    models=("xLAM 1", "xLAM 2"),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|eot_id|>", "<|im_end|>"),
    special_tokens=("<|eot_id|>", "<|im_end|>"),
    server_names={"vllm": ("xlam",)},
    evidence=(("xLAM",),),
    example='[{"name": "get_weather", "arguments": {"city": "Oslo"}}]',
    summary="An array of objects with `name` and `arguments`: bare at the start of the turn, in a fence, behind a tag.",
)
