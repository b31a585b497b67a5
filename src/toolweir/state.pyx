"""What a parser tells about itself between two pieces."""

from .gates cimport HELD_GATE, SHUT
from .message import Result, Stats
from .readers.turn cimport CONTENT, HELD, NO_CALL
from .text cimport BLOCK, MALFORMED, OVER


cdef class ParserState(Gates):
    """The properties of a parser: they change nothing, and any of them may be asked at any time."""

    cdef bint holds(self) noexcept:
        """Is the window in use? Behind the other gates nothing is held."""
        return self.gate == SHUT or self.gate == HELD_GATE

    @property
    def channel(self):
        """What the text is right now: "content", "reasoning" or "call"."""
        if self.r.mode == MALFORMED or (self.r.mode == BLOCK and not self.r.held):
            return "call"
        return "content" if self.s.channel == CONTENT else "reasoning"

    @property
    def offset(self):
        """Code points read so far; spans of events count from the same start."""
        return self.point(self.s.limit) if self.holds() else self.s.mark_point

    @property
    def held(self):
        """The text that is read but not decided yet."""
        cdef Py_ssize_t start = self.s.text_from
        if not self.holds():
            return ""
        if self.r.mode == MALFORMED or self.r.resuming:
            start = max(start, self.r.broken_from)
        elif self.r.mode == BLOCK and self.s.call != NO_CALL and self.s.call != HELD:
            start = self.s.held_from if self.s.held_from >= 0 else self.s.limit
        return self.text(start, self.s.limit)

    @property
    def held_because(self):
        """Why text is held: a Hold, or None if none is."""
        return self.waits_for() if self.held else None

    @property
    def may_stop(self):
        """True once nothing that follows can be sent: the engine may stop generating."""
        return self.finished or self.r.mode == OVER

    @property
    def result(self):
        """A Result: what the turn ended with; without a finish reason before finish()."""
        return Result(
            self.final_reason, self.stop_sequence, tuple(self.warned), self.s.started,
            self.s.started - self.s.invalid - self.s.incomplete if self.finished else self.complete(),
            self.s.incomplete, self.s.invalid, self.s.malformed, self.s.skipped,
        )

    cdef Py_ssize_t complete(self) noexcept:
        return self.s.started - self.s.invalid - self.s.incomplete - self.s.arguments_open

    @property
    def stats(self):
        """A Stats: what the parser has done so far."""
        return Stats(
            self.offset, self.s.looked, self.window.length - self.window_start, self.arguments.length, self.s.started,
            self.s.malformed, self.s.skipped, sum(self.warned.values()), self.s.confirmations,
        )
