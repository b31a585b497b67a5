"""The closed sets of words: how a call ended, why one broke, why one was not sent, why text is held."""

from enum import StrEnum

__all__ = ["CallStatus", "Hold", "Reason", "SkipReason"]


class CallStatus(StrEnum):
    """How a started call ended (`ToolCallEnd.status`)."""

    COMPLETE = "complete"
    """The arguments are a whole JSON object."""
    INCOMPLETE = "incomplete"
    """The text ended first."""
    INVALID = "invalid"
    """The model wrote what the grammar does not allow; what was sent before is a prefix of a valid object."""


class Reason(StrEnum):
    """Why a call is no call (`MalformedCall.reason`) or did not complete (`ToolCallEnd.reason`)."""

    JSON = "json"
    """A byte that JSON does not allow at this place."""
    NOT_AN_OBJECT = "not_an_object"
    """The arguments are an array, a number, a boolean or a string that holds no object."""
    CONTROL_CHARACTER = "control_character"
    """A raw control character inside a JSON string, with `strict=True`."""
    NAME = "name"
    """The name is not a string, is empty, or holds what a name cannot hold."""
    NO_NAME = "no_name"
    """The call closed without a name."""
    HEADER = "header"
    """A tag or header that does not fit the grammar."""
    DEPTH = "depth"
    """More open JSON containers than `Limits.depth`."""
    LIMIT = "limit"
    """Longer than one of `Limits` allows."""
    ENVELOPE = "envelope"
    """What stands around arguments that were already complete is broken; the call itself is not affected."""
    AFTER_INVALID = "after_invalid"
    """The rest of a call that ended as invalid."""
    NATIVE_IN_GUIDED = "native_in_guided"
    """A complete native call where the output was guided to JSON."""
    TEXT_ENDED = "text_ended"
    """The text ended before the call did."""
    REFUTED = "refuted"
    """The second validator does not confirm what the first accepted: a fault of this library, logged as one."""
    FAULT = "fault"
    """The core itself failed; logged as an error."""


class SkipReason(StrEnum):
    """Why a call of the model was not sent (`ToolCallSkipped.reason`)."""

    UNKNOWN_TOOL = "unknown_tool"
    """Its name is not declared and `unknown_tools="drop"`."""
    TOOL_CHOICE = "tool_choice"
    """Another function was chosen by name."""
    PARALLEL_TOOL_CALLS = "parallel_tool_calls"
    """One call was sent and `parallel_tool_calls=False`."""
    MAX_TOOL_CALLS = "max_tool_calls"
    """`max_tool_calls` were sent."""
    LIMIT = "limit"
    """`Limits.calls` were started."""


class Hold(StrEnum):
    """Why text is held (`StreamParser.held_because`): what the next characters will decide."""

    MARKER = "marker"
    """It may be the head of a marker."""
    OPENER = "opener"
    """A marker that may open a call: the next visible character tells."""
    QUOTE = "quote"
    """A quote touches a marker, or may: it is meant, or only talked about."""
    NAME = "name"
    """A call has begun, but its name is not complete, or what stands behind it may not fit."""
    VALUE = "value"
    """Inside the arguments: a value whose type is open, an escape, or what may be the tag that ends a value."""
    AFTER_CALL = "after_call"
    """Behind the arguments: the end of the call, another call, or text."""
    WHITESPACE = "whitespace"
    """It stays beside visible text, and goes with a marker."""
    LINE = "line"
    """A stray call tag: text if the line goes on, else markup."""
    BROKEN = "broken"
    """A call broke: its text is gathered up to its end."""
