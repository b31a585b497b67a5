"""How things are measured: against len() in the same loop of the same run, the smallest of many repeats.

A shared machine slows a run down by half and more, never speeds it up, so the smallest is the nearest to the truth, and
a ratio to something measured alternately holds where nanoseconds do not.
"""

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from toolweir import StreamParser, Tools
from toolweir.wire import ChatCompletionStream

from .texts import CALL, TAGGED_CALL, arguments, cut, dense, prose

__all__ = [
    "best",
    "feed_ratio",
    "gigabytes_per_second",
    "growth_ratio",
    "in_child",
    "opened",
    "over_len",
    "pieces_of",
    "quiet",
    "wire_ratio",
]

REPEATS = 60
PIECES = 2000
TOOLS = Tools([{"name": "write_file", "parameters": {"type": "object", "properties": {"content": {"type": "string"}}}}])


class quiet:  # noqa: N801
    """No garbage collection while something is measured."""

    def __enter__(self) -> None:
        gc.collect()
        gc.disable()

    def __exit__(self, *error: object) -> None:
        gc.enable()


def best(run: Callable[[], Any], repeats: int = REPEATS) -> float:
    """The shortest of several runs, in seconds."""
    shortest = float("inf")
    with quiet():
        for _ in range(repeats):
            start = time.perf_counter()
            run()
            shortest = min(shortest, time.perf_counter() - start)
    return shortest


def over_len(pieces: list[Any], fresh: Callable[[], Callable[[list[Any]], Any]], repeats: int = REPEATS) -> float:
    """What a loop over the pieces costs as a multiple of a loop that takes their len(); `fresh` makes the loop anew."""
    shortest, shortest_len = float("inf"), float("inf")
    with quiet():
        for _ in range(repeats):
            loop = fresh()
            start = time.perf_counter()
            loop(pieces)
            middle = time.perf_counter()
            count_lengths(pieces)
            end = time.perf_counter()
            shortest = min(shortest, middle - start)
            shortest_len = min(shortest_len, end - middle)
    return shortest / shortest_len


def count_lengths(pieces: Iterable[Any]) -> None:
    """The loop that everything is compared with."""
    size = len
    for piece in pieces:
        size(piece)


def opened(path: str) -> StreamParser:
    """A parser that is where the path begins: in text, or behind the head of a call."""
    parser = new_parser(path)
    parser.feed(head_of(path))
    return parser


def new_parser(path: str) -> StreamParser:
    """A parser for the path, before any text."""
    return StreamParser("qwen3_coder" if path == "tagged" else "hermes", tools=TOOLS)


def head_of(path: str) -> str:
    """The text before the pieces of the path."""
    return {"prose": "So: ", "tagged": TAGGED_CALL}.get(path, CALL)


def pieces_of(path: str, kind: str, count: int = PIECES) -> list[str]:
    """The pieces of a path: "prose", "arguments" (one string), "dense" (many small values), "tagged" (bare text)."""
    size = 4 * count
    if path == "dense":
        return cut(dense(size))[:count]
    return cut((arguments if path == "arguments" else prose)(kind, size))[:count]


def feed_ratio(path: str, kind: str, *, reading: bool, repeats: int = REPEATS) -> float:
    """feed() a piece, alone or with a loop that reads the text of each event, as a multiple of len()."""

    def feeding() -> Callable[[list[str]], None]:
        feed = opened(path).feed

        def loop(pieces: list[str]) -> None:
            for piece in pieces:
                feed(piece)

        return loop

    def feeding_and_reading() -> Callable[[list[str]], None]:
        feed = opened(path).feed

        def loop(pieces: list[str]) -> None:
            for piece in pieces:
                for event in feed(piece):
                    event.text  # type: ignore[attr-defined]  # noqa: B018

        return loop

    return over_len(pieces_of(path, kind), feeding_and_reading if reading else feeding, repeats)


def wire_ratio(path: str, kind: str, repeats: int = REPEATS) -> float:
    """A piece to the bytes of Chat Completions' server-sent events, as a multiple of len()."""

    def sending() -> Callable[[list[str]], None]:
        feed = ChatCompletionStream(new_parser(path), model="m").feed
        feed(head_of(path))

        def loop(pieces: list[str]) -> None:
            for piece in pieces:
                feed(piece)

        return loop

    return over_len(pieces_of(path, kind), sending, repeats)


def growth_ratio(near: int = 1024, far: int = 100 * 1024, repeats: int = REPEATS) -> float:
    """A piece of one argument at `far` characters against the same piece at `near`."""
    text = arguments("code", far + 16 * 1024)
    parsers = {}
    for at in (near, far):
        parsers[at] = opened("arguments")
        parsers[at].feed(text[:at])
    shortest = dict.fromkeys(parsers, float("inf"))
    with quiet():
        for _ in range(repeats):
            for at, parser in parsers.items():
                # The same pieces for both: a text that repeats itself is the same at any of its periods.
                pieces = cut(text[near : near + 8 * 1024])
                feed = parser.copy().feed
                for piece in pieces[:24]:  # the copy makes room for more
                    feed(piece)
                start = time.perf_counter()
                for piece in pieces[24:]:
                    feed(piece)
                shortest[at] = min(shortest[at], time.perf_counter() - start)
    return shortest[far] / shortest[near]


def gigabytes_per_second(run: Callable[[], Any], size: int, repeats: int = 20) -> float:
    """How fast `run` reads `size` bytes."""
    return size / best(run, repeats) / 1e9


def in_child(code: str) -> float:
    """What a fresh interpreter prints as a number."""
    # Bytecode is cached where code is installed; an environment that forbids it would time the compiler.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return float(done.stdout)
