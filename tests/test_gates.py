"""A piece that goes through a gate does what it does on the whole way, which a str of another class has to take."""

import random
from dataclasses import replace
from typing import Any

import pytest

from toolweir import Limits, StreamParser

TOOLS = [{"name": "f", "parameters": {"type": "object", "properties": {"s": {"type": "string"}}}}]

HEADS = {
    "text": ("hermes", "So: "),
    "text, markers beyond ASCII": ("deepseek_v3", "So: "),
    "a thought": ("hermes", "<think>So: "),
    "arguments": ("hermes", '<tool_call>{"name": "f", "arguments": {"s": "'),
    "arguments between strings": ("hermes", '<tool_call>{"name": "f", "arguments": {"s": '),
    "arguments behind a header": ("mistral", '[TOOL_CALLS]f[ARGS]{"s": "'),
    "a value": ("qwen3_coder", "<tool_call>\n<function=f>\n<parameter=s>\nSo: "),
    "a value whose edges are trimmed": ("glm45", "<tool_call>f\n<arg_key>s</arg_key>\n<arg_value>So: "),
    "a literal's string": ("pythonic", '[f(s="'),
    "arguments before their name": ("hermes", '<tool_call>{"arguments": {"s": "'),
    "arguments before their name, between strings": ("hermes", '<tool_call>{"arguments": {"s": '),
    "arguments before their name in an array": ("hermes", '<tool_call>[{"arguments": {"s": "'),
}
PIECES = [
    "word", " and", "", "more than sixteen characters of one piece", "a", " ", "  ", "\n", "end\n", "end ", "\t", "\x00", "\x7f",
    '"', '\\"', "\\", "n", "\\n", '", "t": "', '"}', "}", "{", "[1, 2]", "1.5", ": ", "'", "`", ")", "]", "|", "?" * 300,
    "é", "naïve", "ÿ" * 20, "日本", "日本語の文字列がここにある", "a日", "｜", "😀", "日😀é", "\ud800", "a\udfffb", "日\ud83d", "😀\udc00",
    "<", "<t", "tool_call>", "<b>", "</tool", "_call>", "</tool_call>", "<tool_call>", "</parameter>", "</arg_value>", "x<", "<x", "[T",
    '{"name": "f"}', ', "name": "f"',
]  # fmt: skip


class OtherText(str):
    """No gate takes it."""


def state(parser: StreamParser) -> tuple[Any, ...]:
    """All that it tells but how many bytes it looked at: the gate of text looks at characters."""
    told = parser.channel, parser.offset, parser.held, parser.held_because, parser.may_stop
    return *told, parser.result, replace(parser.stats, bytes_looked_at=0)


def spans(events: Any) -> list[Any]:
    return [(repr(event), event.span) for event in events]


def both(format: str, head: str, **options: Any) -> tuple[StreamParser, StreamParser]:
    """Two parsers that have read the head."""
    made = [StreamParser(format, tools=TOOLS, make_id=lambda index, _: f"call_{index}", **options) for _ in range(2)]
    for parser in made:
        parser.feed(head)
    return made[0], made[1]


@pytest.mark.parametrize("head", HEADS)
def test_each_piece_alone(head):
    for piece in PIECES:
        ours, whole = both(*HEADS[head])
        for each in (piece, "x", piece):
            assert spans(ours.feed(each)) == spans(whole.feed(OtherText(each))), piece
            assert state(ours) == state(whole), piece
        assert spans(ours.finish("stop")) == spans(whole.finish("stop")), piece
        assert state(ours) == state(whole)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("seed", range(40))
def test_pieces_in_any_order(head, seed):
    rng = random.Random(f"{head} {seed}")
    ours, whole = both(*HEADS[head])
    for _ in range(rng.randrange(30)):
        piece = rng.choice(PIECES)
        if rng.random() < 0.1:
            ours, whole = ours.copy(), whole.copy()
        if rng.random() < 0.05:
            assert spans(ours.flush_held()) == spans(whole.flush_held())
        assert spans(ours.feed(piece)) == spans(whole.feed(OtherText(piece))), piece
        assert state(ours) == state(whole), piece
    assert spans(ours.finish("stop")) == spans(whole.finish("stop"))


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("piece", ["x", "ten of them", "é日😀", '\\"', "seventeen of them"])
def test_every_limit_strikes_at_the_same_byte(head, piece):
    small = {
        "arguments_before_name": 40,
        "value": 30,
        "arguments": 60,
        "header": 40,
        "whitespace": 20,
        "malformed": 200,
    }
    ours, whole = both(*HEADS[head], limits=Limits(**small))
    for _ in range(30):
        assert spans(ours.feed(piece)) == spans(whole.feed(OtherText(piece)))
        assert state(ours) == state(whole)


def test_arguments_before_their_name_come_with_it():
    parser = StreamParser("hermes", tools=TOOLS)
    parser.feed('<tool_call>{"arguments": {"s": "')
    assert [parser.feed(piece) for piece in ("a", "é", "日", "😀", "b" * 20)] == [()] * 5
    assert parser.held == '<tool_call>{"arguments": {"s": "aé日😀' + "b" * 20
    assert parser.offset == len(parser.held)
    start, delta, end = parser.feed('"}, "name": "f"}')
    assert start.name == "f"
    assert delta.text == end.arguments == '{"s": "aé日😀' + "b" * 20 + '"}'


def test_a_piece_of_plain_text_goes_out_as_itself():
    parser = StreamParser("hermes")
    parser.feed("so")
    for piece in ("plain words", "日本 plain", "\n\n", "a\u00e9"):
        (event,) = parser.feed(piece)
        assert event.text is piece


def test_a_piece_of_arguments_goes_out_as_itself():
    parser = StreamParser("hermes")
    parser.feed('<tool_call>{"name": "f", "arguments": {"a": "so')
    for piece in ("plain words", "日本 plain", '", "b": [1, {"c": "', "\\n"):
        (event,) = parser.feed(piece)
        assert event.text is piece


def test_a_piece_of_a_value_goes_out_as_itself_if_nothing_in_it_is_escaped():
    parser = StreamParser("qwen3_coder", tools=[{"name": "f", "parameters": {"properties": {"a": {"type": "string"}}}}])
    parser.feed("<tool_call><function=f><parameter=a>so")
    for piece in ("plain words", "日本 plain"):
        (event,) = parser.feed(piece)
        assert event.text is piece
    assert [event.text for event in parser.feed('a "word"')] == ['a \\"word\\"']


def test_what_stands_before_the_arguments_takes_of_the_room_that_a_name_may_keep_waiting():
    head = '<tool_call>{"x": "twenty characters ..", "arguments": {"s": "'
    ours, whole = both("hermes", head, limits=Limits(arguments_before_name=80, value=0))
    for _ in range(30):
        assert spans(ours.feed("word")) == spans(whole.feed(OtherText("word")))
        assert state(ours) == state(whole)
    broken = ours.finish()
    assert spans(broken) == spans(whole.finish())
    assert [event.reason for event in broken] == ["limit"]
