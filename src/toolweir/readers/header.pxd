# Headers in front of arguments: their text, and the markers in it.

from libc.stdint cimport uint8_t

from ..scan.marker_matcher cimport tw_match
from .arguments cimport ArgumentsReader
from .buffer cimport Buffer
from .plan cimport MarkerTable
from .turn cimport Turn


cdef enum:
    NO_MARKER = -2     # no marker ends here (-1 is an exception)


cdef struct HeadState:
    tw_match match
    Py_ssize_t checked     # bytes of `text` that were looked at: no marker begins in them
    Py_ssize_t after       # position behind the arguments


cdef class HeaderReader(ArgumentsReader):
    cdef HeadState head
    cdef Buffer text           # the header, or what of it is not settled yet
    cdef MarkerTable markers

    cdef int copy_header(self, HeaderReader other) except -1
    cdef int clear_header(self) except -1
    cdef int take(self, uint8_t byte) except -1
    cdef Py_ssize_t sure(self) noexcept
    cdef str written(self, Py_ssize_t start, Py_ssize_t end)
    cdef int call_over(self, Turn turn) except -1
