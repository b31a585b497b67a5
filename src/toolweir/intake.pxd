# Pieces of text into the window, and out of it what is no longer needed.

from libc.stdint cimport uint8_t

from .ending cimport Ending
from .scan.utf8 cimport tw_utf8


cdef Py_ssize_t fault_at   # code points after which the next parser fails, -1: never


cdef class Intake(Ending):
    cdef tw_utf8 partial           # a character that bytes have begun
    cdef Py_ssize_t window_start   # dead bytes at the head of the window
    cdef object lender             # whose memory `data` is, None for the window
    cdef Py_ssize_t fresh          # position where this piece begins

    cdef int read(self, object piece) except -1
    cdef int take_in(self, object piece) except -1
    cdef int take_text(self, str piece) except -1
    cdef int take_bytes(self, object piece) except -1
    cdef bint borrow(self, object piece) except -1
    cdef int finish_partial(self) except -1
    cdef uint8_t *room(self, Py_ssize_t count) except NULL
    cdef int view_window(self) except -1
    cdef int run_guarded(self) except -1
    cdef int end_of_input(self) except -1
    cdef int settle_partial(self) except -1
    cdef int contain(self, object error) except -1
    cdef int leave(self) except -1
