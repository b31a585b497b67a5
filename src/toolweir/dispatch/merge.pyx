"""One tool call out of the fragments of a chunk stream, by one rule for dispatcher and aggregator.

Theory of operation. A fragment says something new, repeats what was said, or says nothing:

    field       absent      ""                      known is absent     equal      another one
    id          nothing     nothing                 taken               nothing    conflict, the first is kept
    type        nothing     nothing                 taken               nothing    conflict, the first is kept
    name        nothing     nothing                 taken               nothing    conflict, the first is kept
    arguments   nothing     no longer absent        appended            appended   appended

Only the first conflict of a fragment is reported, in this order. Names are never joined: whether `get_` and `weather`
are one name in two pieces or two names for one call cannot be known here. A custom tool's call has `custom` with `name`
and `input` where others have `function` with `name` and `arguments`; one call with both is a conflict of types.

The text is kept as UTF-8 in one buffer: the scanner reads bytes, and a list of four-character strings would take
fifteen times the memory.
"""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t
from libc.string cimport memcpy

__all__ = ["MergedCall"]

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    const Py_ssize_t PY_SSIZE_T_MAX

cdef tuple CONFLICTS = (None, "id", "type", "name", "not_text", "too_long")


cdef inline bint differs(object known, object said):
    return known is not None and isinstance(said, str) and said != "" and said != known


cdef inline bint is_text(object said):
    return said is None or isinstance(said, str)


cdef class MergedCall:
    """What is known of one call. `limit`: bytes of UTF-8 that its arguments, or a custom tool's input, may have."""

    def __cinit__(self, Py_ssize_t limit=PY_SSIZE_T_MAX):
        self.limit = limit

    def __dealloc__(self):
        PyMem_Free(self.text)

    @property
    def custom(self):
        """Whether the call is one of a custom tool."""
        return self.payload == Payload.CUSTOM

    @property
    def arguments(self):
        """The joined text, or None if no fragment had any."""
        return self.joined() if self.has_text else None

    def update(self, fragment):
        """Merges one entry of a `tool_calls` list; returns the name of the first conflict, or None."""
        return CONFLICTS[self.merge(fragment)]

    cdef int merge(self, object fragment) except -1:
        cdef object function = field(fragment, "function")
        cdef object custom = field(fragment, "custom")
        cdef object id = field(fragment, "id")
        cdef object kind = field(fragment, "type")
        cdef object name = None, text = None
        cdef bint mixed = False
        cdef int conflict = Conflict.NONE
        if custom is not None:
            mixed = function is not None or self.payload == Payload.FUNCTION
        elif function is not None:
            mixed = self.payload == Payload.CUSTOM
        if not mixed:
            if custom is not None:
                self.payload = Payload.CUSTOM
                name = field(custom, "name")
                text = field(custom, "input")
            elif function is not None:
                self.payload = Payload.FUNCTION
                name = field(function, "name")
                text = field(function, "arguments")
        if differs(self.id, id):
            conflict = Conflict.ID
        elif mixed or differs(self.type, kind):
            conflict = Conflict.TYPE
        elif differs(self.name, name):
            conflict = Conflict.NAME
        elif not (is_text(id) and is_text(kind) and is_text(name) and is_text(text)):
            conflict = Conflict.NOT_TEXT
        self.id = self.adopt(self.id, id)
        self.type = self.adopt(self.type, kind)
        self.name = self.adopt(self.name, name)
        if isinstance(text, str):
            return self.add(text) or conflict
        return conflict

    cdef object adopt(self, object known, object said):
        if known is not None or not isinstance(said, str) or said == "":
            return known
        self.size += PyUnicode_GET_LENGTH(said) * PyUnicode_KIND(said)
        return said

    cdef int add_encoded(self, object piece) except -1:
        cdef bytes encoded = piece.encode("utf-8", "surrogatepass")
        return self.append(encoded, len(encoded))

    cdef int append(self, const uint8_t *piece, Py_ssize_t size) except -1:
        cdef Py_ssize_t capacity
        cdef void *grown
        if size == 0:
            return Conflict.NONE
        if size > self.limit - self.length:
            return Conflict.TOO_LONG
        if size > self.capacity - self.length:
            capacity = max(64, self.length + size, self.capacity + self.capacity // 2)
            grown = PyMem_Realloc(self.text, capacity)
            if grown is NULL:
                raise MemoryError
            self.text = <uint8_t *>grown
            self.capacity = capacity
        memcpy(self.text + self.length, piece, size)
        self.length += size
        self.size += size
        return Conflict.NONE

    cdef object joined(self):
        return PyUnicode_DecodeUTF8(<const char *>self.text, self.length, "surrogatepass") if self.length else ""

    cdef void drop_text(self):
        PyMem_Free(self.text)
        self.text = NULL
        self.size -= self.length
        self.length = self.capacity = 0
