# Calls written like Python's, or with braces, whose arguments are literals.

from libc.stdint cimport uint8_t

from .json_object cimport JsonObjectReader
from .literal_value cimport LiteralValueReader
from .turn cimport Turn


cdef class LiteralsReader(LiteralValueReader):
    cdef JsonObjectReader json
    cdef bint bracketed
    cdef bytes lead

    cdef int read(self, Turn turn) except -1
    cdef int begin_call(self, Turn turn) except -1
    cdef int misfit(self, Turn turn) except -1
    cdef int open_list(self, Turn turn) except -1
    cdef int read_lead(self, Turn turn) except -1
    cdef int name_due(self, Turn turn, uint8_t byte) except -1
    cdef int read_name(self, Turn turn) except -1
    cdef bint viable(self, Turn turn, Py_ssize_t end) except -1
    cdef int after_call(self, Turn turn, uint8_t byte) except -1
