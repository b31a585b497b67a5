"""Memory that runs out in a step of many parsers, in a vocabulary, or in the stream to a client: as in test_no_memory.py.

Of a step a parser has read all of its piece, or nothing, or it is torn and says so; whatever becomes of one, the others
read theirs, and what they had to tell is not lost.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from allocations import allocator, failures, is_torn, needs_compiler, survives
from support import steps
from wire_reading import frames

from toolweir import OptionError, ParserStateError, StreamParser, TokenTable, Tools, feed_many
from toolweir.wire import ChatCompletionStream, MessageStream, ResponseStream

pytestmark = [
    needs_compiler,
    survives,
    pytest.mark.filterwarnings("ignore:Exception ignored in. <generator:pytest.PytestUnraisableExceptionWarning"),
]

TOOLS = Tools(
    [{"name": "f", "parameters": {"properties": {"a": {"type": "string"}}}}, {"type": "custom", "name": "sh"}]
)
CALL = '<tool_call>{"name": "f", "arguments": {"a": "1"}}</tool_call>'
TAGGED = "<tool_call>\n<function=f>\n<parameter=a>\nSo"

READ = [
    ("hermes", "So ", " be it", CALL),
    ("hermes", '<tool_call>{"name": "f", "arguments": {"a": "', "日" * 90, '"}}</tool_call>'),
    ("qwen3_coder", TAGGED, ' "this"' * 30, "\n</parameter>\n</function>\n</tool_call>"),
    ("hermes", '<tool_call>{"arguments": {"a": "', "x" * 300, '"}, "name": "f"}</tool_call>'),
    ("hermes", "é <tool_", "call>" + CALL[11:] + "é" * 50, " end"),
    ("kimi_k2", "text", b" \xe6\x97", b"\xa5 end"),
    ("hermes", "", "", "nothing"),
]
"""Format, what a parser has read before the step, its piece in it, and what follows: all the gates, and the whole way."""


@pytest.fixture(scope="module")
def no_memory() -> Any:
    return allocator()


def new_parser(format: str, head: str) -> StreamParser:
    parser = StreamParser(format, tools=TOOLS, make_id=lambda index, name: f"{name}-{index}")
    parser.feed(head)
    return parser


class Step:
    """Parsers that are about to read what `feed` hands them; `out` is what that returned."""

    def __init__(self, feed: Callable[[list[StreamParser]], list[Any]]) -> None:
        self.feed = feed
        self.parsers = [new_parser(format, head) for format, head, *_ in READ]
        self.before = [parser.offset for parser in self.parsers]
        self.out: list[Any] | None = None

    def run(self) -> None:
        self.out = self.feed(self.parsers)

    def check(self) -> int:
        """How many parsers are torn."""
        torn = [is_torn(parser) for parser in self.parsers]
        read = [parser.offset > at for parser, at in zip(self.parsers, self.before, strict=True)]
        late = [at for at, (_, _, piece, _) in enumerate(READ) if piece and not (read[at] or torn[at])]
        assert sum(torn) + len(late) <= 1 or not any(read), "one parser that failed kept others from reading"
        for at, (format, head, piece, rest) in enumerate(READ):
            parser = self.parsers[at]
            events = [] if self.out is None else list(self.out[at])
            if torn[at]:
                parser.reset()
                events = [*parser.feed(head), *parser.feed(piece)]
            elif at in late:
                events += parser.feed(piece)
            alone = new_parser(format, "" if torn[at] else head)
            expected = [*(alone.feed(head) if torn[at] else ()), *alone.feed(piece), *alone.feed(rest), *alone.finish()]
            assert steps([*events, *parser.feed(rest), *parser.finish()]) == steps(expected)
            assert parser.result == alone.result
        return sum(torn)


def check_steps(no_memory: Any, feed: Callable[[list[StreamParser]], list[Any]]) -> None:
    torn = 0
    for step, failed in failures(no_memory, lambda: Step(feed), Step.run):
        assert failed == (step.out is None)
        torn += step.check()
    assert torn


def test_a_step(no_memory: Any) -> None:
    pieces = [piece for _, _, piece, _ in READ]
    check_steps(no_memory, lambda parsers: feed_many(parsers, pieces, events=True))


def test_a_step_without_events(no_memory: Any) -> None:
    pieces = [piece for _, _, piece, _ in READ]

    def feed(parsers: list[StreamParser]) -> list[Any]:
        feed_many(parsers, pieces)
        return []

    whole = feed_many([new_parser(format, head) for format, head, *_ in READ], pieces)
    assert sum(type(entry) is str for entry in whole) == 3
    torn = 0
    for step, failed in failures(no_memory, lambda: Step(feed), Step.run):
        if failed:
            torn += step.check()
    assert torn


def test_a_step_in_which_a_parser_fails_by_itself(no_memory: Any) -> None:
    """Memory runs out while the error of a make_id is under way: what the others read must not be lost."""

    class WithBroken(Step):
        def run(self) -> None:
            failing = StreamParser("hermes", make_id=lambda index, name: "")
            pieces = [piece for _, _, piece, _ in READ]
            with suppress(OptionError):
                feed_many([*self.parsers[:4], failing, *self.parsers[4:]], [*pieces[:4], CALL, *pieces[4:]])

    torn = 0
    for step, _ in failures(no_memory, lambda: WithBroken(lambda parsers: []), WithBroken.run):
        torn += step.check()
    assert torn


# Tokens

TEXTS = [b"So ", b" be", b" it", b"\xe6\x97", b"\xa5", *(bytes([at]) for at in range(256))]
SPECIAL = {"<tool_call>": len(TEXTS), "</tool_call>": len(TEXTS) + 1, "<|im_end|>": len(TEXTS) + 2}


def ids_of(text: str | bytes) -> list[int]:
    """Special tokens as such, all else byte by byte."""
    raw = text.encode() if isinstance(text, str) else text
    ids: list[int] = []
    while raw:
        special = next((name for name in SPECIAL if raw.startswith(name.encode())), None)
        ids.append(SPECIAL[special] if special else 5 + raw[0])
        raw = raw[len(special) if special else 1 :]
    return ids


def new_table() -> TokenTable:
    return TokenTable(TEXTS, SPECIAL)


def test_a_table(no_memory: Any) -> None:
    def operate(made: list[Any]) -> None:
        made[0] = new_table()

    for (made,), failed in failures(no_memory, lambda: [None], operate):
        assert failed == (made is None)
        assert failed or (made[0], len(made)) == (b"So ", len(TEXTS) + 3)


@pytest.mark.parametrize("kind", ["list", "array", "one"])
def test_tokens_of_one_parser(no_memory: Any, kind: str) -> None:
    numpy = pytest.importorskip("numpy")
    ids = [0, *ids_of("é" + CALL), 1, *ids_of(CALL + "<|im_end|>")] if kind != "one" else [SPECIAL["<tool_call>"]]
    given: Any = {"list": ids, "array": numpy.array(ids), "one": ids[0]}[kind]

    def prepare() -> list[Any]:
        return [new_table(), new_parser("hermes", "So "), None]

    def operate(both: list[Any]) -> None:
        both[2] = both[0].feed_ids(both[1], given)

    whole = prepare()
    operate(whole)
    expected, result = steps([*whole[2], *whole[1].finish()]), whole[1].result
    torn = 0
    for both, failed in failures(no_memory, prepare, operate):
        table, parser, events = both
        assert failed == (events is None)
        if failed and is_torn(parser):
            torn += 1
            parser.reset()
            parser.feed("So ")
        if failed:  # all of it, or nothing
            events = table.feed_ids(parser, given)
        assert steps([*events, *parser.finish()]) == expected
        assert parser.result == result
    assert torn


@pytest.mark.parametrize("kind", ["lists", "arrays"])
def test_tokens_of_a_step(no_memory: Any, kind: str) -> None:
    numpy = pytest.importorskip("numpy")
    table = new_table()
    rows: list[Any] = [ids_of(piece) for _, _, piece, _ in READ]  # type: ignore[arg-type]
    rows = rows if kind == "lists" else [numpy.array(row, dtype="int32") for row in rows]
    check_steps(no_memory, lambda parsers: table.feed_many(parsers, rows, events=True))


# Streams to clients

PIECES = [
    "<think>é",
    "</think>Text",
    CALL[:40],
    CALL[40:] + "日" * 90,
    '<tool_call>{"name": "sh", "arguments": {"input": "l',
]
SCORES = [{"token": "x", "logprob": -1.0, "bytes": None, "top_logprobs": []}]

Operation = Callable[[Any, list[Any]], None]


def feeding(stream: Any, out: list[Any]) -> None:
    out.append(stream.start())
    for piece in PIECES:
        out.append(stream.feed(piece))
    out.append(stream.feed_special("<|im_end|>"))
    out.append(stream.flush())
    out.append(stream.ping())
    out.append(stream.finish("stop", {"prompt_tokens": 1, "completion_tokens": 2}))


def scored(stream: Any, out: list[Any]) -> None:
    for piece in PIECES:
        out.append(stream.feed_with_logprobs(piece, SCORES))
    out.append(stream.finish("stop"))


def failing(stream: Any, out: list[Any]) -> None:
    for piece in PIECES:
        out.append(stream.feed(piece))
    out.append(stream.error("out of memory"))


def as_bytes(stream: Any, out: list[Any]) -> None:
    for piece in PIECES:
        out.append(stream.bytes_of(stream._parser.feed(piece)))
    out.append(stream.bytes_of(stream._parser.finish("stop")))


def as_dicts(stream: Any, out: list[Any]) -> None:
    for piece in PIECES:
        out.append(stream.events_of(stream._parser.feed(piece)))
    out.append(stream.events_of(stream._parser.finish("stop")))


APIS: list[Any] = [ChatCompletionStream, MessageStream, ResponseStream]
STREAMS = [(api, operation) for api in APIS for operation in (feeding, failing, as_bytes, as_dicts)]


@pytest.mark.parametrize("coalesce", [None, "feed", 4])
@pytest.mark.parametrize(
    ("api", "operation"), [*STREAMS, (ChatCompletionStream, scored)], ids=lambda each: getattr(each, "__name__", "")
)
def test_streams(no_memory: Any, api: Any, operation: Operation, coalesce: Any) -> None:
    def prepare() -> list[Any]:
        return [api(StreamParser("hermes", tools=TOOLS), id="id", created=1, coalesce=coalesce), []]

    def operate(both: list[Any]) -> None:
        operation(*both)

    torn = 0
    for (stream, out), failed in failures(no_memory, prepare, operate):
        if operation is not as_dicts:
            assert all(part == b"" or part.endswith(b"\n\n") for part in out)
            frames(b"".join(out))
        if not failed:
            assert stream.body()
            continue
        try:
            stream.feed("x")
        except ParserStateError:
            torn += 1
            with pytest.raises(ParserStateError):
                stream.finish()
    assert torn


@pytest.mark.parametrize("api", APIS)
def test_new_streams(no_memory: Any, api: Any) -> None:
    def operate(made: list[Any]) -> None:
        made[0] = api(StreamParser("hermes"), model="m")

    for (made,), failed in failures(no_memory, lambda: [None], operate):
        assert failed == (made is None)
        assert failed or made.feed("text")


def test_more_choices(no_memory: Any) -> None:
    def operate(both: list[Any]) -> None:
        both[1] = both[0].add_choice(StreamParser("hermes"))

    def prepare() -> list[Any]:
        return [ChatCompletionStream(StreamParser("hermes")), None]

    for (stream, made), failed in failures(no_memory, prepare, operate):
        assert failed == (made is None)
        again = stream.add_choice(StreamParser("hermes")) if failed else made
        ends = [each.finish("stop") for each in (stream, again)]
        assert [end.endswith(b"[DONE]\n\n") for end in ends] == [False, True]
