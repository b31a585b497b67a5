"""The reading of a turn: text and blocks in turn.

Theory of operation. An opener is a call's only if the next visible byte fits; a quote that touches it makes the reader
read without a word until the call is settled. A block is read by its opener's reader.

    TEXT_MODE --opener--> AFTER_OPENER --first byte fits--> BLOCK --done--> TEXT_MODE
        ^                      | stray tag                    | broken: an opener inside? AFTER_OPENER : MALFORMED
        +----------------------+------------------------------+-- end of the malformed block
"""

from libc.stddef cimport ptrdiff_t
from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcmp, memset

from .outcomes import CallStatus, Reason
from .broken cimport BrokenBlocks
from .readers.plan cimport CLOSER, OPENER, TAG_OPENER
from .readers.turn cimport (
    BARE, BROKEN, CONTENT, DONE, GUIDED, HELD, IN_THOUGHT, MORE, NATIVE, NO_CALL, Place, REASONING, REJECTED, RESUMED,
    Reader, SKIPPED, STRAYED, Step, TEXT, WEAK,
)
from .scan.byte_class cimport is_quote, is_space
from .scan.marker_matcher cimport tw_markers_feed, tw_markers_held, tw_match
from .text cimport (
    AFTER_BRACKET, AFTER_OPENER, AFTER_QUOTE, BLOCK, GO_ON, IN_TAG, MALFORMED, TEXT_MODE, WAIT,
)

INVALID = CallStatus.INVALID
NATIVE_IN_GUIDED = Reason.NATIVE_IN_GUIDED
AFTER_INVALID = Reason.AFTER_INVALID
ENVELOPE = Reason.ENVELOPE


cdef class Reading(BrokenBlocks):
    """All modes of the reading; `run` goes through them."""

    cdef int run(self) except -1:
        """Read on until the input is used up."""
        cdef int more = GO_ON
        while more == GO_ON:
            if self.r.mode == TEXT_MODE:
                more = self.read_text()
            elif self.r.mode == BLOCK:
                more = self.read_block()
            elif self.r.mode == AFTER_OPENER:
                more = self.after_opener()
            elif self.r.mode == AFTER_QUOTE:
                more = self.after_quote()
            elif self.r.mode == IN_TAG:
                more = self.in_tag()
            elif self.r.mode == AFTER_BRACKET:
                more = self.after_bracket()
            elif self.r.mode == MALFORMED:
                more = self.read_malformed()
            else:
                more = self.over()
        return 0

    cdef Py_ssize_t needed(self) noexcept:
        """Position from which the input is still needed."""
        cdef Py_ssize_t least = self.s.text_from
        if self.r.resuming:
            least = min(least, self.r.marker_start)
        elif self.r.mode == BLOCK and self.s.call != NO_CALL and self.s.call != HELD:
            least = min(self.s.pos, self.s.text_from) if self.s.call == TEXT else self.s.pos
            if self.s.call != TEXT and self.s.hidden < 0:
                least -= tw_markers_held(self.plan.openers.markers, &self.s.watch)
            if self.s.held_from >= 0:
                least = min(least, self.s.held_from)
            if self.s.hidden >= 0:
                least = min(least, self.s.hidden)
        return min(least, self.s.limit)

    cdef bint bare_block(self) except -1:
        """Where a call needs no opener: does one begin with the first visible byte?"""
        cdef Py_ssize_t at = self.r.scan
        if not self.r.blank or self.r.match.state or self.s.channel != CONTENT or self.s.spoken:
            return False
        while at < self.s.limit and is_space(self.data[at - self.s.base]):
            at += 1
        if at == self.s.limit or not self.reader_of(self.plan.bare).accepts(self, self.data[at - self.s.base]):
            return False
        self.take(at)
        if not self.r.blank:  # more whitespace than is held: it is text, and text has begun
            return False
        self.r.kind = OPENER
        self.r.owner = self.plan.bare
        self.r.marker_start = at
        self.r.marker_end = at
        self.begin_block(at, at)
        return True

    cdef int after_opener(self) except -1:
        """Behind an opener: the next visible byte tells whether a call begins."""
        cdef uint8_t byte
        cdef bint one_line
        while self.s.pos < self.s.limit and self.s.pos - self.r.marker_end <= self.limits.whitespace:
            byte = self.data[self.s.pos - self.s.base]
            if not is_space(byte) and (self.r.kind == TAG_OPENER or byte not in <bytes>self.plan.skips[self.r.owner]):
                if self.r.kind == TAG_OPENER:
                    if byte != c"{" and byte != c"[":
                        return self.try_native(byte)
                    if self.s.channel == CONTENT or self.r.payload_found:
                        break
                    self.drop_marker()
                    self.r.marker_start = self.s.pos
                    self.r.marker_end = self.s.pos = self.s.pos + 1
                    self.r.mode = AFTER_BRACKET
                    return GO_ON
                for number in self.plan.alternatives[self.r.owner]:
                    if self.reader_of(number).accepts(self, byte):
                        self.r.owner = number
                        return self.begin_block(self.r.marker_start, self.s.pos)
                break
            self.s.pos += 1
        else:
            if self.s.pos == self.s.limit and self.s.pos - self.r.marker_end <= self.limits.whitespace:
                return WAIT
        if self.r.resuming:
            return self.resume(self.r.marker_start + 1)
        if self.r.kind == TAG_OPENER:
            return self.drop_marker()
        if self.plan.weak[self.r.owner]:
            return self.marker_is_text()
        one_line = memchr(self.data + (self.r.marker_end - self.s.base), c"\n", self.s.pos - self.r.marker_end) == NULL
        return self.stray_tag(one_line)

    cdef Step payload_at(self, Py_ssize_t bracket, Py_ssize_t behind) except *:
        cdef uint8_t opening = self.data[bracket - self.s.base]
        cdef uint8_t byte
        cdef bint fits
        if self.r.payload_found or not self.reader_of(0).accepts(self, opening):
            return BROKEN
        while behind < self.s.limit and behind - bracket <= self.limits.whitespace + 1:
            byte = self.data[behind - self.s.base]
            if not is_space(byte):
                fits = byte == c'"' or byte == c"}" if opening == c"{" else byte == c"{" or byte == c"]"
                return DONE if fits else BROKEN
            behind += 1
        return MORE if behind - bracket <= self.limits.whitespace + 1 else BROKEN

    cdef int after_bracket(self) except -1:
        """Guided output: does the payload begin with this bracket?"""
        cdef Step answer = self.payload_at(self.r.marker_start, self.s.pos)
        if answer == MORE:
            self.s.pos = self.s.limit
            return WAIT
        if answer == BROKEN:
            return self.marker_is_text()
        self.r.owner = 0
        self.s.channel = CONTENT
        return self.begin_block(self.r.marker_start, self.r.marker_start)

    cdef Reader reader_of(self, Py_ssize_t number):
        """The reader of an opener, made when it is first needed."""
        if self.readers[number] is None:
            self.readers[number] = (<Reader>self.plan.readers[number]).copy()
        return self.readers[number]

    cdef int begin_block(self, Py_ssize_t start, Py_ssize_t first) except -1:
        cdef Place place = NATIVE
        self.reader = self.reader_of(self.r.owner)
        if self.r.resuming:
            place = RESUMED
        elif self.plan.guided:
            place = GUIDED
        elif self.s.channel == REASONING:
            place = IN_THOUGHT
        elif self.r.owner == self.plan.bare:
            place = BARE
        elif self.plan.weak[self.r.owner]:
            place = WEAK
        self.open_block(place, start)
        self.r.quote = self.byte_before(start)
        self.r.held = place == NATIVE and is_quote(self.r.quote) and not self.r.settled
        if self.r.held:
            self.s.call = HELD
        self.r.settled = False
        self.r.first = self.s.pos = first
        self.r.mode = BLOCK
        self.reader.begin(self)
        return GO_ON

    cdef int is_call(self) except -1:
        if self.r.resuming:
            self.r.resuming = False
            if self.r.broken_from < self.s.block:
                self.tell_malformed(self.s.block, self.s.block)
        self.s.text_from = self.s.pos
        return 0

    cdef int try_native(self, uint8_t first) except -1:
        """Guided output: if a native call may go on with this byte, is a whole one there? Else the opener is a tag."""
        for number in self.plan.alternatives[self.r.owner]:
            if self.reader_of(number + 1).accepts(self, first):
                self.reader = self.reader_of(number + 1)
                self.open_block(NATIVE, self.r.marker_start)
                self.s.call = HELD
                self.r.held = self.r.trial = True
                self.r.mode = BLOCK
                self.reader.begin(self)
                return GO_ON
        return self.drop_marker()

    cdef int read_trial(self) except -1:
        cdef Py_ssize_t limit = self.s.limit
        cdef Py_ssize_t prefix_end = self.r.marker_end + len(<bytes>self.plan.prefixes[self.r.owner])
        cdef Py_ssize_t bound = max(self.s.block + self.limits.quoted_hold, prefix_end)
        self.s.limit = min(limit, bound)
        cdef int answer = self.read_step() if self.s.pos < self.s.limit else MORE
        self.s.limit = limit
        if answer == MORE and limit <= bound:
            return WAIT
        if answer == DONE:
            self.r.marker_end = self.s.pos
        return self.settle_trial()

    cdef int settle_trial(self) except -1:
        """The native call is whole, or only its opener was markup."""
        cdef bytes prefix
        cdef const uint8_t *at
        self.r.held = self.r.trial = False
        self.s.call = NO_CALL
        if not self.s.held_whole:
            prefix = self.plan.prefixes[self.r.owner]
            if self.limits.header >= len(prefix) and self.s.limit - self.r.marker_end >= len(prefix):
                at = self.data + (self.r.marker_end - self.s.base)
                if memcmp(at, <const uint8_t *>prefix, len(prefix)) == 0:
                    self.r.marker_end += len(prefix)
            return self.drop_marker()
        self.r.marker_end = self.s.pos
        if self.malformed_as_text:
            return self.marker_is_text()
        self.say_malformed(self.s.block, self.s.pos, NATIVE_IN_GUIDED)
        return self.drop_marker()

    cdef int read_step(self) except -1:
        """A step of the reader; the bytes that it looks at count, those that it gives back too."""
        cdef Py_ssize_t before = self.s.pos
        cdef int answer
        self.s.reached = before
        answer = self.reader.step(self)
        self.s.looked += max(self.s.reached, self.s.pos) - before
        return answer

    cdef int read_block(self) except -1:
        cdef int answer
        if self.r.trial:
            return self.read_trial()
        answer = self.read_step()
        if answer == STRAYED:
            return self.block_strayed()
        if self.r.held:
            if (
                answer == MORE and not (self.s.held_whole or self.s.held_text)
                and self.s.limit - self.s.block <= self.limits.quoted_hold
            ):
                return WAIT
            return self.settle_held()
        if self.s.call == TEXT:
            if answer != MORE:
                return self.text_call_over()
            self.say(self.text_call_sure())
            return WAIT
        if answer == MORE:
            return WAIT
        if answer == DONE:
            return self.block_done()
        if answer == REJECTED:
            return self.resume(self.r.marker_start + 1) if self.r.resuming else self.block_is_text()
        return self.block_broken(self.reason)

    cdef int settle_held(self) except -1:
        """A quote touches the opener, but this is a call: read it again, this time aloud."""
        self.r.settled = True
        return self.begin_block(self.s.block, self.r.first)

    cdef Py_ssize_t text_call_sure(self) except -1:
        """Up to where a call that is text is certain: should it break, what the reader holds is read as text.

        It is text then as well, but for the markers in it; closers are owed.
        """
        cdef Py_ssize_t at = max(self.s.pos if self.s.held_from < 0 else self.s.held_from, self.s.text_from)
        cdef tw_match match
        cdef ptrdiff_t found
        if self.reader.inside():
            return self.s.limit
        memset(&match, 0, sizeof(match))
        while at < self.s.limit:
            found = tw_markers_feed(
                self.table.markers, &match, self.data + (at - self.s.base), self.s.limit - at
            )
            self.s.looked += found if found >= 0 else self.s.limit - at
            if found < 0:
                return self.sure_end(self.table, self.s.limit - tw_markers_held(self.table.markers, &match), True)
            at += found
            if self.table.kinds[match.marker] != CLOSER:
                return at - match.length
            memset(&match, 0, sizeof(match))
        return at

    cdef int text_call_over(self) except -1:
        """A call that is text ended at `pos`; what follows is read as text."""
        self.r.blank = self.r.stray = False
        self.say(max(self.s.pos, self.s.text_from))
        self.r.closer_owed = True
        self.r.mode = TEXT_MODE
        self.s.call = NO_CALL
        self.r.scan = self.r.seen = self.s.pos
        memset(&self.r.match, 0, sizeof(self.r.match))
        return GO_ON

    cdef int block_done(self) except -1:
        self.r.marker_end = self.s.pos
        self.r.payload_found = self.plan.guided
        self.s.spoken = False
        return self.drop_marker()

    cdef int block_strayed(self) except -1:
        """The opener's header does not fit: what was read of it is a stray tag."""
        if self.r.resuming:
            return self.resume(self.r.marker_start + 1)
        self.r.held = False
        self.s.call = NO_CALL
        self.r.marker_end = max(self.r.marker_end, self.s.pos)
        return self.stray_tag(True)

    cdef int block_broken(self, object reason) except -1:
        if self.r.resuming:
            return self.resume(self.r.marker_start + 1)
        if self.s.call == NO_CALL and self.s.place != NATIVE:
            return self.block_is_text()
        self.r.broken_at = self.r.broken_from = self.s.pos
        if self.s.call == NO_CALL:
            self.r.broken_from = self.s.block
            self.broken_reason = reason
            if self.s.hidden >= 0:
                return self.resume(self.s.hidden)
            return self.malformed_from()
        self.s.text_from = self.s.pos
        if self.s.arguments_open or self.s.call == SKIPPED:
            self.end_call(INVALID, reason)
            self.broken_reason = AFTER_INVALID
        elif self.s.place == GUIDED:  # elements before a broken one stay, the rest is content
            return self.block_done()
        else:
            self.broken_reason = ENVELOPE
        if self.s.hidden >= 0:
            return self.resume(self.s.hidden)
        return self.malformed_from()
