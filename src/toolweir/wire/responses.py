"""OpenAI Responses: a turn as numbered events about the items of one response.

Every segment of the turn is an item of its own, in order, so that the output at the end is the list of what was
streamed and nothing else. Numbers count all events, deltas too.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from ..errors import ParserStateError
from ..events import ToolCallStart
from ..message import Result
from ..parser import StreamParser
from .custom import CustomInput
from .items import SHAPES, Item
from .options import mint, read_choice, seconds
from .stream import Stream
from .usage import Usage

__all__ = ["ResponseStream"]

ECHOED: dict[str, Any] = {
    "instructions": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "temperature": 1.0,
    "tool_choice": "auto",
    "tools": [],
    "top_p": 1.0,
}
"""What a response repeats of its request, with the API's defaults."""

ECHOED_IF_GIVEN = (
    "background", "max_output_tokens", "max_tool_calls", "previous_response_id", "reasoning", "service_tier", "store",
    "text", "top_logprobs", "truncation", "user",
)  # fmt: skip


class ResponseStream(Stream):
    """Text in, Responses events out; `feed(piece)` returns the bytes to send.

    - `id`, `model`, `created`: what the response says of itself; a new id and the present time by default.
    - `reasoning`: how thoughts are sent: "summary", which all clients show, "raw", which few do, or "off".
    - `request`: the request, of which the response repeats what the API wants repeated.
    - `coalesce`: None (a delta for each event), "feed" (for each feed), or the bytes of text a delta waits for.

    A call of a tool that is declared as custom is a custom call.
    """

    def __init__(
        self,
        parser: StreamParser,
        *,
        id: str | None = None,
        model: str = "",
        created: int | None = None,
        reasoning: str = "summary",
        request: Mapping[str, Any] | None = None,
        coalesce: int | Literal["feed"] | None = None,
    ) -> None:
        super().__init__(parser, coalesce=coalesce, named=True)
        self._reasoning = read_choice("reasoning", reasoning, ("summary", "raw", "off"))
        self._output: list[dict[str, Any]] = []
        self._item: Item | None = None
        given = {key: value for key, value in (request or {}).items() if value is not None}
        self._response: dict[str, Any] = {
            "id": id or mint("resp_", 16),
            "object": "response",
            "created_at": seconds(created),
            "status": "in_progress",
            "error": None,
            "incomplete_details": None,
            "model": model,
            "output": [],
            "usage": None,
            **{key: given.get(key, default) for key, default in ECHOED.items()},
            **{key: given[key] for key in ECHOED_IF_GIVEN if key in given},
        }

    def body(self) -> dict[str, Any]:
        """The answer to the same request without streaming: the response as its last event has it.

        Raises ParserStateError before the end.
        """
        if self._response["status"] == "in_progress":
            raise ParserStateError("body: the response is not finished")
        return self._response

    # What Stream asks for

    def _event(self, type: str, number: int | None = None, **fields: Any) -> dict[str, Any]:
        return {"type": type, **fields, "sequence_number": self._number() if number is None else number}

    def _send_all(self, events: Iterable[dict[str, Any]]) -> None:
        for event in events:
            self._send(self._event(**event))

    def _begin(self) -> None:
        response = dict(self._response)
        self._send(self._event("response.created", response=response))
        self._send(self._event("response.in_progress", response=response))

    def _open_text(self, kind: Literal["content", "reasoning"]) -> None:
        if kind == "reasoning" and self._reasoning == "off":
            return
        self._open_item(Item(SHAPES["message" if kind == "content" else self._reasoning], len(self._output)))

    def _open_call(self, start: ToolCallStart) -> None:
        shape = "function"
        if self._tools is not None and start.name in self._tools:
            tool = self._tools[start.name]
            if tool.kind == "custom":
                shape = "custom"
                self._decode_with(CustomInput(tool))
        self._open_item(Item(SHAPES[shape], len(self._output), call_id=start.id, name=start.name))

    def _open_item(self, item: Item) -> None:
        self._item = item
        self._output.append(item.whole)
        self._send_all(item.opening())

    def _delta(self, text: str, number: int) -> dict[str, Any] | None:
        return None if self._item is None else self._event(number=number, **self._item.delta(text))

    def _close(self, text: str, status: str) -> None:
        if self._item is not None:
            self._send_all(self._item.closing(text, status))
            self._item = None

    def _end(self, result: Result, usage: Usage | dict[str, Any] | None) -> None:
        counted = Usage.of(usage)
        if counted is not None:
            self._response["usage"] = counted.responses()
        reason = result.finish_reason
        if reason == "error":
            self._fail("the model's output ended in an error", "server_error")
        elif result.incomplete or result.invalid or reason in ("length", "content_filter"):
            reason = "content_filter" if reason == "content_filter" else "max_output_tokens"
            self._conclude("incomplete", incomplete_details={"reason": reason})
        else:
            self._conclude("completed")

    def _fail(self, message: str, type: str) -> None:
        self._shut("incomplete")
        self._conclude("failed", error={"code": type, "message": message})

    def _conclude(self, status: str, **details: Any) -> None:
        self._response.update(status=status, output=self._output, **details)
        self._send(self._event(f"response.{status}", response=self._response))

    def _ping(self) -> bytes:
        return b": ping\n\n"
