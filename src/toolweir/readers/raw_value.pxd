# Values written as bare text, typed by a schema.

from libc.stdint cimport uint8_t

from ..scan.json_scanner cimport tw_json
from ..scan.marker_matcher cimport tw_match
from ..scan.value_automaton cimport Viability
from .turn cimport Reader, Turn


cdef enum Edge:        # what of the whitespace at a value's edges is no part of it
    KEEP
    ONE_NEWLINE
    NEWLINE_PAIR       # one newline at its end, if one stands at its start
    TRIM


cdef enum RawKind:
    AS_STRING          # goes out escaped, as it comes
    UNDECIDED          # a string or another type: held while it may be the other
    HELD_WHOLE         # no string is admitted: held to the closer
    AS_JSON            # goes out compactly, as it comes


cdef struct RawState:
    RawKind kind
    Edge edge
    bint head          # nothing of the value was read yet
    bint opened        # the quote that begins a string is out
    bint loose         # trim: this run of whitespace was too long to hold
    Py_ssize_t start   # position of the value's first byte while it is held
    Py_ssize_t judged  # bytes of it that the automaton has read
    bint python        # HELD_WHOLE: no JSON, but perhaps a literal of Python, which only the whole text tells
    Viability viability
    tw_json scanner    # AS_JSON


cdef class RawValueReader(Reader):
    cdef RawState raw
    cdef object types          # ValueTypes of the open value
    cdef Edge edge
    cdef str style
    cdef bint spaced
    cdef str prefer
    cdef str integers
    cdef bint stream_values

    cdef int broken(self, Turn turn, object reason) except -1
    cdef int open_value(self, Turn turn, object types) except -1
    cdef Py_ssize_t sure_end(self, Turn turn, Py_ssize_t upto) noexcept
    cdef int take_value(self, Turn turn, Py_ssize_t upto) except -1
    cdef int judge(self, Turn turn, Py_ssize_t upto) except -1
    cdef bint may_be_blank(self) noexcept
    cdef int judge_both(self, Turn turn, Py_ssize_t sure, Py_ssize_t next) except -1
    cdef int becomes_string(self, Turn turn) except -1
    cdef int open_string(self, Turn turn) except -1
    cdef int goes_on_as_json(self, Turn turn) except -1
    cdef int rewrite(self, Turn turn, Py_ssize_t upto) except -1
    cdef int close_value(self, Turn turn, Py_ssize_t end) except -1
