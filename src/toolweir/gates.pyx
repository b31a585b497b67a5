"""Gates: pieces that go out as they are.

Theory of operation. Nearly all pieces of a stream are one of three things: plain text far from any marker, a stretch
of a call's JSON, or text of a string value. For each there is a gate: if a look at the piece's bytes shows that nothing
is decided or held by it, the caller's own string goes out and only counters move. Whenever a piece has taken the whole
way, the gate for the next one is set anew.
"""

cimport cython
from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcpy
from cpython.unicode cimport (
    PyUnicode_1BYTE_DATA, PyUnicode_2BYTE_DATA, PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ,
)

from .readers.buffer cimport buffer_reserve
from .readers.decode cimport decode
from .readers.turn cimport SENT
from .scan.json_escape cimport tw_json_escape
from .scan.json_scanner cimport TW_MORE, tw_json_feed, tw_json_in_escape, tw_json_in_string, tw_json_string_run
from .scan.marker_matcher cimport tw_markers_feed, tw_markers_first, tw_markers_skip, tw_match
from .scan.utf8 cimport tw_utf8_from_ucs2
from .text cimport BLOCK, TEXT_MODE

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

cdef enum:
    FULL_DEPTH = 1023
    BEYOND_ASCII = 0x80
    LONG_PIECE = 4096  # a longer one is worth the whole way, and needs no room for six times as much


cdef inline bint is_far(const tw_markers *markers, const uint8_t *text, Py_ssize_t count) noexcept:
    """Does the text hold no marker, and end in the head of none?"""
    cdef tw_match match
    match.state = 0
    if <Py_ssize_t>tw_markers_skip(markers, text, count) == count:
        return True
    return tw_markers_feed(markers, &match, text, count) == TW_MORE and match.state == 0


cdef class Gates(Intake):
    """The three gates and what each of them needs at hand."""

    @cython.final
    cdef bint pass_text(self, object piece, Py_ssize_t count) noexcept:
        """The gate of plain text: true if the piece may go out as it is."""
        cdef int kind = PyUnicode_KIND(piece)
        cdef void *data = PyUnicode_DATA(piece)
        cdef Py_ssize_t at
        cdef Py_UCS4 char = PyUnicode_READ(kind, data, count - 1)
        if char == c"\n" and self.plan.blank_lines:
            return False
        if PyUnicode_IS_ASCII(piece):
            if not is_far(self.table.markers, <const uint8_t *>data, count):
                return False
        elif self.table.wide:
            return False
        else:
            for at in range(count):
                char = PyUnicode_READ(kind, data, at)
                if char < BEYOND_ASCII:
                    if tw_markers_first(self.table.markers, <uint8_t>char):
                        return False
                elif 0xd800 <= char <= 0xdfff:  # a surrogate: it will be replaced
                    return False
        self.s.looked += count
        at = count
        while at:
            at -= 1
            char = PyUnicode_READ(kind, data, at)
            if char > c" ":
                self.s.line_visible = True
                break
            if char == c"\n":
                self.s.line_visible = False
                break
        char = PyUnicode_READ(kind, data, count - 1)
        self.s.before = <uint8_t>min(char, BEYOND_ASCII)
        return True

    @cython.final
    cdef bint pass_arguments(self, object piece, Py_ssize_t count) except -1:
        """The gate of arguments: true if the scanner agrees with all of the piece and no opener may begin in it."""
        cdef uint8_t *bytes
        cdef Py_ssize_t length = count
        cdef size_t taken = 0
        cdef tw_json before
        buffer_reserve(&self.arguments, 3 * count)
        bytes = self.arguments.data + self.arguments.length
        if PyUnicode_IS_ASCII(piece):
            memcpy(bytes, PyUnicode_1BYTE_DATA(piece), count)
        elif PyUnicode_KIND(piece) == 2:
            length = tw_utf8_from_ucs2(<const uint16_t *>PyUnicode_2BYTE_DATA(piece), count, bytes)
            for at in range(count):
                if 0xd800 <= PyUnicode_READ(2, PyUnicode_DATA(piece), at) <= 0xdfff:
                    return False
        else:
            return False
        if self.arguments.length + length > self.limits.arguments:
            return False
        if not is_far(self.plan.openers.markers, bytes, length):
            return False
        if (
            not tw_json_in_string(self.scanner) or tw_json_in_escape(self.scanner)
            or <Py_ssize_t>tw_json_string_run(bytes, length) < length
        ):
            before = self.scanner[0]
            if tw_json_feed(self.scanner, bytes, length, &taken) != TW_MORE:
                self.scanner[0] = before
                return False
        self.s.looked += length
        self.s.before = bytes[length - 1]
        self.arguments.length += length
        self.s.sent = self.arguments.length
        return True

    @cython.final
    cdef object pass_value(self, object piece, Py_ssize_t count):
        """The gate of string values: what goes out for the piece, None if it has to take the whole way."""
        cdef uint8_t *target
        cdef uint8_t *bytes
        cdef Py_ssize_t length = count, at
        if count > LONG_PIECE or self.arguments.length + 18 * count > self.limits.arguments:
            return None
        buffer_reserve(&self.arguments, 21 * count)  # up to three bytes a character, six a byte when escaped
        target = self.arguments.data + self.arguments.length
        bytes = target + 18 * count
        if PyUnicode_IS_ASCII(piece):
            bytes = <uint8_t *>PyUnicode_1BYTE_DATA(piece)
        elif PyUnicode_KIND(piece) == 2:
            for at in range(count):
                if 0xd800 <= PyUnicode_READ(2, PyUnicode_DATA(piece), at) <= 0xdfff:
                    return None
            length = tw_utf8_from_ucs2(<const uint16_t *>PyUnicode_2BYTE_DATA(piece), count, bytes)
        else:
            return None
        if not is_far(self.closer, bytes, length) or self.reader.may_end_string(bytes[length - 1]):
            return None
        if not is_far(self.plan.openers.markers, bytes, length):
            return None
        at = length
        if <Py_ssize_t>tw_json_string_run(bytes, length) == length:
            memcpy(target, bytes, length)
        else:
            at = tw_json_escape(bytes, length, target)
            piece = decode(target, at)
        self.s.looked += length
        self.s.before = bytes[length - 1]
        self.arguments.length += at
        self.s.sent = self.arguments.length
        return piece

    cdef int open_gate(self) except -1:
        self.gate = SHUT
        if self.finished or self.s.base != self.s.limit or self.partial.count or self.deferred is not None:
            return 0
        if self.r.mode == TEXT_MODE:
            if not (self.r.blank or self.r.stray or self.trim or self.r.match.state or self.seeks_payload()):
                self.gate = TEXT_GATE
        elif self.r.mode == BLOCK and self.s.call == SENT and self.s.arguments_open:
            if (
                self.s.hidden < 0 and self.s.watch.state == 0 and not self.s.forgotten
                and self.limits.depth == FULL_DEPTH
            ):
                self.scanner = self.reader.strict_scanner()
                self.gate = SHUT if self.scanner == NULL else ARGUMENTS_GATE
            if self.gate == SHUT and not self.s.forgotten:
                self.closer = self.reader.string_closer()
                if self.closer != NULL:
                    self.gate = VALUE_GATE
        return 0
