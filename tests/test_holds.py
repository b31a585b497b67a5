"""Why text is held: each word where it belongs, and none where nothing is held."""

from typing import Any

import pytest
from case_files import all_cases

from toolweir import Hold, StreamParser

TOOLS = [{"name": "f", "parameters": {"type": "object", "properties": {"n": {"type": ["integer", "string"]}}}}]
HELD: list[tuple[str, str, dict[str, Any], str, Hold | None]] = [
    ("hermes", "a ", {}, "", None),
    ("hermes", "a <tool_", {}, "<tool_", Hold.MARKER),
    ("hermes", "a EN", {"stop": ["END"]}, "EN", Hold.MARKER),
    ("qwen3_coder", "<parameter=x", {"output": "guided"}, "<parameter=x", Hold.MARKER),
    ("hermes", "a <tool_call>\n", {}, "<tool_call>\n", Hold.OPENER),
    ("hermes", "{ ", {"output": "guided"}, "{ ", Hold.OPENER),
    ("hermes", '"<tool_call>{"name": "f"', {}, '<tool_call>{"name": "f"', Hold.QUOTE),
    ("hermes", "'</think>", {}, "</think>", Hold.QUOTE),
    ("hermes", '<tool_call>{"arguments": {}', {}, '<tool_call>{"arguments": {}', Hold.NAME),
    ("pythonic", "[f", {}, "[f", Hold.NAME),
    ("hermes", '<tool_call>{"name": "f", "arguments": {"n": 1', {}, "", None),
    ("hermes", r'<tool_call>{"name": "f", "arguments": "{\"n\u00', {}, r"\u00", Hold.VALUE),
    ("qwen3_coder", "<tool_call>\n<function=f>\n<parameter=n>\n12", {}, "12", Hold.VALUE),
    ("qwen3_coder", "<tool_call>\n<function=f>\n<par", {}, "<par", Hold.VALUE),
    ("hermes", '<tool_call>{"name": "f", "arguments": {}}\n', {}, "\n", Hold.AFTER_CALL),
    ("hermes", "<think>a</think>\n", {}, "\n", Hold.WHITESPACE),
    ("hermes", "a</tool_call>", {}, "</tool_call>", Hold.LINE),
    ("hermes", '<tool_call>{"name": 5', {}, '<tool_call>{"name": 5', Hold.BROKEN),
]


@pytest.mark.parametrize(("format", "text", "options", "held", "why"), HELD)
@pytest.mark.parametrize("step", [1, 1000])
def test_held_text_has_its_reason(
    format: str, text: str, options: dict[str, Any], held: str, why: Hold | None, step: int
) -> None:
    parser = StreamParser(format, tools=TOOLS, **options)
    for at in range(0, len(text), step):
        parser.feed(text[at : at + step])
    assert (parser.held, parser.held_because) == (held, why)


def test_every_reason_occurs() -> None:
    assert {why for *_, why in HELD} == {*Hold, None}


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: f"{case.format} {case.name}")
def test_there_is_a_reason_just_while_text_is_held(case: Any) -> None:
    parser = StreamParser(case.format, **case.options)
    for at, character in enumerate(case.text):
        parser.feed(character)
        assert isinstance(parser.held_because, Hold) == bool(parser.held), at
        # What is held is the end of the text: whoever shows both may mark it there.
        assert case.text[: at + 1].endswith(parser.held)
    parser.finish(case.finish)
    assert (parser.held, parser.held_because) == ("", None)
