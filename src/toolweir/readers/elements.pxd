# Calls whose arguments are nested elements.

from .tagged cimport TaggedReader
from .turn cimport Turn


cdef class ElementsReader(TaggedReader):
    cdef bytes name        # of the element that is being read
    cdef list names        # of the containers that are open
    cdef list arrays       # for each of them whether it is an array
    cdef list counts       # and how many members it has
    cdef list schemas      # and what the tool's schema says about it
    cdef list schema       # ... about the element that is being read

    cdef int bracket(self, Turn turn, bytes text, Py_ssize_t end) except -1
    cdef int container_ends(self, Turn turn, Py_ssize_t at) except -1
    cdef int open_container(self, Turn turn, bint array, Py_ssize_t at) except -1
    cdef bint is_empty(self, Turn turn) noexcept
