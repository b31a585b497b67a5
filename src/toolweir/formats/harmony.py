"""Harmony: messages with a role, a channel and a recipient; a message to a tool is a call.

Source: the chat template of gpt-oss and the published description of its response format. Messages on the analysis
channel are reasoning, those on final, on commentary (a preamble to calls) and on any channel that is not known are
content. A recipient makes a call of a message on whatever channel; `functions.` before its name is dropped. Built-in
tools (`python`, `browser.search`) are names like any other, and `unknown_tools` decides about them where they are not
declared; code in place of JSON is a MalformedCall. What other roles would say, should the model write on for them, is
content. With no tools to call a message to one is content, header included.
"""

from typing import Any

from .spec import Format, Opener

GRAMMAR: dict[str, Any] = {
    "marks": (
        ("<|channel|>", "channel"),
        ("<|constrain|>", "type"),
        ("<|message|>", "body"),
        ("<|start|>", "start"),
        *((text, "end") for text in ("<|call|>", "<|end|>", "<|return|>", "<|endoftext|>")),
    ),
    "thoughts": ("analysis",),
    "people": ("assistant", "user", "all"),
}

FORMAT = Format(
    name="harmony",
    openers=(
        Opener("<|start|>", "channels", closers=("<|call|>", "<|end|>"), options=GRAMMAR, message=True),
        Opener("<|channel|>", "channels", options={**GRAMMAR, "due": "channel"}, message=True),
        Opener("", "channels", options=GRAMMAR, message=True),
    ),
    aliases=("gpt_oss", "gptoss", "gpt_oss_20b", "gpt_oss_120b", "openai_harmony"),
    models=("gpt-oss-20b", "gpt-oss-120b", "gpt-oss-safeguard"),
    reasoning=(("<|channel|>analysis<|message|>", "<|end|>"),),
    markup=("<|message|>", "<|constrain|>"),
    end_of_turn=("<|return|>", "<|endoftext|>"),
    special_tokens=(
        *("<|start|>", "<|channel|>", "<|constrain|>", "<|message|>"),
        *("<|end|>", "<|call|>", "<|return|>", "<|endoftext|>"),
    ),
    keep_special_tokens=True,
    calls_in_reasoning=True,
    server_names={
        "vllm": ("openai",),
        "sglang": ("gpt-oss",),
        "dynamo": ("harmony",),
        "ollama": ("harmony",),
        "llama.cpp": ("GPT-OSS",),
        "tabbyapi": ("harmony",),
    },
    evidence=(("<|start|>", "<|channel|>", "<|message|>"),),
    example='<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Oslo"}<|call|>',
    summary="Messages between <|start|> and <|end|> or <|call|>; the header names channel and recipient, JSON follows.",
)
