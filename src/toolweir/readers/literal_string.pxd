# Strings as Python writes them, or between a format's own delimiters.

from libc.stdint cimport uint8_t, uint32_t

from ..scan.marker_matcher cimport tw_markers
from .buffer cimport Buffer
from .plan cimport MarkerTable
from .turn cimport Reader, Turn


cdef enum Follow:      # what the text behind a quote makes of it
    WAITING            # nothing yet
    DATA               # a part of the string
    CLOSES             # its end
    GOES_ON            # Python joins the string that begins at `ahead` to this one


cdef struct StringState:
    uint8_t quote      # ' or "; 0: the format's delimiter
    bint head          # the quote was read; two more would make a long string of it
    bint triple
    bint raw           # backslashes stand for themselves
    bint deferred      # what the string is a part of is not known yet: its JSON waits in `pending`
    Py_ssize_t ahead   # position up to which the text in front was looked at, 0: not at all


cdef class LiteralStringReader(Reader):
    cdef StringState q
    cdef Buffer pending
    cdef bytes delimiter
    cdef bytes delimiter_text      # what a delimiter that ends nothing stands for
    cdef MarkerTable delimiters

    cdef int broken(self, Turn turn, object reason) except -1
    cdef int put(self, Turn turn, const uint8_t *bytes, Py_ssize_t count, Py_ssize_t start, Py_ssize_t end) except -1
    cdef int put_text(self, Turn turn, Py_ssize_t end) except -1
    cdef int put_character(self, Turn turn, uint32_t character, Py_ssize_t end) except -1
    cdef int matches(self, Turn turn, Py_ssize_t at, bytes text) noexcept
    cdef Py_ssize_t prefix(self, Turn turn, Py_ssize_t at, bint *whole) noexcept
    cdef int open_string(self, Turn turn, Py_ssize_t at, bint joined) except -1
    cdef int read_string(self, Turn turn) except -1
    cdef int read_head(self, Turn turn) except -1
    cdef int read_quote(self, Turn turn) except -1
    cdef int read_delimiter(self, Turn turn) except -1
    cdef int read_escape(self, Turn turn) except -1
    cdef int read_hex(self, Turn turn, int digits) except -1
    cdef int read_named(self, Turn turn) except -1
    cdef int close_string(self, Turn turn, Py_ssize_t end) except -1
    cdef Follow follow(self, Turn turn, Py_ssize_t start) except *
    cdef int string_over(self, Turn turn) except -1
    cdef MarkerTable stops(self)


cdef inline bint is_quote(uint8_t byte) noexcept:
    return byte == c'"' or byte == c"'"
