"""Pieces into the window: str or bytes of any cut become positions of valid UTF-8, and a fault stays inside.

Theory of operation. A str of ASCII or bytes of UTF-8 that meet an empty window are read where they lie. All else is
encoded into the window behind what is still undecided; when the reading has used it up, the window gives back what
nobody needs. The dead bytes at its head are only moved over when they are half of it, so that no byte is moved often.
"""

import logging

from libc.stdint cimport uint8_t
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_CheckBuffer, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_GET_SIZE
from cpython.unicode cimport (
    PyUnicode_CheckExact, PyUnicode_DATA, PyUnicode_FromObject, PyUnicode_GET_LENGTH, PyUnicode_KIND,
)

from .ending cimport Ending
from .errors import ToolweirError
from .outcomes import CallStatus, Reason
from .readers.buffer cimport buffer_append, buffer_drop, buffer_reserve
from .readers.stretches cimport LONG_STRETCH
from .readers.turn cimport CONTENT, HELD, NO_CALL
from .scan.code_points cimport encode, has_surrogate
from .scan.utf8 cimport tw_utf8_feed, tw_utf8_finish, tw_utf8_valid
from .text cimport BLOCK, MALFORMED, TEXT_MODE

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

logger = logging.getLogger("toolweir")

INVALID = CallStatus.INVALID

cdef const uint8_t *EMPTY = <const uint8_t *>b""  # readers add positions to `data`: it is never NULL

fault_at = -1


class InjectedFault(Exception):
    """The fault that a test asked for."""


def arm_fault(Py_ssize_t n):
    """The next parser that reads more than `n` code points fails there (see toolweir._testing); -1 disarms."""
    global fault_at
    fault_at = n


def fault_is_armed():
    """Whether a fault waits to strike."""
    return fault_at >= 0


cdef class Intake(Ending):

    cdef int read(self, object piece) except -1:
        if not isinstance(piece, str) and not PyObject_CheckBuffer(piece):
            raise TypeError(f"feed: expected str or UTF-8 bytes, got {type(piece).__name__}")
        try:
            self.take_in(piece)
            self.run_guarded()
        except (ToolweirError, MemoryError, BufferError):
            raise
        except Exception as error:
            self.contain(error)
        return self.leave()

    cdef int take_in(self, object piece) except -1:
        self.fresh = self.s.limit
        if isinstance(piece, str):
            self.finish_partial()
            self.take_text(piece if PyUnicode_CheckExact(piece) else PyUnicode_FromObject(piece))
        else:
            self.take_bytes(piece)
        return 0

    cdef int finish_partial(self) except -1:
        """A character that bytes have begun and that never came."""
        cdef uint8_t *target
        if self.partial.count:
            target = self.room(12)
            self.window.length += tw_utf8_finish(&self.partial, target)
            self.view_window()
        return 0

    cdef uint8_t *room(self, Py_ssize_t count) except NULL:
        """Where the window goes on, with room for `count` bytes."""
        if self.window_start * 2 > self.window.length:
            buffer_drop(&self.window, self.window_start)
            self.window_start = 0
        buffer_reserve(&self.window, count)
        self.view_window()
        return self.window.data + self.window.length

    cdef int view_window(self) except -1:
        self.data = EMPTY if self.window.data == NULL else self.window.data + self.window_start
        self.narrow = False
        self.s.limit = self.s.base + self.window.length - self.window_start
        return 0

    cdef int take_text(self, str piece) except -1:
        cdef Py_ssize_t count = PyUnicode_GET_LENGTH(piece), length
        cdef bint alone = self.window.length == self.window_start
        cdef int kind = PyUnicode_KIND(piece)
        cdef const void *data = PyUnicode_DATA(piece)
        cdef bint altered
        cdef uint8_t *target
        if PyUnicode_IS_ASCII(piece):
            if alone:
                self.data = <const uint8_t *>data
                self.s.limit = self.s.base + count
                self.narrow = True
                self.lender = piece
                self.piece = piece if PyUnicode_CheckExact(piece) else None
            else:
                self.room(count)
                buffer_append(&self.window, <const uint8_t *>data, count)
                self.view_window()
            return 0
        target = self.room(count * (kind if kind == 4 else kind + 1))
        if count < LONG_STRETCH:
            length = encode(data, kind, count, target)
            altered = has_surrogate(data, kind, count)
        else:
            with nogil:
                length = encode(data, kind, count, target)
                altered = has_surrogate(data, kind, count)
        self.window.length += length
        if alone and not altered and PyUnicode_CheckExact(piece):
            self.piece = piece
        return self.view_window()

    cdef int take_bytes(self, object piece) except -1:
        cdef Py_buffer view
        if PyBytes_CheckExact(piece) and self.window.length == self.window_start and self.partial.count == 0:
            if self.borrow(piece):
                return 0
        cdef uint8_t *target
        PyObject_GetBuffer(piece, &view, PyBUF_SIMPLE)
        try:
            target = self.room(3 * (view.len + 3))
            self.window.length += tw_utf8_feed(&self.partial, <const uint8_t *>view.buf, view.len, target)
        finally:
            PyBuffer_Release(&view)
        return self.view_window()

    cdef bint borrow(self, object piece) except -1:
        """Read bytes where they lie, if all of them are whole characters of UTF-8. Nobody can change exact bytes."""
        cdef const uint8_t *data = <const uint8_t *>PyBytes_AS_STRING(piece)
        cdef size_t length = PyBytes_GET_SIZE(piece), valid
        if length < LONG_STRETCH:
            valid = tw_utf8_valid(data, length)
        else:
            with nogil:
                valid = tw_utf8_valid(data, length)
        if valid < length:
            return False
        self.data = data
        self.s.limit = self.s.base + length
        self.narrow = False
        self.lender = piece
        return True

    cdef int run_guarded(self) except -1:
        """Read on; where a test asked for a fault, read up to it and fail."""
        global fault_at
        cdef Py_ssize_t end = self.s.limit
        if fault_at < 0 or self.point(end) <= fault_at:
            return self.run()
        while self.s.limit > self.fresh and self.point(self.s.limit) > fault_at:
            self.s.limit -= 1
        fault_at = -1
        try:
            self.piece = None
            self.run()
        finally:
            self.s.limit = end
        raise InjectedFault("injected by toolweir._testing.fault_after")

    cdef int contain(self, object error) except -1:
        """The core failed: the open call ends as invalid, and from here on everything is content."""
        cdef Py_ssize_t start = self.s.text_from
        logger.error("toolweir: the parser failed, the rest of the text is content: %r", error, exc_info=error)
        if self.r.mode == MALFORMED:
            start = max(start, self.r.broken_from)
        elif self.r.mode == BLOCK and self.s.call != NO_CALL and self.s.call != HELD:
            start = self.s.pos
            self.end_call(INVALID, Reason.FAULT)
        self.r.faulty = True
        self.r.mode = TEXT_MODE
        self.r.blank = self.r.stray = self.r.resuming = self.r.held = self.r.trial = False
        self.s.call = NO_CALL
        self.s.channel = CONTENT
        self.s.text_from = min(start, self.s.limit)
        self.r.scan = self.r.seen = self.s.limit
        self.r.match.state = 0
        self.choose_table()
        return self.say(self.s.limit)

    cdef int end_of_input(self) except -1:
        try:
            self.fresh = self.s.limit
            self.finish_partial()
            self.run_guarded()
            self.settle()
            self.flush_arguments()
        except (ToolweirError, MemoryError):
            raise
        except Exception as error:
            self.contain(error)
        return 0

    cdef int settle_partial(self) except -1:
        """What may be the head of a marker is text: a special token comes whole."""
        if self.r.mode == TEXT_MODE:
            self.r.match.state = 0
            self.take(self.s.limit)
            self.send(self.s.limit)
        return 0

    cdef int leave(self) except -1:
        """All input is read: give back what nobody needs."""
        cdef Py_ssize_t keep = self.needed()
        cdef uint8_t before = self.byte_before(keep)
        self.flush_arguments()
        self.point(keep)
        if keep == self.s.limit:
            self.window.length = self.window_start = 0
        elif self.window.length:
            self.window_start += keep - self.s.base
        else:
            buffer_append(&self.window, self.data + (keep - self.s.base), self.s.limit - keep)
        self.s.before = before
        self.s.base = keep
        self.piece = self.lender = None
        return self.view_window()
