"""Texts to throw at a parser: shrapnel of markers and JSON, and the options to read it with."""

import random
from typing import Any

import toolweir

TOOLS = [{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}, {"name": "g"}]

JSON_PARTS = [
    "{", "}", "[", "]", ",", ":", '"', "\\", '\\"', "\\u12", "\\ud83d", "\\ude00", "null", "true", "1.5e3", "-", '"name"',
    '"name": "f"', '"name": "unknown"', '"name": "a.f"', '"arguments"', '"parameters": ', '"function": {', '"id": "x"',
    '"type": "function"', '{"name": "f", "arguments": {', '{"name": "g", "arguments": {"a": 1}}', '"arguments": "{\\"a\\": 1}"',
    '{"name": "f", "arguments": {"x": "', '"}}',
]  # fmt: skip
TEXT_PARTS = [
    " ", "    ", "\n", "\r\n", "\t", "a", "b c", "f", "STOP", "é", "日本", "🎉", "\x01", "\x7f", "\u2028", "'", "`", "<", "</",
    "<|", "｜",
]  # fmt: skip

QUOTING_CALL = '<tool_call>{"name": "f", "arguments": {"a": "x<tool_call>y"}}</tool_call>'
ALL_STATES = (
    "Hi <tool_bar> </tool_call> there.\n<think>\nHm `</think>` or.</think>\n"
    + QUOTING_CALL + ' `<tool_call>{"id": "n1", "name": "g", "arguments": "{\\"b\\": \\"\\u00e9\\"}"}</tool_call>` '
    + '<tool_call>{x}</tool_call><tool_call>[{"arguments": {"é": 1}, "name": "h"}, 7]</tool_call>\n'
    + '<tool_call>{"name": "i", "arguments": {"a": "never closed\n' + QUOTING_CALL + " bye 日本 🎉 <|im_end|> more"
)  # fmt: skip
"""A text that takes the parser through all its states."""

STATE_OPTIONS: list[dict[str, Any]] = [
    {},
    {"tools": [{"name": "f"}], "unknown_tools": "text"},
    {"tools": [{"name": "f"}, {"name": "h"}], "unknown_tools": "drop"},
    {"calls_in_reasoning": True, "reasoning": "started", "trim": True},
    {"malformed_as_text": True, "stop": ["bye"]},
    {"output": "guided"},
    {"ids": "native", "max_tool_calls": 1},
]
"""Options that change what the states of ALL_STATES do."""

OPTIONS: list[dict[str, Any]] = [
    {},
    {"tools": TOOLS},
    {"tools": TOOLS, "unknown_tools": "drop"},
    {"tools": TOOLS, "unknown_tools": "text"},
    {"tools": []},
    {"reasoning": "started"},
    {"reasoning": "off"},
    {"output": "guided"},
    {"output": "guided", "tool_choice": {"name": "f"}},
    {"output": "guided", "reasoning": "started", "tools": TOOLS},
    {"calls_in_reasoning": True},
    {"calls_in_reasoning": True, "tools": TOOLS, "reasoning": "started"},
    {"calls_in_reasoning": False, "tools": TOOLS},
    {"stop": ["STOP", "b"]},
    {"trim": True},
    {"trim": True, "reasoning": "started"},
    {"malformed_as_text": True},
    {"strict": True},
    {"parallel_tool_calls": False},
    {"max_tool_calls": 1},
    {"tool_choice": "none"},
    {"tool_choice": {"name": "g"}},
    {"ids": "native"},
]

LIMITS = {
    "header": 12, "name": 6, "id": 1, "value": 9, "arguments_before_name": 8, "quoted_hold": 30, "resync_hold": 20,
    "malformed": 10, "whitespace": 2, "calls": 2, "parameters": 1, "depth": 2, "arguments": 12,
}  # fmt: skip


def parts_of(format: str) -> list[str]:
    """What shrapnel of a format is made of: its markers, their halves, its example cut at its markers, JSON and text."""
    info = toolweir.format_info(format)
    markers = [*info.markers, *info.end_of_turn, *(marker for pair in info.reasoning_markers for marker in pair)]
    halves = [marker[: len(marker) // 2] for marker in markers if len(marker) > 1]
    example = info.example
    cut = [example[at:] for at in range(0, len(example), 7)] + [example[:at] for at in range(7, len(example), 7)]
    return [*markers * 3, *halves, example, *cut, *JSON_PARTS, *TEXT_PARTS]


def random_options(rng: random.Random) -> dict[str, Any]:
    """Options, now and then with limits that texts reach."""
    options = dict(rng.choice(OPTIONS))
    if rng.random() < 0.3:
        fields = rng.sample(sorted(LIMITS), rng.randrange(1, 4))
        options["limits"] = toolweir.Limits(
            **{field: rng.randrange(field == "depth", LIMITS[field] * 2) for field in fields}
        )
    return options


def shrapnel(rng: random.Random, parts: list[str], most: int = 24) -> str:
    """Random pieces glued together."""
    text = "".join(rng.choice(parts) for _ in range(rng.randrange(1, most)))
    return "x " + rng.choice("`'\"") + text if rng.random() < 0.2 else text
