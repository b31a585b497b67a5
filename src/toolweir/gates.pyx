"""Gates: pieces that go out as they are.

Theory of operation. Nearly all pieces of a stream are one of three things: plain text far from any marker, a stretch
of a call's JSON, or text of a string value. For each there is a gate: if a look at the piece's bytes shows that nothing
is decided or held by it, the caller's own string goes out and only counters move. A fourth gate is for arguments that
wait for a name behind them: nothing goes out, and the piece only joins what is held. Whenever a piece has taken the
whole way, the gate for the next one is set anew.
"""

cimport cython
from libc.stdint cimport uint8_t
from libc.string cimport memcpy
from cpython.unicode cimport PyUnicode_1BYTE_DATA, PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ

from .readers.buffer cimport Buffer, buffer_reserve, copy_few
from .readers.decode cimport decode
from .readers.plan cimport MarkerTable
from .readers.turn cimport NO_CALL, SENT
from .scan.code_points cimport WIDEST, encode, has_surrogate
from .scan.json_escape cimport tw_json_escape
from .scan.json_scanner cimport TW_MORE, tw_json_feed, tw_json_in_escape, tw_json_in_string, tw_json_string_run
from .scan.marker_matcher cimport tw_markers, tw_markers_feed, tw_markers_first, tw_markers_skip, tw_match
from .text cimport BLOCK, TEXT_MODE

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

cdef enum:
    FULL_DEPTH = 1023
    BEYOND_ASCII = 0x80
    MOST_ESCAPED = 6     # bytes that a byte takes at most when it is escaped
    SHORT_PIECE = 16     # bytes; above, the searches of the C layer are faster than one loop
    LONG_PIECE = 4096    # code points; a longer one is worth the whole way, and needs no room for so many times as much


cdef inline bint is_far(const tw_markers *markers, const uint8_t *text, Py_ssize_t count) noexcept:
    """Does the text hold no marker, and end in the head of none?"""
    cdef tw_match match
    match.state = 0
    if <Py_ssize_t>tw_markers_skip(markers, text, count) == count:
        return True
    return tw_markers_feed(markers, &match, text, count) == TW_MORE and match.state == 0


cdef inline bint is_plain(const uint8_t *text, Py_ssize_t count, MarkerTable one, MarkerTable other) noexcept:
    """Do all bytes begin no marker of two tables, and does a JSON string hold all of them as they are?"""
    cdef Py_ssize_t at
    if count > SHORT_PIECE:
        return (
            <Py_ssize_t>tw_json_string_run(text, count) == count
            and <Py_ssize_t>tw_markers_skip(one.markers, text, count) == count
            and <Py_ssize_t>tw_markers_skip(other.markers, text, count) == count
        )
    for at in range(count):
        if not (one.plain[text[at]] and other.plain[text[at]]):
            return False
    return True


cdef inline Py_ssize_t encode_behind(Buffer *buffer, object piece, Py_ssize_t count) except -2:
    """The piece's UTF-8 into the room behind a buffer's bytes: its length, -1 if it is not quite the piece."""
    if not PyUnicode_IS_ASCII(piece):
        return encode_wide(buffer, piece, count)
    buffer_reserve(buffer, count)
    copy_few(buffer.data + buffer.length, <const uint8_t *>PyUnicode_1BYTE_DATA(piece), count)
    return count


cdef Py_ssize_t encode_wide(Buffer *buffer, object piece, Py_ssize_t count) except -2:
    cdef int kind = PyUnicode_KIND(piece)
    if has_surrogate(PyUnicode_DATA(piece), kind, count):
        return -1
    buffer_reserve(buffer, WIDEST * count)
    return encode(PyUnicode_DATA(piece), kind, count, buffer.data + buffer.length)


cdef class Gates(Intake):
    """The gates and what each of them needs at hand."""

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
        self.s.before = <uint8_t>min(char, <Py_UCS4>BEYOND_ASCII)
        return True

    @cython.final
    cdef bint pass_arguments(self, object piece, Py_ssize_t count) except -1:
        """The gate of arguments: true if the scanner agrees with all of the piece and no opener may begin in it."""
        cdef Py_ssize_t length = encode_behind(&self.arguments, piece, count)
        cdef uint8_t *bytes = self.arguments.data + self.arguments.length
        if length < 0 or self.arguments.length + length > self.limits.arguments or not self.scan(bytes, length):
            return False
        self.s.looked += length
        self.s.before = bytes[length - 1]
        self.arguments.length += length
        self.s.sent = self.arguments.length
        return True

    @cython.final
    cdef bint pass_held(self, object piece, Py_ssize_t count) except -1:
        """The gate of arguments that wait for a name: true if they go on waiting, and nothing else happens."""
        cdef Py_ssize_t length
        cdef uint8_t *bytes
        if count > LONG_PIECE:
            return False
        if self.window.length + WIDEST * count > self.window.capacity:
            self.room(WIDEST * count)
        buffer_reserve(&self.arguments, WIDEST * count)
        length = encode_behind(&self.window, piece, count)
        bytes = self.window.data + self.window.length
        if length < 0 or length >= self.limits.arguments_before_name - self.arguments.length:
            return False
        if length >= self.room_before_name() or not self.scan(bytes, length):
            return False
        copy_few(self.arguments.data + self.arguments.length, bytes, length)
        self.arguments.length += length
        self.window.length += length
        self.s.limit += length
        self.s.pos = self.s.source_end = self.s.limit
        self.s.looked += length
        return True

    cdef bint scan(self, const uint8_t *bytes, Py_ssize_t length) noexcept:
        """Does the scanner agree with all of these bytes, and may no opener begin in them? If not, it stays as it was.
        """
        cdef tw_json before
        cdef size_t taken = 0
        cdef bint in_text = tw_json_in_string(self.scanner) and not tw_json_in_escape(self.scanner)
        if in_text and is_plain(bytes, length, self.plan.openers, self.plan.openers):
            return True
        if not is_far(self.plan.openers.markers, bytes, length):
            return False
        before = self.scanner[0]
        if tw_json_feed(self.scanner, bytes, length, &taken) != TW_MORE:
            self.scanner[0] = before
            return False
        return True

    @cython.final
    cdef int pass_value(self, object piece, Py_ssize_t count) except -1:
        """The gate of string values: a Passage."""
        cdef int passage = ITSELF
        cdef Py_ssize_t length, written
        cdef uint8_t *bytes
        cdef uint8_t last
        if count > LONG_PIECE:
            return WHOLE_WAY
        length = written = encode_behind(&self.arguments, piece, count)
        if length < 0 or self.arguments.length + MOST_ESCAPED * length > self.limits.arguments:
            return WHOLE_WAY
        bytes = self.arguments.data + self.arguments.length
        last = bytes[length - 1]
        if self.space_waits and last == c" ":
            return WHOLE_WAY
        if not is_plain(bytes, length, self.closer, self.plan.openers):
            if self.reader.may_end_string(last):
                return WHOLE_WAY
            if not (is_far(self.closer.markers, bytes, length) and is_far(self.plan.openers.markers, bytes, length)):
                return WHOLE_WAY
            buffer_reserve(&self.arguments, (MOST_ESCAPED + 1) * length)
            bytes = self.arguments.data + self.arguments.length
            memcpy(bytes + MOST_ESCAPED * length, bytes, length)
            written = tw_json_escape(bytes + MOST_ESCAPED * length, length, bytes)
            self.escaped = decode(bytes, written)
            passage = ESCAPED
        self.s.looked += length
        self.s.before = last
        self.arguments.length += written
        self.s.sent = self.arguments.length
        return passage

    cdef int open_gate(self) except -1:
        self.gate = SHUT
        if self.finished or self.partial.count or self.deferred is not None:
            return 0
        if self.r.mode == TEXT_MODE:
            if self.s.base == self.s.limit and not (
                self.r.blank or self.r.stray or self.trim or self.r.match.state or self.seeks_payload()
            ):
                self.gate = TEXT_GATE
        elif self.r.mode == BLOCK and self.s.call == SENT and self.s.arguments_open:
            if self.s.base == self.s.limit and not self.s.forgotten:
                if self.sees_scanner():
                    self.gate = ARGUMENTS_GATE
                else:
                    self.closer = self.reader.string_closer()
                    if self.closer is not None:
                        self.space_waits = self.reader.may_end_string(c" ")
                        self.gate = VALUE_GATE
        elif self.r.mode == BLOCK and self.s.call == NO_CALL and not (self.r.trial or self.r.resuming):
            if self.sees_scanner():
                self.gate = HELD_GATE
        return 0

    cdef bint sees_scanner(self) noexcept:
        """Does nothing but the scanner of arguments decide about the next piece?"""
        if self.s.hidden >= 0 or self.s.watch.state or self.limits.depth < FULL_DEPTH:
            return False
        self.scanner = self.reader.strict_scanner()
        return self.scanner != NULL
