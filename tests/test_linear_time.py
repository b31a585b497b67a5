"""Each byte is looked at a bounded number of times, and little is kept, whatever the text and the pieces.

Work is counted (`stats.bytes_looked_at`, `stats.bytes_held`), never timed: a reader that goes back to the start of what it
holds with every piece counts thousands where this allows a few. It is counted behind each piece, and texts that go in
whole are short ones first, so that such a reader fails at once and not after hours.
"""

import pytest

import toolweir
from toolweir import Limits, StreamParser

ROOM = Limits(value=1 << 14, arguments_before_name=1 << 14)
"""Room for a call whose name is late: small, or everything here would fit in."""

SIZE = 1 << 18
GROWING = (1 << 6, 1 << 9, 1 << 13, SIZE)
LOOKS = 4
"""Times that a byte may be looked at: as text, as a held call, as one that is read aloud, as raw text."""

HOLDS = ROOM.value + ROOM.arguments_before_name + ROOM.resync_hold + ROOM.quoted_hold + ROOM.malformed + ROOM.whitespace
"""Bytes that may be kept of the input."""

BEFORE_NAME = '<tool_call>{"arguments": {"a": "'
INSIDE = '<tool_call>{"name": "f", "arguments": {"a": "'

TEXTS = {
    "angle brackets": ("", "<"),
    "square brackets": ("", "["),
    "braces": ("", "{"),
    "quotes": ("", '"'),
    "backquotes": ("", "`"),
    "backslashes": ("", "\\"),
    "half openers": ("", "<tool_"),
    "half closers": ("", "</tool_cal"),
    "openers": ("", "<tool_call>"),
    "openers and newlines": ("", "<tool_call>\n"),
    "openers and braces": ("", "<tool_call>{"),
    "openers and quoted braces": ("", '`<tool_call>{"'),
    "closers": ("", "</tool_call>"),
    "closers inside a line": ("a", " </tool_call>"),
    "thoughts": ("", "<think></think>"),
    "quoted thoughts": ("", "`<think>`"),
    "whitespace": ("", " "),
    "newlines": ("a", "\n"),
    "whitespace behind a marker": ("<think>", " "),
    "whitespace behind an opener": ("<tool_call>", " "),
    "whitespace behind a call": ('<tool_call>{"name": "f"}', "\n"),
    "whitespace in a call": ('<tool_call>{"name": "f", ', " "),
    "a quoted call": ('`<tool_call>{"name": "f", "arguments": {"a": "', "x"),
    "backslashes in a quoted call": ('"<tool_call>{"name": "f", "arguments": {"a": "', '\\\\"'),
    "a name": ('<tool_call>{"name": "', "f"),
    "a key": ('<tool_call>{"', "k"),
    "a value that nobody asked for": ('<tool_call>{"k": "', "v"),
    "an open string": (INSIDE, "x"),
    "openers in an open string": (INSIDE, "<tool_call>"),
    "openers and braces in an open string": (INSIDE, "<tool_call>{ "),
    "half openers in an open string": (INSIDE, "<tool_"),
    "newlines in an open string": (INSIDE, "\n"),
    "escapes in an open string": (INSIDE, "\\n"),
    "deep arguments": ('<tool_call>{"name": "f", "arguments": {"a": ', "["),
    "numbers": ('<tool_call>{"name": "f", "arguments": {"a": [1', ",1"),
    "arguments encoded twice": ('<tool_call>{"name": "f", "arguments": "{\\"a\\": \\"', "x"),
    "escapes in arguments encoded twice": ('<tool_call>{"name": "f", "arguments": "{\\"a\\": \\"', "\\\\n"),
    "openers in arguments encoded twice": ('<tool_call>{"name": "f", "arguments": "{\\"a\\": \\"', "<tool_call>{"),
    "broken calls": ("", '<tool_call>{"name": "f", "arguments": [</tool_call>'),
    "broken strings": ("", INSIDE + "\n"),
    "malformed": ("<tool_call>{x", "y"),
    "half closers in a malformed block": ("<tool_call>{x", "</tool_cal"),
    "calls": ("", '<tool_call>{"name": "f", "arguments": {}}</tool_call>'),
    "calls in a block": ("<tool_call>", '{"name": "f"}\n'),
    "characters of three bytes": ("", "日"),
    "after the end": ("<|im_end|>", "x"),
}
OPTIONS = [
    {},
    {"trim": True, "malformed_as_text": True},
    {"output": "guided"},
    {"calls_in_reasoning": True, "reasoning": "started", "tools": [{"name": "f"}]},
]


def long_text(name: str, size: int) -> str:
    head, unit = TEXTS[name]
    return head + unit * (size // len(unit.encode()))


def worst(parser: StreamParser, pieces) -> int:
    """Reads the pieces, each byte no more than LOOKS times; the most bytes of the input kept between two of them."""
    fed = held = 0
    for piece in pieces:
        parser.feed(piece)
        stats = parser.stats
        fed += len(piece.encode() if isinstance(piece, str) else piece)
        assert stats.bytes_looked_at <= LOOKS * fed
        held = max(held, stats.bytes_held)
    parser.finish()
    assert parser.stats.bytes_looked_at <= LOOKS * fed
    return held


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", TEXTS)
def test_whole(name, options):
    for size in GROWING:
        worst(StreamParser("hermes", limits=ROOM, **options), [long_text(name, size)])


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", TEXTS)
def test_one_byte_a_feed(name, options):
    raw = long_text(name, SIZE // 16).encode()
    parser = StreamParser("hermes", limits=ROOM, **options)
    assert worst(parser, (raw[at : at + 1] for at in range(len(raw)))) <= HOLDS


@pytest.mark.parametrize("size", [3, 16, 1000])
@pytest.mark.parametrize("name", TEXTS)
def test_pieces(name, size):
    text = long_text(name, SIZE // 4)
    held = worst(StreamParser("hermes", limits=ROOM), (text[at : at + size] for at in range(0, len(text), size)))
    assert held <= HOLDS + 4 * size


@pytest.mark.parametrize(
    "head", [BEFORE_NAME, '<tool_call>{"', '<tool_call>{"k": "', '<tool_call>{"k": ["', '<tool_call>{"k":']
)
def test_a_call_whose_name_is_late_is_held_up_to_its_limit(head):
    parser = StreamParser("hermes", limits=ROOM)
    text = head + (" " if head[-1] == ":" else "x") * SIZE
    held = worst(parser, (text[at : at + 100] for at in range(0, len(text), 100)))
    assert 1 << 14 <= held <= HOLDS
    assert parser.result.malformed == 1


def test_prose_is_looked_at_once_and_kept_never():
    parser = StreamParser("hermes")
    for at in range(10_000):
        parser.feed("word")
        assert parser.stats.bytes_held == 0
        assert parser.stats.bytes_looked_at == 4 * (at + 1)


def test_kept_arguments_stop_at_their_limit():
    parser = StreamParser("hermes", limits=Limits(arguments=1000))
    parser.feed(INSIDE)
    for _ in range(1000):
        parser.feed("x" * 100)
        assert parser.stats.bytes_kept <= 1100


def test_a_whole_message_is_linear_too():
    message = toolweir.parse(long_text("calls", SIZE // 8), "hermes", limits=Limits(calls=1 << 20))
    assert len(message.tool_calls) == (SIZE // 8) // len(TEXTS["calls"][1])
