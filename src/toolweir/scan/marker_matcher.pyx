"""The marker matcher for Python."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.string cimport memset

from .text cimport Piece, close_piece, open_utf8
from .utf8 cimport tw_utf8_count

from ..errors import OptionError

__all__ = ["MarkerMatcher"]


cdef bytearray build(list markers):
    """The tables for encoded markers, or None if they are refused."""
    cdef size_t count = <size_t>len(markers), i, size
    cdef const uint8_t **texts = <const uint8_t **>PyMem_Malloc(count * sizeof(uint8_t *))
    cdef size_t *lengths = <size_t *>PyMem_Malloc(count * sizeof(size_t))
    cdef bytearray memory = None
    try:
        if texts == NULL or lengths == NULL:
            raise MemoryError
        for i in range(count):
            texts[i] = <const uint8_t *><bytes>markers[i]
            lengths[i] = <size_t>len(<bytes>markers[i])
        size = tw_markers_size(texts, lengths, count)
        if size != 0:
            memory = bytearray(size)
            tw_markers_build(PyByteArray_AS_STRING(memory), size, texts, lengths, count)
        return memory
    finally:
        PyMem_Free(texts)
        PyMem_Free(lengths)


cdef class MarkerMatcher:
    """Finds the first of many markers in text that comes in pieces cut anywhere.

    `markers` are str or bytes, none empty, together less than 64 KiB; else an OptionError is raised. Of several markers
    that end at one character the longest counts, of equal ones the first.
    """

    def __init__(self, markers):
        cdef tw_match match
        cdef size_t i
        cdef Py_ssize_t held
        encoded = [m.encode("utf-8", "replace") if isinstance(m, str) else bytes(memoryview(m)) for m in markers]
        self.memory = build(encoded)
        if self.memory is None:
            problem = f"marker {encoded.index(b'')} is empty" if b"" in encoded else "these are too long"
            raise OptionError(f"MarkerMatcher: expected markers of 1 byte or more, less than 64 KiB in all; {problem}")
        self.tables = <tw_markers *>PyByteArray_AS_STRING(self.memory)
        self.characters = {0: 0}
        for marker in encoded:
            held = 0
            memset(&match, 0, sizeof(match))
            for i in range(<size_t>len(<bytes>marker)):
                if tw_markers_feed(self.tables, &match, <const uint8_t *><bytes>marker + i, 1) >= 0:
                    break
                held += tw_utf8_count(<const uint8_t *><bytes>marker + i, 1)
                self.characters[match.state] = held
        self.reset()

    cdef ptrdiff_t feed_bytes(self, const uint8_t *p, size_t n) noexcept nogil:
        return tw_markers_feed(self.tables, &self.match, p, n)

    def feed(self, data):
        """Reads a piece, a str or UTF-8 bytes, up to the first marker that is whole.

        Returns None, or the offset just past the marker, in characters of a str or in bytes, and the marker's number.
        What follows the marker is for the next call. Should memory run out, nothing of the piece is read.
        """
        cdef Piece piece
        cdef ptrdiff_t end
        cdef tw_match match = self.match
        open_utf8(&piece, data)
        self.by_character = isinstance(data, str)
        end = self.feed_bytes(piece.data, piece.size)
        if end >= 0 and piece.wide:
            end = <ptrdiff_t>tw_utf8_count(piece.data, <size_t>end)
        close_piece(&piece)
        try:
            return None if end < 0 else (end, self.match.marker)
        except MemoryError:
            self.match = match
            raise

    def reset(self):
        """Makes the matcher as new."""
        memset(&self.match, 0, sizeof(tw_match))
        self.by_character = False

    def copy(self):
        """A matcher that goes on from here on its own."""
        cdef MarkerMatcher other = MarkerMatcher.__new__(MarkerMatcher)
        other.tables = self.tables
        other.memory = self.memory
        other.match = self.match
        other.characters = self.characters
        other.by_character = self.by_character
        return other

    __copy__ = copy

    @property
    def held(self):
        """How much of the text's end may still become a marker, in the units of the last piece."""
        return self.characters[self.match.state] if self.by_character else tw_markers_held(self.tables, &self.match)
