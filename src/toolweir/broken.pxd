# Blocks that broke.

from .text cimport Text


cdef class BrokenBlocks(Text):
    cdef object broken_reason
    cdef bint malformed_as_text

    cdef int block_is_text(self) except -1
    cdef int resume(self, Py_ssize_t after) except -1
    cdef int malformed_from(self) except -1
    cdef int read_malformed(self) except -1
    cdef int end_malformed(self, Py_ssize_t end, Py_ssize_t visible_end) except -1
    cdef bint rest_is_blank(self, Py_ssize_t end) noexcept
    cdef int tell_malformed(self, Py_ssize_t end, Py_ssize_t closer) except -1
