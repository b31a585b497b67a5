# Arguments written as JSON, shared by all readers whose calls carry them.

from libc.stdint cimport uint8_t

from ..scan.json_escape cimport tw_unescape
from ..scan.json_scanner cimport tw_json
from .turn cimport Reader, Turn


cdef enum ValueKind:
    NOTHING            # no value is open
    ARGUMENTS          # an object, sent as it is written
    ENCODED            # arguments that the model encoded twice: a string, decoded as it comes
    NULL_VALUE         # arguments that are null
    IGNORED            # a value that is nobody's business


cdef enum Decoded:     # how far the content of a string with arguments is
    BEFORE_OBJECT
    INSIDE_OBJECT
    AFTER_OBJECT


cdef struct ValueState:
    ValueKind kind
    Decoded decoded
    bint named         # the call's name is known: arguments go out
    bint whole         # the arguments are complete
    Py_ssize_t tailed  # bytes of the tail that were met
    tw_json scanner
    tw_unescape unescape


cdef class ArgumentsReader(Reader):
    cdef ValueState v
    cdef bytes tail            # a fixed text behind the call

    cdef int broken(self, Turn turn, object reason) except -1
    cdef int open_arguments(self, Turn turn, uint8_t first) except -1
    cdef int open_ignored(self) except -1
    cdef int read_value(self, Turn turn) except -1
    cdef int value_over(self, Turn turn) except -1
    cdef int read_json(self, Turn turn) except -1
    cdef int read_encoded(self, Turn turn) except -1
    cdef Py_ssize_t escape_start(self, Turn turn) noexcept
    cdef int decoded(
        self, Turn turn, const uint8_t *bytes, Py_ssize_t count, Py_ssize_t start, Py_ssize_t end
    ) except -1
    cdef int no_arguments(self, Turn turn) except -1
    cdef int control_character(self, Turn turn) except -1
    cdef bint at_tail(self, Turn turn, uint8_t byte) noexcept
    cdef bint may_be_declared(self, Turn turn, const uint8_t *written, Py_ssize_t length) except -1


cdef inline bint begins_value(uint8_t byte) noexcept:
    """May a JSON value begin with it?"""
    return byte in b'{"n[tf-0123456789'
