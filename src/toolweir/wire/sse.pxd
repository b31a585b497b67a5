# Frames of server-sent events, written into one buffer.

from libc.stdint cimport uint8_t

from ..readers.buffer cimport Buffer


cdef enum Slot:
    END        # nothing follows the last part
    TEXT       # the delta's text, escaped
    NUMBER     # the frame's number


cdef struct Part:
    const char *data
    Py_ssize_t length
    Slot slot


cdef class Template:
    cdef bytes frame           # the parts point into it
    cdef Part parts[8]


cdef class Writer:
    cdef Buffer out
    cdef bint named            # an `event:` line tells the frame's type

    cdef int raw(self, bytes data) except -1
    cdef int frame(self, dict frame) except -1
    cdef int delta(self, Template template, const uint8_t *text, Py_ssize_t count, Py_ssize_t number) except -1
    cdef bytes take(self)
