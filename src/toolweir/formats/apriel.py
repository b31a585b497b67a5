"""Apriel: an array of objects between <tool_calls> tags. Source: the chat templates of Apriel 1.5 and 1.6."""

from .spec import Format, Opener

FORMAT = Format(
    name="apriel",
    openers=(Opener("<tool_calls>", "json_object", closers=("</tool_calls>",)),),
    aliases=("apriel1_5", "apriel_1.5", "apriel1_6", "apriel_1.6"),
    models=("Apriel 1.5", "Apriel 1.6"),
    reasoning=(("Here are my reasoning steps:", "[BEGIN FINAL RESPONSE]"), ("<thinking>", "</thinking>")),
    markup=("[END FINAL RESPONSE]",),
    end_of_turn=("<|end|>",),
    special_tokens=("<|end|>",),
    server_names={"llama.cpp": ("Apriel 1.5",)},
    evidence=(("<tool_calls>", "<thinking>"),),
    example='<tool_calls>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]</tool_calls>',
    summary="An array of objects between <tool_calls> tags; a marker before the final response ends the thought.",
)
