"""Anthropic Messages: a turn as blocks that open, grow and close, one at a time.

Clients read a call's input while it grows, as JSON that is not finished, and fail in mid-stream on anything else; the
parser's promise that arguments are always the beginning of an object is what keeps them alive.
"""

import json
import math
import re
from collections.abc import Callable
from typing import Any, Literal

from ..errors import ParserStateError
from ..events import ToolCallStart
from ..message import Result
from ..parser import StreamParser
from .options import mint
from .stream import Stream
from .usage import Usage

__all__ = ["MessageStream"]

STOP_REASONS = {"tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}
ERROR_TYPES = {"server_error": "api_error"}
NOT_OF_AN_ID = re.compile(r"[^a-zA-Z0-9_-]")
BLOCKS: dict[str, dict[str, Any]] = {
    "content": {"type": "text", "text": ""},
    "reasoning": {"type": "thinking", "thinking": "", "signature": ""},
}
DELTAS = {
    "content": ("text_delta", "text"),
    "reasoning": ("thinking_delta", "thinking"),
    "call": ("input_json_delta", "partial_json"),
}


class MessageStream(Stream):
    """Text in, Anthropic Messages events out; `feed(piece)` returns the bytes to send.

    - `id`, `model`: what the message says of itself; `created` is taken as by the other streams, but no event has it.
    - `usage`: what is known at the start, that is the input; finish() has the last word on all counts.
    - `thinking`: whether thoughts are sent.
    - `signature`: what ends a thinking block: a string, or a function of the thought. Empty, as models without a secret
      have it, it is not sent apart.
    - `coalesce`: None (a delta for each event), "feed" (for each feed), or the bytes of text a delta waits for.

    Ids of calls hold nothing but letters, digits, `_` and `-`, since clients send them back to servers that check.
    """

    def __init__(
        self,
        parser: StreamParser,
        *,
        id: str | None = None,
        model: str = "",
        created: int | None = None,
        usage: Usage | dict[str, Any] | None = None,
        thinking: bool = True,
        signature: str | Callable[[str], str] = "",
        coalesce: int | Literal["feed"] | None = None,
    ) -> None:
        super().__init__(parser, coalesce=coalesce, named=True)
        self._id = id or mint("msg_", 12)
        self._model = model
        self._usage = Usage.of(usage) or Usage()
        self._thinking = thinking
        self._signature = signature
        self._kind = ""  # of the open segment
        self._blocks: list[dict[str, Any]] = []
        self._ids: set[str] = set()
        self._suffix = 0  # the last one that told two ids apart
        self._engine_stop: str | None = None
        self._stop: dict[str, Any] | None = None
        self._failure: dict[str, Any] | None = None

    def finish(
        self, reason: str | None = None, usage: Usage | dict[str, Any] | None = None, stop_sequence: str | None = None
    ) -> bytes:
        """As Stream.finish; `stop_sequence` is the stop string that the engine itself, not the parser, found."""
        self._engine_stop = stop_sequence
        return super().finish(reason, usage)

    def body(self) -> dict[str, Any]:
        """The answer to the same request without streaming: what the stream adds up to.

        The input of a call that did not complete is empty, and the stop reason tells. Raises ParserStateError before
        the end.
        """
        if self._failure is not None:
            return self._failure
        if self._stop is None:
            raise ParserStateError("body: the message is not finished")
        return {**self._message(), "content": self._blocks, **self._stop, "usage": self._usage.messages()}

    # What Stream asks for

    def _message(self) -> dict[str, Any]:
        return {"id": self._id, "type": "message", "role": "assistant", "model": self._model}

    def _begin(self) -> None:
        message = {
            **self._message(),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": self._usage.messages(),
        }
        self._send({"type": "message_start", "message": message})

    def _open_text(self, kind: Literal["content", "reasoning"]) -> None:
        self._kind = kind
        if self._is_sent(kind):
            self._open_block(BLOCKS[kind])

    def _open_call(self, start: ToolCallStart) -> None:
        self._kind = "call"
        self._open_block({"type": "tool_use", "id": self._clean(start.id), "name": start.name, "input": {}})

    def _open_block(self, block: dict[str, Any]) -> None:
        self._send({"type": "content_block_start", "index": len(self._blocks), "content_block": dict(block)})
        self._blocks.append(dict(block))

    def _is_sent(self, kind: str) -> bool:
        return kind != "reasoning" or self._thinking

    def _clean(self, id: str) -> str:
        clean = wanted = NOT_OF_AN_ID.sub("_", id)
        while clean in self._ids:
            self._suffix += 1  # each is tried once: the model may have written any id that is made here
            clean = f"{wanted}_{self._suffix}"
        self._ids.add(clean)
        return clean

    def _delta(self, text: str, number: int) -> dict[str, Any] | None:
        if not self._is_sent(self._kind):
            return None
        type, field = DELTAS[self._kind]
        return self._block_delta({"type": type, field: text})

    def _block_delta(self, delta: dict[str, Any]) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": len(self._blocks) - 1, "delta": delta}

    def _close(self, text: str, status: str) -> None:
        if not self._is_sent(self._kind):
            return
        block = self._blocks[-1]
        if self._kind == "content":
            block["text"] = text
        elif self._kind == "reasoning":
            block["thinking"] = text
            block["signature"] = self._signature(text) if callable(self._signature) else self._signature
            if block["signature"]:
                self._send(self._block_delta({"type": "signature_delta", "signature": block["signature"]}))
        elif status == "complete":
            block["input"] = decode_input(text)
        self._send({"type": "content_block_stop", "index": len(self._blocks) - 1})

    def _end(self, result: Result, usage: Usage | dict[str, Any] | None) -> None:
        self._usage = Usage.of(usage) or self._usage
        if result.finish_reason == "error":
            self._fail("the model's output ended in an error", "api_error")
            return
        whole = "max_tokens" if result.incomplete or result.invalid else "end_turn"
        reason = STOP_REASONS.get(result.finish_reason or "stop", whole)
        sequence = (result.stop_sequence or self._engine_stop) if reason == "end_turn" else None
        self._stop = {"stop_reason": "stop_sequence" if sequence else reason, "stop_sequence": sequence}
        self._send({"type": "message_delta", "delta": self._stop, "usage": self._usage.messages()})
        self._send({"type": "message_stop"})

    def _fail(self, message: str, type: str) -> None:
        self._failure = {"type": "error", "error": {"type": ERROR_TYPES.get(type, type), "message": message}}
        self._send(self._failure)

    def _ping(self) -> bytes:
        return b'event: ping\ndata: {"type":"ping"}\n\n'


def decode_input(text: str) -> dict[str, Any]:
    """The arguments of a complete call as an object. What Python's numbers cannot hold stays text."""
    try:
        value: dict[str, Any] = json.loads(text, parse_float=_number, parse_int=_number)
    except RecursionError:
        return {"arguments": text}
    return value


def _number(digits: str) -> int | float | str:
    try:
        return int(digits)
    except ValueError:
        value = float(digits)
        return digits if math.isinf(value) or digits.lstrip("-").isdigit() else value
