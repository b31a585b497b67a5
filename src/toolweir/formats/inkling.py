"""Inkling: messages with a header; a call is a name, a tag and an object with `name` and `args`.

Source: the message format of Inkling as the parsers of SGLang, vLLM and Dynamo document it. The prompt ends with
<|message_model|>, so that the name of a first call stands where a turn begins.
"""

from .spec import Format, Opener

TAG = "<|content_invoke_tool_json|>"
CLOSERS = ("<|end_message|>",)
ENVELOPE = {"argument_keys": ("args", "arguments", "parameters")}
HEADED = {**ENVELOPE, "lead": TAG, "headed": True}

FORMAT = Format(
    name="inkling",
    openers=(
        Opener("<|message_model|>", "json_object", closers=CLOSERS, options=HEADED),
        Opener(TAG, "json_object", closers=CLOSERS, options=ENVELOPE),
        Opener("", "json_object", closers=CLOSERS, options=HEADED),
    ),
    models=("Inkling",),
    reasoning=(("<|content_thinking|>", "<|end_message|>"),),
    markup=("<|content_text|>",),
    end_of_turn=("<|content_model_end_sampling|>",),
    special_tokens=(
        "<|message_model|>",
        TAG,
        "<|content_thinking|>",
        "<|content_text|>",
        "<|end_message|>",
        "<|content_model_end_sampling|>",
    ),
    keep_special_tokens=True,
    server_names={"vllm": ("inkling",), "sglang": ("inkling",), "dynamo": ("inkling",)},
    example=(
        '<|message_model|>get_weather<|content_invoke_tool_json|>{"name": "get_weather", "args": {"city": "Oslo"}}'
        "<|end_message|>"
    ),
    summary="The name, <|content_invoke_tool_json|> and an object with `name` and `args`, in a message of its own.",
)
