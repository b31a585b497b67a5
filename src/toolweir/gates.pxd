# What lets a piece pass without the whole way.

from libc.stdint cimport uint8_t
from cpython.unicode cimport PyUnicode_CheckExact, PyUnicode_GET_LENGTH

from .intake cimport Intake, fault_at
from .readers.plan cimport MarkerTable
from .scan.json_scanner cimport tw_json


cdef enum Gate:
    SHUT               # the piece takes the whole way
    TEXT_GATE          # plain text: a piece without the first byte of a marker goes out as it is
    ARGUMENTS_GATE     # arguments sent as written: a piece that the scanner agrees with goes out as it is
    VALUE_GATE         # text of a string value: a piece in which no closer may begin goes out escaped
    HELD_GATE          # arguments before their name: a piece that the scanner agrees with is held with them


cdef class Gates(Intake):
    cdef Gate gate
    cdef tw_json *scanner          # ARGUMENTS_GATE, HELD_GATE: the scanner of the open arguments
    cdef MarkerTable closer        # VALUE_GATE: what may end the value
    cdef bint space_waits          # ... and whether a space at a piece's end may be no part of it
    cdef Py_ssize_t passed          # code points of the piece that went through a gate last
    cdef bint finished
    cdef list deferred             # events of a call that the prompt opened: they come first

    cdef bint pass_text(self, object piece, Py_ssize_t count) noexcept
    cdef bint pass_arguments(self, object piece, Py_ssize_t count) except -1
    cdef bint pass_held(self, object piece, Py_ssize_t count) except -1
    cdef object pass_value(self, object piece, Py_ssize_t count)
    cdef bint scan(self, const uint8_t *bytes, Py_ssize_t length) noexcept
    cdef bint sees_scanner(self) noexcept
    cdef int open_gate(self) except -1


cdef inline object pass_piece(Gates gates, object piece):
    """Through the open gate: the text that goes out, and only that; None if the piece has to take the whole way."""
    cdef Py_ssize_t count
    cdef object text = piece
    if not PyUnicode_CheckExact(piece) or fault_at >= 0:
        return None
    count = PyUnicode_GET_LENGTH(piece)
    gates.passed = 0
    if count == 0:
        return piece
    if gates.gate == TEXT_GATE:
        if not gates.pass_text(piece, count):
            return None
    elif gates.gate == ARGUMENTS_GATE:
        if not gates.pass_arguments(piece, count):
            return None
    elif gates.gate == VALUE_GATE:
        text = gates.pass_value(piece, count)
        if text is None:
            return None
    else:
        return piece if gates.pass_held(piece, count) else None
    gates.s.mark_point += count
    gates.passed = count
    return text
