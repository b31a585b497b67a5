# What lets a piece pass without the whole way.

from .intake cimport Intake
from .scan.json_scanner cimport tw_json
from .scan.marker_matcher cimport tw_markers


cdef enum Gate:
    SHUT               # the piece takes the whole way
    TEXT_GATE          # plain text: a piece without the first byte of a marker goes out as it is
    ARGUMENTS_GATE     # arguments sent as written: a piece that the scanner agrees with goes out as it is
    VALUE_GATE         # text of a string value: a piece in which no closer may begin goes out escaped


cdef class Gates(Intake):
    cdef Gate gate
    cdef tw_json *scanner          # ARGUMENTS_GATE: the scanner of the open arguments
    cdef tw_markers *closer        # VALUE_GATE: what may end the value
    cdef Py_ssize_t passed          # code points of the piece that went through a gate last
    cdef bint finished
    cdef list deferred             # events of a call that the prompt opened: they come first

    cdef bint pass_text(self, object piece, Py_ssize_t count) noexcept
    cdef bint pass_arguments(self, object piece, Py_ssize_t count) except -1
    cdef object pass_value(self, object piece, Py_ssize_t count)
    cdef int open_gate(self) except -1
