"""Memory that runs out, at every single allocation: a MemoryError comes out, and what is left is in a state that is known.

tests/c/no_memory.c lets the n-th request for memory fail, for n = 0, 1, 2, ... until the operation asks for no more. Each
begins anew every time. One request fails, not all from then on: with an error under way and still no memory, CPython
itself loses the error.
"""

import gc
import sys
from typing import Any

import pytest
from allocations import allocator, failures, is_torn, needs_compiler, survives
from support import steps

import toolweir
from toolweir import (
    JsonScanner,
    MarkerMatcher,
    MessageBuilder,
    OptionError,
    ParserStateError,
    StreamParser,
    ToolCallDispatcher,
    Tools,
)
from toolweir.scan.text import Utf8Decoder, escape, unescape

TOOLS = [{"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}]

pytestmark = [
    needs_compiler,
    survives,
    # a generator that is given up needs memory to be told
    pytest.mark.filterwarnings("ignore:Exception ignored in. <generator:pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def no_memory() -> Any:
    return allocator()


def pieces_of(text: str, cut: str) -> list[Any]:
    if cut == "whole":
        return [text]
    if cut == "bytes":
        raw = text.encode()
        return [raw[at : at + 5] for at in range(0, len(raw), 5)]
    return [text[at : at + 9] for at in range(0, len(text), 9)]


class Reading:
    """A text read in pieces; the events of each have a place that was made before memory runs out."""

    def __init__(self, parser: StreamParser, pieces: list[Any]) -> None:
        self.parser = parser
        self.pieces = pieces
        self.said: list[Any] = [None] * (len(pieces) + 1)

    def read(self) -> None:
        """Goes on from the first piece whose events are not there."""
        feed, said, last = self.parser.feed, self.said, len(self.pieces)
        for at, piece in enumerate(self.pieces):
            if said[at] is None:
                said[at] = feed(piece)
        if said[last] is None:
            said[last] = self.parser.finish("stop")

    @property
    def steps(self) -> list[Any]:
        return steps([event for events in self.said for event in events or ()])


def begins(whole: list[Any], some: list[Any]) -> bool:
    """Whether these joined events can be the first of those: of the last delta it may be a part."""
    if not some or whole[: len(some)] == some:
        return True
    *before, last = some
    same = whole[len(before)] if len(before) < len(whole) else (None,)
    return (
        whole[: len(before)] == before
        and same[0] == last[0] in ("content", "reasoning", "arguments")
        and same[-2].startswith(last[-2])
    )


@pytest.mark.parametrize("cut", ["whole", "pieces", "bytes"])
@pytest.mark.parametrize("format", toolweir.formats())
def test_reading(no_memory: Any, format: str, cut: str) -> None:
    pieces = pieces_of("é " + toolweir.format_info(format).example + " 日", cut)
    tools = Tools(TOOLS)
    whole = Reading(StreamParser(format, tools=tools), pieces)
    whole.read()
    torn = 0
    for reading, failed in failures(
        no_memory, lambda: Reading(StreamParser(format, tools=tools), pieces), Reading.read
    ):
        assert begins(whole.steps, reading.steps)
        parser = reading.parser
        if failed and is_torn(parser):
            torn += 1
            assert parser.result.calls <= whole.parser.result.calls
            parser.reset()
            reading = Reading(parser, pieces)
        reading.read()  # where memory ran out between two pieces, it just goes on
        assert reading.steps == whole.steps
        assert reading.parser.result == whole.parser.result
    assert torn


@pytest.mark.parametrize("format", ["hermes", "kimi_k2", "qwen3_coder", "gemma4", "harmony"])
def test_nothing_leaks(no_memory: Any, format: str) -> None:
    text = toolweir.format_info(format).example
    tools = Tools(TOOLS)

    def prepare() -> Reading:
        return Reading(StreamParser(format, tools=tools), [text])

    def run() -> int:
        return len([None for _ in failures(no_memory, prepare, Reading.read)])

    prepare().read()  # what is made once, like the types of parameters
    run()
    gc.collect()
    before = sys.getallocatedblocks()
    failed = sum(run() for _ in range(4))
    gc.collect()
    assert sys.getallocatedblocks() - before < failed / 2


CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>'


@pytest.mark.parametrize("head", ["a", '<tool_call>{"name": "get_weather", "arguments": {"city": "O'])
def test_copies(no_memory: Any, head: str) -> None:
    parser = StreamParser("hermes", tools=TOOLS)
    parser.feed(head + "é" * 100 + "<")

    def copy(made: list[Any]) -> None:
        made[0] = parser.copy()

    expected = steps([*parser.copy().feed("b"), *parser.copy().finish()])
    for (made,), failed in failures(no_memory, lambda: [None], copy):
        assert failed == (made is None)
        for each in (made or parser, parser):
            assert steps([*each.copy().feed("b"), *each.copy().finish()]) == expected


@pytest.mark.parametrize("method", ["flush_held", "feed_special", "prime", "finish"])
def test_other_methods(no_memory: Any, method: str) -> None:
    def prepare() -> list[Any]:
        parser = StreamParser("hermes", tools=TOOLS)
        if method != "prime":
            parser.feed("é <tool_")
        return [parser, None]

    def operate(both: list[Any]) -> None:
        call = getattr(both[0], method)
        both[1] = call() if method in ("flush_held", "finish") else call("é" + CALL[:-20])

    whole = prepare()
    operate(whole)
    torn = 0
    for both, _ in failures(no_memory, prepare, operate):
        if both[1] is None and method != "prime" and is_torn(both[0]):
            torn += 1
            both[0].reset()
            assert both[0].feed("text")[0].text == "text"
        elif both[1] is not None:
            assert steps(both[1]) == steps(whole[1])
    assert torn or method == "prime"


@pytest.mark.parametrize("format", ["hermes", "qwen3_coder", "kimi_k2", "gemma4", "harmony"])
@pytest.mark.parametrize("options", [{}, {"tools": TOOLS, "output": "guided", "reasoning": "started"}], ids=str)
def test_construction(no_memory: Any, format: str, options: dict[str, Any]) -> None:
    def operate(made: list[Any]) -> None:
        made[0] = StreamParser(format, stop=["never seen"], **options)

    for (made,), failed in failures(no_memory, lambda: [None], operate):
        assert failed == (made is None)
    example = toolweir.format_info(format).example
    assert toolweir.parse(example, format).tool_calls  # what the formats share was not left half made


def test_parse_and_tools(no_memory: Any) -> None:
    def operate(made: list[Any]) -> None:
        made[0] = toolweir.parse("é" + CALL, "hermes", tools=Tools(TOOLS))

    for (made,), failed in failures(no_memory, lambda: [None], operate):
        assert failed == (made is None)
        assert made is None or made.tool_calls[0].arguments == '{"city": "Oslo"}'


def test_a_caller_s_make_id_may_run_out_of_memory() -> None:
    def make_id(index: int, name: str) -> str:
        raise MemoryError

    parser = StreamParser("hermes", make_id=make_id)
    with pytest.raises(MemoryError):
        parser.feed(CALL)
    assert is_torn(parser)


def test_a_make_id_that_raises_leaves_no_call_without_its_start() -> None:
    parser = StreamParser("hermes", make_id=lambda index, name: "")
    with pytest.raises(OptionError):
        parser.feed(CALL)
    assert is_torn(parser)


@pytest.mark.parametrize("piece", [7, None, memoryview(b"abcd")[::2]], ids=["int", "None", "stride"])
def test_what_is_no_piece_changes_nothing(piece: Any) -> None:
    for before in ("", "text", CALL[:50]):
        parser = StreamParser("hermes")
        parser.feed(before)
        twin = parser.copy()
        with pytest.raises((TypeError, BufferError)):
            parser.feed(piece)
        assert steps([*parser.feed(CALL), *parser.finish()]) == steps([*twin.feed(CALL), *twin.finish()])


# The C layer's classes: a piece is read, or nothing of it


@pytest.mark.parametrize(
    "piece", ['{"日": "' + "x" * 700 + '"}', b'{"a": "' + b"x" * 700 + b'"} '], ids=["str", "bytes"]
)
@pytest.mark.parametrize("boundary", [False, True])
def test_scanner(no_memory: Any, piece: Any, boundary: bool) -> None:
    def operate(both: list[Any]) -> None:
        both[1] = both[0].feed(piece)

    whole = [JsonScanner(boundary=boundary), None]
    operate(whole)
    for both, failed in failures(no_memory, lambda: [JsonScanner(boundary=boundary), None], operate):
        if failed and both[1] is None:
            operate(both)
        scanner = both[0]
        assert both[1] == whole[1]
        assert (scanner.taken, scanner.depth, scanner.complete) == (whole[0].taken, whole[0].depth, whole[0].complete)


def test_matcher(no_memory: Any) -> None:
    def prepare() -> list[Any]:
        return [MarkerMatcher(["<tool_call>", "</think>"]), None]

    def operate(both: list[Any]) -> None:
        both[1] = both[0].feed("é" * 300 + "<tool_call>")

    for both, failed in failures(no_memory, prepare, operate):
        if failed and both[1] is None:
            operate(both)
        assert both[1] == (311, 0)

    def build(made: list[Any]) -> None:
        made[0] = MarkerMatcher(["<tool_call>", b"</think>"])

    for (made,), failed in failures(no_memory, lambda: [None], build):
        assert failed == (made is None)


def test_text_functions(no_memory: Any) -> None:
    for function, text, said in [(escape, 'é"\n日', 'é\\"\\n日'), (unescape, "é\\n\\u00e9日", "é\né日")]:

        def operate(made: list[Any], function: Any = function, text: str = text) -> None:
            made[0] = function(text)

        for (made,), failed in failures(no_memory, lambda: [None], operate):
            assert made == (None if failed else said)

    def decode(both: list[Any]) -> None:
        both[1] = both[0].feed(b"\x97\xa5x\xe6")

    def begun() -> list[Any]:
        decoder = Utf8Decoder()
        decoder.feed(b"\xe6")
        return [decoder, None]

    for both, failed in failures(no_memory, begun, decode):
        if failed:
            decode(both)
        assert both[1] + both[0].feed(b"\x97\xa5") == "日x日"


# Dispatch and wire


def chunks() -> list[dict[str, Any]]:
    def chunk(entry: dict[str, Any] | None, finish: str | None = None) -> dict[str, Any]:
        delta = {"tool_calls": [entry]} if entry else {}
        return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    head = {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": '{"a": "é'}}
    return [
        chunk(head),
        *[chunk({"index": 0, "function": {"arguments": "x" * 50}}) for _ in range(4)],
        chunk({"index": 0, "function": {"arguments": '"}'}}),
        chunk({"index": 1, "id": "b", "function": {"name": "g", "arguments": "1"}}),
        chunk(None, "stop"),
    ]


def test_dispatcher(no_memory: Any) -> None:
    stream = chunks()
    expected = [("f", '{"a": "é' + "x" * 200 + '"}'), ("g", "1")]

    def operate(both: list[Any]) -> None:
        dispatcher, out = both
        observe = dispatcher.observe
        for number, chunk in enumerate(stream):
            out[number] = observe(chunk)

    torn = 0
    for (dispatcher, out), failed in failures(no_memory, lambda: [ToolCallDispatcher(), [()] * len(stream)], operate):
        sent = [(call.name, call.arguments) for calls in out for call in calls]
        assert sent == expected[: len(sent)]
        assert failed or sent == expected
        try:
            dispatcher.observe(stream[1])
        except ParserStateError:
            torn += 1
    assert torn


def test_aggregator(no_memory: Any) -> None:
    stream = chunks()

    def operate(both: list[Any]) -> None:
        for chunk in stream:
            both[0].add(chunk)
        both[1] = both[0].completion()

    whole = [toolweir.ChatAggregator(), None]
    operate(whole)
    for both, failed in failures(no_memory, lambda: [toolweir.ChatAggregator(), None], operate):
        assert both[1] == (None if failed else whole[1])


def test_message_builder(no_memory: Any) -> None:
    parser = StreamParser("hermes")
    events = [*parser.feed("Text" + CALL), *parser.finish()]

    def operate(made: list[Any]) -> None:
        builder = MessageBuilder()
        for event in events:
            builder.add(event)
        made[0] = builder.message

    for (made,), failed in failures(no_memory, lambda: [None], operate):
        assert (made is None) == failed
        assert failed or made.tool_calls[0].arguments == '{"city": "Oslo"}'
