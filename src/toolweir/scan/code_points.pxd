# The code points of a str as UTF-8.

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from .utf8 cimport tw_utf8_from_latin1, tw_utf8_from_ucs2, tw_utf8_from_ucs4

cdef enum:
    WIDEST = 4                    # bytes that a code point takes at most
    SURROGATES = 0xd800 >> 11


cdef inline size_t encode(const void *data, int kind, size_t count, uint8_t *out) noexcept nogil:
    """The code points of a str as UTF-8; a surrogate becomes U+FFFD."""
    if kind == 1:
        return tw_utf8_from_latin1(<const uint8_t *>data, count, out)
    if kind == 2:
        return tw_utf8_from_ucs2(<const uint16_t *>data, count, out)
    return tw_utf8_from_ucs4(<const uint32_t *>data, count, out)


cdef inline bint has_surrogate(const void *data, int kind, size_t count) noexcept nogil:
    """Does a str hold a surrogate? Its text is not the str any more."""
    cdef const uint16_t *narrow = <const uint16_t *>data
    cdef const uint32_t *wide = <const uint32_t *>data
    cdef bint found = False
    cdef size_t at
    if kind == 2:
        for at in range(count):
            found |= narrow[at] >> 11 == SURROGATES
    elif kind == 4:
        for at in range(count):
            found |= wide[at] >> 11 == SURROGATES
    return found
