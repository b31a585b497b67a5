"""Calls written like Python's, `f(a='x', b=[1, None])`, or with braces, `call:f{a:'x',b:[1,null]}`.

Theory of operation. One switch over what is due, one byte for each open container. Between the opener and the name's
bracket nothing is a call; with the bracket the call starts, each key gives its JSON key, each value goes out as JSON
while it comes. A comma goes out when another item begins, since one may also stand before a closer. What the input
does not tell at once is held, and nothing else: a word without quotes (it may yet be a number, a constant or text,
see `toolweir.words`), a quote that may be a part of its string, and the first value in braces or parentheses, which
may make a dict or a set of them, a tuple or nothing at all.

Tuples and sets become arrays. A dict's key that is no string is written as one. Repeated keys go out as they come.
Arguments without a key, nested calls and all else that is no literal end the call as invalid; an argument without a
key does so before the first byte of the arguments where no other stood before it.

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
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

from ..outcomes import CallStatus, Reason
from ..scan.json_scanner cimport tw_json
from ..scan.marker_matcher cimport tw_markers
from ..transcode import quote
from ..words import key_to_json, word_to_json
from .buffer cimport buffer_append, buffer_copy, buffer_free
from .json_object cimport JsonObjectReader
from .literal_string cimport (
    CLOSES, DATA, Follow, GOES_ON, LiteralStringReader, ON, WAITING, is_quote, is_space,
)
from .plan cimport MarkerTable
from .turn cimport BARE, DONE, HELD, IN_THOUGHT, MORE, NATIVE, REJECTED, RESUMED, Reader, STRAYED, Turn

COMPLETE = CallStatus.COMPLETE

NAMESPACE = "functions."


cdef inline bint is_bracket(uint8_t byte) noexcept:
    return byte in b"()[]{}<>"


cdef inline bint is_name_byte(uint8_t byte) noexcept:
    """May this stand in a function's name? All but whitespace, brackets, quotes and what Python has between tokens."""
    return byte > c" " and not is_bracket(byte) and not (byte in b"\"'`,=#;\\")


cdef inline bint is_key_byte(uint8_t byte) noexcept:
    return is_name_byte(byte) and byte != c":"


cdef class LiteralsReader(LiteralStringReader):

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

    def __dealloc__(self):
        buffer_free(&self.pending)
        buffer_free(&self.open)

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

    cdef tw_markers *string_closer(self) noexcept:
        if self.l.in_json or self.l.due != IN_STRING or self.q.head or self.q.deferred or self.q.ahead:
            return NULL
        return self.stops().markers

    cdef int begin(self, Turn turn) except -1:
        memset(&self.l, 0, sizeof(self.l))
        self.value_limit = turn.limits.value
        self.parameters_limit = turn.limits.parameters
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
            return self.json.step(turn)
        turn.s.held_from = turn.s.pos if answer == MORE and turn.s.pos < turn.s.limit else -1
        if self.l.due == AFTER_CALL:
            turn.s.held_from = self.l.after
        return answer

    cdef int read(self, Turn turn) except -1:
        cdef uint8_t byte
        cdef int answer = ON
        while answer == ON:
            if self.pending.length > self.value_limit:
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

    cdef bint skip_blank(self, Turn turn) noexcept:
        """Whitespace and comments between tokens; True if the input ends with them."""
        cdef const uint8_t *text = turn.data - turn.s.base
        if self.l.due == IN_STRING or self.l.due == IN_WORD or self.l.due == IN_KEY or self.l.due == AFTER_CALL:
            return False
        while turn.s.pos < turn.s.limit:
            if self.l.comment:
                self.l.comment = text[turn.s.pos] != c"\n"
            elif text[turn.s.pos] == c"#" and not self.braces:
                self.l.comment = True
            elif not is_space(text[turn.s.pos]):
                return False
            turn.s.pos += 1
        return True

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
        turn.s.pos = turn.s.block
        return STRAYED

    cdef int open_list(self, Turn turn) except -1:
        """The calls' bracket: what stands behind it?"""
        cdef Py_ssize_t at = max(turn.s.pos + 1, self.q.ahead)
        cdef uint8_t byte
        while at < turn.s.limit and is_space(turn.data[at - turn.s.base]) and at - turn.s.pos <= turn.space_limit:
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
        if is_space(byte) and turn.s.pos - self.l.since <= turn.space_limit:
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
            if at - turn.s.pos > turn.header_limit:
                return self.broken(turn, Reason.LIMIT)
            if turn.s.place == BARE and not self.viable(turn, at):
                return self.misfit(turn)
            if at < turn.s.limit:
                self.l.name_end = at
        while (
            at < turn.s.limit and is_space(text[at]) and turn.s.place != BARE
            and at - turn.s.pos <= turn.header_limit
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

    # Keys

    cdef Container top(self) noexcept:
        return <Container>self.open.data[self.open.length - 1]

    cdef uint8_t closer(self) noexcept:
        """The bracket that closes the innermost container."""
        cdef Container top = self.top()
        if top == LIST:
            return c"]"
        if top == TUPLE or top == PAREN:
            return c")"
        return c")" if top == ARGUMENTS and not self.braces else c"}"

    cdef int at_block_end(self, Turn turn, Py_ssize_t at) noexcept:
        """Does the block's closer stand here, where only the arguments are open? As `matches`."""
        if self.open.length > 1 or not self.block_end:
            return 0
        return self.matches(turn, at, self.block_end)

    cdef int key_due(self, Turn turn, uint8_t byte) except -1:
        cdef bint arguments = self.top() == ARGUMENTS
        cdef int found
        cdef bint known = True, string = False
        if byte == self.closer():
            return self.close_container(turn)
        found = self.at_block_end(turn, turn.s.pos)
        if found:
            return MORE if found < 0 else self.whole(turn, turn.s.pos)
        if arguments and self.l.parameters == self.parameters_limit:
            return self.broken(turn, Reason.LIMIT)
        found = self.matches(turn, turn.s.pos, self.delimiter) if self.delimiter else 0
        if found < 0:
            return MORE
        if self.braces or not arguments:
            string = found or self.prefix(turn, turn.s.pos, &known) >= 0
        if not known:
            return MORE
        if string:
            self.l.parameters += arguments
            self.next_item(turn)
            self.l.key = True
            self.l.due = IN_STRING
            return self.open_string(turn, turn.s.pos, False)
        if not is_key_byte(byte):
            return self.broken(turn, Reason.NOT_AN_OBJECT if arguments and self.l.fresh else Reason.JSON)
        self.l.due = IN_KEY
        self.q.ahead = turn.s.pos
        return ON

    cdef int read_key(self, Turn turn) except -1:
        """The key at `pos`, and the sign behind it."""
        cdef const uint8_t *text = turn.data - turn.s.base
        cdef Py_ssize_t at = turn.s.pos, end
        cdef bint arguments = self.top() == ARGUMENTS
        while at < turn.s.limit and is_key_byte(text[at]):
            at += 1
        if at - turn.s.pos > turn.header_limit:
            return self.broken(turn, Reason.LIMIT)
        end = at
        while at < turn.s.limit and is_space(text[at]) and at - turn.s.pos <= turn.header_limit:
            at += 1
        if at == turn.s.limit:
            return MORE
        if text[at] != c":" and not (arguments and text[at] == c"="):
            return self.broken(turn, Reason.NOT_AN_OBJECT if arguments and self.l.fresh else Reason.JSON)
        self.l.parameters += arguments
        self.next_item(turn)
        key = turn.text(turn.s.pos, end)
        key = (quote(key) if arguments or self.braces else key_to_json(key)).encode("utf-8", "replace") + self.colon
        turn.argue(<const uint8_t *>PyBytes_AS_STRING(key), PyBytes_GET_SIZE(key), turn.s.pos, at + 1)
        turn.s.pos = at + 1
        self.q.ahead = 0
        self.l.due = VALUE_DUE
        return ON

    cdef int separator_due(self, Turn turn, uint8_t byte) except -1:
        """Behind a key in quotes."""
        if byte != c":" and not (byte == c"=" and self.top() == ARGUMENTS):
            return self.broken(turn, Reason.JSON)
        turn.argue(
            <const uint8_t *>PyBytes_AS_STRING(self.colon), PyBytes_GET_SIZE(self.colon), turn.s.pos, turn.s.pos + 1
        )
        turn.s.pos += 1
        self.l.due = VALUE_DUE
        return ON

    # Values

    cdef int next_item(self, Turn turn) except -1:
        """Another item of the innermost container begins at `pos`."""
        cdef bytes sign = self.comma
        if self.l.fresh:
            sign = b"{" if self.top() == ARGUMENTS else b""
        self.l.fresh = False
        return turn.argue(<const uint8_t *>PyBytes_AS_STRING(sign), PyBytes_GET_SIZE(sign), turn.s.pos, turn.s.pos)

    cdef int value_due(self, Turn turn, uint8_t byte) except -1:
        cdef Container top = self.top()
        cdef bint opens = byte == c"[" or byte == c"{" or (byte == c"(" and not self.braces)
        cdef bint string = is_quote(byte), known = True
        cdef int found = self.matches(turn, turn.s.pos, self.delimiter) if self.delimiter else 0
        if found < 0:
            return MORE
        if byte == self.closer() and top >= LIST:
            if top >= BRACE:
                self.settle(turn, DICT if top == BRACE else TUPLE, b"{" if top == BRACE else b"[")
            return self.close_container(turn)
        if not found and not string and not self.braces and byte | 0x20 in b"rbuf":
            string = self.prefix(turn, turn.s.pos, &known) >= 0
            if not known:
                return MORE
        if not (found or string or opens) and (is_bracket(byte) or byte in b",=:`\\"):
            return self.broken(turn, Reason.JSON)
        if opens and top >= BRACE:
            self.settle(turn, SET if top == BRACE else TUPLE, b"[")
            top = self.top()
        if top >= BRACE:
            self.q.deferred = True
        elif top >= LIST:
            self.next_item(turn)
        if opens:
            turn.s.pos += 1
            if byte == c"[":
                return self.open_container(turn, LIST, b"[")
            if byte == c"{":
                return self.open_container(turn, DICT if self.braces else BRACE, b"{" if self.braces else b"")
            return self.open_container(turn, PAREN, b"")
        if found or string:
            self.l.key = False
            self.l.due = IN_STRING
            return self.open_string(turn, turn.s.pos, False)
        self.l.due = IN_WORD
        self.q.ahead = turn.s.pos
        return ON

    cdef int string_over(self, Turn turn) except -1:
        self.l.due = SEPARATOR_DUE if self.l.key else AFTER_VALUE
        return ON

    cdef int read_word(self, Turn turn) except -1:
        """A value without quotes: up to a comma or a closer it is held."""
        cdef const uint8_t *text = turn.data - turn.s.base
        cdef Py_ssize_t at = self.q.ahead, end
        cdef int found
        while at < turn.s.limit:
            if text[at] in b",]}" or (text[at] == c")" and not self.braces):
                break
            if (
                text[at] == c":" and self.top() == BRACE
                or text[at] == c"#" and not self.braces and is_space(text[at - 1])
            ):
                break
            if text[at] == c"<":
                found = self.at_block_end(turn, at)
                if found < 0:
                    self.q.ahead = at
                    return MORE
                if found:
                    break
            if is_quote(text[at]) or text[at] in b"[{<" or (text[at] == c"(" and not self.braces):
                return self.broken(turn, Reason.JSON)
            at += 1
        self.q.ahead = at
        if at - turn.s.pos > self.value_limit:
            return self.broken(turn, Reason.LIMIT)
        if at == turn.s.limit:
            return MORE
        end = at
        while is_space(text[end - 1]):
            end -= 1
        json = word_to_json(turn.text(turn.s.pos, end)).encode("utf-8", "replace")
        self.put(turn, <const uint8_t *>PyBytes_AS_STRING(json), PyBytes_GET_SIZE(json), turn.s.pos, end)
        turn.s.pos = at
        self.q.ahead = 0
        self.l.due = AFTER_VALUE
        return ON

    cdef Follow follow(self, Turn turn, Py_ssize_t start) except *:
        """A quote closes its string where the container goes on, ends, or where the block does."""
        cdef const uint8_t *text = turn.data - turn.s.base
        cdef Container top = self.top()
        cdef Py_ssize_t at = max(start, self.q.ahead), key
        cdef bint known
        cdef int found
        while at < turn.s.limit and is_space(text[at]):
            at += 1
            if at - start > turn.space_limit:
                return DATA
        self.q.ahead = at
        if at == turn.s.limit:
            return WAITING
        if self.l.key:
            if text[at] == c":" or (text[at] == c"=" and top == ARGUMENTS):
                return CLOSES
        elif text[at] == c"," or text[at] == self.closer() or (text[at] == c":" and top == BRACE):
            return CLOSES
        if self.q.quote and at > start:
            if text[at] == c"#" and not self.braces:
                return CLOSES
            if self.prefix(turn, at, &known) >= 0:
                return GOES_ON
            return DATA if known else WAITING
        if not self.q.quote and at == start and not self.l.key and top <= DICT:  # a comma that was left out
            key = at
            while key < turn.s.limit and is_key_byte(text[key]) and key - at <= turn.header_limit:
                key += 1
            if key == turn.s.limit:
                return WAITING
            if key > at and text[key] == c":":
                return CLOSES
        found = 0 if self.l.key else self.at_block_end(turn, at)
        return WAITING if found < 0 else CLOSES if found else DATA

    cdef int after_value(self, Turn turn, uint8_t byte) except -1:
        cdef Container top = self.top()
        cdef int found
        if top == BRACE:
            self.settle(turn, DICT if byte == c":" else SET, b"{" if byte == c":" else b"[")
            if byte == c":":
                return self.separator_due(turn, byte)
        elif top == PAREN:
            if byte == c")":
                self.settle(turn, PAREN, b"")
                self.open.length -= 1
                turn.s.pos += 1
                return ON
            self.settle(turn, TUPLE, b"[")
        if byte == c",":
            turn.s.pos += 1
            self.l.due = KEY_DUE if top <= DICT else VALUE_DUE
            return ON
        if byte == self.closer():
            return self.close_container(turn)
        if self.delimiter and top <= DICT and is_key_byte(byte):
            self.l.due = KEY_DUE
            return ON
        found = self.at_block_end(turn, turn.s.pos)
        if found:
            return MORE if found < 0 else self.whole(turn, turn.s.pos)
        return self.broken(turn, Reason.JSON)

    # Containers

    cdef int open_container(self, Turn turn, Container kind, bytes bracket) except -1:
        """A container whose bracket stands before `pos`."""
        cdef uint8_t byte = kind
        if self.open.length >= turn.depth_limit:
            return self.broken(turn, Reason.DEPTH)
        buffer_append(&self.open, &byte, 1)
        turn.argue(<const uint8_t *>PyBytes_AS_STRING(bracket), PyBytes_GET_SIZE(bracket), turn.s.pos - 1, turn.s.pos)
        self.l.fresh = True
        self.l.due = KEY_DUE if kind <= DICT else VALUE_DUE
        return ON

    cdef int settle(self, Turn turn, Container kind, bytes bracket) except -1:
        """The innermost container is known: what waited for that goes out."""
        self.q.deferred = False
        self.open.data[self.open.length - 1] = kind
        turn.argue(<const uint8_t *>PyBytes_AS_STRING(bracket), PyBytes_GET_SIZE(bracket), turn.s.pos, turn.s.pos)
        if kind == DICT and self.pending.length and self.pending.data[0] != c'"':  # a word: keys are strings
            buffer_append(&self.pending, <const uint8_t *>b'"', 1)
            turn.argue(<const uint8_t *>b'"', 1, turn.s.pos, turn.s.pos)
        turn.argue(self.pending.data, self.pending.length, turn.s.pos, turn.s.pos)
        self.l.fresh = self.pending.length == 0
        self.pending.length = 0
        return ON

    cdef int close_container(self, Turn turn) except -1:
        """Its closer stands at `pos`."""
        cdef Container top = self.top()
        turn.s.pos += 1
        if top == ARGUMENTS:
            return self.whole(turn, turn.s.pos)
        self.put(turn, <const uint8_t *>(b"}" if top == DICT else b"]"), 1, turn.s.pos - 1, turn.s.pos)
        self.open.length -= 1
        self.l.fresh = False
        self.l.due = AFTER_VALUE
        return ON

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
        if is_space(byte) and turn.s.pos - self.l.after < turn.space_limit:
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
