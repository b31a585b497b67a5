"""Other ways to follow a call while it is written, on the same arguments in the same run.

Each peer is a function that gets the pieces of a call and does after every piece what its users do: know the arguments
so far. Only what is installed runs; `pip install --group bench` installs all but SGLang, whose wheel wants a GPU stack.
"""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from .measure import opened, quiet
from .texts import CALL, arguments, cut

__all__ = ["PEERS", "microseconds_per_piece"]

Follow = Callable[[list[str]], Any]


def toolweir(pieces: list[str]) -> None:
    """feed() and a loop that reads every event; the arguments are accumulated and proven valid."""
    feed = opened("arguments").feed
    for piece in pieces:
        for event in feed(piece):
            event.text  # type: ignore[attr-defined]  # noqa: B018


def json_loads(pieces: list[str]) -> None:
    """json.loads of all so far, until it succeeds."""
    text = ""
    for piece in pieces:
        text += piece
        with suppress(ValueError):
            json.loads(text)


def jiter(pieces: list[str]) -> None:
    """jiter.from_json in partial mode, of all so far."""
    from_json = import_module("jiter").from_json
    text = ""
    for piece in pieces:
        text += piece
        from_json(text.encode(), partial_mode="trailing-strings")


def partial_json_parser(pieces: list[str]) -> None:
    """partial_json_parser.loads of all so far."""
    loads = import_module("partial_json_parser").loads
    text = ""
    for piece in pieces:
        text += piece
        loads(text)


def ijson(pieces: list[str]) -> None:
    """ijson's push interface over its C back end; a string comes out when it is whole."""
    backend = import_module("ijson.backends.yajl2_c")
    sink = import_module("ijson").sendable_list()
    parser = backend.basic_parse_coro(sink)
    for piece in pieces:
        parser.send(piece.encode())
        del sink[:]


def openai(pieces: list[str]) -> None:
    """The OpenAI SDK's accumulator, on chunks that are parsed already."""
    state = import_module("openai.lib.streaming.chat").ChatCompletionStreamState()
    chunk_type = import_module("openai.types.chat").ChatCompletionChunk
    head = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    for number, piece in enumerate(pieces):
        call: dict[str, Any] = {"index": 0, "function": {"arguments": piece}}
        if not number:
            call |= {"id": "c", "type": "function", "function": {"name": "write_file", "arguments": piece}}
        choices = [{"index": 0, "delta": {"role": "assistant", "tool_calls": [call]}, "finish_reason": None}]
        state.handle_chunk(chunk_type.model_validate({**head, "choices": choices}))


def sglang(pieces: list[str]) -> None:
    """SGLang's Hermes detector."""
    detector = import_module("sglang.srt.function_call.hermes_detector").HermesDetector()
    protocol = import_module("sglang.srt.entrypoints.openai.protocol")
    tool = protocol.Tool(type="function", function=protocol.Function(name="write_file", parameters={"type": "object"}))
    for piece in cut(CALL) + pieces:
        detector.parse_streaming_increment(piece, [tool])


PEERS: dict[str, tuple[Follow, str]] = {
    "toolweir": (toolweir, "toolweir"),
    "json.loads of all so far": (json_loads, "json"),
    "jiter, partial mode": (jiter, "jiter"),
    "partial-json-parser": (partial_json_parser, "partial_json_parser"),
    "ijson, yajl2_c": (ijson, "ijson.backends.yajl2_c"),
    "openai SDK, accumulator": (openai, "openai.lib.streaming.chat"),
    "SGLang, HermesDetector": (sglang, "sglang.srt.function_call.hermes_detector"),
}
"""Name, function, and the module without which it cannot run."""


def microseconds_per_piece(follow: Follow, size: int, repeats: int = 3) -> float:
    """The mean cost of a piece of four characters while a call's arguments grow to `size` characters."""
    pieces = cut(arguments("code", size))[: size // 4]
    shortest = float("inf")
    with quiet():
        for _ in range(repeats):
            start = time.perf_counter()
            follow(pieces)
            shortest = min(shortest, time.perf_counter() - start)
    return shortest / len(pieces) * 1e6
