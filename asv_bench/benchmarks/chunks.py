"""OpenAI chunk streams: one call, its arguments in deltas of four characters."""

from collections.abc import Iterator
from typing import Any

from .texts import cut

__all__ = ["chunk", "make_chunks"]

Chunk = dict[str, Any]


def chunk(call: dict[str, Any], finish: str | None = None) -> Chunk:
    """A chunk with a piece of a call."""
    choice = {"index": 0, "delta": {"tool_calls": [call]}, "logprobs": None, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}


def make_chunks(arguments: str) -> Iterator[Chunk]:
    """The chunks of a call with these arguments."""
    head = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "write_file", "arguments": ""}}
    yield chunk(head)
    for piece in cut(arguments):
        yield chunk({"index": 0, "function": {"arguments": piece}})
