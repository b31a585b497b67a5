"""Text to server-sent events: a short turn, which structure makes dear, and other encoders; pieces.py has the rest."""

import json
from importlib import import_module
from typing import Any

from toolweir import StreamParser

from .measure import Loop, over_len
from .paths import APIS, PATHS

__all__ = ["OTHERS", "OtherEncoders", "Turn", "other_ratio"]


class Turn:
    """Seconds for a line of prose and one call."""

    params = (list(APIS),)
    param_names = ("api",)

    def time_turn(self, api: str) -> None:
        stream = APIS[api](StreamParser("hermes"))
        stream.feed("I look it up.\n")
        stream.feed('<tool_call>{"name": "f", "arguments": {"city": "Paris"}}</tool_call>')
        stream.finish("stop")


def chunk(text: str) -> dict[str, Any]:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    return {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "a-model", "choices": [choice]}


def with_json(pieces: Any) -> None:
    for piece in pieces:
        f"data: {json.dumps(chunk(piece))}\n\n".encode()


def with_orjson(pieces: Any) -> None:
    dumps = import_module("orjson").dumps
    for piece in pieces:
        b"data: %b\n\n" % dumps(chunk(piece))


def with_pydantic(pieces: Any) -> None:
    chunk_type = import_module("openai.types.chat").ChatCompletionChunk
    for piece in pieces:
        f"data: {chunk_type.model_validate(chunk(piece)).model_dump_json(exclude_unset=True)}\n\n".encode()


OTHERS: dict[str, tuple[Loop, str]] = {
    "json": (with_json, "json"),
    "orjson": (with_orjson, "orjson"),
    "pydantic, the openai SDK's model": (with_pydantic, "openai.types.chat"),
}
"""The same Chat deltas, encoded from text that somebody else has parsed: name, loop, the module it needs."""


def other_ratio(name: str, repeats: int = 5) -> float:
    """What it costs to encode a piece of prose in another way, as a multiple of len()."""
    loop, module = OTHERS[name]
    import_module(module)
    pieces = next(iter(PATHS.values())).pieces("english")
    return over_len(lambda: pieces, lambda: loop, repeats)


class OtherEncoders:
    """Chat deltas without toolweir, for comparison."""

    params = (list(OTHERS),)
    param_names = ("encoder",)
    unit = "len()"

    def setup(self, encoder: str) -> None:
        try:
            import_module(OTHERS[encoder][1])
        except ImportError:
            raise NotImplementedError from None

    def track_encoder(self, encoder: str) -> float:
        return other_ratio(encoder)
