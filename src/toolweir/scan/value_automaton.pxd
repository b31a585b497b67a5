# Whether a raw text can still become a JSON value of an admitted type.

from libc.stdint cimport uint8_t

from .json_scanner cimport tw_json


cdef enum ViabilityPhase:
    BEFORE_VALUE
    IN_WORD            # true, false, null, or Python's names for them
    IN_JSON
    AFTER_VALUE        # nothing but whitespace may follow
    NOT_VIABLE


cdef struct Viability:       # zeroed to start, then viability_begin
    ViabilityPhase phase
    unsigned mask            # the admitted types, in the bits of schema.py
    bint any_json            # no schema: whatever JSON there is
    bint quoted              # the value begins as a JSON string: that or text, it is a string
    bint digits_only         # integers beside strings: a fraction or an exponent makes the text a string
    bint strict              # raw control characters in strings break it
    const char *word         # IN_WORD: what is still due of it
    tw_json scanner
    uint8_t escape           # inside a string: 1 after the backslash, 2 to 5 before each hexadecimal digit
    uint8_t digits[2]        # the first two of them
    uint8_t pair             # a low surrogate is due: 1 its backslash, 2 its u, 3 and 4 its first two digits
    Py_ssize_t number        # where the number that is being read begins, -1
    bint real                # it has an exponent, or a fraction


cdef void viability_begin(Viability *v, unsigned types, bint strict) noexcept
cdef bint viability_feed(Viability *v, const uint8_t *text, Py_ssize_t start, Py_ssize_t end) except -1


cdef class ValueAutomaton:
    cdef Viability v
    cdef bytearray text
