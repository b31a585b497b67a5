"""The texts that are measured: what models write, made here, and the same in every run."""

import json

from toolweir import format_info

__all__ = ["CALL", "EXAMPLE_TOOL", "TAGGED_CALL", "TEXTS", "arguments", "call_in", "cut", "dense", "prose"]

PIECE = 4
"""Characters of a piece, about a token."""

ENGLISH = """The harbour master had no patience for excuses. "Either it floats," she said, "or it does not," and left.

By noon the fog had lifted; three boats were missing, and nobody on the quay could say which way they had gone.
"""

MARKDOWN = """## How it works

1. **Read** the file, line by line; each line is a *record* with `id`, `name` and `total`.
2. Skip records whose `total` is [not a number](#numbers).

| field | type   | example |
|-------|--------|---------|
| id    | string | `a-17`  |
"""

CODE = """def merge(left: list[int], right: list[int]) -> list[int]:
    out, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            out.append(left[i]); i += 1
        else:
            out.append(right[j]); j += 1
    return out + left[i:] + right[j:]  # "what is left" of one

"""

CJK = "春の海は静かで、遠くに小さな島が見えた。船長は「明日は風が出る」と言った。\n今天的會議改到下午三點。\n"

TEXTS = {"english": ENGLISH, "markdown": MARKDOWN, "code": CODE, "cjk": CJK}

CALL = '<tool_call>\n{"name": "write_file", "arguments": '
"""The head of a Hermes call, up to its arguments."""

TAGGED_CALL = "<tool_call>\n<function=write_file>\n<parameter=content>\n"
"""The head of a Qwen3-Coder call, up to the text of its only parameter."""

EXAMPLE_TOOL = {
    "name": "get_weather",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
}
"""The tool that the examples of the formats call."""


def prose(kind: str, size: int) -> str:
    """At least `size` characters of a text."""
    return TEXTS[kind] * (size // len(TEXTS[kind]) + 1)


def arguments(kind: str, size: int) -> str:
    """The same text as the only string of a call's arguments, without the end: more may follow."""
    return json.dumps({"content": prose(kind, size)}, ensure_ascii=False)[:-2]


def dense(size: int) -> str:
    """Arguments of small values, without the end: as much structure as JSON has."""
    row = {"id": 17, "ok": True, "tags": ["a", "b"], "at": {"x": -1.5, "y": 20}, "next": None}
    return json.dumps({"rows": [row] * (size // len(json.dumps(row)) + 1)})[:-2]


def call_in(format: str, value: str) -> tuple[str, str, str]:
    """A call whose only argument is the value, in a format's own syntax: what stands before it, the value, the rest.

    It is the format's example with another city. Where a quote stands before the city, the syntax is JSON's or
    Python's, and JSON's escapes are right in both; elsewhere a value stands between tags as it is.
    """
    head, tail = format_info(format).example.split("Oslo")
    return head, json.dumps(value, ensure_ascii=False)[1:-1] if head.endswith('"') else value, tail


def cut(text: str, size: int = PIECE) -> list[str]:
    """The text in pieces."""
    return [text[at : at + size] for at in range(0, len(text), size)]
