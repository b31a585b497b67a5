"""Server-sent events: dicts become frames once, deltas are filled into a frame that is already written.

Theory of operation. Of a hundred frames ninety-eight differ from the one before in nothing but a few characters of text
(and, in one API, a number). Such a frame is encoded once, with marks where text and number stand, and cut at the marks:
a `Template`. A delta then is a handful of copies with the text escaped in between. What a frame looks like is said in
one place, the dict that its stream makes of it.
"""

import re
from json import JSONEncoder
from os import urandom

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from ..readers.buffer cimport buffer_append, buffer_free, buffer_reserve
from ..scan.json_escape cimport tw_json_escape

__all__ = ["encode"]

cdef str TEXT_MARK = urandom(16).hex()      # random, so that no caller's string can hold it
cdef str NUMBER_MARK = urandom(16).hex()
cdef object MARKS = re.compile(f'({TEXT_MARK})|"{NUMBER_MARK}"'.encode())
cdef object WRITE = JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

cdef enum:
    DIGITS = 20                 # of a 64-bit number
    MOST_PARTS = 8
    KEPT = 64 * 1024            # bytes of a buffer that outlive a frame


cpdef bytes encode(dict frame, bint named):
    """One frame. With `named` its `event:` line repeats the frame's type."""
    cdef bytes data = WRITE(frame).encode("utf-8", "replace")
    if named:
        return b"event: %b\ndata: %b\n\n" % (frame["type"].encode(), data)
    return b"data: %b\n\n" % data


cdef class Template:
    """A frame of deltas: `make(text, number)` returns it as a dict."""

    def __cinit__(self, make, bint named):
        cdef Py_ssize_t at = 0
        cdef int count = 0
        self.frame = encode(make(TEXT_MARK, NUMBER_MARK), named)
        for mark in MARKS.finditer(self.frame):
            if count == MOST_PARTS - 1:
                raise ValueError(f"a frame of deltas has more than {MOST_PARTS - 1} slots")
            self.parts[count].data = PyBytes_AS_STRING(self.frame) + at
            self.parts[count].length = mark.start() - at
            self.parts[count].slot = Slot.TEXT if mark[1] else Slot.NUMBER
            at = mark.end()
            count += 1
        self.parts[count].data = PyBytes_AS_STRING(self.frame) + at
        self.parts[count].length = PyBytes_GET_SIZE(self.frame) - at
        self.parts[count].slot = Slot.END


cdef class Writer:
    """Collects the frames of one step and hands them out as one `bytes`."""

    def __cinit__(self, bint named):
        self.named = named

    def __dealloc__(self):
        buffer_free(&self.out)

    cdef int raw(self, bytes data) except -1:
        return buffer_append(&self.out, <const uint8_t *>PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))

    cdef int frame(self, dict frame) except -1:
        return self.raw(encode(frame, self.named))

    cdef int delta(self, Template template, const uint8_t *text, Py_ssize_t count, Py_ssize_t number) except -1:
        cdef Part *part = template.parts
        while True:
            buffer_reserve(&self.out, part.length + (6 * count if part.slot == Slot.TEXT else DIGITS))
            memcpy(self.out.data + self.out.length, part.data, part.length)
            self.out.length += part.length
            if part.slot == Slot.END:
                return 0
            if part.slot == Slot.TEXT:
                self.out.length += tw_json_escape(text, count, self.out.data + self.out.length)
            else:
                self.out.length += write_number(number, self.out.data + self.out.length)
            part += 1

    cdef bytes take(self):
        cdef bytes data = PyBytes_FromStringAndSize(<const char *>self.out.data, self.out.length)
        self.out.length = 0
        if self.out.capacity > KEPT:
            buffer_free(&self.out)
        return data


cdef Py_ssize_t write_number(Py_ssize_t number, uint8_t *out) noexcept:
    """Decimal digits of a number that is not negative; returns how many."""
    cdef uint8_t digits[DIGITS]
    cdef Py_ssize_t at = DIGITS
    while True:
        at -= 1
        digits[at] = <uint8_t>(c"0" + number % 10)
        number //= 10
        if number == 0:
            memcpy(out, digits + at, DIGITS - at)
            return DIGITS - at
