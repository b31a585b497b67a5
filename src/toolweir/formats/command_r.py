"""Command R and R+: the word Action, then an array of objects in a fence, or a name and its input.

Source: the tool use templates of Command R and Command R+, and the form that servers read after Action Input.
"""

from .spec import Format, Opener

OPTIONS = {
    "name_keys": ("tool_name", "name"),
    "argument_keys": ("parameters", "arguments"),
    "strict_keys": True,
    "tail": "```",
}

FORMAT = Format(
    name="command_r",
    openers=(
        Opener("Action:", "json_object", options={**OPTIONS, "lead": "```json"}, weak=True),
        Opener("Action:", "json_object", options=OPTIONS, weak=True),
        Opener("Action:", "header_json", options={"separators": (("Action Input:", "arguments"),)}, weak=True),
    ),
    aliases=("command_r_plus", "cohere1"),
    models=("Command R", "Command R+", "Aya Expanse"),
    end_of_turn=("<|END_OF_TURN_TOKEN|>",),
    special_tokens=("<|END_OF_TURN_TOKEN|>",),
    evidence=(("Action:", "<|CHATBOT_TOKEN|>"), ("<|CHATBOT_TOKEN|>",)),
    example='Action: ```json\n[\n    {"tool_name": "get_weather", "parameters": {"city": "Oslo"}}\n]\n```',
    summary="The word Action and an array of objects with `tool_name` and `parameters` in a JSON fence.",
)
