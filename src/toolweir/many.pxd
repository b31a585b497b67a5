# A step of many parsers.

from .parser cimport StreamParser


cdef class Item:
    cdef object read_by(self, StreamParser parser)


cdef list run_step(object parsers, tuple items, bint events)
cdef tuple as_tuple(str name, object items)
