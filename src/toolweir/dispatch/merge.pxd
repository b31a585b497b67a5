# One tool call put together from the fragments of a chunk stream.

from cpython.dict cimport PyDict_Check, PyDict_GetItemWithError
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t

cdef enum Conflict:
    NONE
    ID
    TYPE
    NAME
    NOT_TEXT   # a field that must be a string is something else
    TOO_LONG   # more text than the call may hold; none of the fragment's was added

cdef enum Payload:
    UNKNOWN
    FUNCTION   # a name, and arguments that are JSON
    CUSTOM     # a name, and input that is free text

cdef class MergedCall:
    cdef readonly object id            # a non-empty str or None, like the next two
    cdef readonly object type
    cdef public object name            # the aggregator mends it
    cdef Payload payload
    cdef bint has_text                 # some was said, be it ""
    cdef uint8_t *text                 # UTF-8; a lone surrogate as the three bytes of its code point
    cdef Py_ssize_t length             # bytes of text
    cdef Py_ssize_t capacity
    cdef Py_ssize_t limit              # bytes of text at most
    cdef readonly Py_ssize_t size      # bytes kept: text and identity

    cdef int merge(self, object fragment) except -1
    cdef int add(self, object piece) except -1
    cdef int append(self, const uint8_t *piece, Py_ssize_t size) except -1
    cdef object adopt(self, object known, object said)
    cdef object joined(self)
    cdef void drop_text(self)


cdef inline object field(object owner, str name):
    """A field of a dict, or of an object as SDKs have them; None where there is none."""
    cdef PyObject *found
    if PyDict_Check(owner):
        found = PyDict_GetItemWithError(owner, name)
        return None if found is NULL else <object>found
    return getattr(owner, name, None)
