# Calls written as tags around bare text.

from .parameter cimport ParameterReader
from .tags cimport TagKind
from .turn cimport Turn


cdef enum TaggedPlace:
    IN_WRAPPER         # a function's tag is due
    IN_STRAY_PARAMETER  # a parameter without a function: markup
    IN_STRAY_VALUE
    IN_HEADER
    AFTER_HEADER       # the next visible byte says whether this is a call
    BETWEEN            # inside the function; unless a parameter is open, the next one or the end is due
    IN_NESTED          # a function's tag inside a function: markup


cdef class TaggedReader(ParameterReader):
    cdef TaggedPlace place
    cdef Py_ssize_t skimmed        # before it, from the last opener on, stand only tags that are markup

    cdef TaggedReader copied(self, TaggedReader other)
    cdef int in_wrapper(self, Turn turn) except -1
    cdef int in_stray_parameter(self, Turn turn) except -1
    cdef int no_function(self, Turn turn) except -1
    cdef int in_header(self, Turn turn) except -1
    cdef Py_ssize_t before_name(self, Turn turn) noexcept
    cdef int after_header(self, Turn turn) except -1
    cdef TagKind next_tag(self, Turn turn, Py_ssize_t *length) noexcept
    cdef int between(self, Turn turn) except -1
    cdef int begin_nested(self, Py_ssize_t start) except -1
    cdef int in_nested(self, Turn turn) except -1
    cdef int stray(self, Turn turn, Py_ssize_t end) except -1
    cdef int whole(self, Turn turn) except -1
