"""Strings as Python writes them, or between a format's own delimiters; they go out as JSON strings while they come.

Theory of operation. The text up to the next quote or backslash goes out at once, escaped for JSON. Models forget to
escape quotes, so a quote ends its string only where the grammar can go on behind it: one visible byte further is looked
at, and until then the quote is held (`follow`, which knows what the string is a part of). A quote with another string
behind it and whitespace between joins the two, as Python does; the same holds for a delimiter, which stands for
`delimiter_text` where it ends nothing.

Escapes are Python's: \\n and its like, \\ooo, \\xhh, \\uhhhh, \\Uhhhhhhhh, \\N{name}, a backslash at the end of a
line. Two halves of a surrogate pair become one character, a half alone stays an escape. An escape that Python does
not know, or that breaks off, is the text that it is. In raw strings a backslash is a backslash. The other prefixes
(b, u, f) change nothing: bytes are text, and what stands in the braces of an f-string is not evaluated.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp, memset
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

from ..scan.json_escape cimport tw_json_escape_byte
from ..scan.utf8 cimport tw_utf8_put
from .buffer cimport buffer_append, buffer_reserve
from .plan cimport MarkerTable
from .stretches cimport escape_json, skip_to_marker
from .turn cimport BROKEN, MORE, ON, Reader, Turn

cdef MarkerTable SINGLE = MarkerTable([("'", 0, 0), ("\\", 0, 0)])
cdef MarkerTable DOUBLE = MarkerTable([('"', 0, 0), ("\\", 0, 0)])

cdef enum:
    LONGEST_NAME = 100     # bytes of a character's name in \N{...}


cdef inline int hex_digit(uint8_t byte) noexcept:
    if c"0" <= byte <= c"9":
        return byte - c"0"
    byte |= 0x20
    return byte - c"a" + 10 if c"a" <= byte <= c"f" else -1


cdef inline int plain_escape(uint8_t byte) noexcept:
    """The character that a backslash makes of this one, -1 where there is none."""
    if byte == c"n":
        return 10
    if byte == c"t":
        return 9
    if byte == c"r":
        return 13
    if byte == c"\\" or byte == c"'" or byte == c'"':
        return byte
    if byte == c"a":
        return 7
    if byte == c"b":
        return 8
    if byte == c"f":
        return 12
    return 11 if byte == c"v" else -1


cdef class LiteralStringReader(Reader):

    cdef int broken(self, Turn turn, object reason) except -1:
        turn.reason = reason
        return BROKEN

    cdef Follow follow(self, Turn turn, Py_ssize_t start) except *:
        """What does the text from `start` make of the quote before it?"""
        return CLOSES

    cdef int string_over(self, Turn turn) except -1:
        """The string is closed; `pos` is behind it."""
        return ON

    # What goes out

    cdef int put(self, Turn turn, const uint8_t *bytes, Py_ssize_t count, Py_ssize_t start, Py_ssize_t end) except -1:
        """JSON that stands at [start, end) of the input."""
        if self.q.deferred:
            return buffer_append(&self.pending, bytes, count)
        return turn.argue(bytes, count, start, end)

    cdef int put_text(self, Turn turn, Py_ssize_t end) except -1:
        """The input from `pos` to `end` is text of the string."""
        cdef Py_ssize_t count = end - turn.s.pos
        if self.q.deferred:
            buffer_reserve(&self.pending, 6 * count)
            self.pending.length += escape_json(
                turn.data + (turn.s.pos - turn.s.base), count, self.pending.data + self.pending.length
            )
        else:
            turn.argue_escaped(turn.s.pos, end)
        turn.s.pos = end
        self.q.ahead = 0
        return ON

    cdef int put_character(self, Turn turn, uint32_t character, Py_ssize_t end) except -1:
        """An escape from `pos` to `end` stands for this character; half a surrogate pair keeps its escape."""
        cdef uint8_t text[4]
        cdef uint8_t out[6]
        cdef Py_ssize_t count
        if character < 0x20 or character == c'"' or character == c"\\":
            count = tw_json_escape_byte(<uint8_t>character, out)
            self.put(turn, out, count, turn.s.pos, end)
        elif 0xd800 <= character <= 0xdfff:
            escape = b"\\u%04x" % character
            self.put(turn, <const uint8_t *>PyBytes_AS_STRING(escape), 6, turn.s.pos, end)
        else:
            count = tw_utf8_put(character, text)
            self.put(turn, text, count, turn.s.pos, end)
        turn.s.pos = end
        return ON

    # Reading

    cdef int matches(self, Turn turn, Py_ssize_t at, bytes text) noexcept:
        """Does this text stand at `at`? 1: yes, 0: no, -1: so far."""
        cdef Py_ssize_t length = PyBytes_GET_SIZE(text)
        cdef Py_ssize_t count = min(length, turn.s.limit - at)
        if memcmp(turn.data + (at - turn.s.base), PyBytes_AS_STRING(text), count) != 0:
            return 0
        return 1 if count == length else -1

    cdef Py_ssize_t prefix(self, Turn turn, Py_ssize_t at, bint *whole) noexcept:
        """Length of a string's prefix at `at`, -1 if there is no string; `whole` is False where the text ends first."""
        cdef const uint8_t *text = turn.data + (at - turn.s.base)
        cdef Py_ssize_t length = 0
        whole[0] = True
        while at + length < turn.s.limit:
            if is_quote(text[length]):
                return length
            if length == 2 or text[length] | 0x20 not in b"rbuf":
                return -1
            length += 1
        whole[0] = False
        return -1

    cdef int open_string(self, Turn turn, Py_ssize_t at, bint joined) except -1:
        """A string begins at `at`, with a prefix or its quote, or with the delimiter; or one goes on there."""
        cdef const uint8_t *text = turn.data - turn.s.base
        cdef bint deferred = self.q.deferred
        cdef Py_ssize_t start = turn.s.pos
        memset(&self.q, 0, sizeof(self.q))
        self.q.deferred = deferred
        while not is_quote(text[at]) and text[at] != (self.delimiter[0] if self.delimiter else 0):
            self.q.raw = self.q.raw or text[at] | 0x20 == c"r"
            at += 1
        if is_quote(text[at]):
            self.q.quote = text[at]
            self.q.head = True
            at += 1
        else:
            at += PyBytes_GET_SIZE(self.delimiter)
        turn.s.pos = at
        if not joined:
            self.put(turn, <const uint8_t *>b'"', 1, start, at)
        return ON

    cdef MarkerTable stops(self):
        if self.q.quote == 0:
            return self.delimiters
        return SINGLE if self.q.quote == c"'" else DOUBLE

    cdef int read_string(self, Turn turn) except -1:
        cdef const uint8_t *text = turn.data + (turn.s.pos - turn.s.base)
        cdef Py_ssize_t run
        if self.q.head:
            return self.read_head(turn)
        run = skip_to_marker(self.stops().markers, text, turn.s.limit - turn.s.pos)
        if run:
            return self.put_text(turn, turn.s.pos + run)
        if self.q.quote == 0:
            return self.read_delimiter(turn)
        return self.read_escape(turn) if text[0] == c"\\" else self.read_quote(turn)

    cdef int read_head(self, Turn turn) except -1:
        """Behind the first quote: do two more make it a long string?"""
        cdef const uint8_t *text = turn.data + (turn.s.pos - turn.s.base)
        if text[0] == self.q.quote:
            if turn.s.limit - turn.s.pos < 2:
                return MORE
            if text[1] == self.q.quote:
                self.q.triple = True
                turn.s.pos += 2
        self.q.head = False
        return ON

    cdef int read_quote(self, Turn turn) except -1:
        cdef const uint8_t *text = turn.data + (turn.s.pos - turn.s.base)
        cdef Py_ssize_t width = 3 if self.q.triple else 1, i
        cdef Follow follow
        for i in range(1, width):
            if turn.s.pos + i == turn.s.limit:
                return MORE
            if text[i] != self.q.quote:
                return self.put_text(turn, turn.s.pos + 1)
        follow = self.follow(turn, turn.s.pos + width)
        if follow == WAITING:
            return MORE
        if follow == DATA:
            return self.put_text(turn, turn.s.pos + 1)
        if follow == GOES_ON:
            return self.open_string(turn, self.q.ahead, True)
        return self.close_string(turn, turn.s.pos + width)

    cdef int read_delimiter(self, Turn turn) except -1:
        cdef Py_ssize_t end = turn.s.pos + PyBytes_GET_SIZE(self.delimiter)
        cdef int found = self.matches(turn, turn.s.pos, self.delimiter)
        cdef Follow follow
        if found == 0:
            return self.put_text(turn, turn.s.pos + 1)
        follow = WAITING if found < 0 else self.follow(turn, end)
        if follow == WAITING:
            return MORE
        if follow == CLOSES:
            return self.close_string(turn, end)
        self.put(
            turn, <const uint8_t *>PyBytes_AS_STRING(self.delimiter_text), PyBytes_GET_SIZE(self.delimiter_text),
            turn.s.pos, end,
        )
        turn.s.pos = end
        self.q.ahead = 0
        return ON

    cdef int close_string(self, Turn turn, Py_ssize_t end) except -1:
        self.put(turn, <const uint8_t *>b'"', 1, turn.s.pos, end)
        turn.s.pos = end
        self.q.ahead = 0
        return self.string_over(turn)

    # Escapes

    cdef int read_escape(self, Turn turn) except -1:
        """The escape at `pos`; until it is whole nothing of it goes out."""
        cdef const uint8_t *text = turn.data + (turn.s.pos - turn.s.base)
        cdef Py_ssize_t left = turn.s.limit - turn.s.pos, length
        cdef uint32_t value = 0
        if left < 2:
            return MORE
        if self.q.raw:
            return self.put_text(turn, turn.s.pos + 1 + (text[1] == self.q.quote or text[1] == c"\\"))
        if plain_escape(text[1]) >= 0:
            return self.put_character(turn, plain_escape(text[1]), turn.s.pos + 2)
        if text[1] == c"\n":
            turn.s.pos += 2
            return ON
        if text[1] == c"x":
            return self.read_hex(turn, 2)
        if text[1] == c"u":
            return self.read_hex(turn, 4)
        if text[1] == c"U":
            return self.read_hex(turn, 8)
        if text[1] == c"N":
            return self.read_named(turn)
        for length in range(1, 4):
            if length == left:
                return MORE
            if not c"0" <= text[length] <= c"7":
                break
            value = value << 3 | (text[length] - c"0")
        else:
            length = 4
        if length == 1:
            return self.put_text(turn, turn.s.pos + 1)
        return self.put_character(turn, value, turn.s.pos + length)

    cdef int read_hex(self, Turn turn, int digits) except -1:
        cdef const uint8_t *text = turn.data + (turn.s.pos - turn.s.base)
        cdef Py_ssize_t left = turn.s.limit - turn.s.pos, i
        cdef uint32_t value = 0, low = 0
        for i in range(2, 2 + digits):
            if i == left:
                return MORE
            if hex_digit(text[i]) < 0:
                return self.put_text(turn, turn.s.pos + 1)
            value = value << 4 | <uint32_t>hex_digit(text[i])
        if value > 0x10ffff:
            return self.put_text(turn, turn.s.pos + 1)
        if digits != 4 or value & 0xfc00 != 0xd800:
            return self.put_character(turn, value, turn.s.pos + 2 + digits)
        for i in range(6, 12):  # the first half of a pair: does the second follow?
            if i == left:
                return MORE
            if i == 6 and text[i] != c"\\" or i == 7 and text[i] != c"u" or i > 7 and hex_digit(text[i]) < 0:
                return self.put_character(turn, value, turn.s.pos + 6)
            if i > 7:
                low = low << 4 | <uint32_t>hex_digit(text[i])
        if low & 0xfc00 != 0xdc00:
            return self.put_character(turn, value, turn.s.pos + 6)
        return self.put_character(turn, 0x10000 + ((value & 0x3ff) << 10) + (low & 0x3ff), turn.s.pos + 12)

    cdef int read_named(self, Turn turn) except -1:
        from unicodedata import lookup  # few texts need it
        cdef const uint8_t *text = turn.data + (turn.s.pos - turn.s.base)
        cdef Py_ssize_t left = min(turn.s.limit - turn.s.pos, LONGEST_NAME), i = 2
        while i < left and text[i] != c"}" and text[i] != self.q.quote and (i > 2 or text[2] == c"{"):
            i += 1
        if i == left and i < LONGEST_NAME:
            return MORE
        if i < left and i > 3 and text[i] == c"}":
            try:
                found = lookup((<char *>text)[3:i].decode("utf-8", "replace"))
            except KeyError:
                found = ""
            if len(found) == 1:
                return self.put_character(turn, ord(found), turn.s.pos + i + 1)
        return self.put_text(turn, turn.s.pos + 1)
