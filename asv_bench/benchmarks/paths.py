"""The paths of a piece through toolweir: what is fed, and what takes it.

A path is what pieces.py times for asv, report.py for the documentation, and instructions.py counts under callgrind.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from toolweir import StreamParser, ToolCallDispatcher, Tools
from toolweir.wire import ChatCompletionStream, MessageStream, ResponseStream

from .chunks import make_chunks
from .measure import REPEATS, Loop, over_len
from .texts import CALL, EXAMPLE_TOOL, TAGGED_CALL, TEXTS, arguments, call_in, cut, dense, prose

__all__ = ["APIS", "EXAMPLE_TOOLS", "PATHS", "PIECES", "TOOLS", "Path", "format_path", "opened"]

PIECES = 2000
"""Pieces in a run: 8 KB of text; chunks of them, with their dicts, still fit into a processor's cache."""

TOOLS = Tools([{"name": "write_file", "parameters": {"type": "object", "properties": {"content": {"type": "string"}}}}])
EXAMPLE_TOOLS = Tools([EXAMPLE_TOOL])

APIS = {
    "Chat": lambda parser: ChatCompletionStream(parser, model="m"),
    "Responses": lambda parser: ResponseStream(parser, model="m"),
    "Messages": lambda parser: MessageStream(parser, model="m"),
}


@dataclass(frozen=True, slots=True)
class Path:
    """What is fed, and what takes it."""

    feeding: Callable[[], Loop]
    """Makes a loop that hands over the pieces; past the head of their text, as if it had come before."""
    pieces: Callable[[str], list[Any]]
    """The pieces of a kind of text."""
    kinds: tuple[str, ...] = tuple(TEXTS)
    reading: Callable[[], Loop] | None = None
    """The same loop, which reads the text of each event too; None where no events come out."""
    anew: bool = False
    """The pieces are made for each run, never seen before."""

    def ratio(self, kind: str, *, reading: bool = False, repeats: int = REPEATS) -> float:
        """The cost of a piece, as a multiple of len()."""
        made = self.pieces(kind)
        pieces = (lambda: self.pieces(kind)) if self.anew else lambda: made
        loop = self.reading if reading else self.feeding
        assert loop is not None
        return over_len(pieces, loop, repeats)


def one_by_one(consumer: Callable[[], Callable[[Any], Any]]) -> Callable[[], Loop]:
    """A loop that hands each piece to what the consumer makes."""

    def fresh() -> Loop:
        take = consumer()

        def loop(pieces: Any) -> None:
            for piece in pieces:
                take(piece)

        return loop

    return fresh


def to_events(
    consumer: Callable[[], Callable[[Any], Any]],
    pieces: Callable[[str], list[Any]],
    kinds: tuple[str, ...] = tuple(TEXTS),
) -> Path:
    """A path whose consumer returns events."""

    def reading() -> Loop:
        take = consumer()

        def loop(pieces: Any) -> None:
            for piece in pieces:
                for event in take(piece):
                    event.text  # noqa: B018

        return loop

    return Path(one_by_one(consumer), pieces, kinds, reading)


def opened(format: str, head: str, tools: Tools = TOOLS) -> StreamParser:
    """A parser that has read the head of a text."""
    parser = StreamParser(format, tools=tools)
    parser.feed(head)
    return parser


def sending(api: str, head: str) -> Callable[[], Callable[[str], bytes]]:
    """Makes the `feed` of a stream to bytes that has read the head of a text."""

    def consumer() -> Callable[[str], bytes]:
        feed: Callable[[str], bytes] = APIS[api](StreamParser("hermes", tools=TOOLS)).feed
        feed(head)
        return feed

    return consumer


def framing(api: str, head: str) -> Callable[[], Callable[[str], list[dict[str, Any]]]]:
    """Makes the same stream to dicts, for a host that encodes by itself."""

    def consumer() -> Callable[[str], list[dict[str, Any]]]:
        parser = StreamParser("hermes", tools=TOOLS)
        stream = APIS[api](parser)
        feed, events_of = parser.feed, stream.events_of
        events_of(feed(head))
        return lambda piece: events_of(feed(piece))

    return consumer


def prose_pieces(kind: str) -> list[str]:
    return cut(prose(kind, 4 * PIECES))[:PIECES]


def argument_pieces(kind: str) -> list[str]:
    return cut(arguments(kind, 4 * PIECES))[:PIECES]


def dense_pieces(kind: str) -> list[str]:
    return cut(dense(4 * PIECES))[:PIECES]


def chunks(kind: str) -> list[dict[str, Any]]:
    return list(make_chunks("".join(argument_pieces(kind))))


@cache
def stream(kind: str) -> str:
    return json.dumps(chunks(kind))


def fresh_chunks(kind: str) -> list[dict[str, Any]]:
    return json.loads(stream(kind))


PROSE, CODE = "So: ", ("code",)

PATHS = {
    "prose to a ContentDelta": to_events(lambda: opened("hermes", PROSE).feed, prose_pieces),
    "JSON arguments inside a string": to_events(lambda: opened("hermes", CALL).feed, argument_pieces),
    "structure-dense JSON arguments": to_events(lambda: opened("hermes", CALL).feed, dense_pieces, ("values",)),
    "tagged string value, escaped": to_events(lambda: opened("qwen3_coder", TAGGED_CALL).feed, prose_pieces),
    **{f"prose to {api} SSE bytes": Path(one_by_one(sending(api, PROSE)), prose_pieces) for api in APIS},
    **{f"arguments to {api} SSE bytes": Path(one_by_one(sending(api, CALL)), argument_pieces) for api in APIS},
    **{f"prose to {api} dicts": Path(one_by_one(framing(api, PROSE)), prose_pieces) for api in APIS},
    **{f"arguments to {api} dicts": Path(one_by_one(framing(api, CALL)), argument_pieces) for api in APIS},
    "observe, a reused chunk": Path(one_by_one(lambda: ToolCallDispatcher().observe), chunks, CODE),
    "observe, a chunk fresh from json.loads": Path(
        one_by_one(lambda: ToolCallDispatcher().observe), fresh_chunks, CODE, anew=True
    ),
}
"""Every path, by the name of its row in the table."""


def format_path(format: str) -> Path:
    """A string argument in a format's own syntax: code, to ArgumentsDelta."""
    head, value, _ = call_in(format, prose("code", 4 * PIECES).strip())
    return to_events(lambda: opened(format, head, EXAMPLE_TOOLS).feed, lambda kind: cut(value), CODE)
