"""The strict JSON scanner and the scanner of edges; include/toolweir/json_scanner.h and json_edge.h document them."""

from libc.stddef cimport ptrdiff_t
from libc.stdint cimport uint8_t


cdef extern from "toolweir/contract.h" nogil:
    const int TW_MORE
    const int TW_INVALID
    const int TW_DEPTH


cdef extern from "toolweir/json_scanner.h" nogil:
    const unsigned TW_JSON_DEPTH

    ctypedef struct tw_json:
        pass

    ptrdiff_t tw_json_feed(tw_json *s, const uint8_t *p, size_t n, size_t *taken)
    int tw_json_end(const tw_json *s)
    bint tw_json_started(const tw_json *s)
    bint tw_json_done(const tw_json *s)
    bint tw_json_in_string(const tw_json *s)
    bint tw_json_in_escape(const tw_json *s)
    unsigned tw_json_depth(const tw_json *s)
    bint tw_json_is_special(uint8_t byte)
    size_t tw_json_string_run(const uint8_t *p, size_t n)


cdef extern from "toolweir/json_edge.h" nogil:
    const int TW_EDGE_OPEN
    const int TW_EDGE_CLOSED
    const int TW_EDGE_MALFORMED

    ctypedef struct tw_edge:
        size_t depth
        bint in_string
        bint escape
        bint started
        bint scalar
        bint closed
        bint malformed

    ptrdiff_t tw_edge_find(tw_edge *e, const uint8_t *p, size_t n, size_t *taken)
    int tw_edge_verdict(const tw_edge *e)
    int tw_edge_feed(tw_edge *e, const uint8_t *p, size_t n)


cdef class JsonScanner:
    cdef tw_json strict
    cdef tw_edge edge
    cdef size_t read
    cdef bint boundary

    cdef ptrdiff_t feed_bytes(self, const uint8_t *p, size_t n) noexcept nogil
