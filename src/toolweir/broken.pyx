"""Blocks that broke: the openers inside them, and the rest of them.

Theory of operation. When a block breaks, the text that the reader kept from the first opener inside an open string is
tried first: reading resumes at the first of those openers whose header fits. Otherwise the block is a MalformedCall up
to its closer, the next opener or its limit. A block that is no call by the rules of its place is text, and is read
again as such.
"""

from libc.stddef cimport ptrdiff_t
from libc.string cimport memset

from .outcomes import Reason
from .readers.plan cimport CLOSER, MarkerTable, OPENER
from .readers.stretches cimport find_marker
from .scan.byte_class cimport is_space
from .scan.marker_matcher cimport tw_markers_held
from .text cimport Text, AFTER_OPENER, GO_ON, MALFORMED, WAIT

AFTER_INVALID = Reason.AFTER_INVALID
ENVELOPE = Reason.ENVELOPE


cdef class BrokenBlocks(Text):
    """What becomes of them."""

    cdef int block_is_text(self) except -1:
        """What looked like a call is none by the rules of its place; the opener is text, the rest is read again."""
        self.r.payload_found = self.plan.guided
        self.r.marker_end = max(self.r.marker_end, self.s.block)
        self.s.spoken = True
        return self.marker_is_text()

    cdef int resume(self, Py_ssize_t after) except -1:
        """Try the next opener that stands before the byte which broke the block."""
        cdef ptrdiff_t found = -1
        cdef Py_ssize_t start
        memset(&self.r.match, 0, sizeof(self.r.match))
        if after < self.r.broken_at:
            found = find_marker(
                self.plan.openers.markers, &self.r.match, self.data + (after - self.s.base), self.s.limit - after
            )
            self.s.looked += found if found >= 0 else self.s.limit - after
        start = after + found - self.r.match.length
        if found < 0 or after + found > self.r.broken_at:
            return self.malformed_from()
        if self.malformed_as_text and self.s.text_from < start <= self.r.broken_from + self.limits.malformed:
            if not self.rest_is_blank(start):
                self.say(start)
        self.r.resuming = True
        self.r.kind = OPENER
        self.r.owner = self.plan.openers.owners[self.r.match.marker]
        self.r.marker_start = start
        self.r.marker_end = self.s.pos = start + self.r.match.length
        self.r.mode = AFTER_OPENER
        return GO_ON

    cdef int malformed_from(self) except -1:
        self.r.resuming = False
        self.forget_hidden()
        self.r.mode = MALFORMED
        self.s.pos = self.r.broken_at
        memset(&self.r.match, 0, sizeof(self.r.match))
        return GO_ON

    cdef int read_malformed(self) except -1:
        """Up to the block's closer, the next opener, the end of the turn or the limit."""
        cdef MarkerTable table = self.plan.malformed
        cdef Py_ssize_t bound = self.r.broken_from + max(self.limits.malformed, 1)  # or its opener would be read again
        cdef Py_ssize_t start, end, certain
        cdef ptrdiff_t found = -1
        if self.s.pos - <Py_ssize_t>tw_markers_held(table.markers, &self.r.match) <= bound:
            found = find_marker(
                table.markers, &self.r.match, self.data + (self.s.pos - self.s.base), self.s.limit - self.s.pos
            )
            self.s.looked += found if found >= 0 else self.s.limit - self.s.pos
            if found >= 0:
                end = self.s.pos + found
                start = end - self.r.match.length
                if table.kinds[self.r.match.marker] == CLOSER:
                    if end <= bound:
                        return self.end_malformed(end, start)
                elif start <= bound:
                    return self.end_malformed(start, start)
            else:
                self.s.pos = self.s.limit
                certain = self.s.limit - tw_markers_held(table.markers, &self.r.match)
                if certain <= bound:
                    if self.malformed_as_text and not self.rest_is_blank(certain):
                        self.say(min(self.sure_end(table, certain, True), bound))
                    return WAIT
        while bound > self.r.broken_from and self.data[bound - self.s.base] & 0xc0 == 0x80:
            bound -= 1  # not within a character
        if bound == self.r.broken_from and bound == self.s.block:  # no room for any of it
            return self.block_is_text()
        return self.end_malformed(bound, bound)

    cdef int end_malformed(self, Py_ssize_t end, Py_ssize_t closer) except -1:
        cdef bint as_text
        self.r.payload_found = self.plan.guided
        self.r.marker_end = end
        self.tell_malformed(end, closer)
        as_text = self.malformed_as_text and self.s.text_from == end
        self.drop_marker()
        self.r.blank = not as_text
        return GO_ON

    cdef bint rest_is_blank(self, Py_ssize_t end) noexcept:
        """The rest of a call that is nothing but its closer is not worth an event."""
        cdef Py_ssize_t at = self.r.broken_from
        if self.broken_reason is not AFTER_INVALID and self.broken_reason is not ENVELOPE:
            return False
        if self.s.text_from > at:  # some of it went out as text
            return False
        while at < end and is_space(self.data[at - self.s.base]):
            at += 1
        return at == end

    cdef int tell_malformed(self, Py_ssize_t end, Py_ssize_t closer) except -1:
        """What broke stands at [broken_from, end)."""
        if self.rest_is_blank(closer) or end == self.r.broken_from:
            return 0
        if self.malformed_as_text:
            return self.say(end)
        return self.say_malformed(self.r.broken_from, end, self.broken_reason)
