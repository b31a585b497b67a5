"""Arguments that are literals: keys and values become JSON while they come.

Theory of operation. One byte for each open container, and what is due next. A comma goes out when another item begins,
since one may also stand before a closer. What the input does not tell at once is held, and nothing else: a word without
quotes (it may yet be a number, a constant or text, see `toolweir.words`), a quote that may be a part of its string, and
the first value in braces or parentheses, which may make a dict or a set of them, a tuple or nothing at all.

Tuples and sets become arrays. A dict's key that is no string is written as one. Repeated keys go out as they come.
Arguments without a key, nested calls and all else that is no literal end the call as invalid; an argument without a key
does so before the first byte of the arguments where no other stood before it.
"""

from libc.stdint cimport uint8_t
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

from ..outcomes import Reason
from ..scan.byte_class cimport is_space
from ..words import key_to_json, word_to_json
from .buffer cimport buffer_append, buffer_free
from .literal_string cimport CLOSES, DATA, Follow, GOES_ON, LiteralStringReader, WAITING, is_quote
from .turn cimport MORE, ON, Turn


cdef enum:
    FEW_DIGITS = 300   # no number of so few is past a double's range


cdef inline bint is_plain_integer(const uint8_t *text, Py_ssize_t count) noexcept:
    """An integer as JSON writes it, which most words are: it goes out as it is."""
    cdef Py_ssize_t at = text[0] == c"-"
    if count > FEW_DIGITS or at == count or (text[at] == c"0" and at + 1 < count):
        return False
    while at < count and c"0" <= text[at] <= c"9":
        at += 1
    return at == count


cdef class LiteralValueReader(LiteralStringReader):

    def __dealloc__(self):
        buffer_free(&self.pending)
        buffer_free(&self.open)

    cdef int whole(self, Turn turn, Py_ssize_t end) except -1:
        """The arguments end at `end`, and with them the call; the answer is a Step or ON."""
        return ON

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

    # Keys

    cdef int key_due(self, Turn turn, uint8_t byte) except -1:
        cdef bint arguments = self.top() == ARGUMENTS
        cdef int found
        cdef bint known = True, string = False
        if byte == self.closer():
            return self.close_container(turn)
        found = self.at_block_end(turn, turn.s.pos)
        if found:
            return MORE if found < 0 else self.whole(turn, turn.s.pos)
        if arguments and self.l.parameters == turn.limits.parameters:
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
        if at - turn.s.pos > turn.limits.header:
            return self.broken(turn, Reason.LIMIT)
        end = at
        while at < turn.s.limit and is_space(text[at]) and at - turn.s.pos <= turn.limits.header:
            at += 1
        if at == turn.s.limit:
            return MORE
        if text[at] != c":" and not (arguments and text[at] == c"="):
            return self.broken(turn, Reason.NOT_AN_OBJECT if arguments and self.l.fresh else Reason.JSON)
        self.l.parameters += arguments
        self.next_item(turn)
        if arguments or self.braces:
            turn.argue(<const uint8_t *>b'"', 1, turn.s.pos, turn.s.pos)
            turn.argue_escaped(turn.s.pos, end)
            turn.argue(<const uint8_t *>b'"', 1, end, end)
        else:
            key = key_to_json(turn.text(turn.s.pos, end)).encode("utf-8", "replace")
            turn.argue(<const uint8_t *>PyBytes_AS_STRING(key), PyBytes_GET_SIZE(key), turn.s.pos, end)
        turn.argue(<const uint8_t *>PyBytes_AS_STRING(self.colon), PyBytes_GET_SIZE(self.colon), end, at + 1)
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

    cdef int next_item(self, Turn turn) except -1:
        """Another item of the innermost container begins at `pos`."""
        cdef bytes sign = self.comma
        if self.l.fresh:
            sign = b"{" if self.top() == ARGUMENTS else b""
        self.l.fresh = False
        return turn.argue(<const uint8_t *>PyBytes_AS_STRING(sign), PyBytes_GET_SIZE(sign), turn.s.pos, turn.s.pos)

    # Values

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
        if at - turn.s.pos > turn.limits.value:
            return self.broken(turn, Reason.LIMIT)
        if at == turn.s.limit:
            return MORE
        end = at
        while is_space(text[end - 1]):
            end -= 1
        if is_plain_integer(text + turn.s.pos, end - turn.s.pos):
            self.put(turn, text + turn.s.pos, end - turn.s.pos, turn.s.pos, end)
        else:
            json = word_to_json(turn.text(turn.s.pos, end)).encode("utf-8", "replace")
            self.put(turn, <const uint8_t *>PyBytes_AS_STRING(json), PyBytes_GET_SIZE(json), turn.s.pos, end)
        turn.s.pos = at
        self.q.ahead = 0
        self.l.due = AFTER_VALUE
        return ON

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

    cdef Follow follow(self, Turn turn, Py_ssize_t start) except *:
        """A quote closes its string where the container goes on, ends, or where the block does."""
        cdef const uint8_t *text = turn.data - turn.s.base
        cdef Container top = self.top()
        cdef Py_ssize_t at = max(start, self.q.ahead), key
        cdef bint known
        cdef int found
        while at < turn.s.limit and is_space(text[at]):
            at += 1
            if at - start > turn.limits.whitespace:
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
            while key < turn.s.limit and is_key_byte(text[key]) and key - at <= turn.limits.header:
                key += 1
            if key == turn.s.limit:
                return WAITING
            if key > at and text[key] == c":":
                return CLOSES
        found = 0 if self.l.key else self.at_block_end(turn, at)
        return WAITING if found < 0 else CLOSES if found else DATA

    # Containers

    cdef int open_container(self, Turn turn, Container kind, bytes bracket) except -1:
        """A container whose bracket stands before `pos`."""
        cdef uint8_t byte = kind
        if self.open.length >= turn.limits.depth:
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
