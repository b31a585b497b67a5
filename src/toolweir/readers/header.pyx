"""Headers in front of arguments: their text, and the markers in it.

Theory of operation. The text is collected byte by byte, since a marker may be cut anywhere. An automaton looks for the
markers; what no marker can begin with any more is sure to be text, and the subclass looks at it (`checked`) byte by
byte. A marker that is whole is taken off the text again.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from ..outcomes import CallStatus
from ..scan.marker_matcher cimport tw_markers_feed, tw_markers_held
from .arguments cimport ArgumentsReader
from .buffer cimport buffer_append, buffer_copy, buffer_free
from .turn cimport DONE, HELD, ON, Turn

COMPLETE = CallStatus.COMPLETE


cdef class HeaderReader(ArgumentsReader):
    """Base of the readers whose calls have a header; a subclass sets `markers` and says what they mean."""

    def __dealloc__(self):
        buffer_free(&self.text)

    cdef int copy_header(self, HeaderReader other) except -1:
        """`other` in the state of this reader."""
        other.v, other.tail = self.v, self.tail
        other.head, other.markers = self.head, self.markers
        return buffer_copy(&other.text, &self.text)

    cdef int clear_header(self) except -1:
        memset(&self.head, 0, sizeof(self.head))
        self.text.length = 0
        return 0

    cdef int take(self, uint8_t byte) except -1:
        """One more byte of the header: the owner of the marker that it completes, else NO_MARKER."""
        buffer_append(&self.text, &byte, 1)
        if tw_markers_feed(self.markers.markers, &self.head.match, &byte, 1) < 0:
            return NO_MARKER
        self.text.length -= self.head.match.length
        self.head.match.state = 0
        return self.markers.owners[self.head.match.marker]

    cdef Py_ssize_t sure(self) noexcept:
        """Bytes of the text that no marker begins with."""
        return self.text.length - <Py_ssize_t>tw_markers_held(self.markers.markers, &self.head.match)

    cdef str written(self, Py_ssize_t start, Py_ssize_t end):
        return (<char *>self.text.data)[start:end].decode("utf-8", "replace") if end > start else ""

    cdef int call_over(self, Turn turn) except -1:
        """The arguments are whole; what follows them is looked at before the block ends."""
        turn.end_call(COMPLETE, None)
        self.head.after = turn.s.held_from = turn.s.pos
        return DONE if turn.s.call == HELD else ON
