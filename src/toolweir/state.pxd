# What a parser tells about itself.

from .gates cimport Gates


cdef class ParserState(Gates):
    cdef object format
    cdef object final_reason

    cdef bint holds(self) noexcept
    cdef Py_ssize_t complete(self) noexcept
