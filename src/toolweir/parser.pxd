# The public parser.

from .gates cimport Gates


cdef class StreamParser(Gates):
    cdef bint busy
    cdef bint fed
    cdef bint starts_in_thought
    cdef object format
    cdef object mode               # of the tool choice
    cdef object on_broken_call
    cdef object final_reason

    cdef int enter(self) except -1
    cdef tuple events(self)
    cdef Py_ssize_t complete(self)
