"""Values written as bare text: a string goes out escaped as it comes, other types when they are known to be whole.

Theory of operation. `take_value` is given text that is certain to belong to the value; from the end of it, whitespace
that the format's rule may drop is held back. What the schema admits picks how the value is read: as a string at once;
held while the value automaton says that it may yet be another type; or held to its closer. A whole value is decided by
`toolweir.values.decide`, so that there is one table of types. Past `limits.value` nothing is held: what is still viable
goes on as JSON, rewritten byte by byte, all else as a string.
"""

from libc.stddef cimport ptrdiff_t, size_t
from libc.stdint cimport uint8_t
from libc.string cimport memset

from ..outcomes import Reason
from ..scan.byte_class cimport is_json_space
from ..scan.json_escape cimport tw_json_escape_byte
from ..scan.json_scanner cimport (
    TW_DEPTH, TW_INVALID, TW_JSON_DEPTH, tw_json_depth, tw_json_end, tw_json_feed, tw_json_in_escape, tw_json_in_string,
    tw_json_string_run,
)
from ..scan.value_automaton cimport AFTER_VALUE, BEFORE_VALUE, IN_JSON, viability_begin, viability_feed
from ..values import decide
from .turn cimport BROKEN, ON, Reader, Turn

cdef enum:             # the bits of schema.py
    STRING = 1
    NULL_BIT = 16
    OBJECT = 32
    ARRAY = 64
    NO_SCHEMA = 128


cdef class RawValueReader(Reader):

    cdef int broken(self, Turn turn, object reason) except -1:
        turn.reason = reason
        return BROKEN

    cdef int open_value(self, Turn turn, object types) except -1:
        """A value begins at `turn.s.pos`. `types`: its ValueTypes, None for a string whatever the schema says."""
        cdef unsigned mask = STRING if types is None else types.mask
        cdef unsigned others = mask & ~<unsigned>(STRING | NO_SCHEMA)
        self.types = types
        memset(&self.raw, 0, sizeof(self.raw))
        self.raw.head = True
        self.raw.start = turn.s.pos
        self.raw.edge = self.edge
        if mask & STRING and self.prefer == "glm" and types is not None and types.strings is None:
            others &= NULL_BIT
        if others == 0:
            self.becomes_string(turn)
        else:
            self.raw.kind = UNDECIDED if mask & STRING else HELD_WHOLE
            viability_begin(&self.raw.viability, others | (mask & (STRING | NO_SCHEMA)), turn.strict)
        return 0

    cdef int becomes_string(self, Turn turn) except -1:
        self.raw.kind = AS_STRING
        return self.open_string(turn)

    cdef int open_string(self, Turn turn) except -1:
        if not self.raw.opened:
            self.raw.opened = True
            turn.argue(<const uint8_t *>b'"', 1, turn.s.pos, turn.s.pos)
        return 0

    cdef Py_ssize_t sure_end(self, Turn turn, Py_ssize_t upto) noexcept:
        """Where the value's text ends for sure: behind it is whitespace that may be dropped."""
        cdef Py_ssize_t end = upto
        cdef const uint8_t *data = turn.data - turn.s.base
        if self.raw.edge == ONE_NEWLINE:
            return end - (end > turn.s.pos and data[end - 1] == c"\n")
        if self.raw.edge == TRIM:
            while end > turn.s.pos and is_json_space(data[end - 1]):
                end -= 1
            if end > turn.s.pos:
                self.raw.loose = False
            if self.raw.loose or upto - end > turn.limits.whitespace:
                self.raw.loose = True
                end = upto
        return end

    cdef int take_value(self, Turn turn, Py_ssize_t upto) except -1:
        """The text up to `upto` belongs to the value."""
        cdef const uint8_t *data = turn.data - turn.s.base
        cdef Py_ssize_t end
        if self.raw.head:
            if self.raw.edge == NEWLINE_PAIR and turn.s.pos < upto:
                self.raw.edge = ONE_NEWLINE if data[turn.s.pos] == c"\n" else KEEP
            while turn.s.pos < upto and self.raw.edge != KEEP and self.raw.head:
                self.raw.head = self.raw.edge == TRIM and is_json_space(data[turn.s.pos])
                if not (self.raw.head or (self.raw.edge == ONE_NEWLINE and data[turn.s.pos] == c"\n")):
                    break
                turn.s.pos += 1
            if self.raw.edge == KEEP:
                self.raw.head = False
            self.raw.start = turn.s.pos
        end = self.sure_end(turn, upto)
        if self.raw.kind == UNDECIDED or self.raw.kind == HELD_WHOLE:
            self.judge(turn, end)
            if end < turn.s.limit and (self.raw.kind == UNDECIDED or self.raw.kind == HELD_WHOLE):
                self.judge_both(turn, end, min(upto + 1, turn.s.limit))
        if self.raw.kind == AS_STRING:
            turn.argue_escaped(turn.s.pos, end)
            turn.s.pos = end
        elif self.raw.kind == AS_JSON:
            return self.rewrite(turn, end)
        return ON

    cdef int judge(self, Turn turn, Py_ssize_t upto) except -1:
        """Is it settled what the held value is?"""
        cdef const uint8_t *text = turn.data + (self.raw.start - turn.s.base)
        cdef Py_ssize_t end = min(upto - self.raw.start, turn.limits.value + 1)
        cdef uint8_t first
        cdef bint viable
        if end <= self.raw.judged:
            return 0
        if self.stream_values and self.raw.kind == HELD_WHOLE and self.raw.viability.phase == BEFORE_VALUE:
            self.raw.judged = first_visible(text, self.raw.judged, end)
            if self.raw.judged == end:
                return 0
            if (text[self.raw.judged] == c"{" and self.raw.viability.mask & OBJECT) or (
                text[self.raw.judged] == c"[" and self.raw.viability.mask & ARRAY
            ):
                self.raw.kind = AS_JSON
                return 0
        viable = viability_feed(&self.raw.viability, text, self.raw.judged, end)
        self.raw.judged = end
        if viable and self.raw.viability.quoted:
            self.open_string(turn)
        if not viable and self.raw.kind == HELD_WHOLE and not self.raw.python:
            first = text[first_visible(text, 0, end)]
            self.raw.python = (first == c"{" and self.raw.viability.mask & OBJECT) or (
                (first == c"[" or first == c"(") and self.raw.viability.mask & ARRAY
            )
        if end > turn.limits.value:
            if self.raw.viability.phase == IN_JSON or (
                self.raw.viability.phase == AFTER_VALUE and self.raw.viability.word == NULL
            ):
                self.goes_on_as_json(turn)
            else:
                self.becomes_string(turn)
        elif not (viable or self.raw.python):
            self.becomes_string(turn)
        return 0

    cdef bint may_be_blank(self) noexcept:
        """May nothing visible be something else than a string?"""
        return False

    cdef int judge_both(self, Turn turn, Py_ssize_t sure, Py_ssize_t next) except -1:
        """The value ends at `sure`, or it goes on with the text up to `next`: is it a string in both cases?"""
        cdef Viability longer = self.raw.viability
        cdef tw_json ended = self.raw.viability.scanner
        cdef const uint8_t *text = turn.data + (self.raw.start - turn.s.base)
        if self.raw.python or self.raw.viability.phase == AFTER_VALUE:
            return 0
        if self.raw.viability.phase == BEFORE_VALUE and self.may_be_blank():
            return 0
        if self.raw.viability.phase == IN_JSON and tw_json_end(&ended) >= 0:
            return 0
        if viability_feed(&longer, text, sure - self.raw.start, next - self.raw.start):
            return 0
        return self.becomes_string(turn)

    cdef int goes_on_as_json(self, Turn turn) except -1:
        """Too long to hold: what is viable is sent as it comes."""
        cdef size_t taken = 0
        self.raw.kind = AS_JSON
        if self.raw.opened:
            turn.s.pos = first_visible(turn.data - turn.s.base, turn.s.pos, turn.s.limit) + 1
            tw_json_feed(&self.raw.scanner, <const uint8_t *>b'"', 1, &taken)
        return 0

    cdef int rewrite(self, Turn turn, Py_ssize_t upto) except -1:
        """JSON goes out as it comes, without the whitespace between its tokens."""
        cdef const uint8_t *data = turn.data - turn.s.base
        cdef uint8_t out[6]
        cdef size_t taken = 0
        cdef Py_ssize_t count
        cdef ptrdiff_t found
        cdef uint8_t byte
        while turn.s.pos < upto:
            byte = data[turn.s.pos]
            if tw_json_in_string(&self.raw.scanner):
                if not tw_json_in_escape(&self.raw.scanner):
                    count = tw_json_string_run(data + turn.s.pos, upto - turn.s.pos)
                    if count:
                        tw_json_feed(&self.raw.scanner, data + turn.s.pos, count, &taken)
                        turn.argue(data + turn.s.pos, count, turn.s.pos, turn.s.pos + count)
                        turn.s.pos += count
                        continue
                    if byte < 0x20:
                        if turn.strict:
                            return self.broken(turn, Reason.CONTROL_CHARACTER)
                        turn.argue(out, tw_json_escape_byte(byte, out), turn.s.pos, turn.s.pos + 1)
                        turn.s.pos += 1
                        continue
            elif tw_json_depth(&self.raw.scanner) >= TW_JSON_DEPTH - 1 and (byte == c"{" or byte == c"["):
                return self.broken(turn, Reason.DEPTH)
            found = tw_json_feed(&self.raw.scanner, data + turn.s.pos, 1, &taken)
            if found == TW_INVALID or found == TW_DEPTH or (found >= 0 and taken == 0 and not is_json_space(byte)):
                return self.broken(turn, Reason.JSON)
            if tw_json_in_string(&self.raw.scanner) or not is_json_space(byte):
                out[0] = byte
                out[1] = c" "
                count = 1
                if self.spaced and (byte == c"," or byte == c":") and not tw_json_in_string(&self.raw.scanner):
                    count = 2
                turn.argue(out, count, turn.s.pos, turn.s.pos + 1)
            turn.s.pos += 1
        return ON

    cdef int close_value(self, Turn turn, Py_ssize_t end) except -1:
        """The value's closer begins at `end`."""
        cdef int answer = self.take_value(turn, end)
        cdef Py_ssize_t sure
        if answer != ON:
            return answer
        if self.raw.kind == AS_STRING:
            turn.argue(<const uint8_t *>b'"', 1, end, end)
        elif self.raw.kind == AS_JSON:
            if tw_json_end(&self.raw.scanner) < 0:
                return self.broken(turn, Reason.JSON)
        else:
            sure = self.sure_end(turn, end)
            json = decide(
                turn.text(self.raw.start, sure), self.types, prefer=self.prefer, style=self.style, strict=turn.strict,
                integers=self.integers,
            ).encode("utf-8", "replace")
            json = json[self.raw.opened :]
            turn.argue(<const uint8_t *><const char *>(<bytes>json), len(json), self.raw.start, end)
        turn.s.pos = end
        return ON


cdef Py_ssize_t first_visible(const uint8_t *text, Py_ssize_t at, Py_ssize_t end) noexcept:
    while at < end and is_json_space(text[at]):
        at += 1
    return at
