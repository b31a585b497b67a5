"""feed_many: whatever parsers, pieces and steps, each parser reads as if it were fed alone."""

import random
from typing import Any

import pytest
from support import random_cut
from texts import parts_of, random_options, shrapnel

import toolweir
from toolweir import (
    ArgumentsDelta,
    ContentDelta,
    Event,
    OptionError,
    ParserStateError,
    ReasoningDelta,
    StreamParser,
    ToolCallStart,
    feed_many,
)

FORMATS = toolweir.formats()
CALL = '<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>'


def new_parser(format: str = "hermes", **options: Any) -> StreamParser:
    return StreamParser(format, make_id=lambda index, name: f"{name}-{index}", **options)


def spanned(events: tuple[Event, ...]) -> list[tuple[Event, tuple[int, int]]]:
    """Events with their spans, which equality leaves out."""
    return [(event, event.span) for event in events]


class Host:
    """What a host makes of the entries of a parser's steps: the same events as feed() gives."""

    def __init__(self, parser: StreamParser) -> None:
        self.parser = parser
        self.call = -1
        self.short = 0

    def events(self, entry: str | tuple[Event, ...], piece: str | bytes) -> tuple[Event, ...]:
        if isinstance(entry, str):
            self.short += 1
            assert isinstance(piece, str)
            span = (self.parser.offset - len(piece), self.parser.offset)
            if self.parser.channel == "call":
                return (ArgumentsDelta(self.call, entry, span),)
            return ((ContentDelta if self.parser.channel == "content" else ReasoningDelta)(entry, span),)
        for event in entry:
            if isinstance(event, ToolCallStart):
                self.call = event.index
        return entry


@pytest.mark.parametrize("format", FORMATS)
def test_steps_equal_feed(format: str) -> None:
    parts = parts_of(format)
    short = 0
    for seed in range(60):
        rng = random.Random(seed)
        parsers, alone, rows = [], [], []
        for _ in range(rng.randrange(1, 7)):
            options = random_options(rng)
            parsers.append(new_parser(format, **options))
            alone.append(new_parser(format, **options))
            text = rng.choice([shrapnel(rng, parts), "Well, so be it: " + toolweir.format_info(format).example])
            rows.append([piece if rng.random() < 0.9 else encoded(piece) for piece in random_cut(text, rng)])
        hosts = [Host(parser) for parser in parsers]
        while any(rows):
            chosen = [at for at in range(len(rows)) if rows[at] and rng.random() < 0.7]
            rng.shuffle(chosen)
            pieces = [rows[at].pop(0) for at in chosen]
            entries = feed_many([parsers[at] for at in chosen], pieces, events=rng.random() < 0.3)
            for at, piece, entry in zip(chosen, pieces, entries, strict=True):
                assert spanned(hosts[at].events(entry, piece)) == spanned(alone[at].feed(piece))
                assert (parsers[at].channel, parsers[at].held) == (alone[at].channel, alone[at].held)
        for parser, other in zip(parsers, alone, strict=True):
            assert spanned(parser.finish("stop")) == spanned(other.finish("stop"))
            assert (parser.result, parser.stats) == (other.result, other.stats)
        short += sum(host.short for host in hosts)
    assert short > 20, "no piece was told by its text alone"


def encoded(piece: str | bytes) -> bytes:
    return piece.encode("utf-8", "replace") if isinstance(piece, str) else piece


def test_an_entry_is_the_piece_itself_where_it_went_out_as_it_came() -> None:
    parsers = [new_parser() for _ in range(3)]
    feed_many(parsers, ["so ", "<think>\nhm ", '<tool_call>{"name": "f", "arguments": {"a": "'])
    pieces = ["one ", "two ", "three "]
    entries = feed_many(parsers, tuple(pieces))
    assert all(entry is piece for entry, piece in zip(entries, pieces, strict=True))
    assert [parser.channel for parser in parsers] == ["content", "reasoning", "call"]


def test_text_that_is_escaped_on_its_way_is_told_as_it_goes_out() -> None:
    parser = new_parser("qwen3_coder", tools=[{"name": "f", "parameters": {"properties": {"a": {"type": "string"}}}}])
    parser.feed("<tool_call>\n<function=f>\n<parameter=a>\nSo ")
    assert feed_many([parser], ['"this" ']) == ['\\"this\\" ']
    assert feed_many([parser], ['"this" '], events=True) == [(ArgumentsDelta(0, '\\"this\\" '),)]


def test_entries_are_what_feed_returns_where_events_are_asked_for() -> None:
    parsers = [new_parser() for _ in range(3)]
    assert feed_many(parsers, ["a", "<tool_", CALL], events=True) == [
        (ContentDelta("a"),),
        (),
        new_parser().feed(CALL),
    ]
    assert feed_many(parsers[:2], ["b", "x"], events=True) == [(ContentDelta("b"),), (ContentDelta("<tool_x"),)]


def test_nothing_decided_is_an_empty_tuple() -> None:
    parsers = [new_parser() for _ in range(3)]
    assert feed_many(parsers, ["", b"", "  "]) == [(), (), ()]
    assert feed_many([], []) == []


@pytest.mark.parametrize(
    ("parsers", "pieces", "error", "message"),
    [
        ("parser", [], TypeError, "parsers: expected a list or a tuple, got str"),
        ([], "text", TypeError, "pieces: expected a list or a tuple, got str"),
        ([], {"a"}, TypeError, "pieces: expected a list or a tuple, got set"),
        ([0], ["a", "b"], OptionError, "one item for each parser, got 1 parsers and 2 items"),
        ([0, 1], ["a"], OptionError, "got 2 parsers and 1 items"),
        ([0, 1], ["a", 7], TypeError, r"pieces\[1\]: expected str or UTF-8 bytes, got int"),
        ([0, "p"], ["a", "b"], TypeError, r"parsers\[1\]: expected a StreamParser, got str"),
        ([0, 1, 0], ["a", "b", "c"], OptionError, r"parsers\[2\] is parsers\[0\] again"),
        ([0, 2], ["a", "b"], ParserStateError, r"parsers\[1\] is finished"),
    ],
)
def test_a_refused_step_changes_nothing(parsers: Any, pieces: Any, error: type[Exception], message: str) -> None:
    real = [new_parser() for _ in range(3)]
    real[2].finish()
    if isinstance(parsers, list):
        parsers = [real[parser] if isinstance(parser, int) else parser for parser in parsers]
    with pytest.raises(error, match=message):
        feed_many(parsers, pieces)
    assert [parser.offset for parser in real] == [0, 0, 0]
    assert feed_many(real[:2], ["a", "b"], events=True) == [(ContentDelta("a"),), (ContentDelta("b"),)]


def test_a_parser_that_fails_costs_the_others_nothing() -> None:
    def broken(index: int, name: str) -> str:
        raise LookupError("no ids today")

    parsers, alone = [[new_parser() for _ in range(4)] for _ in range(2)]
    steps = (
        ["a ", "c ", '<tool_call>{"name": "f", "arguments": {"a": "', "e"],
        ["one ", CALL, "text", "<tool_"],
        ["two", " end", " goes on", "x"],
    )
    feed_many(parsers, steps[0])
    failing = StreamParser("hermes", make_id=broken)
    with pytest.raises(OptionError, match="no ids today") as raised:
        feed_many([parsers[0], failing, *parsers[1:]], [steps[1][0], CALL, *steps[1][1:]])
    (note,) = raised.value.__notes__
    assert "in a step of 5 parsers" in note
    assert "parsers[1] failed" in note
    for parser, *pieces, entry in zip(alone, *steps, feed_many(parsers, steps[2]), strict=True):
        _, *missed = [parser.feed(piece) for piece in pieces]
        assert isinstance(entry, tuple)
        assert spanned(entry) == spanned(missed[0] + missed[1])


def test_what_waits_after_a_failure_comes_at_the_end_too() -> None:
    def broken(index: int, name: str) -> str:
        raise LookupError(name)

    last, failing = new_parser(), [StreamParser("hermes", make_id=broken) for _ in range(2)]
    with pytest.raises(OptionError) as raised:
        feed_many([*failing, last], [CALL, CALL, "the end"])
    assert "parsers[0] failed" in raised.value.__notes__[0]
    assert "parsers[1] failed" in raised.value.__notes__[0]
    assert last.finish("stop") == (ContentDelta("the end"),)


def test_an_interrupt_costs_the_other_parsers_nothing() -> None:
    """It comes out at the end of the step, and before errors that only parsers had."""

    def interrupted(index: int, name: str) -> str:
        raise KeyboardInterrupt

    def broken(index: int, name: str) -> str:
        raise LookupError

    first, last = new_parser(), new_parser()
    between = [StreamParser("hermes", make_id=make_id) for make_id in (broken, interrupted)]
    with pytest.raises(KeyboardInterrupt) as raised:
        feed_many([first, *between, last], ["one ", CALL, CALL, "two "])
    assert "parsers[1] failed: OptionError" in raised.value.__notes__[0]
    assert "parsers[2] failed: KeyboardInterrupt" in raised.value.__notes__[0]
    assert feed_many([first, last], ["more", "text"], events=True) == [
        (ContentDelta("one "), ContentDelta("more")),
        (ContentDelta("two "), ContentDelta("text")),
    ]


def test_a_parser_that_failed_is_refused_until_it_is_reset() -> None:
    ids = iter([None, "id"])
    failing, other = StreamParser("hermes", make_id=lambda index, name: next(ids)), new_parser()  # type: ignore[arg-type, return-value]
    with pytest.raises(OptionError, match="expected a new non-empty str, got None"):
        feed_many([failing], [CALL])
    with pytest.raises(ParserStateError, match=r"parsers\[1\] stopped in the middle of a piece"):
        feed_many([other, failing], ["a", "b"])
    assert other.offset == 0
    failing.reset()
    assert feed_many([other, failing], ["a", CALL], events=True)[0] == (ContentDelta("a"),)


def test_a_callback_cannot_change_the_step() -> None:
    pieces: list[Any] = [CALL, "b"]
    seen: list[str] = []

    def meddling(index: int, name: str) -> str:
        pieces[:] = [None]
        parsers.clear()
        seen.append(name)
        return "id"

    parsers = [StreamParser("hermes", make_id=meddling), new_parser()]
    first, second = feed_many(parsers, pieces, events=True)
    assert (len(first), second, seen) == (3, (ContentDelta("b"),), ["f"])


def test_a_parser_in_use_is_refused() -> None:
    def stepping(index: int, name: str) -> str:
        with pytest.raises(ParserStateError, match=r"parsers\[1\] is in use"):
            feed_many([other, parser], ["a", "b"])
        return "id"

    other = new_parser()
    parser = StreamParser("hermes", make_id=stepping)
    parser.feed(CALL)
    assert (parser.result.calls, other.offset) == (1, 0)


def test_a_copy_may_stand_in_the_same_step() -> None:
    parser = new_parser()
    parser.feed("so ")
    assert feed_many([parser, parser.copy()], ["this", "that"]) == ["this", "that"]
