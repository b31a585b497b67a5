"""Text at the border between Python and the C layer.

A `Piece` is a `str` or an object with the buffer protocol, open for reading as bytes. ASCII and buffers are read where
they lie. Other strings are either narrowed to one byte a character, every one outside ASCII to a byte outside ASCII,
which serves scanners that care for ASCII only and keeps offsets what they are; or they are encoded as UTF-8.
"""

from cpython.buffer cimport PyBuffer_Release, PyBUF_SIMPLE, PyObject_GetBuffer
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport uint16_t, uint32_t
from libc.string cimport memset

from .json_escape cimport (
    tw_json_escape, tw_json_plain, tw_unescape, tw_unescape_byte, tw_unescape_end, tw_unescape_pending
)
from .utf8 cimport tw_utf8, tw_utf8_feed, tw_utf8_finish, tw_utf8_from_latin1, tw_utf8_from_ucs2, tw_utf8_from_ucs4

__all__ = ["Utf8Decoder", "escape", "unescape"]

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    bint PyUnicode_IS_ASCII(object text)
    void *PyUnicode_DATA(object text)


cdef void *allocate(size_t size) except NULL:
    cdef void *memory = PyMem_Malloc(size)
    if memory == NULL:
        raise MemoryError
    return memory


cdef size_t narrow(int kind, const void *data, size_t n, uint8_t *out) noexcept nogil:
    cdef size_t i
    if kind == 2:
        for i in range(n):
            out[i] = <uint8_t>(<uint16_t *>data)[i] if (<uint16_t *>data)[i] < 0x80 else 0x80
    else:
        for i in range(n):
            out[i] = <uint8_t>(<uint32_t *>data)[i] if (<uint32_t *>data)[i] < 0x80 else 0x80
    return n


cdef size_t encode(int kind, const void *data, size_t n, uint8_t *out) noexcept nogil:
    if kind == 1:
        return tw_utf8_from_latin1(<const uint8_t *>data, n, out)
    if kind == 2:
        return tw_utf8_from_ucs2(<const uint16_t *>data, n, out)
    return tw_utf8_from_ucs4(<const uint32_t *>data, n, out)


cdef int open_buffer(Piece *piece, object data) except -1:
    if isinstance(data, str):
        return 0
    if not PyObject_GetBuffer(data, &piece.view, PyBUF_SIMPLE):
        piece.data = <const uint8_t *>piece.view.buf
        piece.size = <size_t>piece.view.len
    return 1


cdef int open_str(Piece *piece, object data) except -1:
    piece.data = <const uint8_t *>PyUnicode_DATA(data)
    piece.size = <size_t>len(<str>data)
    return 0


cdef int open_narrow(Piece *piece, object data) except -1:
    """Opens `data`; a str with one byte a character. Raises TypeError for what is neither str nor bytes-like."""
    cdef const void *characters
    memset(piece, 0, sizeof(Piece))
    if open_buffer(piece, data):
        return 0
    open_str(piece, data)
    if PyUnicode_KIND(data) != 1:
        characters = piece.data
        piece.memory = allocate(piece.size)
        narrow(PyUnicode_KIND(data), characters, piece.size, <uint8_t *>piece.memory)
        piece.data = <const uint8_t *>piece.memory
    return 0


cdef int open_utf8(Piece *piece, object data) except -1:
    """Opens `data`; a str as UTF-8, surrogates as U+FFFD. Raises TypeError for what is neither str nor bytes-like."""
    cdef const void *characters
    memset(piece, 0, sizeof(Piece))
    if open_buffer(piece, data):
        return 0
    open_str(piece, data)
    if not PyUnicode_IS_ASCII(data):
        characters = piece.data
        piece.wide = True
        piece.memory = allocate(4 * piece.size)
        piece.size = encode(PyUnicode_KIND(data), characters, piece.size, <uint8_t *>piece.memory)
        piece.data = <const uint8_t *>piece.memory
    return 0


cdef void close_piece(Piece *piece) noexcept:
    PyMem_Free(piece.memory)
    PyBuffer_Release(&piece.view)


def escape(data):
    """The inside of the JSON string that stands for `data`, a str or UTF-8 bytes, as a str.

    Quotes, backslashes and control characters below U+0020 are escaped, nothing else.
    """
    cdef Piece piece
    cdef uint8_t *out
    cdef size_t size
    open_utf8(&piece, data)
    try:
        if tw_json_plain(piece.data, piece.size) == piece.size and not piece.wide and isinstance(data, str):
            return data
        out = <uint8_t *>allocate(6 * piece.size + 1)
        try:
            size = tw_json_escape(piece.data, piece.size, out)
            return out[:size].decode("utf-8", "replace")
        finally:
            PyMem_Free(out)
    finally:
        close_piece(&piece)


def unescape(data, *, bint keep_lone=False):
    """What the inside of a JSON string says, as a str. `data` is a str or UTF-8 bytes.

    A surrogate escape without its other half becomes U+FFFD or, with `keep_lone`, stays an escape. Raises ValueError
    where an escape is none or is cut short.
    """
    cdef Piece piece
    cdef tw_unescape state
    cdef uint8_t *out
    cdef size_t i, size = 0
    cdef int written
    memset(&state, 0, sizeof(state))
    open_utf8(&piece, data)
    try:
        out = <uint8_t *>allocate(2 * piece.size + 12)
        try:
            for i in range(piece.size):
                written = tw_unescape_byte(&state, piece.data[i], out + size, keep_lone)
                if written < 0:
                    raise ValueError(f"no JSON escape goes on with byte 0x{piece.data[i]:02x} at byte {i}")
                size += <size_t>written
            size += <size_t>tw_unescape_end(&state, out + size, keep_lone)
            if tw_unescape_pending(&state):
                raise ValueError(f"a JSON escape is cut short at byte {piece.size}")
            return out[:size].decode("utf-8", "replace")
        finally:
            PyMem_Free(out)
    finally:
        close_piece(&piece)


cdef class Utf8Decoder:
    """Decodes UTF-8 that comes in pieces cut anywhere; what is no UTF-8 becomes U+FFFD, as in `bytes.decode`."""

    cdef tw_utf8 gate

    def feed(self, data):
        """The text that is certain now, as a str. An unfinished character is kept for the next piece.

        Should memory run out, nothing of the piece is read.
        """
        cdef Piece piece
        cdef tw_utf8 gate = self.gate
        cdef uint8_t *out
        cdef size_t size
        if isinstance(data, str):
            raise TypeError("Utf8Decoder.feed: expected a bytes-like object, got str")
        open_utf8(&piece, data)
        try:
            out = <uint8_t *>allocate(3 * (piece.size + 3))
            try:
                size = tw_utf8_feed(&self.gate, piece.data, piece.size, out)
                return out[:size].decode("utf-8")
            except MemoryError:
                self.gate = gate
                raise
            finally:
                PyMem_Free(out)
        finally:
            close_piece(&piece)

    def finish(self):
        """The end of the input: U+FFFD if a character is unfinished, else ''. The decoder is as new then."""
        cdef uint8_t out[3]
        return out[:tw_utf8_finish(&self.gate, out)].decode("utf-8")
