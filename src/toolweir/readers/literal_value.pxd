# Arguments that are literals: the state, one plain struct and a byte for each open container.

from libc.stdint cimport uint8_t

from ..scan.byte_class cimport is_bracket
from .buffer cimport Buffer
from .literal_string cimport Follow, LiteralStringReader
from .turn cimport Turn


cdef enum Due:
    LIST_DUE           # the bracket around the calls
    LEAD_DUE           # a fixed text before the name
    NAME_DUE
    IN_NAME
    KEY_DUE
    IN_KEY             # a key without quotes
    SEPARATOR_DUE
    VALUE_DUE
    IN_WORD            # a value without quotes
    IN_STRING
    AFTER_VALUE
    AFTER_CALL


cdef enum Container:   # what is open, and with it what may follow
    ARGUMENTS
    DICT
    LIST
    TUPLE
    SET
    BRACE              # a dict or a set: the first value is not over
    PAREN              # a tuple or one value in parentheses


cdef struct LiteralsState:
    Due due
    bint in_json           # the list holds objects: the JSON reader reads them
    bint fresh             # nothing of the innermost container is out
    bint key               # the open string is a key
    bint comment
    bint later             # a call of this block is out
    Py_ssize_t since       # position where the wait for a name began
    Py_ssize_t name_end    # position behind the name, 0 while it is read
    Py_ssize_t watched     # openers were looked for up to here
    Py_ssize_t after       # position behind the last call
    Py_ssize_t parameters  # of this call


cdef class LiteralValueReader(LiteralStringReader):
    cdef LiteralsState l
    cdef Buffer open           # the open containers
    cdef bint braces           # arguments stand in braces; no sets, tuples and comments
    cdef bytes block_end
    cdef bytes comma
    cdef bytes colon

    cdef int whole(self, Turn turn, Py_ssize_t end) except -1
    cdef Container top(self) noexcept
    cdef uint8_t closer(self) noexcept
    cdef int at_block_end(self, Turn turn, Py_ssize_t at) noexcept
    cdef bint skip_blank(self, Turn turn) noexcept
    cdef int key_due(self, Turn turn, uint8_t byte) except -1
    cdef int read_key(self, Turn turn) except -1
    cdef int separator_due(self, Turn turn, uint8_t byte) except -1
    cdef int next_item(self, Turn turn) except -1
    cdef int value_due(self, Turn turn, uint8_t byte) except -1
    cdef int read_word(self, Turn turn) except -1
    cdef int after_value(self, Turn turn, uint8_t byte) except -1
    cdef int open_container(self, Turn turn, Container kind, bytes bracket) except -1
    cdef int settle(self, Turn turn, Container kind, bytes bracket) except -1
    cdef int close_container(self, Turn turn) except -1


cdef inline bint is_name_byte(uint8_t byte) noexcept:
    """May this stand in a function's name? All but whitespace, brackets, quotes and what Python has between tokens."""
    return byte > c" " and not is_bracket(byte) and not (byte in b"\"'`,=#;\\")


cdef inline bint is_key_byte(uint8_t byte) noexcept:
    return is_name_byte(byte) and byte != c":"
