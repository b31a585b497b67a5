"""Whether a raw text can still become a JSON value of an admitted type.

Theory of operation. Formats with tagged parameters write every value as bare text, and where a schema admits strings
beside other types, only the text tells which it is. While it is a prefix of a value of an admitted other type it has to
be held; from the first byte that rules all of them out, it is a string for good. The first visible byte picks the only
candidate there can be: a word, or JSON, which the strict scanner reads. Two things are JSON by its grammar and yet no
value here, for nobody could read them back as written: half a surrogate pair, and a number too large for a double.

`toolweir.values.viable` is the reference: the two agree on every text.
"""

from libc.stddef cimport ptrdiff_t, size_t
from libc.stdint cimport uint8_t
from libc.string cimport memset
from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_FromStringAndSize

from .byte_class cimport is_json_space
from .json_scanner cimport (
    TW_INVALID, TW_JSON_DEPTH, tw_json_depth, tw_json_feed, tw_json_in_string, tw_json_string_run,
)

__all__ = ["ValueAutomaton"]

cdef enum:             # the bits of schema.py
    STRING = 1
    INTEGER = 2
    NUMBER = 4
    BOOLEAN = 8
    NULL_BIT = 16
    OBJECT = 32
    ARRAY = 64
    NO_SCHEMA = 128

cdef enum:
    LONG_NUMBER = 300  # bytes; a fraction that is shorter fits a double


cdef inline bint is_digit(uint8_t byte) noexcept:
    return c"0" <= byte <= c"9"


cdef void viability_begin(Viability *v, unsigned types, bint strict) noexcept:
    """A value begins. `types`: what it may be, as the mask of a ValueTypes."""
    memset(v, 0, sizeof(v[0]))
    v.mask = types & ~<unsigned>(STRING | NO_SCHEMA)
    v.any_json = types & NO_SCHEMA != 0
    v.digits_only = types & STRING != 0 and types & (INTEGER | NUMBER) == INTEGER
    v.strict = strict
    v.number = -1
    if v.mask == 0:
        v.phase = NOT_VIABLE


cdef bint viability_feed(Viability *v, const uint8_t *text, Py_ssize_t start, Py_ssize_t end) except -1:
    """Read text[start:end), where `text` is the whole value so far. False: it is a string, whatever follows."""
    cdef Py_ssize_t at = start
    while at < end and v.phase != NOT_VIABLE:
        if v.phase == IN_JSON:
            at = read_json(v, text, at, end)
            continue
        if v.phase == IN_WORD:
            if text[at] != <uint8_t>v.word[0]:
                v.phase = NOT_VIABLE
                break
            v.word += 1
            if v.word[0] == 0:
                v.phase = AFTER_VALUE
        elif not is_json_space(text[at]):
            if v.phase == AFTER_VALUE:
                v.phase = NOT_VIABLE
                break
            begin_value(v, text[at])
            if v.phase == IN_JSON:
                continue
        at += 1
    return v.phase != NOT_VIABLE


cdef void begin_value(Viability *v, uint8_t first) noexcept:
    """The first visible byte: which candidate is it?"""
    v.word = NULL
    v.phase = NOT_VIABLE
    if v.mask & BOOLEAN:
        if first == c"t" or (first == c"T" and not v.any_json):
            v.word = "rue"
        elif first == c"f" or (first == c"F" and not v.any_json):
            v.word = "alse"
    if v.mask & NULL_BIT:
        if first == c"n":
            v.word = "ull"
        elif first == c"N" and not v.any_json:
            v.word = "one"
    if v.word != NULL:
        v.phase = IN_WORD
    elif (
        (first == c"{" and v.mask & OBJECT) or (first == c"[" and v.mask & ARRAY) or (first == c'"' and v.any_json)
        or ((is_digit(first) or first == c"-") and v.mask & (INTEGER | NUMBER))
    ):
        v.phase = IN_JSON
        v.quoted = first == c'"'


cdef Py_ssize_t read_json(Viability *v, const uint8_t *text, Py_ssize_t at, Py_ssize_t end) except -1:
    """Read on inside JSON; returns how far."""
    cdef uint8_t byte = text[at]
    cdef ptrdiff_t found
    cdef size_t taken = 0
    if tw_json_in_string(&v.scanner):
        if v.escape == 0 and v.pair == 0:
            taken = tw_json_string_run(text + at, end - at)
            if taken:
                tw_json_feed(&v.scanner, text + at, taken, &taken)
                return at + <Py_ssize_t>taken
            if byte < 0x20:
                if v.strict:
                    v.phase = NOT_VIABLE
                return at + 1
        if not read_escape(v, byte):
            v.phase = NOT_VIABLE
            return at
    else:
        if v.number >= 0 and not (is_digit(byte) or byte in b"+-.eE"):
            if v.real and is_digit(text[at - 1]) and not fits_double(text + v.number, at - v.number):
                v.phase = NOT_VIABLE
                return at
            v.number = -1
        elif v.number < 0 and (is_digit(byte) or byte == c"-"):
            v.number = at
            v.real = False
        if v.digits_only and tw_json_depth(&v.scanner) == 0 and byte in b".eE":
            v.phase = NOT_VIABLE
            return at
        if v.number >= 0 and (byte == c"e" or byte == c"E" or (byte == c"." and at - v.number > LONG_NUMBER)):
            v.real = True
        if (byte == c"{" or byte == c"[") and tw_json_depth(&v.scanner) >= TW_JSON_DEPTH - 1:
            v.phase = NOT_VIABLE  # the arguments around the value are an object themselves
            return at
    found = tw_json_feed(&v.scanner, text + at, 1, &taken)
    if found >= 0:
        v.phase = AFTER_VALUE
    elif found == TW_INVALID:
        v.phase = NOT_VIABLE
    return at + <Py_ssize_t>taken


cdef bint read_escape(Viability *v, uint8_t byte) noexcept:
    """A byte of a string that may be part of an escape: false where half a surrogate pair has no other half."""
    if v.pair == 1 or v.pair == 2:
        v.pair += 1
        return byte == (c"\\" if v.pair == 2 else c"u")
    if v.pair == 3:
        v.pair = 4
        return byte | 0x20 == c"d"
    if v.pair == 4:
        v.pair = 0
        v.escape = 4
        v.digits[0] = 0
        return c"c" <= byte | 0x20 <= c"f"
    if v.escape == 0:
        v.escape = byte == c"\\"
    elif v.escape == 1:
        v.escape = 2 if byte == c"u" else 0
    elif v.escape < 4:
        v.digits[v.escape - 2] = byte | 0x20
        v.escape += 1
    elif v.escape == 4:
        v.escape = 5
    else:
        v.escape = 0
        if v.digits[0] == c"d" and v.digits[1] >= c"8":
            v.pair = 1
            return v.digits[1] < c"c"  # else a low one without its high one
    return True


cdef bint fits_double(const uint8_t *number, Py_ssize_t length) except -1:
    value = float(PyBytes_FromStringAndSize(<const char *>number, length))
    return value - value == 0


cdef class ValueAutomaton:
    """The automaton for Python: feed() says whether the text so far is still held. `mask` is that of a ValueTypes."""

    def __init__(self, unsigned mask, bint strict=False):
        self.text = bytearray()
        viability_begin(&self.v, mask, strict)

    def feed(self, bytes piece not None):
        """Reads more of the value; false once it can only be a string."""
        cdef Py_ssize_t start = len(self.text)
        self.text += piece
        return viability_feed(&self.v, <const uint8_t *>PyByteArray_AS_STRING(self.text), start, len(self.text))
