"""What is done with the bytes that a fuzzer makes up: one target for each reader, and for what stands around them.

A target takes bytes and raises if a promise is broken; it never depends on anything but these bytes. The first bytes
choose (a format, options, limits), the rest is the text: ASCII stands for itself, every other byte for one of the
texts that matter where it is read, a format's markers and halves of them before all. So a mutation of one byte is one of a
marker, and nothing that a fuzzer finds needs more than a few dozen bytes.

run.py drives them with atheris; test_fuzzing.py replays the seeds that are kept.
"""

import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any

from dispatch_model import Model
from support import check_contract, check_every_cut, random_cut, steps, stream
from texts import JSON_PARTS, LIMITS, OPTIONS, TEXT_PARTS, parts_of
from wire_reading import add_up_chat, add_up_messages, add_up_response, frames

import toolweir
from toolweir import ChatAggregator, Limits, SnapshotDiffer, StreamParser, ToolCallDispatcher
from toolweir.dispatch.sse import EventSplitter, read_event
from toolweir.options import read_format
from toolweir.wire import ChatCompletionStream, MessageStream, ResponseStream

__all__ = ["TARGETS", "Choices"]

SELDOM = 0xE0
"""Above it a byte that may choose limits does."""

APIS = [(ChatCompletionStream, add_up_chat), (MessageStream, add_up_messages), (ResponseStream, add_up_response)]
ITEM_IDS = ("msg_", "fc_", "rs_")


class Choices:
    """Bytes as a run of choices, and a text at their end. Where none are left, the first one is made."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1] if self.at <= len(self.data) else 0

    def of(self, things: list[Any]) -> Any:
        return things[self.byte() % len(things)]

    def text(self, parts: list[str], end: int | None = None) -> str:
        """What is left, or the next bytes up to `end`: see above."""
        taken = self.data[self.at : end]
        self.at += len(taken)
        return "".join(chr(byte) if byte < 0x80 else parts[(byte - 0x80) % len(parts)] for byte in taken)

    def options(self) -> dict[str, Any]:
        options = dict(self.of(OPTIONS))
        if self.byte() > SELDOM:
            field = self.of(sorted(LIMITS))
            options["limits"] = Limits(**{field: max(int(field == "depth"), self.byte() % (2 * LIMITS[field]))})
        return options

    def random(self) -> random.Random:
        return random.Random(self.byte() << 8 | self.byte())

    @property
    def left(self) -> bool:
        return self.at < len(self.data)


@cache
def parts(format: str) -> list[str]:
    """What 128 bytes stand for: whatever matters to the format, the rarest things last and cut off."""
    own = dict.fromkeys(part for part in parts_of(format) if part not in JSON_PARTS + TEXT_PARTS)
    return [*list(own)[:70], *JSON_PARTS, *TEXT_PARTS]


@cache
def read_by(reader: str) -> list[str]:
    """The formats whose calls this reader reads."""
    return [name for name in toolweir.formats() if reader in {opener.reader for opener in read_format(name).openers}]


def reader_target(reader: str) -> Callable[[bytes], None]:
    def target(data: bytes) -> None:
        """The contract, under every cut."""
        choices = Choices(data)
        format = choices.of(read_by(reader))
        options = choices.options()
        finish = choices.of(["stop", "length", None])
        check_every_cut(choices.text(parts(format)), format, finish, seeds=1, **options)

    return target


def undecoded(data: bytes) -> None:
    """Bytes that may be no UTF-8, in pieces: what Python's decoder makes of them, whole."""
    choices = Choices(data)
    format = choices.of(toolweir.formats())
    options = choices.options()
    rng = choices.random()
    raw = data[choices.at :]
    pieces = [
        part if isinstance(part, bytes) else part.encode("latin-1") for part in random_cut(raw.decode("latin-1"), rng)
    ]
    expected, result = stream([raw.decode("utf-8", "replace")], format, **options)
    events, other = stream([bytearray(piece) for piece in pieces], format, **options)  # type: ignore[misc]
    assert steps(events) == steps(expected)
    assert other == result


def host(data: bytes) -> None:
    """All that a host may do with a parser, in any order: nothing raises, and the events stay in order."""
    choices = Choices(data)
    format = choices.of(toolweir.formats())
    options = choices.options()
    known = parts(format)
    parser = StreamParser(format, **options)
    events: list[Any] = []
    if choices.byte() & 1:
        parser.prime(choices.text(known, choices.at + choices.byte() % 16))
    while choices.left:
        match choices.byte() % 8:
            case 0:
                twin = parser.copy()
                rest = choices.text(known, choices.at + 9)
                said_by_twin = twin.feed(rest)
                assert steps(list(said_by_twin)) == steps(list(parser.copy().feed(rest)))
                events += said_by_twin
                parser = twin
                continue
            case 1:
                events += parser.flush_held()
            case 2:
                events += parser.feed_special(choices.of(known))
            case 3:
                assert parser.held in ("", parser.held)
                assert parser.stats.bytes_held >= 0
                assert parser.channel in ("content", "reasoning", "call")
                assert repr(parser)
                continue
        piece = choices.text(known, choices.at + choices.byte() % 12)
        before = parser.offset
        events += parser.feed(piece)
        assert parser.offset == before + len(piece)
        assert parser.result.finish_reason is None
    events += parser.finish(choices.of(["stop", "length", "error", None]))
    check_contract(events)
    assert parser.result.finish_reason
    assert parser.held == ""
    parser.reset()
    assert parser.feed("a") or format


def dispatcher(data: bytes) -> None:
    """A stream of chunks, against the model; the aggregator reads it too, and the differ what it adds up to."""
    choices = Choices(data)
    known = [*JSON_PARTS, "{}", "{", "}", '"a":1', "\x0c", "-1e400", '"\\ud800"', "\ufeff", "\x00"]
    real, model = ToolCallDispatcher(), Model()
    aggregator, differ = ChatAggregator(), SnapshotDiffer()
    while choices.left:
        chunk = choose_chunk(choices, known)
        got = [(c.choice_index, c.index, c.id, c.type, c.name, c.arguments) for c in real.observe(chunk)]
        assert got == model.observe(chunk), chunk
        assert real.stats.warnings == model.warnings, chunk
        aggregator.add(chunk)
        message = aggregator.message() or {}
        for delta in differ.update_message(message):
            assert delta
    states = {(report.choice_index, report.index): str(report.state) for report in real.reports()}
    assert states == {key: call["state"] for key, call in model.calls.items()}
    json.dumps(aggregator.completion())
    assert all(isinstance(note, str) for note in aggregator.mended)


def choose_chunk(choices: Choices, known: list[str]) -> dict[str, Any]:
    fragments = []
    for _ in range(choices.of([0, 1, 1, 1, 2])):
        entry: dict[str, Any] = {"index": choices.byte() & 1}
        kind = choices.byte()
        if kind & 1:
            entry["id"] = choices.of(["", "a", "b"])
        if kind & 2:
            entry["type"] = choices.of(["function", "custom"])
        function = {}
        if kind & 4:
            function["name"] = choices.of(["", "f", "g"])
        if kind & 0x18:
            function["arguments"] = choices.text(known, choices.at + (kind >> 5))
        if function:
            entry["function"] = function
        fragments.append(entry)
    finish = choices.of([None] * 8 + ["", "stop", "tool_calls", "length"])
    delta = {"tool_calls": fragments} if fragments else {}
    return {"choices": [{"index": choices.of([0, 0, 1]), "delta": delta, "finish_reason": finish}]}


def chunks_of_any_shape(data: bytes) -> None:
    """JSON of the fuzzer's own: nothing raises, nothing goes out twice."""
    words = ['"choices":[', '"delta":{', '"tool_calls":[', '"index":0', '"index":1', '"id":"a"', '"type":"function"']
    words += [
        '"function":{',
        '"custom":{',
        '"name":"f"',
        '"arguments":"{}"',
        '"arguments":"',
        '"input":"x"',
        "}]",
        "}}",
    ]
    words += [
        '"finish_reason":"stop"',
        '"content":"x"',
        '"reasoning_content":"r"',
        "null",
        "1e999",
        "{}",
        "[]",
        '"',
        ",",
    ]
    real, aggregator = ToolCallDispatcher(), ChatAggregator()
    out = []
    for line in Choices(data).text(words).split("\n"):
        out += [(call.choice_index, call.index) for call in real.observe_bytes("data: " + line)]
        aggregator.add_bytes(("data: " + line).encode("utf-8", "replace"))
    real.finish()
    assert len(out) == len(set(out)) == real.stats.dispatched
    json.dumps(aggregator.completion())
    assert all(isinstance(note, str) for note in aggregator.mended)


def server_sent_events(data: bytes) -> None:
    """The splitter: what comes out joins to what went in, and no cut changes what the events say."""
    choices = Choices(data)
    limit = choices.of([0, 1, 7, 40, 1000, 1000])
    rng = choices.random()
    raw = choices.text(["\r\n", "\r\n\r\n", "\n\n", "\r\r", "data: ", ": ", "data:{}", "\ufeff", "event: x"]).encode()
    whole = split([raw], limit)
    pieces = [part.encode("latin-1") for part in random_cut(raw.decode("latin-1"), rng)]  # type: ignore[union-attr]
    assert b"".join(event for event, _ in whole) == raw
    cut = split(pieces, limit)
    assert b"".join(event for event, _ in cut) == raw
    if limit > len(raw):
        assert said(cut) == said(whole)


def split(pieces: list[bytes], limit: int) -> list[tuple[bytes, bool]]:
    splitter = EventSplitter(limit)
    return [part for piece in pieces for part in splitter.feed(piece)] + list(splitter.finish())


def said(events: list[tuple[bytes, bool]]) -> list[Any]:
    """The data of events; a line's CR and LF may be cut apart, which leaves an event that says nothing."""
    data: list[Any] = []
    for event, whole in events:
        assert whole
        try:
            value = read_event(event)
        except ValueError:
            value = "no JSON"
        if value is not None:
            data.append(value)
    return data


def wire(data: bytes) -> None:
    """All three APIs: valid frames that add up to the body, the same under every cut."""
    choices = Choices(data)
    kind, add_up = choices.of(APIS)
    format = choices.of(toolweir.formats())
    options = choices.options()
    options.pop("ids", None)
    coalesce = choices.of([None, None, "feed", 8])
    finish = choices.of(["stop", "length", "unheard of"])
    rng = choices.random()
    text = choices.text(parts(format))
    bodies = []
    for pieces in ([text], list(text), random_cut(text, rng)):
        made = iter(range(len(text) + 9))
        parser = StreamParser(format, make_id=lambda index, name, made=made: f"call_{next(made)}", **options)
        sent = kind(parser, id="id", model="m", created=1, coalesce=coalesce)
        out = b"".join(sent.feed(piece) for piece in pieces) + sent.finish(finish)
        body = without_ids(sent.body())
        assert without_ids(add_up(frames(out))) == body
        bodies.append(body)
    assert bodies[0] == bodies[1] == bodies[2]


def without_ids(value: Any, known: dict[str, str] | None = None) -> Any:
    """The frames with the ids of items numbered, which are made anew for each stream."""
    known = {} if known is None else known
    if isinstance(value, dict):
        return {key: without_ids(inner, known) for key, inner in value.items()}
    if isinstance(value, list):
        return [without_ids(inner, known) for inner in value]
    if isinstance(value, str) and value.startswith(ITEM_IDS):
        return known.setdefault(value, f"item {len(known)}")
    return value


TARGETS: dict[str, Callable[[bytes], None]] = {
    **{reader: reader_target(reader) for reader in ("json_object", "header_json", "tagged", "literals", "channels")},
    "undecoded": undecoded,
    "host": host,
    "dispatcher": dispatcher,
    "chunks_of_any_shape": chunks_of_any_shape,
    "server_sent_events": server_sent_events,
    "wire": wire,
}
