# The C layer over stretches of any length. A long one is read without the GIL, so that threads with texts of their own
# read them at the same time; a parser that is in use refuses other callers, and whoever fed it holds the text.
#
# To give the GIL up and to ask for it again is cheap, but somebody else may keep it for milliseconds. So a search,
# which may end at its first byte, keeps it for the first LONG_STRETCH: it is never given up for less work than that.

from libc.stddef cimport ptrdiff_t, size_t
from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from ..scan.json_escape cimport tw_json_escape
from ..scan.json_scanner cimport TW_MORE, tw_json, tw_json_feed
from ..scan.marker_matcher cimport tw_markers, tw_markers_feed, tw_markers_skip, tw_match
from ..scan.utf8 cimport tw_utf8_count

cdef enum:
    LONG_STRETCH = 16 * 1024     # bytes; most loops take some microseconds for them


cdef inline ptrdiff_t find_marker(const tw_markers *markers, tw_match *match, const uint8_t *text, size_t n) noexcept:
    """tw_markers_feed."""
    cdef ptrdiff_t found
    if n < 2 * LONG_STRETCH:
        return tw_markers_feed(markers, match, text, n)
    found = tw_markers_feed(markers, match, text, LONG_STRETCH)
    if found < 0:
        with nogil:
            found = tw_markers_feed(markers, match, text + LONG_STRETCH, n - LONG_STRETCH)
        if found >= 0:
            found += LONG_STRETCH
    return found


cdef inline size_t skip_to_marker(const tw_markers *markers, const uint8_t *text, size_t n) noexcept:
    """tw_markers_skip."""
    cdef size_t run = n if n < 2 * LONG_STRETCH else LONG_STRETCH
    cdef size_t skipped = tw_markers_skip(markers, text, run)
    if skipped == run and run < n:
        with nogil:
            skipped += tw_markers_skip(markers, text + run, n - run)
    return skipped


cdef inline ptrdiff_t scan_json(tw_json *scanner, const uint8_t *text, size_t n, size_t *taken) noexcept:
    """tw_json_feed."""
    cdef ptrdiff_t found
    if n < 2 * LONG_STRETCH:
        return tw_json_feed(scanner, text, n, taken)
    found = tw_json_feed(scanner, text, LONG_STRETCH, taken)
    if found == TW_MORE:
        with nogil:
            found = tw_json_feed(scanner, text + LONG_STRETCH, n - LONG_STRETCH, taken)
        taken[0] += LONG_STRETCH
        if found >= 0:
            found += LONG_STRETCH
    return found


cdef inline size_t escape_json(const uint8_t *text, size_t n, uint8_t *out) noexcept:
    """tw_json_escape."""
    cdef size_t written
    if n < LONG_STRETCH:
        return tw_json_escape(text, n, out)
    with nogil:
        written = tw_json_escape(text, n, out)
    return written


cdef inline size_t count_points(const uint8_t *text, size_t n) noexcept:
    """tw_utf8_count."""
    cdef size_t count
    if n < LONG_STRETCH:
        return tw_utf8_count(text, n)
    with nogil:
        count = tw_utf8_count(text, n)
    return count


cdef inline void copy_bytes(uint8_t *target, const uint8_t *source, size_t n) noexcept:
    """memcpy; the target may be fresh memory, which costs more than what is copied into it."""
    if n < LONG_STRETCH:
        memcpy(target, source, n)
    else:
        with nogil:
            memcpy(target, source, n)
