"""The text between calls: which of it is content, which is reasoning, and where a call begins.

Theory of operation. One automaton looks for all markers of the current channel at once; the text before a marker, or
before what may still become one, is certain and goes out, with these exceptions. Whitespace behind a marker is held until
something visible follows it, for a run of nothing else is dropped; so are two newlines, where a blank line may belong to
the opener behind it. And a stray tag with visible text before it on its
line is held until the rest of the line tells prose from markup.

A marker may need the bytes behind it to be understood; each such wait is a mode of its own (AFTER_OPENER, AFTER_QUOTE,
AFTER_BRACKET). A block is read by its opener's reader. When it breaks, the text that the reader kept from the first
opener inside an open string is tried first: reading resumes at the first of those openers whose header fits. Otherwise
the block is a MalformedCall up to its closer, the next opener or its limit.

    TEXT_MODE --opener--> AFTER_OPENER --first byte fits--> BLOCK --done--> TEXT_MODE
        ^                      | stray tag                    | broken: an opener inside? AFTER_OPENER : MALFORMED
        +----------------------+------------------------------+-- end of the malformed block
"""

from libc.stddef cimport ptrdiff_t
from libc.stdint cimport uint8_t
from libc.string cimport memchr, memset

from .outcomes import CallStatus, Reason
from .readers.plan cimport (
    CLOSER, END_OF_TURN, MARKUP, MarkerTable, OPENER, PAYLOAD, STOP, TAG, TAG_OPENER, TAG_START, THINK_CLOSER,
    THINK_OPENER,
)
from .readers.turn cimport (
    BARE, CONTENT, DONE, GUIDED, HELD, IN_THOUGHT, MORE, NATIVE, NO_CALL, Place, REASONING, REJECTED, RESUMED,
    Reader, SKIPPED, STRAYED, TEXT, Turn, WEAK,
)
from .scan.marker_matcher cimport tw_markers_feed, tw_markers_held

INCOMPLETE = CallStatus.INCOMPLETE
INVALID = CallStatus.INVALID
NATIVE_IN_GUIDED = Reason.NATIVE_IN_GUIDED
AFTER_INVALID = Reason.AFTER_INVALID
ENVELOPE = Reason.ENVELOPE
TEXT_ENDED = Reason.TEXT_ENDED

AFTER_END_OF_TURN_WARNING = "text_after_end_of_turn"

cdef enum:
    WAIT = 0           # all input is read
    GO_ON = 1          # the mode may have changed


cdef inline bint is_space(uint8_t byte) noexcept:
    return byte == c" " or 9 <= byte <= 13


cdef inline bint is_quote(uint8_t byte) noexcept:
    return byte == c'"' or byte == c"'" or byte == c"`"


cdef class Reading(Turn):

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

    cdef void choose_table(self) noexcept:
        if self.r.faulty:
            self.table = self.plan.nothing
        elif self.r.apart and not self.r.special:
            self.table = self.plan.plain if self.s.channel == CONTENT else self.plan.nothing
        elif self.s.channel == REASONING:
            self.table = self.plan.echo if self.r.echo else self.plan.reasoning
        elif self.plan.guided and not self.r.payload_found:
            self.table = self.plan.payload
        else:
            self.table = self.plan.content

    # Text

    cdef bint bare_block(self) except -1:
        """Where a call needs no opener: does one begin with the first visible byte?"""
        cdef Py_ssize_t at = self.r.scan
        if not self.r.blank or self.r.match.state or self.s.channel != CONTENT or self.s.spoken or self.r.apart:
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

    cdef int read_text(self) except -1:
        cdef ptrdiff_t found
        cdef Py_ssize_t upto
        if self.plan.bare >= 0 and self.bare_block():
            return GO_ON
        found = tw_markers_feed(
            self.table.markers, &self.r.match, self.data + (self.r.scan - self.s.base), self.s.limit - self.r.scan
        )
        if found < 0:
            self.s.looked += self.s.limit - self.r.scan
            self.r.scan = self.s.limit
            upto = self.s.limit - tw_markers_held(self.table.markers, &self.r.match)
            self.take(upto)
            self.send(upto - self.newlines_before(upto) if self.plan.blank_lines else upto)
            if self.r.echo and not self.r.blank and self.r.match.state == 0:
                self.r.echo = False
                self.choose_table()
            return WAIT
        self.s.looked += found
        self.r.scan += found
        return self.marker_at(self.r.scan - self.r.match.length, self.r.scan)

    cdef int take(self, Py_ssize_t upto) noexcept:
        """Text up to `upto` is certain: decide about the whitespace and the stray tags before it."""
        cdef Py_ssize_t at = self.r.seen
        cdef uint8_t byte
        while self.r.stray and at < upto:
            byte = self.data[at - self.s.base]
            if byte == c"\n":  # nothing but tags up to the end of the line: they are markup
                self.r.stray = False
                self.r.blank = True
                self.s.text_from = self.r.stray_end
                self.s.line_visible = False
            elif not is_space(byte) or at - self.s.text_from >= self.malformed_limit:
                self.r.stray = False
            else:
                at += 1
        if self.r.blank and not self.r.stray:
            while at < upto and is_space(self.data[at - self.s.base]):
                at += 1
            if self.trim:
                self.s.text_from = at
                self.r.blank = at == upto
            elif at < upto or at - self.s.text_from > self.space_limit:
                self.r.blank = False
        self.r.seen = upto
        return 0

    cdef int send(self, Py_ssize_t upto) except -1:
        """Send the text up to `upto`, unless it is still undecided."""
        cdef Py_ssize_t end = upto
        if self.r.blank or self.r.stray:
            return 0
        if self.trim:
            while end > self.s.text_from and is_space(self.data[end - 1 - self.s.base]):
                end -= 1
            if end > self.s.text_from:
                self.r.loose = False
            if upto - end > self.space_limit:
                self.r.loose = True
            if self.r.loose:
                end = upto
        return self.say(end)

    cdef Py_ssize_t newlines_before(self, Py_ssize_t upto) noexcept:
        """Two at most, of those that are not sent yet."""
        cdef Py_ssize_t count = 0
        while count < 2 and upto - count > self.s.text_from and self.data[upto - count - 1 - self.s.base] == c"\n":
            count += 1
        return count

    # Markers

    cdef int marker_at(self, Py_ssize_t start, Py_ssize_t end) except -1:
        cdef uint8_t before = self.byte_before(start)
        self.r.marker_start = start
        self.r.marker_end = self.s.pos = end
        self.r.kind = self.table.kinds[self.r.match.marker]
        self.r.owner = self.table.owners[self.r.match.marker]
        self.take(start)
        if self.r.kind == OPENER and self.plan.blank_line[self.r.owner] and self.newlines_before(start) == 2:
            self.send(start - 2)
        else:
            self.send(start)
        if self.r.echo and not self.r.blank:
            self.r.echo = False
            self.choose_table()
        self.r.closer_owed = self.r.closer_owed and self.r.kind == CLOSER
        if self.r.kind == OPENER:
            self.r.mode = AFTER_OPENER
        elif self.r.kind == PAYLOAD:
            self.r.mode = AFTER_BRACKET
        elif self.r.kind == TAG_START:
            self.r.mode = IN_TAG
        elif self.r.kind == TAG or self.r.kind == TAG_OPENER:
            if is_quote(before):
                return self.marker_is_text()
            self.r.mode = AFTER_QUOTE
        elif is_quote(before) and self.r.kind in (THINK_OPENER, THINK_CLOSER, MARKUP):
            self.r.mode = AFTER_QUOTE
        else:
            return self.decided()
        return GO_ON

    cdef int decided(self) except -1:
        """The marker is no prose: do what it says."""
        if self.r.kind == STOP or self.r.kind == END_OF_TURN:
            if self.r.kind == STOP:
                self.stop_sequence = self.stop[self.r.owner]
            self.drop_marker()
            self.r.mode = OVER
            return GO_ON
        if self.r.kind == CLOSER:
            if self.r.closer_owed:
                self.r.closer_owed = False
                return self.marker_is_text()
            return self.stray_tag(True)
        if self.r.kind == THINK_OPENER:
            if self.s.channel == REASONING and not self.r.echo:
                return self.marker_is_text()
            self.s.channel = REASONING
            self.r.echo = False
        elif self.r.kind == THINK_CLOSER:
            self.s.channel = CONTENT
        elif self.r.kind == TAG_OPENER:
            self.r.mode = AFTER_OPENER
            return GO_ON
        return self.drop_marker()

    cdef int drop_marker(self) except -1:
        """The marker is markup, and so is a stray tag that no text followed; text goes on behind it."""
        self.r.mode = TEXT_MODE
        self.r.blank = True
        self.r.marked = True
        self.r.loose = self.r.stray = False
        self.s.line_visible = False
        self.s.text_from = self.r.scan = self.r.seen = self.r.marker_end
        memset(&self.r.match, 0, sizeof(self.r.match))
        self.choose_table()
        return GO_ON

    cdef int marker_is_text(self) except -1:
        self.r.mode = TEXT_MODE
        self.r.blank = self.r.stray = False
        self.r.scan = self.r.seen = self.r.marker_end
        memset(&self.r.match, 0, sizeof(self.r.match))
        self.choose_table()
        return GO_ON

    cdef int stray_tag(self, bint line_goes_on) except -1:
        """An opener that no call follows, or a closer without its opener: prose only inside a line of text."""
        cdef bint visible = not self.r.blank
        if self.plan.blank_lines and visible and not (self.r.stray or self.trim):
            self.say(self.r.marker_start)  # the blank line before it
        if not (line_goes_on and (self.s.line_visible or self.r.stray)):
            if self.trim and visible:
                self.say(self.r.marker_start)
            self.drop_marker()
            self.r.blank = not (self.trim and visible)
            return GO_ON
        self.r.stray = True
        self.r.stray_end = self.r.scan = self.r.seen = self.r.marker_end
        self.r.mode = TEXT_MODE
        memset(&self.r.match, 0, sizeof(self.r.match))
        return GO_ON

    cdef int after_quote(self) except -1:
        cdef uint8_t byte
        if self.r.marker_end == self.s.limit:
            return WAIT
        byte = self.data[self.r.marker_end - self.s.base]
        if self.r.kind == TAG or self.r.kind == TAG_OPENER:
            return self.marker_is_text() if is_quote(byte) else self.decided()
        return self.marker_is_text() if byte == self.byte_before(self.r.marker_start) else self.decided()

    cdef int in_tag(self) except -1:
        """Guided output: a parameter's tag goes with its name and attributes, if they are followed by its end.

        A quote before it may belong to the header of a call; so only between two of them it is text.
        """
        cdef uint8_t byte
        while self.s.pos < self.s.limit:
            byte = self.data[self.s.pos - self.s.base]
            if byte in b"<{[\n" or self.s.pos - self.r.marker_end >= self.malformed_limit:
                return self.drop_marker()
            self.s.pos += 1
            if byte == c">":
                self.r.marker_end = self.s.pos
                if is_quote(self.byte_before(self.r.marker_start)):
                    self.r.mode = AFTER_QUOTE
                    return GO_ON
                return self.drop_marker()
        return WAIT

    cdef int after_opener(self) except -1:
        """Behind an opener: the next visible byte tells whether a call begins."""
        cdef uint8_t byte
        cdef bint one_line
        while self.s.pos < self.s.limit and self.s.pos - self.r.marker_end <= self.space_limit:
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
            if self.s.pos == self.s.limit and self.s.pos - self.r.marker_end <= self.space_limit:
                return WAIT
        if self.r.resuming:
            return self.resume(self.r.marker_start + 1)
        if self.r.kind == TAG_OPENER:
            return self.drop_marker()
        if self.plan.weak[self.r.owner]:
            return self.marker_is_text()
        one_line = memchr(self.data + (self.r.marker_end - self.s.base), c"\n", self.s.pos - self.r.marker_end) == NULL
        return self.stray_tag(one_line)

    cdef int after_bracket(self) except -1:
        """Guided output: does the payload begin with this bracket?"""
        cdef uint8_t bracket = self.data[self.r.marker_start - self.s.base]
        cdef uint8_t byte = 0
        cdef bint fits = False
        while self.s.pos < self.s.limit and self.s.pos - self.r.marker_end <= self.space_limit:
            byte = self.data[self.s.pos - self.s.base]
            if not is_space(byte):
                fits = byte == c'"' or byte == c"}" if bracket == c"{" else byte == c"{" or byte == c"]"
                break
            self.s.pos += 1
        else:
            if self.s.pos == self.s.limit and self.s.pos - self.r.marker_end <= self.space_limit:
                return WAIT
        self.r.owner = 0
        if not fits or self.r.payload_found or not self.reader_of(0).accepts(self, bracket):
            return self.marker_is_text()
        self.s.channel = CONTENT
        return self.begin_block(self.r.marker_start, self.r.marker_start)

    # Blocks

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
        cdef Py_ssize_t limit = self.s.limit, bound = self.s.block + self.quoted_limit
        self.s.limit = min(limit, bound)
        cdef Py_ssize_t before = self.s.pos
        cdef int answer = self.reader.step(self) if self.s.pos < self.s.limit else MORE
        self.s.looked += abs(self.s.pos - before)
        self.s.limit = limit
        if answer == MORE and limit <= bound:
            return WAIT
        if answer == DONE:
            self.r.marker_end = self.s.pos
        return self.settle_trial()

    cdef int settle_trial(self) except -1:
        """The native call is whole, or only its opener was markup."""
        self.r.held = self.r.trial = False
        self.s.call = NO_CALL
        if not self.s.held_whole:
            return self.drop_marker()
        self.r.marker_end = self.s.pos
        if self.malformed_as_text:
            return self.marker_is_text()
        self.say_malformed(self.s.block, self.s.pos, NATIVE_IN_GUIDED)
        return self.drop_marker()

    cdef int read_block(self) except -1:
        cdef Py_ssize_t before = self.s.pos
        cdef int answer
        if self.r.trial:
            return self.read_trial()
        answer = self.reader.step(self)
        self.s.looked += abs(self.s.pos - before)
        if answer == STRAYED:
            return self.block_strayed()
        if self.r.held:
            if answer == MORE and not self.s.held_whole and self.s.limit - self.s.block <= self.quoted_limit:
                return WAIT
            return self.settle_held()
        if self.s.call == TEXT:
            self.r.blank = self.r.stray = False
            self.say(self.s.held_from if answer == MORE and self.s.held_from >= 0 else self.s.pos)
            if answer == MORE:
                return WAIT
            self.r.closer_owed = True
            self.r.mode = TEXT_MODE
            self.s.call = NO_CALL
            self.r.scan = self.r.seen = self.s.pos
            memset(&self.r.match, 0, sizeof(self.r.match))
            return GO_ON
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

    cdef int block_is_text(self) except -1:
        """What looked like a call is none by the rules of its place; the opener is text, the rest is read again."""
        self.r.payload_found = self.plan.guided
        self.r.marker_end = max(self.r.marker_end, self.s.block)
        self.s.spoken = True
        return self.marker_is_text()

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

    cdef int resume(self, Py_ssize_t after) except -1:
        """Try the next opener that stands before the byte which broke the block."""
        cdef ptrdiff_t found = -1
        cdef Py_ssize_t start
        memset(&self.r.match, 0, sizeof(self.r.match))
        if after < self.r.broken_at:
            found = tw_markers_feed(
                self.plan.openers.markers, &self.r.match, self.data + (after - self.s.base), self.s.limit - after
            )
            self.s.looked += found if found >= 0 else self.s.limit - after
        start = after + found - self.r.match.length
        if found < 0 or start >= self.r.broken_at:
            return self.malformed_from()
        self.r.resuming = True
        self.r.kind = OPENER
        self.r.owner = self.plan.openers.owners[self.r.match.marker]
        self.r.marker_start = start
        self.r.marker_end = self.s.pos = start + self.r.match.length
        self.r.mode = AFTER_OPENER
        return GO_ON

    # Malformed blocks

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
        cdef Py_ssize_t bound = self.r.broken_from + max(self.malformed_limit, 1)  # or its opener would be read again
        cdef Py_ssize_t start, end, certain
        cdef ptrdiff_t found = -1
        if self.s.pos - <Py_ssize_t>tw_markers_held(table.markers, &self.r.match) <= bound:
            found = tw_markers_feed(
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
                        self.say(certain)
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

    # The end

    cdef int over(self) except -1:
        cdef Py_ssize_t at
        if self.stop_sequence is None and AFTER_END_OF_TURN_WARNING not in self.warned:
            for at in range(self.s.text_from, self.s.limit):
                if not is_space(self.data[at - self.s.base]):
                    self.warn(AFTER_END_OF_TURN_WARNING)
                    break
        self.s.text_from = self.s.pos = self.s.limit
        return WAIT

    cdef int settle(self) except -1:
        """The text ends here: decide what was undecided."""
        while True:
            if self.r.mode == AFTER_QUOTE:
                self.decided()
            elif self.r.mode == IN_TAG:
                self.drop_marker()
            elif self.r.mode == AFTER_OPENER:
                if self.r.resuming:
                    self.malformed_from()
                elif self.r.kind == TAG_OPENER:
                    self.drop_marker()
                elif self.plan.weak[self.r.owner]:
                    self.marker_is_text()
                else:
                    self.stray_tag(False)
            elif self.r.mode == AFTER_BRACKET:
                self.marker_is_text()
            elif self.r.mode == BLOCK:
                self.settle_block()
            elif self.r.mode == MALFORMED:
                self.end_malformed(self.s.limit, self.s.limit)
            elif self.r.mode == TEXT_MODE:
                return self.settle_text()
            else:
                return 0
            self.run()

    cdef int settle_block(self) except -1:
        cdef Py_ssize_t at
        cdef int answer
        if self.r.trial:
            if self.reader.end(self) == DONE:
                self.r.marker_end = self.s.pos
            self.settle_trial()
            return self.run()
        if self.r.held:
            at = self.r.first
            while at < self.s.limit:
                if self.data[at - self.s.base] == self.r.quote and not self.reader.asked(self, at):
                    self.r.marker_end = self.s.limit
                    return self.marker_is_text()
                at += 1
            self.settle_held()
            return self.run()
        if self.s.call == NO_CALL:
            if self.r.resuming:
                return self.malformed_from()
            if self.s.place != NATIVE:
                return self.block_is_text()
            answer = self.reader.end(self)
            if answer == STRAYED:
                return self.block_strayed()
            if answer == DONE:
                return self.block_done()
        if self.s.call == NO_CALL:
            self.r.broken_at = self.s.limit
            self.r.broken_from = self.s.block
            self.broken_reason = TEXT_ENDED
            return self.malformed_from()
        self.reader.end(self)
        if self.s.arguments_open:
            self.s.pos = self.s.limit
            self.end_call(INCOMPLETE, TEXT_ENDED)
        return self.block_done()

    cdef int settle_text(self) except -1:
        memset(&self.r.match, 0, sizeof(self.r.match))
        self.take(self.s.limit)
        if self.r.stray:
            self.r.stray = False
            self.r.blank = True
            self.s.text_from = self.r.stray_end
        if self.r.blank and not self.r.marked and not self.trim:
            self.r.blank = False
        self.send(self.s.limit)
        self.s.text_from = self.s.limit
        return 0
