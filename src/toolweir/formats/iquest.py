"""IQuest: GLM's keys and values between tags of its own. Source: SGLang's parser `iquest_q1`."""

from .glm47 import pair_tags
from .spec import Format

FORMAT = Format(
    name="iquest",
    openers=(pair_tags("<iquest_tool_call>", "</iquest_tool_call>"),),
    aliases=("iquest_q1",),
    models=("IQuest Q1",),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|im_end|>", "<|endoftext|>"),
    special_tokens=("<iquest_tool_call>", "</iquest_tool_call>", "<think>", "</think>", "<|im_end|>", "<|endoftext|>"),
    calls_in_reasoning=True,
    server_names={"sglang": ("iquest_q1",)},
    evidence=(("<iquest_tool_call>",),),
    example="<iquest_tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></iquest_tool_call>",
    summary="GLM's <arg_key> and <arg_value> tags in <iquest_tool_call> tags.",
)
