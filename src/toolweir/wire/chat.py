"""Chat Completions: a turn as the chunks of OpenAI's older API.

Chunks carry deltas of one message a choice. Calls are told apart by their index; the first fragment of a call names it
and has no arguments, every later one has nothing but arguments. That is the order that all clients put together without
special cases.
"""

from typing import Any, Literal

from ..events import ToolCallStart
from ..message import Result
from ..parser import StreamParser
from .completion import Completion, Segment
from .options import mint, read_choice, seconds
from .scores import ScoredPiece, Scores
from .stream import Stream
from .usage import Usage

__all__ = ["ChatCompletionStream"]

REASONING_FIELDS = {
    "reasoning_content": ("reasoning_content",),
    "reasoning": ("reasoning",),
    "both": ("reasoning_content", "reasoning"),
    "none": (),
}
FINISH_REASONS = ("stop", "length", "tool_calls", "content_filter")
DONE = b"data: [DONE]\n\n"


class ChatCompletionStream(Stream):
    """Text in, Chat Completions chunks out; `feed(piece)` returns the bytes to send.

    - `id`, `model`, `created`: what every chunk repeats; a new id and the present time by default.
    - `reasoning_field`: "reasoning_content", "reasoning", "both" or "none" (thoughts are not sent).
    - `include_usage`: whether the request asked for a last chunk with the usage.
    - `named_finish`: the finish reason when the request chose a function by name, "tool_calls" or "stop".
    - `coalesce`: None (a chunk for each event), "feed" (for each feed), or the bytes of text a chunk waits for.

    A custom tool goes out as a function: chunks have no other kind of call.
    """

    def __init__(
        self,
        parser: StreamParser,
        *,
        id: str | None = None,
        model: str = "",
        created: int | None = None,
        reasoning_field: str = "reasoning_content",
        include_usage: bool = False,
        named_finish: str = "tool_calls",
        coalesce: int | Literal["feed"] | None = None,
    ) -> None:
        super().__init__(parser, coalesce=coalesce)
        read_choice("reasoning_field", reasoning_field, tuple(REASONING_FIELDS))
        read_choice("named_finish", named_finish, ("tool_calls", "stop"))
        self._options: dict[str, Any] = {
            "reasoning_field": reasoning_field,
            "named_finish": named_finish,
            "coalesce": coalesce,
        }
        self._calls = 0
        self._join(Completion(id or mint("chatcmpl-", 12), model, seconds(created), include_usage))

    def _join(self, completion: Completion) -> None:
        self._completion = completion
        self._choice = completion.new_choice(REASONING_FIELDS[self._options["reasoning_field"]])

    def add_choice(self, parser: StreamParser) -> "ChatCompletionStream":
        """The next choice of the same completion (`n` in the request), with a parser of its own.

        Its frames go to the same client. The end of the stream comes with the choice that finishes last, and the usage
        of all choices is given to that finish().
        """
        choice = ChatCompletionStream(parser, **self._options)
        choice._join(self._completion)
        return choice

    def feed_with_logprobs(self, piece: str | bytes, logprobs: list[dict[str, Any]]) -> bytes:
        """Read a piece whose tokens have these log probabilities (`{"token", "logprob", "bytes", "top_logprobs"}`).

        They are attached to the chunk that carries the piece's content, once, whenever that goes out. Those of markup,
        thoughts and calls are dropped, for the API has no place for them.
        """
        if self._choice.scores is None:
            self._choice.scores = Scores()
            self._score_with(self._choice.scores.cover)
        self._choice.scores.pieces.append(ScoredPiece.of(piece, self._parser.offset, logprobs))
        return self.feed(piece)

    def body(self) -> dict[str, Any]:
        """The answer to the same request without streaming: what the stream adds up to.

        Raises ParserStateError while a choice is not finished.
        """
        return self._completion.body()

    # What Stream asks for

    def _chunk(self, delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
        return self._completion.chunk([{"index": self._choice.index, "delta": delta, "finish_reason": finish_reason}])

    def _begin(self) -> None:
        self._send(self._chunk({"role": "assistant", "content": ""}))

    def _open_text(self, kind: Literal["content", "reasoning"]) -> None:
        self._choice.segments.append(Segment(kind))

    def _open_call(self, start: ToolCallStart) -> None:
        id = self._completion.call_id(start.id)
        self._choice.segments.append(Segment("call", id, start.name))
        function = {"name": start.name, "arguments": ""}
        call = {"index": self._calls, "id": id, "type": "function", "function": function}
        self._send(self._chunk({"tool_calls": [call]}))
        self._calls += 1

    def _delta(self, text: str, number: int) -> dict[str, Any] | None:
        match self._choice.segments[-1].kind:
            case "call":
                return self._chunk({"tool_calls": [{"index": self._calls - 1, "function": {"arguments": text}}]})
            case "reasoning":
                return (
                    self._chunk(dict.fromkeys(self._choice.reasoning_fields, text))
                    if self._choice.reasoning_fields
                    else None
                )
        chunk = self._chunk({"content": text})
        if self._choice.scores is not None:
            chunk["choices"][0]["logprobs"] = self._choice.scores.take()
        return chunk

    def _close(self, text: str, status: str) -> None:
        self._choice.segments[-1].text = text

    def _end(self, result: Result, usage: Usage | dict[str, Any] | None) -> None:
        if usage is not None:
            self._completion.usage = Usage.of(usage)
        reason = result.finish_reason
        if reason == "error":
            self._fail("the model's output ended in an error", "server_error")
            return
        if reason == "tool_calls" and self._chosen_by_name:
            reason = self._options["named_finish"]
        if reason not in FINISH_REASONS:
            reason = "length" if result.incomplete or result.invalid else "stop"
        self._choice.finish_reason = reason
        self._send(self._chunk({}, reason))
        if self._completion.finished:
            if self._completion.include_usage and self._completion.usage is not None:
                self._send({**self._completion.chunk([]), "usage": self._completion.usage.chat()})
            self._send_raw(DONE)

    def _fail(self, message: str, type: str) -> None:
        self._choice.failure = {"error": {"message": message, "type": type, "code": None, "param": None}}
        self._send(self._choice.failure)

    def _ping(self) -> bytes:
        return b": ping\n\n"
