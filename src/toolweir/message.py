"""The whole message that events add up to, and what a parser has to say about a turn."""

from collections.abc import Iterable
from dataclasses import dataclass, field
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
    """Adds events up to a message: `message` is right after every event."""

    __slots__ = ("_arguments", "_calls", "_parts", "_segments", "_texts", "message")

    def __init__(self) -> None:
        self.message = Message()
        self._calls: dict[int, ToolCall] = {}
        self._parts: dict[str, list[str]] = {}

    def add(self, event: Event) -> None:
        """Take one event of a parser, in order."""
        match event:
            case ContentDelta(text):
                self._text("content", text)
                self.message.content = (self.message.content or "") + text
            case ReasoningDelta(text):
                self._text("reasoning", text)
                self.message.reasoning = (self.message.reasoning or "") + text
            case ToolCallStart(index, id, name):
                call = self._calls[index] = ToolCall(index, id, name)
                self.message.tool_calls.append(call)
                self.message.segments.append(("tool_call", call))
            case ArgumentsDelta(index, text):
                self._calls[index].arguments += text
            case ToolCallEnd(index, status, _, reason):
                self._calls[index].status = status
                self._calls[index].reason = reason
            case MalformedCall():
                self.message.malformed.append(event)
                self.message.segments.append(("malformed", event))
            case ToolCallSkipped():
                self.message.skipped.append(event)
                self.message.segments.append(("skipped", event))
            case _:
                raise TypeError(f"MessageBuilder.add: expected an event of toolweir, got {event!r}")

    def extend(self, events: Iterable[Event]) -> None:
        """Take several events."""
        for event in events:
            self.add(event)

    def finish(self, result: Result) -> Message:
        """Take over what the parser says about the whole turn."""
        self.message.finish_reason = result.finish_reason
        self.message.stop_sequence = result.stop_sequence
        self.message.warnings = result.warnings
        return self.message

    def _text(self, kind: str, text: str) -> None:
        segments = self.message.segments
        if segments and segments[-1][0] == kind:
            segments[-1] = (kind, segments[-1][1] + text)
        else:
            segments.append((kind, text))
