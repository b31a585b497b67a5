"""Chunk streams that are made to hurt: a megabyte of one character in a call's arguments, a hundred thousand calls, indices,
names and ids, events without end.

Work is counted, never timed: bytes of memory that are asked for, since what is copied needs room first, and validations
of whole arguments. Both grow with the stream and not faster. Nothing raises, and no call goes out that is none.
"""

import gc
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allocations import check_linear, needs_compiler

from toolweir import Limits, ToolCallDispatcher
from toolweir.dispatch.aggregator import ChatAggregator
from toolweir.dispatch.calls import CallState
from toolweir.dispatch.stream import DispatchFilter

pytestmark = needs_compiler

Chunk = dict[str, Any]

MEGABYTE = 1 << 20
MANY = 100_000
WIDE = Limits(dispatch_calls=1 << 20)
"""Room for all the calls that come here: a limit is no excuse for work that grows with the square of what it allows."""

CHARACTERS = ["<", "[", "{", "\\", '"', "]", ",", "\n", " ", "0", "é", "\ud800"]
INSIDE = '{"a": "'


def chunk(*entries: Any, finish: str | None = None, index: int = 0, **fields: Any) -> Chunk:
    delta = {"tool_calls": list(entries)} if entries else {}
    return {"choices": [{"index": index, "delta": delta, "finish_reason": finish, **fields}]}


def call(at: int, arguments: str | None = None, name: str | None = None, id: str | None = None) -> dict[str, Any]:
    """An entry of a `tool_calls` list; what is None is not said."""
    function = {key: text for key, text in (("name", name), ("arguments", arguments)) if text is not None}
    return {"index": at, **({"id": id} if id else {}), "function": function}


def cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def observed(chunks: list[Chunk], limits: Limits = WIDE) -> ToolCallDispatcher:
    """A dispatcher that saw them all."""
    dispatcher = ToolCallDispatcher(limits=limits)
    for each in chunks:
        dispatcher.observe(each)
    return dispatcher


def aggregated(chunks: list[Chunk], limits: Limits = WIDE) -> ChatAggregator:
    """An aggregator that took them all."""
    aggregator = ChatAggregator(limits=limits)
    for each in chunks:
        aggregator.add(each)
    return aggregator


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """The log of a hundred thousand faults would be most of the work, and the collector the rest."""
    logging.disable(logging.CRITICAL)
    gc.disable()
    yield
    gc.enable()
    logging.disable(logging.NOTSET)


READERS = {"dispatcher": observed, "aggregator": aggregated}
COUNTS = {observed: MANY, aggregated: MANY // 4}
"""The aggregator is Python, and ten times as slow."""

reader = pytest.mark.parametrize("read", READERS.values(), ids=READERS)


@reader
@pytest.mark.parametrize("head", ["", "[", INSIDE], ids=["alone", "in a list", "in a string"])
@pytest.mark.parametrize("character", CHARACTERS, ids=ascii)
def test_a_megabyte_of_one_character(read: Any, character: str, head: str) -> None:
    for size, most in ((MEGABYTE, MEGABYTE), (997, MEGABYTE), (4, MANY // 2), (1, MANY // 16)):

        def work(count: int, size: int = size) -> Callable[[], object]:
            pieces = [chunk(call(0, character * min(size, count)))] * (count // min(size, count))
            return lambda: read([chunk(call(0, head, "f", "a")), *pieces, chunk(finish="stop")])

        check_linear(work, most)


@pytest.mark.parametrize("size", [MEGABYTE, 997, 4])
@pytest.mark.parametrize("character", [each for each in CHARACTERS if each not in '"\n'], ids=ascii)
def test_it_goes_out_once_and_unchanged(character: str, size: int) -> None:
    text = INSIDE + character * (MEGABYTE // 4 * 2) + '"}'
    if character == "\\":
        text = text.replace("\\\\", "\\n")
    dispatcher = ToolCallDispatcher(limits=WIDE)
    sent = list(dispatcher.observe(chunk(call(0, "", "f", "a"))))
    for piece in cut(text, size):
        sent += dispatcher.observe(chunk(call(0, piece)))
    sent += dispatcher.observe(chunk(finish="stop"))
    assert [done.arguments for done in sent] == [text]
    assert dispatcher.stats.confirmations == 1


@reader
@pytest.mark.parametrize("depth", [1023, MANY])
def test_deep_nesting(read: Any, depth: int) -> None:
    text = "[" * depth + "]" * depth
    for size in (len(text), 100, 4):
        pieces = [chunk(call(0, piece)) for piece in cut(text, size)]
        made = read([chunk(call(0, "", "f", "a")), *pieces, chunk(finish="stop")])
        assert read is not observed or made.stats.confirmations <= 1
        assert read is not observed or (made.report(0, 0).state is CallState.EMITTED) == (depth == 1023)
        assert read is not aggregated or made.message()["tool_calls"][0]["function"]["arguments"] == text


# Many


def fragments(kind: str, count: int) -> Iterator[dict[str, Any]]:
    """So many entries, each of which wants something of its own."""
    for at in range(count):
        match kind:
            case "calls":
                yield call(at, "{}", "f", f"c{at}")
            case "open calls":
                yield call(at, '{"a": ', "f", f"c{at}")
            case "indices without a name":
                yield call(at * 7919 % 1_000_003, "{")
            case "falling indices":
                yield call(count - at, "[", "f")
            case "names of one call":
                yield call(0, None, "f" if at else "name")
            case "growing names":
                yield call(0, None, "f" * (1 + at % 1000))
            case "ids of one call":
                yield call(0, "1", "f", f"c{at}")
            case "calls at one index":
                yield call(0, "{}", f"f{at}", f"c{at}")
            case "no index":
                yield {"id": f"c{at}", "function": {"name": "f", "arguments": "{}"}}
            case "no index and no id":
                yield {"function": {"name": "f", "arguments": "{}"}}
            case "a call again and again":
                yield call(0, "{}", "f", "a")
            case "more behind a call":
                yield call(0, " " if at else "{}", "f", "a")
            case "both kinds":
                yield {**call(at % 2, "{", "f"), "custom": {"name": "g", "input": "x"}}
            case "numbers":
                yield {"index": at, "id": at, "type": at, "function": {"name": at, "arguments": {"a": at}}}


KINDS = [
    "calls", "open calls", "indices without a name", "falling indices", "names of one call", "growing names",
    "ids of one call", "calls at one index", "no index", "no index and no id", "a call again and again",
    "more behind a call", "both kinds", "numbers",
]  # fmt: skip


@reader
@pytest.mark.parametrize(("together", "limits"), [(1, WIDE), (MANY, Limits())], ids=["one a chunk", "all at once"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_hundred_thousand(read: Any, kind: str, together: int, limits: Limits) -> None:
    def work(count: int) -> Callable[[], object]:
        entries = list(fragments(kind, count))
        chunks = [chunk(*entries[at : at + together]) for at in range(0, count, together)]
        return lambda: read([*chunks, chunk(finish="tool_calls")], limits)

    check_linear(work, COUNTS[read])


def test_calls_are_validated_once_each() -> None:
    for kind, sent in [("calls", MANY), ("open calls", 0), ("a call again and again", 1), ("more behind a call", 1)]:
        dispatcher = observed([*map(chunk, fragments(kind, MANY)), chunk(finish="tool_calls")])
        assert dispatcher.stats.dispatched == sent
        assert dispatcher.stats.confirmations == sent


def test_what_is_past_the_limit_is_not_kept() -> None:
    for kind in ("calls", "open calls", "falling indices"):
        dispatcher = observed(list(map(chunk, fragments(kind, MANY))), Limits())
        assert len(dispatcher.reports()) == Limits().dispatch_calls
        assert dispatcher.stats.warnings == MANY - Limits().dispatch_calls


@reader
def test_choices(read: Any) -> None:
    def work(count: int) -> Callable[[], object]:
        chunks = [chunk(call(0, "{", "f"), index=at) for at in range(count)]
        ends = [chunk(finish="stop", index=at) for at in range(count)]
        return lambda: read([*chunks, *ends, *ends])

    check_linear(work, COUNTS[read] // 4)


@pytest.mark.parametrize("name", ["f", "f" * 1000])
def test_names_in_pieces_are_joined_up_to_a_limit(name: str) -> None:
    aggregator = aggregated(
        [chunk(call(0, "", "get_", "a")), *[chunk(call(0, None, name))] * MANY, chunk(call(0, "{}"))]
    )
    assert aggregator.message()["tool_calls"][0]["function"]["name"] == "get_" + "f" * (508 if name == "f" else 0)
    assert "call 0: a name in pieces of more than Limits.name is cut" in aggregator.mended


@pytest.mark.parametrize("field", ["logprobs", "content", "reasoning_content", "annotations"])
def test_what_grows_beside_calls(field: str) -> None:
    score = {"content": [{"token": "x", "logprob": -1.0, "bytes": [120], "top_logprobs": []}]}
    said: Any = {"logprobs": score, "annotations": [{"type": "url_citation"}]}.get(field, "word")

    def work(count: int) -> Callable[[], object]:
        fields = {"logprobs": said} if field == "logprobs" else {"delta": {field: said}}
        chunks = [chunk(**fields)] * count
        return lambda: aggregated(chunks).completion()

    check_linear(work, MANY // 4)


# Server-sent events

EVENT = f"data: {json.dumps(chunk(call(0, 'x')))}\n\n".encode()
EVENTS = {
    "newlines": (b"", b"\n"),
    "carriage returns": (b"", b"\r"),
    "both": (b"", b"\r\n"),
    "comments": (b"", b": ping\n\n"),
    "an event without end": (b"data: ", b"x"),
    "a line without end": (b"", b"["),
    "data without end": (b"", b"data: [\n"),
    "events": (b"", EVENT),
    "deep events": (b"data: ", b"["),
    "half an end": (b"data: x", b"\n\r\n:"),
    "broken characters": (b"data: ", b"\xff"),
}


@pytest.mark.parametrize("limits", [Limits(), Limits(sse_event=1000)], ids=["whole", "in parts"])
@pytest.mark.parametrize("size", [MEGABYTE, 997, 1])
@pytest.mark.parametrize("name", EVENTS)
def test_streams_of_events(name: str, size: int, limits: Limits) -> None:
    head, unit = EVENTS[name]

    def work(count: int) -> Callable[[], object]:
        data = head + unit * (1 + count // len(unit))
        pieces = [data[at : at + size] for at in range(0, len(data), size)]

        def run() -> None:
            frames = DispatchFilter(limits=limits)
            out = [frame for piece in pieces for frame in frames.feed(piece)]
            assert b"".join([*out, *frames.finish()]) == data

        return run

    most = {1: MANY // 5, 997: MEGABYTE // 4}.get(size, MEGABYTE)
    check_linear(work, most)
