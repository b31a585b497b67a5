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


cdef enum Passage:     # what became of a piece at a gate
    WHOLE_WAY          # it did not get through: nothing was read
    NOTHING            # it did, and nothing goes out
    ITSELF             # ... and goes out as it is
    ESCAPED            # ... and `escaped` goes out


cdef class Gates(Intake):
    cdef Gate gate
    cdef tw_json *scanner          # ARGUMENTS_GATE, HELD_GATE: the scanner of the open arguments
    cdef MarkerTable closer        # VALUE_GATE: what may end the value
    cdef bint space_waits          # ... and whether a space at a piece's end may be no part of it
    cdef Py_ssize_t passed          # code points of the piece that went through a gate last
    cdef object escaped            # VALUE_GATE: what goes out in the place of a piece
    cdef bint finished
    cdef list deferred             # events of a call that the prompt opened: they come first

    cdef bint pass_text(self, object piece, Py_ssize_t count) noexcept
    cdef bint pass_arguments(self, object piece, Py_ssize_t count) except -1
    cdef bint pass_held(self, object piece, Py_ssize_t count) except -1
    cdef int pass_value(self, object piece, Py_ssize_t count) except -1
    cdef bint scan(self, const uint8_t *bytes, Py_ssize_t length) noexcept
    cdef bint sees_scanner(self) noexcept
    cdef int open_gate(self) except -1


cdef inline int pass_piece(Gates gates, object piece) except -1:
    """To the open gate: a Passage."""
    cdef Py_ssize_t count
    cdef int passage = ITSELF
    if not PyUnicode_CheckExact(piece) or fault_at >= 0:
        return WHOLE_WAY
    count = PyUnicode_GET_LENGTH(piece)
    if count == 0:
        return NOTHING
    if gates.gate == TEXT_GATE:
        if not gates.pass_text(piece, count):
            return WHOLE_WAY
    elif gates.gate == ARGUMENTS_GATE:
        if not gates.pass_arguments(piece, count):
            return WHOLE_WAY
    elif gates.gate == VALUE_GATE:
        passage = gates.pass_value(piece, count)
        if passage == WHOLE_WAY:
            return WHOLE_WAY
    else:
        return NOTHING if gates.pass_held(piece, count) else WHOLE_WAY
    gates.s.mark_point += count
    gates.passed = count
    return passage


cdef inline object take_escaped(Gates gates):
    """What goes out in the place of the piece."""
    cdef object text = gates.escaped
    gates.escaped = None
    return text
