"""Calls whose name (and id) stands in a header, followed by JSON that ends by itself.

Theory of operation. Behind the opener comes a fixed text if the format has one, then the name, ended by a separator,
by whitespace, or by the arguments' brace where the format allows that. The call starts at the first byte of its
arguments: until then the header may turn out to be prose, and then the opener is a stray tag.

Options of an opener: `separators` (pairs of text and what follows it, "arguments" or "id"), `lead` (a fixed text
before the name), `tail` (one behind the arguments; behind a separator it means that there are none), `bare_body` (the
arguments may follow the name directly), `bare_header` (another header may follow a call directly), `counted` (the
name ends in a colon and a number), `one_tag` (the opener and the header are one tag, up to the separator),
`text_names` (a line that holds one of them is a header of text, not of a call), `native_ids`.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from ..outcomes import CallStatus, Reason
from ..scan.byte_class cimport is_bracket, is_json_space
from .arguments cimport begins_value
from .header cimport HeaderReader, NO_MARKER
from .plan cimport MarkerTable
from .turn cimport BARE, DONE, MORE, ON, REJECTED, RESUMED, Reader, STRAYED, TEXT, Turn, WEAK

COMPLETE = CallStatus.COMPLETE

ROLES = ("arguments", "id")

cdef enum:
    ID_FOLLOWS = 1     # the index of "id" in it


cdef class HeaderJsonReader(HeaderReader):

    def __init__(self, *, separators=(), lead="", tail="", bare_body=False, bare_header=False, counted=False,
                 one_tag=False, text_names=(), native_ids=False, **_):
        self.markers = MarkerTable([(text, 0, ROLES.index(role)) for text, role in separators])
        self.lead = lead.encode()
        self.tail = tail.encode()
        self.bare_body = bare_body
        self.bare_header = bare_header
        self.counted = counted
        self.one_tag = one_tag
        self.text_names = frozenset(text_names)
        self.native_ids = native_ids

    cdef Reader copy(self):
        cdef HeaderJsonReader other = HeaderJsonReader.__new__(HeaderJsonReader)
        self.copy_header(other)
        other.h, other.lead = self.h, self.lead
        other.bare_body, other.bare_header = self.bare_body, self.bare_header
        other.counted, other.native_ids = self.counted, self.native_ids
        other.one_tag, other.text_names = self.one_tag, self.text_names
        return other

    cdef bint accepts(self, Turn turn, uint8_t first):
        if self.lead:
            return first == <uint8_t>self.lead[0]
        return not is_json_space(first) and not is_bracket(first)

    cdef int begin(self, Turn turn) except -1:
        memset(&self.v, 0, sizeof(self.v))
        return self.begin_header(turn, LEAD if self.lead else NAME)

    cdef int begin_header(self, Turn turn, Part part) except -1:
        memset(&self.h, 0, sizeof(self.h))
        self.clear_header()
        self.h.part = part
        self.h.header = turn.s.pos
        return 0

    cdef int step(self, Turn turn) except -1:
        cdef uint8_t byte
        cdef int answer
        while turn.s.pos < turn.s.limit:
            byte = turn.data[turn.s.pos - turn.s.base]
            if self.h.part == JSON_BODY:
                answer = self.read_value(turn)
            elif self.h.part < JSON_BODY and turn.s.pos - self.h.header >= turn.limits.header:
                answer = self.broken(turn, Reason.LIMIT)
            elif self.h.part == NAME or self.h.part == ID:
                answer = self.read_header(turn, byte)
            elif self.h.part == LEAD:
                answer = self.read_lead(turn, byte)
            elif self.h.part == BODY:
                answer = self.body(turn, byte)
            else:
                answer = self.after_body(turn, byte)
            if answer != ON:
                return answer
        return MORE

    # The header

    cdef int misfit(self, Turn turn) except -1:
        """This is no header. An opener before it is a stray tag; behind a call the block is over."""
        if self.h.follows:
            return self.leave(turn)
        if turn.s.place == BARE or turn.s.place == WEAK:
            return REJECTED
        turn.back_to(self.h.separated_at if self.one_tag and self.h.separated else turn.s.block)
        return STRAYED

    cdef int leave(self, Turn turn) except -1:
        turn.s.pos = turn.s.text_from if self.h.part < JSON_BODY else self.head.after
        return DONE

    cdef int read_lead(self, Turn turn, uint8_t byte) except -1:
        if byte != <uint8_t>self.lead[self.h.matched]:
            return self.misfit(turn)
        turn.s.pos += 1
        self.h.matched += 1
        if self.h.matched == len(self.lead):
            self.h.part = NAME
        return ON

    cdef int read_header(self, Turn turn, uint8_t byte) except -1:
        """One more byte of the name or the id; both end at a separator, at whitespace, or at a brace."""
        cdef int role = self.take(byte)
        cdef Py_ssize_t sure = self.sure()
        if role != NO_MARKER:
            turn.s.pos += 1
            return self.separated_by(turn, role)
        while self.head.checked < sure:
            byte = self.text.data[self.head.checked]
            if byte == c"{" and self.bare_body and self.head.checked + 1 == self.text.length:
                self.text.length -= 1
                return self.separated_by(turn, NO_MARKER)
            if is_json_space(byte):
                if byte == c"\n" and not self.h.ended and self.written(0, self.head.checked) in self.text_names:
                    if turn.s.place == RESUMED:  # only a call ends a broken one
                        return self.misfit(turn)
                    turn.s.pos += 1
                    return DONE
                if not self.h.ended and turn.s.place == WEAK and self.names_no_tool(turn):
                    return self.misfit(turn)
                self.h.ended = True
            elif self.h.ended or is_bracket(byte):
                return self.misfit(turn)
            self.head.checked += 1
        if turn.s.place == BARE and not self.may_be_header(turn):
            return self.misfit(turn)
        turn.s.pos += 1
        return ON

    cdef bint may_be_header(self, Turn turn) except -1:
        """Without an opener: may this become a declared name, or one that opens text?"""
        if self.may_be_declared(turn, self.text.data, self.text.length):
            return True
        written = self.written(0, self.text.length)
        return any([name.startswith(written) for name in self.text_names])

    cdef bint names_no_tool(self, Turn turn) except -1:
        """Behind a weak opener: is the name that whitespace ends that of no tool?"""
        if self.h.part != NAME or turn.tools is None:
            return False
        self.h.name_length = self.head.checked
        return turn.tools.resolve(self.name(turn)) is None

    cdef int separated_by(self, Turn turn, int role) except -1:
        """The name or the id is complete."""
        if self.h.part == NAME:
            self.h.name_length = self.text.length
        elif self.native_ids:
            turn.native_id = self.written(self.h.name_length, self.text.length).strip().encode()
        if not self.name(turn):
            return self.misfit(turn)
        self.h.part = ID if role == ID_FOLLOWS else BODY
        self.h.separated = role != NO_MARKER
        self.h.separated_at = turn.s.pos
        self.h.ended = False
        self.head.checked = self.text.length
        return ON

    cdef str name(self, Turn turn):
        name = self.written(0, self.h.name_length).strip()
        if self.counted:
            if self.native_ids:
                turn.native_id = name.encode()
            plain, colon, number = name.rpartition(":")
            if colon and number.isdigit():
                name = plain
            name = name.removeprefix("functions.")
        return name

    # Arguments

    cdef int body(self, Turn turn, uint8_t first) except -1:
        """The first byte of the arguments shows that this is a call; where there are none, the tail does."""
        cdef int answer
        if self.h.separated and self.at_tail(turn, first):
            if self.v.tailed < len(self.tail):
                return ON
            answer = self.call_begins(turn)
            if answer == ON:
                self.no_arguments(turn)
                turn.end_call(COMPLETE, None)
                return DONE
            return answer
        if self.v.tailed:
            return self.misfit(turn)
        if is_json_space(first):
            turn.s.pos += 1
            return ON
        if first != c"{" and not (self.h.separated and begins_value(first)):
            return self.misfit(turn)
        answer = self.call_begins(turn)
        return self.open_arguments(turn, first) if answer == ON else answer

    cdef int call_begins(self, Turn turn) except -1:
        if not turn.start_call(self.name(turn)):
            return self.leave(turn) if self.h.follows else REJECTED
        self.v.named = True
        self.h.part = JSON_BODY
        return ON

    cdef int value_over(self, Turn turn) except -1:
        self.h.part = AFTER_BODY
        return self.call_over(turn)

    cdef int after_body(self, Turn turn, uint8_t byte) except -1:
        """Behind the arguments: the tail, another header, or the end of the block."""
        if self.at_tail(turn, byte):
            if self.v.tailed < len(self.tail):
                return ON
            self.head.after = turn.s.pos
            return self.leave(turn)
        if self.v.tailed:
            return self.leave(turn)
        if is_json_space(byte) and turn.s.pos - self.head.after < turn.limits.whitespace:
            turn.s.pos += 1
            return ON
        if byte == c"}" or byte == c"]":
            return self.broken(turn, Reason.ENVELOPE)
        if not self.bare_header or not self.accepts(turn, byte):
            return self.leave(turn)
        if turn.s.call != TEXT:  # else the text up to here goes out with the call that is text
            turn.s.text_from = self.head.after
        turn.open_block(BARE, turn.s.pos)
        self.v.named = self.v.whole = False
        self.begin_header(turn, NAME)
        self.h.follows = True
        return ON

    cdef int end(self, Turn turn) except -1:
        if self.h.part == AFTER_BODY:
            turn.s.pos = self.head.after
        return 0
