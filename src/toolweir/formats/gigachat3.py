"""GigaChat 3: an object in a message of its own, or behind a tag. Source: the chat templates of GigaChat 3 and 3.1."""

from .spec import Format, Opener

FORMAT = Format(
    name="gigachat3",
    openers=(
        Opener("function call<|role_sep|>", "json_object", closers=("<|message_sep|>",)),
        Opener("<|function_call|>", "json_object", closers=("<|message_sep|>",)),
    ),
    aliases=("gigachat", "gigachat3_1", "gigachat3.1"),
    models=("GigaChat 3", "GigaChat 3.1"),
    end_of_turn=("</s>",),
    special_tokens=("<|message_sep|>", "<|role_sep|>", "<|function_call|>", "</s>"),
    keep_special_tokens=True,
    server_names={"vllm": ("gigachat3",), "sglang": ("gigachat3",)},
    evidence=(("<|message_sep|>", "<|role_sep|>"), ("<|function_call|>",)),
    example='<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}',
    summary="An object with `name` and `arguments` behind `function call<|role_sep|>` or <|function_call|>.",
)
