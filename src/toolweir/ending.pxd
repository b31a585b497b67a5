# What the end of the text decides.

from .reading cimport Reading


cdef class Ending(Reading):
    cdef int settle(self) except -1
    cdef int settle_block(self) except -1
