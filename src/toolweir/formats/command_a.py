"""Command A and Command R7B: an array of objects with their own keys between action tags.

Source: the chat templates of Command R7B (December 2024), Command A and Cohere's mixture of experts.
"""

from .spec import Format, Opener

FORMAT = Format(
    name="command_a",
    openers=(
        Opener(
            "<|START_ACTION|>",
            "json_object",
            closers=("<|END_ACTION|>",),
            options={
                "name_keys": ("tool_name", "name"),
                "argument_keys": ("parameters", "arguments"),
                "id_keys": ("tool_call_id", "id"),
            },
        ),
    ),
    aliases=("command_r7b", "command_r_7b", "cohere", "cohere2", "cohere_command3", "cohere_command4", "command4"),
    models=("Command R7B", "Command A", "Command A Reasoning"),
    reasoning=(("<|START_THINKING|>", "<|END_THINKING|>"),),
    markup=(
        "<|START_RESPONSE|>",
        "<|END_RESPONSE|>",
        "<|START_TEXT|>",
        "<|END_TEXT|>",
        "<|START_OF_TURN_TOKEN|>",
        "<|CHATBOT_TOKEN|>",
    ),
    end_of_turn=("<|END_OF_TURN_TOKEN|>",),
    special_tokens=(
        "<|START_ACTION|>",
        "<|END_ACTION|>",
        "<|START_THINKING|>",
        "<|END_THINKING|>",
        "<|START_RESPONSE|>",
        "<|END_RESPONSE|>",
        "<|START_TEXT|>",
        "<|END_TEXT|>",
        "<|END_OF_TURN_TOKEN|>",
    ),
    keep_special_tokens=True,
    server_names={
        "vllm": ("cohere_command3", "cohere_command4"),
        "sglang": ("cohere_command4",),
        "ollama": ("cohere",),
        "llama.cpp": ("Command R7B",),
    },
    evidence=(("<|START_ACTION|>", "<|END_ACTION|>"), ("<|START_RESPONSE|>", "<|CHATBOT_TOKEN|>")),
    example=(
        '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Oslo"}}\n]'
        "<|END_ACTION|>"
    ),
    summary="An array of objects with `tool_name` and `parameters` between <|START_ACTION|> and <|END_ACTION|>.",
)
