"""PLaMo 3: a header with the name, before JSON. Source: the tags that PLaMo 3 documents for its tool requests."""

from .spec import Format, Opener

NAMED = "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>"

FORMAT = Format(
    name="plamo3",
    openers=(
        Opener(
            "<|plamo:begin_tool_name:plamo|>",
            "header_json",
            closers=(
                "<|plamo:begin_tool_requests:plamo|>",
                "<|plamo:begin_tool_request:plamo|>",
                "<|plamo:end_tool_arguments:plamo|>",
                "<|plamo:end_tool_request:plamo|>",
                "<|plamo:end_tool_requests:plamo|>",
            ),
            options={
                "separators": (
                    (NAMED + "<|plamo:constrain|>json<|plamo:msg|>", "arguments"),
                    (NAMED + "<|plamo:msg|>", "arguments"),
                ),
                "tail": "<|plamo:end_tool_arguments:plamo|>",
            },
        ),
    ),
    models=("PLaMo 3",),
    reasoning=(("<|plamo:begin_think:plamo|>", "<|plamo:end_think:plamo|>"),),
    end_of_turn=("<|plamo:tag|>",),
    special_tokens=("<|plamo:tag|>",),
    keep_special_tokens=True,
    server_names={"vllm": ("plamo3",)},
    example=(
        "<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|>"
        "<|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|>"
        '<|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{"city": "Oslo"}'
        "<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>"
    ),
    summary="A tool request with the name and the arguments between tags of their own.",
)
