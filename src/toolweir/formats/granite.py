"""Granite 3: a list of objects behind <|tool_call|>, or Hermes calls inside <response>.

Source: the chat templates of Granite 3.0 to 3.3.
"""

from .spec import Format, Opener

FORMAT = Format(
    name="granite",
    openers=(
        Opener("<|tool_call|>", "json_object", closers=("<|/tool_call|>",)),
        Opener("<tool_call>", "json_object", closers=("</tool_call>",)),
    ),
    aliases=("granite3", "granite3_1", "granite3.1", "granite3_2", "granite3.2", "granite3_3", "granite3.3"),
    models=("Granite 3.0", "Granite 3.1", "Granite 3.2", "Granite 3.3"),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|end_of_text|>",),
    markup=("<response>", "</response>"),
    special_tokens=("<|tool_call|>", "<|end_of_text|>"),
    keep_special_tokens=True,
    server_names={"vllm": ("granite",), "llama.cpp": ("Granite",)},
    evidence=(("<|tool_call|>",), ("<response>", "<|start_of_role|>")),
    example='<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]',
    summary="<|tool_call|> and a JSON array of calls; <tool_call> blocks, also inside <response>.",
)
