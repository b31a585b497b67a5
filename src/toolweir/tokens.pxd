# A vocabulary that parsers are fed by.

from libc.stdint cimport int64_t, uint8_t

from .many cimport Item
from .parser cimport StreamParser


cdef class TokenTable:
    cdef readonly object vocabulary   # numpy arrays over memory that nobody can write to
    cdef readonly object offsets
    cdef readonly object special
    cdef const uint8_t *bytes         # ... the same memory
    cdef const int64_t *starts
    cdef const uint8_t *flags
    cdef Py_ssize_t count
    cdef list pieces                  # what a parser is fed for each token, made when it is first needed

    cdef object item(self, object ids, str name, Py_ssize_t place)
    cdef bytes read_numbers(self, object ids, str name, Py_ssize_t place)
    cdef bytes read_array(self, object ids, str name, Py_ssize_t place)
    cdef int64_t read_number(self, object number, str name, Py_ssize_t place) except -1
    cdef int refuse(self, object number, str name, Py_ssize_t place) except -1
    cdef object bytes_of(self, Py_ssize_t number)
    cdef object piece(self, Py_ssize_t number)
    cdef object joined(self, const int64_t *ids, Py_ssize_t count)


cdef class Tokens(Item):
    cdef TokenTable table
    cdef bytes ids                    # int64 each, all of them in the table
