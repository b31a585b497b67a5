"""Escaping for JSON strings, and back; include/toolweir/json_escape.h documents it."""

from libc.stdint cimport uint8_t, uint16_t


cdef extern from "toolweir/json_escape.h" nogil:
    ctypedef struct tw_unescape:
        uint8_t state
        uint16_t unit
        uint16_t high

    size_t tw_json_plain(const uint8_t *p, size_t n)
    size_t tw_json_escape_byte(uint8_t byte, uint8_t *out)
    size_t tw_json_escape(const uint8_t *p, size_t n, uint8_t *out)
    int tw_unescape_byte(tw_unescape *u, uint8_t c, uint8_t *out, bint keep_lone)
    int tw_unescape_end(tw_unescape *u, uint8_t *out, bint keep_lone)
    bint tw_unescape_pending(const tw_unescape *u)
