"""The whole message that events add up to, and what a parser has to say about a turn."""

from dataclasses import dataclass, field
from typing import Any

from .events import MalformedCall, ToolCallSkipped
from .outcomes import CallStatus, Reason

__all__ = ["Message", "Result", "Stats", "ToolCall"]


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
