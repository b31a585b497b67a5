"""What a dispatcher says: a complete call, the state of one call, and counts."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["CallReport", "CallState", "CompletedCall", "DispatchStats"]


@dataclass(frozen=True, slots=True)
class CompletedCall:
    """A tool call whose arguments are complete, handed out once.

    `arguments` is the text of the chunks, byte for byte: JSON of any type, '' or None where the chunks had none. For a
    custom tool it is the input, which is free text. `type` is what the chunks said, often None.
    """

    choice_index: int
    index: int
    id: str
    type: str | None
    name: str
    arguments: str | None

    def to_dict(self) -> dict[str, object]:
        """The payload of a `tool_call_dispatch` event; what the chunks did not say is left out."""
        payload, text = ("custom", "input") if self.type == "custom" else ("function", "arguments")
        call: dict[str, object] = {"index": self.index, "id": self.id}
        if self.type is not None:
            call["type"] = self.type
        call[payload] = {"name": self.name} | ({} if self.arguments is None else {text: self.arguments})
        return {"choice_index": self.choice_index, "tool_call": call}


class CallState(StrEnum):
    """Where a call stands. The last two are final."""

    ACCUMULATING = "accumulating"
    INVALID = "invalid"
    """Will never be dispatched; CallReport.reason tells why."""
    EMITTED = "emitted"


@dataclass(frozen=True, slots=True)
class CallReport:
    """The state of one call. `reason` tells why an invalid call was not dispatched, and is None for other states.

    `identity_conflict`: two ids, types or names for one index. `malformed`: more than one value, a bracket too many, or
    a field that is no string. `not_json`: closed, but not JSON. `incomplete`: not closed when the choice finished.
    `no_identity`: no id or no name. `limit`: larger than `Limits` allows. `finish:` and the finish reason: the choice
    ended with something else than tool_calls or stop; `finish:none` if the stream ended without any.
    """

    choice_index: int
    index: int
    id: str | None
    name: str | None
    state: CallState
    reason: str | None


@dataclass(slots=True)
class DispatchStats:
    """Counts of one dispatcher."""

    dispatched: int = 0
    """Calls handed out."""
    warnings: int = 0
    """Everything that was wrong with the stream; of each call only the first goes to the log."""
    confirmations: int = 0
    """Calls whose whole arguments were validated: each at most once."""
