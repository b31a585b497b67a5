"""Pieces of text as the C layer reads them."""

from cpython.buffer cimport Py_buffer
from libc.stdint cimport uint8_t


cdef struct Piece:
    const uint8_t *data
    size_t size
    bint wide       # data was made out of a str: an offset into it may not be one into the str
    void *memory    # to be freed, or NULL
    Py_buffer view  # to be released if view.obj is set


cdef int open_narrow(Piece *piece, object data) except -1
cdef int open_utf8(Piece *piece, object data) except -1
cdef void close_piece(Piece *piece) noexcept
