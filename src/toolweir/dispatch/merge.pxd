# One tool call put together from the fragments of a chunk stream.

cimport cython
from cpython.dict cimport PyDict_Check, PyDict_GetItemWithError
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t
from libc.string cimport memcpy

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    const uint8_t *PyUnicode_1BYTE_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

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
    cdef int add_encoded(self, object piece) except -1
    cdef int append(self, const uint8_t *piece, Py_ssize_t size) except -1
    cdef object adopt(self, object known, object said)
    cdef object joined(self)
    cdef void drop_text(self)

    @cython.final
    cdef inline int add(self, object piece) except -1:
        """Appends a str. Most pieces are a few characters of ASCII that fit into the buffer."""
        cdef Py_ssize_t size
        self.has_text = True
        if not PyUnicode_IS_ASCII(piece):
            return self.add_encoded(piece)
        size = PyUnicode_GET_LENGTH(piece)
        if 0 < size <= self.capacity - self.length and size <= self.limit - self.length:
            memcpy(self.text + self.length, PyUnicode_1BYTE_DATA(piece), size)
            self.length += size
            self.size += size
            return Conflict.NONE
        return self.append(PyUnicode_1BYTE_DATA(piece), size)


cdef inline object field(object owner, str name):
    """A field of a dict, or of an object as SDKs have them; None where there is none."""
    cdef PyObject *found
    if PyDict_Check(owner):
        found = PyDict_GetItemWithError(owner, name)
        return None if found is NULL else <object>found
    return getattr(owner, name, None)
