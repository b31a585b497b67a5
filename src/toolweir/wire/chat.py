"""Chat Completions: a turn as the chunks of OpenAI's older API.

Chunks carry deltas of one message a choice. Calls are told apart by their index; the first fragment of a call names it
and has no arguments, every later one has nothing but arguments. That is the order that all clients put together without
special cases.
"""

from typing import Any, Literal

from ..errors import ParserStateError
from ..events import ToolCallStart
from ..message import Result
from ..parser import StreamParser
from .options import mint, read_choice, seconds
from .scores import ScoredPiece, Scores
from .segments import Segment
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


class Completion:
    """What the choices of one completion share."""

    def __init__(self, id: str | None, model: str, created: int | None, include_usage: bool) -> None:
        self.id = id or mint("chatcmpl-", 12)
        self.model = model
        self.created = seconds(created)
        self.include_usage = include_usage
        self.usage: Usage | None = None
        self.choices: list[ChatCompletionStream] = []
        self.ids: set[str] = set()

    def new_id(self, id: str) -> str:
        """The call's own id, or a minted one where two choices bring the same."""
        if id in self.ids:
            id = mint("call_", 12)
        self.ids.add(id)
        return id

    def chunk(self, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": self.created,
            "model": self.model,
            "choices": choices,
        }


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
        self._fields = REASONING_FIELDS[reasoning_field]
        self._named_finish = named_finish
        self._segments: list[Segment] = []
        self._calls = 0
        self._scores: Scores | None = None
        self._finish_reason: str | None = None
        self._failure: dict[str, Any] | None = None
        self._join(Completion(id, model, created, include_usage))

    def _join(self, completion: Completion) -> None:
        self._completion = completion
        self._index = len(completion.choices)
        completion.choices.append(self)

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
        if self._scores is None:
            self._scores = Scores()
            self._score_with(self._scores.cover)
        self._scores.pieces.append(ScoredPiece.of(piece, self._parser.offset, logprobs))
        return self.feed(piece)

    def body(self) -> dict[str, Any]:
        """The answer to the same request without streaming: what the stream adds up to.

        Raises ParserStateError while a choice is not finished.
        """
        completion = self._completion
        for choice in completion.choices:
            if choice._failure is not None:
                return choice._failure
            if choice._finish_reason is None:
                raise ParserStateError(f"body: choice {choice._index} is not finished")
        body = completion.chunk([choice._whole() for choice in completion.choices])
        body["object"] = "chat.completion"
        if completion.usage is not None:
            body["usage"] = completion.usage.chat()
        return body

    def _whole(self) -> dict[str, Any]:
        calls = [segment for segment in self._segments if segment.kind == "call"]
        content = [segment.text for segment in self._segments if segment.kind == "content"]
        thought = [segment.text for segment in self._segments if segment.kind == "reasoning"]
        message: dict[str, Any] = {
            "role": "assistant",
            "content": "".join(content) if content or not calls else None,
            "refusal": None,
        }
        if thought:
            message.update(dict.fromkeys(self._fields, "".join(thought)))
        if calls:
            message["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.text}}
                for call in calls
            ]
        return {
            "index": self._index,
            "message": message,
            "logprobs": None if self._scores is None else {"content": self._scores.sent, "refusal": None},
            "finish_reason": self._finish_reason,
        }

    # What Stream asks for

    def _chunk(self, delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
        return self._completion.chunk([{"index": self._index, "delta": delta, "finish_reason": finish_reason}])

    def _begin(self) -> None:
        self._send(self._chunk({"role": "assistant", "content": ""}))

    def _open_text(self, kind: Literal["content", "reasoning"]) -> None:
        self._segments.append(Segment(kind))

    def _open_call(self, start: ToolCallStart) -> None:
        id = self._completion.new_id(start.id)
        self._segments.append(Segment("call", id, start.name))
        function = {"name": start.name, "arguments": ""}
        call = {"index": self._calls, "id": id, "type": "function", "function": function}
        self._send(self._chunk({"tool_calls": [call]}))
        self._calls += 1

    def _delta(self, text: str, number: int) -> dict[str, Any] | None:
        match self._segments[-1].kind:
            case "call":
                return self._chunk({"tool_calls": [{"index": self._calls - 1, "function": {"arguments": text}}]})
            case "reasoning":
                return self._chunk(dict.fromkeys(self._fields, text)) if self._fields else None
        chunk = self._chunk({"content": text})
        if self._scores is not None:
            chunk["choices"][0]["logprobs"] = self._scores.take()
        return chunk

    def _close(self, text: str, status: str) -> None:
        self._segments[-1].text = text

    def _end(self, result: Result, usage: Usage | dict[str, Any] | None) -> None:
        if usage is not None:
            self._completion.usage = Usage.of(usage)
        reason = result.finish_reason
        if reason == "error":
            self._fail("the model's output ended in an error", "server_error")
            return
        if reason == "tool_calls" and self._chosen_by_name:
            reason = self._named_finish
        self._finish_reason = reason if reason in FINISH_REASONS else "stop"
        self._send(self._chunk({}, self._finish_reason))
        if all(choice._finish_reason is not None for choice in self._completion.choices):
            if self._completion.include_usage and self._completion.usage is not None:
                self._send({**self._completion.chunk([]), "usage": self._completion.usage.chat()})
            self._send_raw(DONE)

    def _fail(self, message: str, type: str) -> None:
        self._failure = {"error": {"message": message, "type": type, "code": None, "param": None}}
        self._send(self._failure)

    def _ping(self) -> bytes:
        return b": ping\n\n"
