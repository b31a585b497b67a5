"""MessageBuilder: events added up to a message.

Pieces of a text are kept apart and joined when somebody asks for the message: the time is linear in the text.
"""

from .events cimport (
    ArgumentsDelta, ContentDelta, MalformedCall, ReasoningDelta, ToolCallEnd, ToolCallSkipped, ToolCallStart,
)
from .message import Message, ToolCall

__all__ = ["MessageBuilder"]


cdef class StartedCall:
    cdef ToolCallStart start
    cdef list pieces       # of its arguments
    cdef object status
    cdef object reason

    cdef object call(self):
        return ToolCall(
            self.start.index, self.start.id, self.start.name, "".join(self.pieces), self.status, self.reason
        )


cdef class MessageBuilder:
    """Adds events up to a message."""

    def __cinit__(self):
        self.segments = []
        self.calls = {}
        self.warnings = ()

    def add(self, event, /):
        """Take one event of a parser, in order. Raises TypeError for what is none."""
        self.take(event)

    def extend(self, events, /):
        """Take several events."""
        for event in events:
            self.take(event)

    def finish(self, result, /):
        """Take over what the parser says about the whole turn; returns the message."""
        self.end(result.finish_reason, result.stop_sequence, result.warnings)
        return self.message

    cdef int end(self, finish_reason, stop_sequence, warnings) except -1:
        self.finish_reason = finish_reason
        self.stop_sequence = stop_sequence
        self.warnings = warnings
        return 0

    cdef int take(self, object event) except -1:
        cdef StartedCall call
        kind = type(event)
        if kind is ContentDelta:
            self.take_text("content", (<ContentDelta>event).text)
        elif kind is ReasoningDelta:
            self.take_text("reasoning", (<ReasoningDelta>event).text)
        elif kind is ArgumentsDelta:
            call = self.calls[(<ArgumentsDelta>event).index]
            call.pieces.append((<ArgumentsDelta>event).text)
        elif kind is ToolCallStart:
            call = StartedCall()
            call.start = event
            call.pieces = []
            self.calls[call.start.index] = call
            self.open_segment("tool_call", call)
        elif kind is ToolCallEnd:
            call = self.calls[(<ToolCallEnd>event).index]
            call.status = (<ToolCallEnd>event).status
            call.reason = (<ToolCallEnd>event).reason
        elif kind is MalformedCall:
            self.open_segment("malformed", event)
        elif kind is ToolCallSkipped:
            self.open_segment("skipped", event)
        else:
            raise TypeError(f"MessageBuilder.add: expected an event of toolweir, got {event!r}")
        return 0

    cdef int take_text(self, str kind, object text) except -1:
        if self.kind is not kind:
            self.texts = []
            self.open_segment(kind, self.texts)
        self.texts.append(text)
        return 0

    cdef int open_segment(self, str kind, object part) except -1:
        self.kind = kind
        self.segments.append((kind, part))
        return 0

    @property
    def message(self):
        """The message so far, built anew at every call."""
        cdef list content = [], reasoning = [], calls = [], malformed = [], skipped = [], segments = []
        for kind, part in self.segments:
            if kind == "content":
                part = "".join(part)
                content.append(part)
            elif kind == "reasoning":
                part = "".join(part)
                reasoning.append(part)
            elif kind == "tool_call":
                part = (<StartedCall>part).call()
                calls.append(part)
            elif kind == "malformed":
                malformed.append(part)
            else:
                skipped.append(part)
            segments.append((kind, part))
        return Message(
            "".join(content) if content else None, "".join(reasoning) if reasoning else None, calls, malformed,
            skipped, segments, self.finish_reason, self.stop_sequence, self.warnings,
        )
