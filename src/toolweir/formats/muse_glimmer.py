"""Muse Glimmer: messages with recipients; tools are sent calls in ATEM tags.

Source: the chat templates of Muse Glimmer and the recipients that its servers document. A message to `self` is
reasoning, one to the user or to anybody else is content; in a message to a tool the call stands in tags that name the
function once more, and that name counts. A call in tags is one in whatever message it stands, since models misaddress
them.
"""

from typing import Any

from .spec import Format, Opener

MESSAGE: dict[str, Any] = {
    "marks": (
        ("<|message|>", "body"),
        ("<|start|>", "start"),
        *((text, "end") for text in ("<|eom|>", "<|eot|>", "<|end_of_text|>")),
    ),
    "thoughts": ("self",),
    "json_body": False,
}

CLOSER = "</atem:function_calls>"

TAGS: dict[str, Any] = {
    "function": "<atem:invoke name=",
    "function_end": "</atem:invoke>",
    "parameter": "<atem:parameter name=",
    "parameter_end": "</atem:parameter>",
    "wrapper_ends": (CLOSER,),
    "markup": ("<atem:function_calls>",),
    "stray_tags": ("</atem:parameter>",),
    "guided_tags": ("<atem:parameter name=", "</atem:parameter>"),
}

FORMAT = Format(
    name="muse_glimmer",
    openers=(
        Opener("<|start|>", "channels", closers=("<|eom|>",), options=MESSAGE, message=True),
        Opener("", "channels", options=MESSAGE, message=True),
        Opener("<atem:function_calls>", "tagged", closers=(CLOSER,), options={**TAGS, "wrapped": True}),
        Opener("<atem:invoke name=", "tagged", closers=("</atem:invoke>",), options={**TAGS, "wrapped": False}),
    ),
    aliases=("muse", "glimmer", "muse_spark", "musespark1x", "atem"),
    models=("Muse Glimmer", "Muse Spark 1"),
    reasoning=(("<|start|>assistant to=self<|message|>", "<|eom|>"),),
    markup=("<|message|>",),
    end_of_turn=("<|eot|>", "<|end_of_text|>"),
    special_tokens=("<|start|>", "<|message|>", "<|eom|>", "<|eot|>"),
    keep_special_tokens=True,
    calls_in_reasoning=True,
    server_names={
        "vllm": ("muse", "musespark1x", "muse_glimmer"),
        "dynamo": ("muse_glimmer", "muse"),
        "ollama": ("glimmer",),
        "llama.cpp": ("Muse Glimmer",),
        "tabbyapi": ("muse_glimmer",),
    },
    evidence=(("<atem:function_calls>", "<|message|>", "<|eom|>"),),
    example=(
        ' to=get_weather<|message|><atem:function_calls>\n<atem:invoke name="get_weather">\n'
        '<atem:parameter name="city">Oslo</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eot|>'
    ),
    summary="Messages whose header names the recipient; calls are <atem:invoke> tags with <atem:parameter> tags.",
)
