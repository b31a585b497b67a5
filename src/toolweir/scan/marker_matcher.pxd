"""The marker matcher; include/toolweir/marker_matcher.h documents it."""

from libc.stddef cimport ptrdiff_t
from libc.stdint cimport uint8_t, uint16_t, uint32_t


cdef extern from "toolweir/marker_matcher.h" nogil:
    ctypedef struct tw_markers:
        pass

    ctypedef struct tw_match:
        uint16_t state
        uint16_t marker
        uint32_t length

    size_t tw_markers_size(const uint8_t *const *markers, const size_t *lengths, size_t count)
    tw_markers *tw_markers_build(
        void *memory, size_t size, const uint8_t *const *markers, const size_t *lengths, size_t count
    )
    ptrdiff_t tw_markers_feed(const tw_markers *t, tw_match *m, const uint8_t *p, size_t n)
    size_t tw_markers_held(const tw_markers *t, const tw_match *m)
    size_t tw_markers_skip(const tw_markers *t, const uint8_t *p, size_t n)
    bint tw_markers_first(const tw_markers *t, uint8_t byte)


cdef class MarkerMatcher:
    cdef tw_markers *tables  # inside `memory`, which copies share
    cdef bytearray memory
    cdef tw_match match
    cdef dict characters     # state to the number of characters that it holds
    cdef bint by_character   # the last piece was a str

    cdef ptrdiff_t feed_bytes(self, const uint8_t *p, size_t n) noexcept nogil
