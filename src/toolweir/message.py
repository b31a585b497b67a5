"""The whole message that events add up to, and what a parser has to say about a turn."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from .events import (
    ArgumentsDelta,
    ContentDelta,
    Event,
    MalformedCall,
    ReasoningDelta,
    ToolCallEnd,
    ToolCallSkipped,
    ToolCallStart,
)
from .outcomes import CallStatus, Reason

__all__ = ["Message", "MessageBuilder", "Result", "Stats", "ToolCall"]


@dataclass(frozen=True, slots=True)
class Result:
    """What a turn ended with (`StreamParser.result`); finish_reason is None before finish()."""

    finish_reason: str | None
    stop_sequence: str | None
    """The stop string that ended the content."""
    warnings: tuple[str, ...]
    """What was mended or dropped; docs/events.md lists the words."""
    calls: int
    """Started calls."""
    complete: int
    incomplete: int
    invalid: int
    malformed: int
    skipped: int


@dataclass(frozen=True, slots=True)
class Stats:
    """What a parser has done so far (`StreamParser.stats`)."""

    characters: int
    """Code points read."""
    bytes_looked_at: int
    """UTF-8 bytes examined, those of a second look too; linear in what was read."""
    bytes_held: int
    """Bytes kept of the input."""
    bytes_kept: int
    """Bytes kept of the open call's arguments."""
    calls: int
    malformed: int
    skipped: int
    warnings: int
    confirmations: int


@dataclass(slots=True)
class ToolCall:
    """One started call; `status` is None while it is open."""

    index: int
    id: str
    name: str
    arguments: str = ""
    status: CallStatus | None = None
    reason: Reason | None = None


@dataclass(slots=True)
class Message:
    """A whole turn. `segments` has its parts in the order in which the model wrote them."""

    content: str | None = None
    reasoning: str | None = None
    tool_calls: list[ToolCall] = field(default_factory=list)
    """All started calls; only those whose status is `complete` may be run."""
    malformed: list[MalformedCall] = field(default_factory=list)
    skipped: list[ToolCallSkipped] = field(default_factory=list)
    segments: list[tuple[str, Any]] = field(default_factory=list)
    """("content", text), ("reasoning", text), ("tool_call", ToolCall), ("malformed", event), ("skipped", event)."""
    finish_reason: str | None = None
    stop_sequence: str | None = None
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The message in the shape of OpenAI's assistant messages; of the calls the complete ones."""
        message: dict[str, Any] = {"role": "assistant", "content": self.content}
        if self.reasoning is not None:
            message["reasoning_content"] = self.reasoning
        calls = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in self.tool_calls
            if call.status is CallStatus.COMPLETE
        ]
        if calls:
            message["tool_calls"] = calls
        return message


class MessageBuilder:
    """Adds events up to a message. Pieces are kept apart and joined when somebody asks: time is linear in the text."""

    __slots__ = ("_calls", "_result", "_segments")

    def __init__(self) -> None:
        self._segments: list[tuple[str, Any]] = []
        self._calls: dict[int, tuple[ToolCall, list[str]]] = {}
        self._result: Result | None = None

    def add(self, event: Event) -> None:
        """Take one event of a parser, in order. Raises TypeError for what is none."""
        match event:
            case ContentDelta(text):
                self._text("content", text)
            case ReasoningDelta(text):
                self._text("reasoning", text)
            case ToolCallStart(index, id, name):
                self._calls[index] = (ToolCall(index, id, name), [])
                self._segments.append(("tool_call", self._calls[index]))
            case ArgumentsDelta(index, text):
                self._calls[index][1].append(text)
            case ToolCallEnd(index, status, _, reason):
                self._calls[index][0].status = status
                self._calls[index][0].reason = reason
            case MalformedCall():
                self._segments.append(("malformed", event))
            case ToolCallSkipped():
                self._segments.append(("skipped", event))
            case _:
                raise TypeError(f"MessageBuilder.add: expected an event of toolweir, got {event!r}")

    def extend(self, events: Iterable[Event]) -> None:
        """Take several events."""
        for event in events:
            self.add(event)

    def finish(self, result: Result) -> Message:
        """Take over what the parser says about the whole turn; returns the message."""
        self._result = result
        return self.message

    @property
    def message(self) -> Message:
        """The message so far, built anew at every call."""
        message = Message()
        for kind, part in self._segments:
            if kind == "tool_call":
                call, pieces = part
                part = replace(call, arguments="".join(pieces))
                message.tool_calls.append(part)
            elif kind == "malformed":
                message.malformed.append(part)
            elif kind == "skipped":
                message.skipped.append(part)
            else:
                part = "".join(part)
            message.segments.append((kind, part))
        message.content = _joined(message, "content")
        message.reasoning = _joined(message, "reasoning")
        if self._result is not None:
            message.finish_reason = self._result.finish_reason
            message.stop_sequence = self._result.stop_sequence
            message.warnings = self._result.warnings
        return message

    def _text(self, kind: str, text: str) -> None:
        if self._segments and self._segments[-1][0] == kind:
            self._segments[-1][1].append(text)
        else:
            self._segments.append((kind, [text]))


def _joined(message: Message, kind: str) -> str | None:
    texts = [part for name, part in message.segments if name == kind]
    return "".join(texts) if texts else None
