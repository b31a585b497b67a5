"""UTF-8 in pieces; include/toolweir/utf8.h documents it."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t


cdef extern from "toolweir/utf8.h" nogil:
    ctypedef struct tw_utf8:
        uint8_t held[4]
        uint8_t count

    size_t tw_utf8_feed(tw_utf8 *g, const uint8_t *text, size_t n, uint8_t *out)
    size_t tw_utf8_finish(tw_utf8 *g, uint8_t *out)
    size_t tw_utf8_valid(const uint8_t *p, size_t n)
    size_t tw_utf8_count(const uint8_t *p, size_t n)
    size_t tw_utf8_put(uint32_t code_point, uint8_t *out)
    size_t tw_utf8_from_latin1(const uint8_t *p, size_t n, uint8_t *out)
    size_t tw_utf8_from_ucs2(const uint16_t *p, size_t n, uint8_t *out)
    size_t tw_utf8_from_ucs4(const uint32_t *p, size_t n, uint8_t *out)
    uint32_t tw_utf8_widest(const uint8_t *p, size_t n, size_t *count)
    void tw_utf8_decode(const uint8_t *p, size_t n, uint32_t widest, void *out)
