"""The JSON scanners for Python."""

from libc.string cimport memset

from .text cimport Piece, close_piece, open_narrow

__all__ = ["INVALID", "NEED_DATA", "TOO_DEEP", "JsonScanner"]

NEED_DATA = TW_MORE
INVALID = TW_INVALID
TOO_DEEP = TW_DEPTH


cdef class JsonScanner:
    """Finds where a JSON value ends that comes in pieces, and proves on the way that it is one.

    With `boundary=True` only brackets, strings and escapes are followed, which is faster and proves nothing; such a
    scanner finds the end of objects and arrays, never that of another value.

    Whether escaped surrogates pair and how large numbers are is not looked at. Bytes are not checked for UTF-8.
    """

    def __init__(self, bint boundary=False):
        self.boundary = boundary
        self.reset()

    cdef ptrdiff_t feed_bytes(self, const uint8_t *p, size_t n) noexcept nogil:
        if self.boundary:
            return tw_edge_find(&self.edge, p, n, &self.read)
        return tw_json_feed(&self.strict, p, n, &self.read)

    def feed(self, data):
        """Reads a piece: a str, or UTF-8 bytes cut anywhere.

        Returns the offset just past the end of the value, in characters of a str or in bytes; NEED_DATA if it goes on;
        INVALID if the character at offset `taken` cannot stand there; TOO_DEEP if it opens one container too many. A
        refused character leaves no trace: feeding may go on with another one. A number that is not in a container ends
        before the first character that is no part of it. When the value has ended, the answer is 0. Should memory run
        out, nothing of the piece is read.
        """
        cdef Piece piece
        cdef ptrdiff_t result
        cdef tw_json strict = self.strict
        cdef tw_edge edge = self.edge
        open_narrow(&piece, data)
        result = self.feed_bytes(piece.data, piece.size)
        close_piece(&piece)
        try:
            return result
        except MemoryError:
            self.strict, self.edge = strict, edge
            raise

    def end(self):
        """Whether the value would be whole if the text ended here; differs from `complete` for a number only."""
        return bool(self.edge.closed) if self.boundary else tw_json_end(&self.strict) == 0

    def reset(self):
        """Makes the scanner as new."""
        memset(&self.strict, 0, sizeof(tw_json))
        memset(&self.edge, 0, sizeof(tw_edge))
        self.read = 0

    def copy(self):
        """A scanner that goes on from here on its own."""
        cdef JsonScanner other = JsonScanner.__new__(JsonScanner)
        other.strict = self.strict
        other.edge = self.edge
        other.read = self.read
        other.boundary = self.boundary
        return other

    __copy__ = copy

    @property
    def taken(self):
        """How much of the last piece was read, in characters of a str or in bytes."""
        return self.read

    @property
    def depth(self):
        """Number of open objects and arrays."""
        return self.edge.depth if self.boundary else tw_json_depth(&self.strict)

    @property
    def in_string(self):
        """Whether the next character stands inside a string."""
        return bool(self.edge.in_string) if self.boundary else bool(tw_json_in_string(&self.strict))

    @property
    def complete(self):
        """Whether the value has ended."""
        return bool(self.edge.closed) if self.boundary else bool(tw_json_done(&self.strict))
