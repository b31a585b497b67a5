# What lets a piece pass without the whole way.

from libc.stdint cimport uint8_t

from .intake cimport Intake
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
