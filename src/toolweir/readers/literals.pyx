"""Calls written like Python's, `f(a='x', b=[1, None])`, or with braces, `call:f{a:'x',b:[1,null]}`.

Theory of operation. One switch over what is due. Between the opener and the name's bracket nothing is a call; with the
bracket the call starts, and its arguments go out while they come (literal_value.pyx says how). Several calls may stand
in one block: in a list, or one a line. The call that a closed bracket ends is complete, whatever becomes of the list.

A block without an opener is one only while its name may become a declared one; then all of it is text again.

Options of an opener:

    bracketed        True where the calls stand in square brackets, with commas between them
    braces           True where arguments stand in braces, with a colon behind the key: no sets, tuples, comments
    lead             a fixed text before the name
    delimiter        a text around strings, beside quotes
    delimiter_text   what a delimiter inside a string stands for
    block_end        the block's closer, which also closes arguments whose own bracket is missing
    json             True where the list may also hold JSON objects
"""

from libc.stdint cimport uint8_t
from libc.string cimport memset
from cpython.bytes cimport PyBytes_GET_SIZE

from ..outcomes import CallStatus, Reason
from ..scan.byte_class cimport is_space
from ..scan.json_scanner cimport tw_json
from ..transcode import quote
from .buffer cimport buffer_copy
from .json_object cimport JsonObjectReader
from .literal_value cimport (
    AFTER_CALL, AFTER_VALUE, ARGUMENTS, IN_KEY, IN_NAME, IN_STRING, IN_WORD, KEY_DUE, LEAD_DUE, LIST_DUE,
    LiteralValueReader, NAME_DUE, SEPARATOR_DUE, VALUE_DUE, is_name_byte,
)
from .plan cimport MarkerTable
from .turn cimport BARE, DONE, HELD, IN_THOUGHT, MORE, NATIVE, ON, REJECTED, RESUMED, Reader, STRAYED, Turn

COMPLETE = CallStatus.COMPLETE

NAMESPACE = "functions."


cdef class LiteralsReader(LiteralValueReader):

    def __init__(
        self, *, bracketed=False, braces=False, lead="", delimiter="", delimiter_text="", block_end="", json=False,
        argument_style="compact", **_,
    ):
        self.bracketed = bracketed
        self.braces = braces
        self.lead = lead.encode()
        self.delimiter = delimiter.encode()
        self.delimiter_text = quote(delimiter_text).removeprefix('"').removesuffix('"').encode()
        self.delimiters = MarkerTable([(delimiter, 0, 0)] if delimiter else [])
        self.block_end = block_end.encode()
        self.json = JsonObjectReader() if json else None
        self.comma = b", " if argument_style == "spaced" else b","
        self.colon = b": " if argument_style == "spaced" else b":"

    cdef Reader copy(self):
        cdef LiteralsReader other = LiteralsReader.__new__(LiteralsReader)
        other.l, other.q = self.l, self.q
        other.bracketed, other.braces = self.bracketed, self.braces
        other.lead, other.block_end = self.lead, self.block_end
        other.delimiter, other.delimiter_text, other.delimiters = self.delimiter, self.delimiter_text, self.delimiters
        other.comma, other.colon = self.comma, self.colon
        other.json = None if self.json is None else self.json.copy()
        buffer_copy(&other.pending, &self.pending)
        buffer_copy(&other.open, &self.open)
        return other

    cdef bint accepts(self, Turn turn, uint8_t first):
        if self.bracketed:
            return first == c"["
        return first == self.lead[0] if self.lead else is_name_byte(first)

    cdef bint asked(self, Turn turn, Py_ssize_t pos) noexcept:
        """Strings begin and end with a quote; some delimiters hold one."""
        cdef Py_ssize_t before = pos - 1, after = pos + 1, at
        cdef const uint8_t *text = turn.data - turn.s.base
        if self.l.in_json:
            return self.json.asked(turn, pos)
        for at in range(PyBytes_GET_SIZE(self.delimiter)):
            if pos - at >= turn.s.base and self.matches(turn, pos - at, self.delimiter) == 1:
                return True
        while before > turn.s.block and is_space(text[before]):
            before -= 1
        while after < turn.s.limit and is_space(text[after]):
            after += 1
        return text[before] in b"=:,([{" or after == turn.s.limit or text[after] in b",:)]}"

    cdef tw_json *strict_scanner(self) noexcept:
        return self.json.strict_scanner() if self.l.in_json else NULL

    cdef MarkerTable string_closer(self):
        if self.l.in_json or self.l.due != IN_STRING or self.q.head or self.q.deferred or self.q.ahead:
            return None
        return self.stops()

    cdef int begin(self, Turn turn) except -1:
        memset(&self.l, 0, sizeof(self.l))
        self.begin_call(turn)
        if self.bracketed:
            self.l.due = LIST_DUE
        return 0

    cdef int begin_call(self, Turn turn) except -1:
        memset(&self.q, 0, sizeof(self.q))
        self.open.length = self.pending.length = 0
        self.l.due = LEAD_DUE if self.lead else NAME_DUE
        self.l.since = turn.s.pos
        self.l.name_end = self.l.parameters = 0
        return 0

    cdef int step(self, Turn turn) except -1:
        cdef int answer
        if self.l.in_json:
            return self.json.step(turn)
        self.l.watched = turn.s.pos
        answer = self.read(turn)
        if self.open.length:
            turn.watch(self.l.watched, turn.s.pos)
        if self.l.in_json:
            turn.s.held_from = -1  # the list's bracket, while it could be a list of literals
            return self.json.step(turn)
        turn.s.held_from = turn.s.pos if answer == MORE and turn.s.pos < turn.s.limit else -1
        if self.l.due == AFTER_CALL:
            turn.s.held_from = self.l.after
        return answer

    cdef int read(self, Turn turn) except -1:
        cdef uint8_t byte
        cdef int answer = ON
        while answer == ON:
            if self.pending.length > turn.limits.value:
                return self.broken(turn, Reason.LIMIT)
            if turn.s.pos == turn.s.limit or (self.l.due >= KEY_DUE and self.skip_blank(turn)):
                return MORE
            byte = turn.data[turn.s.pos - turn.s.base]
            if self.l.due == IN_STRING:
                answer = self.read_string(turn)
            elif self.l.due == IN_WORD:
                answer = self.read_word(turn)
            elif self.l.due == IN_KEY:
                answer = self.read_key(turn)
            elif self.l.due == VALUE_DUE:
                answer = self.value_due(turn, byte)
            elif self.l.due == AFTER_VALUE:
                answer = self.after_value(turn, byte)
            elif self.l.due == KEY_DUE:
                answer = self.key_due(turn, byte)
            elif self.l.due == SEPARATOR_DUE:
                answer = self.separator_due(turn, byte)
            elif self.l.due == IN_NAME:
                answer = self.read_name(turn)
            elif self.l.due == NAME_DUE:
                answer = self.name_due(turn, byte)
            elif self.l.due == LEAD_DUE:
                answer = self.read_lead(turn)
            elif self.l.due == LIST_DUE:
                answer = self.open_list(turn)
            else:
                answer = self.after_call(turn, byte)
        return answer

    cdef int end(self, Turn turn) except -1:
        """The text ended: that is as good as a comma behind a quote; what stands behind the last call is text."""
        if self.l.in_json:
            return self.json.end(turn)
        if self.l.due == AFTER_CALL:
            turn.s.pos = self.l.after
        elif self.l.due == IN_STRING and self.q.ahead:
            self.put(turn, <const uint8_t *>b'"', 1, turn.s.pos, turn.s.limit)
        return 0

    # The header

    cdef int misfit(self, Turn turn) except -1:
        """No call begins here. Behind an opener that is a stray tag, without one text, in a list of calls an error."""
        if turn.s.place == BARE or turn.s.place == IN_THOUGHT:
            if not self.l.later:
                return REJECTED
            turn.s.pos = self.l.after
            return DONE
        if self.l.later:
            return self.broken(turn, Reason.HEADER)
        turn.back_to(turn.s.block)
        return STRAYED

    cdef int open_list(self, Turn turn) except -1:
        """The calls' bracket: what stands behind it?"""
        cdef Py_ssize_t at = max(turn.s.pos + 1, self.q.ahead)
        cdef uint8_t byte
        while at < turn.s.limit and is_space(turn.data[at - turn.s.base]) and at - turn.s.pos <= turn.limits.whitespace:
            at += 1
        self.q.ahead = at
        if at == turn.s.limit:
            return MORE
        byte = turn.data[at - turn.s.base]
        if byte == c"{" and self.json is not None:
            self.l.in_json = True
            self.json.begin(turn)
            return DONE
        if byte == c"]" and turn.s.place == NATIVE:
            return self.broken(turn, Reason.NO_NAME)
        turn.s.pos = at
        return self.begin_call(turn) or ON

    cdef int read_lead(self, Turn turn) except -1:
        cdef int found = self.matches(turn, turn.s.pos, self.lead)
        if found < 0:
            return MORE
        if found == 0:
            return self.misfit(turn)
        turn.s.pos += PyBytes_GET_SIZE(self.lead)
        self.l.due = NAME_DUE
        return ON

    cdef int name_due(self, Turn turn, uint8_t byte) except -1:
        if is_space(byte) and turn.s.pos - self.l.since <= turn.limits.whitespace:
            turn.s.pos += 1
            return ON
        if not is_name_byte(byte):
            return self.misfit(turn)
        self.l.due = IN_NAME
        self.q.ahead = turn.s.pos
        return ON

    cdef int read_name(self, Turn turn) except -1:
        """The name at `pos`, and the bracket behind it."""
        cdef const uint8_t *text = turn.data - turn.s.base
        cdef Py_ssize_t at = self.q.ahead
        if self.l.name_end == 0:
            while at < turn.s.limit and is_name_byte(text[at]):
                at += 1
            if at - turn.s.pos > turn.limits.header:
                return self.broken(turn, Reason.LIMIT)
            if turn.s.place == BARE and not self.viable(turn, at):
                return self.misfit(turn)
            if at < turn.s.limit:
                self.l.name_end = at
        while (
            at < turn.s.limit and is_space(text[at]) and turn.s.place != BARE
            and at - turn.s.pos <= turn.limits.header
        ):
            at += 1
        self.q.ahead = at
        if at == turn.s.limit:
            return MORE
        if text[at] != (c"{" if self.braces else c"("):
            return self.misfit(turn)
        name = turn.text(turn.s.pos, self.l.name_end)
        at, turn.s.pos = turn.s.pos, at + 1
        if not turn.start_call(name):
            turn.s.pos = at
            return self.misfit(turn) if self.l.later else REJECTED
        self.l.later = True
        self.l.watched = turn.s.pos
        self.q.ahead = 0
        return self.open_container(turn, ARGUMENTS, b"")

    cdef bint viable(self, Turn turn, Py_ssize_t end) except -1:
        """Without an opener: may this become a declared name, also as `functions.f`?"""
        if turn.tools is None:
            return True
        written = turn.text(turn.s.pos, end)
        if NAMESPACE.startswith(written):
            return True
        short = written.removeprefix(NAMESPACE)
        for name in turn.tools.names:
            if name.startswith(written) or name.startswith(short):
                return True
        return False

    cdef int whole(self, Turn turn, Py_ssize_t end) except -1:
        """The arguments end at `end`, and with them the call."""
        if self.l.fresh:
            turn.argue(<const uint8_t *>b"{}", 2, end, end)
        else:
            turn.argue(<const uint8_t *>b"}", 1, end, end)
        turn.end_call(COMPLETE, None)
        self.open.length = 0
        self.l.due = AFTER_CALL
        self.l.after = turn.s.pos
        return DONE if turn.s.call == HELD or self.braces else ON

    cdef int after_call(self, Turn turn, uint8_t byte) except -1:
        """Behind a call: another one, or the end of the list."""
        cdef bint bare = turn.s.place == BARE or turn.s.place == IN_THOUGHT
        if is_space(byte) and turn.s.pos - self.l.after < turn.limits.whitespace:
            turn.s.pos += 1
            return ON
        if byte == c"]" and self.bracketed:
            turn.s.pos += 1
            return DONE
        if byte == c",":
            turn.s.pos += 1
            if not bare:
                self.l.after = turn.s.pos
            return ON
        if is_name_byte(byte):
            turn.open_block(NATIVE if turn.s.place == RESUMED else turn.s.place, turn.s.pos)
            turn.s.text_from = self.l.after if bare else turn.s.pos
            return self.begin_call(turn) or ON
        if bare or byte == c"<" or is_space(byte):
            turn.s.pos = self.l.after
            return DONE
        return self.broken(turn, Reason.ENVELOPE)
