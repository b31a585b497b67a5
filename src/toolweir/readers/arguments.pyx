"""Arguments written as JSON: an object that goes out as it is written, or a string that holds one.

Theory of operation. The strict scanner reads the value and says where it ends or breaks. An object's bytes are sent as
they come. A string (models encode arguments twice) is decoded first and goes the same way; null and a blank string mean
no arguments. A raw control character inside a string is the one thing that is mended: it goes out escaped. Before the
call's name is known nothing goes out, and no more than `limits.arguments_before_name` is held.
"""

from libc.stddef cimport ptrdiff_t, size_t
from libc.stdint cimport uint8_t
from libc.string cimport memset

from ..outcomes import Reason
from ..scan.byte_class cimport is_json_space
from ..scan.json_escape cimport tw_json_escape_byte, tw_unescape_byte, tw_unescape_end, tw_unescape_pending
from ..scan.json_scanner cimport (
    TW_INVALID, TW_MORE, tw_json_depth, tw_json_in_escape, tw_json_in_string, tw_json_string_run,
)
from .stretches cimport scan_json
from .turn cimport BROKEN, ON, Reader, Turn

CONTROL_CHARACTER_WARNING = "control_character"

cdef enum:
    DEEPEST = 1023     # what the scanner has room for


cdef class ArgumentsReader(Reader):
    """Base of the readers whose calls carry JSON; a subclass says what happens when a value is over."""

    cdef int value_over(self, Turn turn) except -1:
        """The open value ended at `turn.s.pos`; the answer is a Step or ON."""
        return ON

    cdef tw_json *strict_scanner(self) noexcept:
        return &self.v.scanner if self.v.kind == ARGUMENTS else NULL

    cdef bint asked(self, Turn turn, Py_ssize_t pos) noexcept:
        """JSON asks for a double quote that no backslash escapes, and for no other quote."""
        cdef Py_ssize_t at = pos
        while turn.byte_before(at) == c"\\":
            at -= 1
        return turn.data[pos - turn.s.base] == c'"' and (pos - at) % 2 == 0

    cdef int broken(self, Turn turn, object reason) except -1:
        turn.reason = reason
        return BROKEN

    cdef int control_character(self, Turn turn) except -1:
        if turn.strict:
            return self.broken(turn, Reason.CONTROL_CHARACTER)
        turn.warn(CONTROL_CHARACTER_WARNING)
        return ON

    cdef int open_ignored(self) except -1:
        memset(&self.v.scanner, 0, sizeof(self.v.scanner))
        self.v.kind = IGNORED
        return ON

    cdef int open_arguments(self, Turn turn, uint8_t first) except -1:
        """The value at `pos` is the call's arguments, by its first byte."""
        self.open_ignored()
        if first == c"{":
            self.v.kind = ARGUMENTS
        elif first == c'"':
            memset(&self.v.unescape, 0, sizeof(self.v.unescape))
            self.v.decoded = BEFORE_OBJECT
            self.v.kind = ENCODED
            turn.s.pos += 1
        elif first == c"n":
            self.v.kind = NULL_VALUE
        else:
            self.v.kind = NOTHING
            return self.broken(turn, Reason.NOT_AN_OBJECT)
        return ON

    cdef int no_arguments(self, Turn turn) except -1:
        turn.argue(<const uint8_t *>b"{}", 2, turn.s.pos, turn.s.pos)
        self.v.whole = True
        return ON

    cdef int read_value(self, Turn turn) except -1:
        return self.read_encoded(turn) if self.v.kind == ENCODED else self.read_json(turn)

    cdef int read_json(self, Turn turn) except -1:
        """A value that the strict scanner reads; arguments go out as they come."""
        cdef const uint8_t *at = turn.data + (turn.s.pos - turn.s.base)
        cdef size_t left = turn.s.limit - turn.s.pos
        cdef size_t taken = 0
        cdef ptrdiff_t found
        cdef uint8_t escape[6]
        cdef bint arguments = self.v.kind == ARGUMENTS
        if arguments and not self.v.named:
            if turn.arguments.length >= turn.limits.arguments_before_name:
                return self.broken(turn, Reason.LIMIT)
            left = min(left, <size_t>(turn.limits.arguments_before_name - turn.arguments.length))
        if not self.v.named:
            left = min(left, <size_t>turn.room_before_name())
        if turn.limits.depth < DEEPEST:  # the scanner knows only its own limit: it is asked about each byte
            if tw_json_depth(&self.v.scanner) >= turn.limits.depth and (at[0] == c"{" or at[0] == c"["):
                if not tw_json_in_string(&self.v.scanner):
                    return self.broken(turn, Reason.DEPTH)
            left = 1
        found = scan_json(&self.v.scanner, at, left, &taken)
        turn.watch(turn.s.pos, turn.s.pos + taken)
        if arguments:
            turn.argue(at, taken, turn.s.pos, turn.s.pos + taken)
        turn.s.pos += taken
        if found >= 0:
            if self.v.kind == NULL_VALUE:
                self.no_arguments(turn)
            elif arguments:
                self.v.whole = True
            self.v.kind = NOTHING
            return self.value_over(turn)
        if found == TW_MORE:
            return ON
        if found != TW_INVALID:
            return self.broken(turn, Reason.DEPTH)
        at += taken
        if at[0] >= 0x20 or not tw_json_in_string(&self.v.scanner) or tw_json_in_escape(&self.v.scanner):
            return self.broken(turn, Reason.JSON)
        if self.control_character(turn) == BROKEN:
            return BROKEN
        if arguments:
            turn.argue(escape, tw_json_escape_byte(at[0], escape), turn.s.pos, turn.s.pos + 1)
        turn.s.pos += 1
        return ON

    cdef int read_encoded(self, Turn turn) except -1:
        """Arguments inside a string: what the string says goes the way of arguments that are an object."""
        cdef const uint8_t *at = turn.data + (turn.s.pos - turn.s.base)
        cdef Py_ssize_t start = turn.s.pos
        cdef Py_ssize_t run = 0
        cdef uint8_t out[12]
        cdef int count
        if not self.v.named and turn.arguments.length >= turn.limits.arguments_before_name and at[0] != c'"':
            return self.broken(turn, Reason.LIMIT)
        if not tw_unescape_pending(&self.v.unescape):
            run = turn.s.limit - turn.s.pos
            if not self.v.named:
                run = min(run, turn.limits.arguments_before_name - turn.arguments.length, turn.room_before_name())
            run = tw_json_string_run(at, run)
        if run:
            turn.watch(start, start + run)
            return self.decoded(turn, at, run, start, start + run)
        if at[0] == c'"' and self.v.unescape.state == 0:
            count = tw_unescape_end(&self.v.unescape, out, True)
            count = self.decoded(turn, out, count, self.escape_start(turn), start) if count else ON
            if count != ON:
                return count
            if self.v.decoded == INSIDE_OBJECT:
                return self.broken(turn, Reason.JSON)
            turn.s.pos += 1
            if self.v.decoded == BEFORE_OBJECT:
                self.no_arguments(turn)
            self.v.whole = True
            self.v.kind = NOTHING
            return self.value_over(turn)
        if at[0] < 0x20 and self.v.unescape.state == 0 and self.control_character(turn) == BROKEN:
            return BROKEN
        count = tw_unescape_byte(&self.v.unescape, at[0], out, True)
        if count == 0:
            if turn.s.held_from < 0:
                turn.s.held_from = start
            turn.s.pos += 1
            return ON
        turn.s.pos = self.escape_start(turn)
        if count == TW_INVALID:
            return self.broken(turn, Reason.JSON)
        return self.decoded(turn, out, count, turn.s.pos, start + 1)

    cdef Py_ssize_t escape_start(self, Turn turn) noexcept:
        """Where the byte or the escape at `pos` began; an escape is held until it can be decoded."""
        cdef Py_ssize_t start = turn.s.pos if turn.s.held_from < 0 else turn.s.held_from
        turn.s.held_from = -1
        return start

    cdef int decoded(
        self, Turn turn, const uint8_t *bytes, Py_ssize_t count, Py_ssize_t start, Py_ssize_t end
    ) except -1:
        """Decoded bytes, which stand at [start, end) of the input; moves the position behind what was taken."""
        cdef Py_ssize_t i = 0
        cdef size_t taken = 0
        cdef uint8_t escape[6]
        cdef ptrdiff_t found
        cdef bint verbatim = end - start == count
        while i < count:
            turn.s.pos = start + i if verbatim else start
            if self.v.decoded != INSIDE_OBJECT:
                if is_json_space(bytes[i]):
                    i += 1
                    continue
                if bytes[i] != c"{" or self.v.decoded == AFTER_OBJECT:
                    return self.broken(turn, Reason.NOT_AN_OBJECT)
                self.v.decoded = INSIDE_OBJECT
            if tw_json_depth(&self.v.scanner) >= turn.limits.depth and (bytes[i] == c"{" or bytes[i] == c"["):
                if not tw_json_in_string(&self.v.scanner):
                    return self.broken(turn, Reason.DEPTH)
            found = scan_json(&self.v.scanner, bytes + i, 1 if turn.limits.depth < DEEPEST else count - i, &taken)
            turn.argue(bytes + i, taken, turn.s.pos, (start + i + <Py_ssize_t>taken) if verbatim else end)
            i += taken
            if found >= 0:
                self.v.decoded = AFTER_OBJECT
            if found >= 0 or found == TW_MORE:
                continue
            turn.s.pos = start + i if verbatim else start
            if found != TW_INVALID:
                return self.broken(turn, Reason.DEPTH)
            if bytes[i] >= 0x20 or not tw_json_in_string(&self.v.scanner) or tw_json_in_escape(&self.v.scanner):
                return self.broken(turn, Reason.JSON)
            if self.control_character(turn) == BROKEN:
                return BROKEN
            turn.argue(
                escape, tw_json_escape_byte(bytes[i], escape), turn.s.pos, turn.s.pos + 1 if verbatim else end
            )
            i += 1
        turn.s.pos = end
        return ON

    # Around the arguments

    cdef bint at_tail(self, Turn turn, uint8_t byte) noexcept:
        """Takes this byte if the tail goes on with it."""
        if self.v.tailed == len(self.tail) or byte != <uint8_t>self.tail[self.v.tailed]:
            return False
        self.v.tailed += 1
        turn.s.pos += 1
        return True

    cdef bint may_be_declared(self, Turn turn, const uint8_t *written, Py_ssize_t length) except -1:
        """Where no opener vouches for a call: may this still become a declared name, or is it one?"""
        if turn.tools is None:
            return True
        text = (<const char *>written)[:length].decode("utf-8", "replace").rstrip() if length else ""
        return any([name.startswith(text) or text.startswith(name) for name in turn.tools.names])
