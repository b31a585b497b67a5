"""Other ways to follow a call while it is written: the same arguments, the same pieces, the same run.

A peer is a function that is given the arguments so far and returns what takes the next piece and does after it what
its users do: know the arguments up to there. `make bench` installs them; what is not installed is left out.
"""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from .measure import idle, quiet
from .paths import EXAMPLE_TOOLS, opened
from .sglang_alone import DETECTORS, detector
from .texts import CALL, EXAMPLE_TOOL, arguments, call_in, cut, prose

__all__ = ["PEERS", "SIZES", "Detectors", "Peers", "detector_costs", "peer_cost", "streams"]

KB = 1024
SIZES = tuple(size * KB for size in (1, 2, 5, 10, 20, 50, 100, 200))
"""Lengths of the arguments so far, in characters."""

WARMING, PIECES = 8, 32
"""How many pieces go first, while buffers make room for more, and how many are timed."""

Step = Callable[[str], Any]
Follow = Callable[[str], Step]


def reading(feed: Callable[[str], Any]) -> Step:
    """toolweir's feed() with a loop that reads every event."""

    def step(piece: str) -> None:
        for event in feed(piece):
            event.text  # noqa: B018

    return step


def toolweir(so_far: str) -> Step:
    return reading(opened("hermes", CALL + so_far).feed)


def json_loads(so_far: str) -> Step:
    text = so_far

    def step(piece: str) -> None:
        nonlocal text
        text += piece
        with suppress(ValueError):
            json.loads(text)

    return step


def jiter(so_far: str) -> Step:
    from_json = import_module("jiter").from_json
    text = so_far

    def step(piece: str) -> None:
        nonlocal text
        text += piece
        from_json(text.encode(), partial_mode="trailing-strings")

    return step


def partial_json_parser(so_far: str) -> Step:
    loads = import_module("partial_json_parser").loads
    text = so_far

    def step(piece: str) -> None:
        nonlocal text
        text += piece
        loads(text)

    return step


def ijson(so_far: str) -> Step:
    sink = import_module("ijson").sendable_list()
    parser = import_module("ijson.backends.yajl2_c").basic_parse_coro(sink)
    parser.send(so_far.encode())

    def step(piece: str) -> None:
        parser.send(piece.encode())
        del sink[:]

    return step


def openai(so_far: str) -> Step:
    state = import_module("openai.lib.streaming.chat").ChatCompletionStreamState()
    chunk_type = import_module("openai.types.chat").ChatCompletionChunk
    head = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}

    def handle(call: dict[str, Any]) -> None:
        choices = [{"index": 0, "delta": {"role": "assistant", "tool_calls": [call]}, "finish_reason": None}]
        state.handle_chunk(chunk_type.model_validate({**head, "choices": choices}))

    def step(piece: str) -> None:
        handle({"index": 0, "function": {"arguments": piece}})

    handle({"index": 0, "id": "c", "type": "function", "function": {"name": "write_file", "arguments": so_far}})
    return step


def sglang(so_far: str) -> Step:
    return detecting("hermes", CALL, so_far, {"name": "write_file", "parameters": {"type": "object"}})


def detecting(format: str, head: str, so_far: str, tool: dict[str, Any]) -> Step:
    """A step of SGLang's detector, which gets the head as the tokenizer would cut it: its markers whole."""
    made, described = detector(format, tool)
    take, tools = made.parse_streaming_increment, [described]
    for piece in [head, *cut(so_far, max(4, len(so_far) // 8))]:
        take(piece, tools)
    return lambda piece: take(piece, tools)


PEERS: dict[str, Follow] = {
    "toolweir": toolweir,
    "SGLang's Hermes detector": sglang,
    "jiter, partial mode": jiter,
    "ijson, yajl2_c": ijson,
    "json.loads of all so far": json_loads,
    "openai SDK's accumulator": openai,
    "partial-json-parser": partial_json_parser,
}


def microseconds_at(follow: Follow, text: str, size: int, seconds: float = 0.2) -> float:
    """The cost of a piece where `size` characters of the text went before, from rounds for so many seconds, at least 3.

    Rounds of slow peers last longer than neighbours leave the processor alone, so the clock is the thread's processor
    time, which stands still meanwhile. Now and then it stands still too long: a tenth of the rounds may be faster.
    """
    pieces = cut(text[size : size + 4 * (WARMING + PIECES)])
    rounds: list[float] = []
    until = time.perf_counter() + seconds
    with quiet():
        while len(rounds) < 3 or time.perf_counter() < until:
            step = follow(text[:size])
            for piece in pieces[:WARMING]:
                step(piece)
            start = time.thread_time()
            for piece in pieces[WARMING:]:
                step(piece)
            rounds.append(time.thread_time() - start)
    return (sorted(rounds)[len(rounds) // 10] - idle(time.thread_time)) / PIECES * 1e6


def peer_cost(name: str, size: int, seconds: float = 0.2) -> float:
    """Microseconds for a piece of a string of code in a call's arguments."""
    return microseconds_at(PEERS[name], arguments("code", size + KB), size, seconds)


def detector_costs(format: str, size: int, seconds: float = 0.2) -> tuple[float, float]:
    """Microseconds for a piece of the same call in a format's syntax: toolweir, SGLang's detector."""
    head, value, _ = call_in(format, prose("code", size + KB).strip())

    def ours(so_far: str) -> Step:
        return reading(opened(format, head + so_far, EXAMPLE_TOOLS).feed)

    def theirs(so_far: str) -> Step:
        return detecting(format, head, so_far, EXAMPLE_TOOL)

    return microseconds_at(ours, value, size, seconds), microseconds_at(theirs, value, size, seconds)


def streams(format: str, size: int = KB) -> float:
    """The share of pieces after which SGLang's detector gives something of a call, while 1 KB is written."""
    head, value, _ = call_in(format, prose("code", size).strip())
    step = detecting(format, head, "", EXAMPLE_TOOL)
    given = [bool(step(piece).calls) for piece in cut(value)]
    return sum(given) / len(given)


class Peers:
    """Microseconds for a piece at a length of the arguments."""

    params = (list(PEERS), [KB, 10 * KB, 100 * KB])
    param_names = ("peer", "size")
    unit = "us"

    def setup(self, peer: str, size: int) -> None:
        try:
            PEERS[peer]("{")
        except ImportError:
            raise NotImplementedError from None

    def track_piece(self, peer: str, size: int) -> float:
        return peer_cost(peer, size)


class Detectors:
    """Microseconds for a piece in SGLang's detector of a format."""

    params = (list(DETECTORS),)
    param_names = ("format",)
    unit = "us"

    def setup(self, format: str) -> None:
        try:
            detector(format, EXAMPLE_TOOL)
        except ImportError:
            raise NotImplementedError from None

    def track_piece_at_10_kb(self, format: str) -> float:
        return detector_costs(format, 10 * KB)[1]
