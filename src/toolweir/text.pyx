"""The text between calls: which of it is content, which is reasoning, and where a marker stands.

Theory of operation. One automaton looks for all markers of the current channel at once; the text before a marker, or
before what may still become one, is certain and goes out, with these exceptions. Whitespace behind a marker is held
until something visible follows it, for a run of nothing else is dropped; so are two newlines, where a blank line may
belong to the opener behind it. And a stray tag with visible text before it on its line is held until the rest of the
line tells prose from markup.

A marker may need the bytes behind it to be understood; each such wait is a mode of its own. And where a marker would be
text by what stands before it, its head is not held either: then `text_from` is ahead of where the search found it.
"""

from libc.stddef cimport ptrdiff_t
from libc.stdint cimport uint8_t
from libc.string cimport memset

from .outcomes import Hold
from .readers.plan cimport (
    CLOSER, END_OF_TURN, MARKUP, OPENER, STOP, TAG, TAG_OPENER, TAG_START, THINK_CLOSER, THINK_OPENER,
)
from .readers.stretches cimport find_marker
from .readers.turn cimport BROKEN, CONTENT, NO_CALL, REASONING, SENT, Step, Turn
from .scan.byte_class cimport is_quote, is_space
from .scan.marker_matcher cimport tw_markers_held

AFTER_END_OF_TURN_WARNING = "text_after_end_of_turn"


cdef inline bint is_payload_bracket(uint8_t byte) noexcept:
    return byte == c"{" or byte == c"["


cdef class Text(Turn):
    """Content and reasoning."""

    cdef bint bare_block(self) except -1:
        """Does a call that needs no opener begin here? The reading of blocks knows."""
        return False

    cdef Step payload_at(self, Py_ssize_t bracket, Py_ssize_t behind) except *:
        """Guided output: is this bracket the payload's first (DONE)? Between it and `behind` is whitespace."""
        return BROKEN

    cdef void choose_table(self) noexcept:
        cdef bint spelled = self.r.apart and not self.r.special
        if self.r.faulty:
            self.table = self.plan.nothing
        elif self.s.channel == REASONING:
            if spelled:
                self.table = self.plan.spelled_reasoning
            else:
                self.table = self.plan.echo if self.r.echo else self.plan.reasoning
        else:
            self.table = self.plan.spelled_content if spelled else self.plan.content

    cdef int set_apart(self) except -1:
        """Special tokens are fed apart from here on; what may be the head of a marker is looked at again."""
        if not self.r.apart:
            self.r.apart = True
            if self.r.mode == TEXT_MODE:
                self.r.scan -= tw_markers_held(self.table.markers, &self.r.match)
                self.r.match.state = 0
            self.choose_table()
        return 0

    cdef int read_text(self) except -1:
        cdef ptrdiff_t found
        cdef Py_ssize_t upto
        if self.plan.bare >= 0 and self.bare_block():
            return GO_ON
        found = find_marker(
            self.table.markers, &self.r.match, self.data + (self.r.scan - self.s.base), self.s.limit - self.r.scan
        )
        if found < 0:
            self.s.looked += self.s.limit - self.r.scan
            self.r.scan = self.s.limit
            upto = self.s.limit - tw_markers_held(self.table.markers, &self.r.match)
            if self.seeks_payload() and self.bracket_before(upto):
                return GO_ON
            self.take(upto)
            if upto < self.s.limit and (self.r.closer_owed or self.plan.guided or self.opener_is_text()):
                upto = self.sure_end(self.table, upto, self.r.closer_owed)
                self.take(upto)
            self.send(upto - self.blank_line_before(upto) if self.plan.blank_lines else upto)
            if self.r.echo and not self.r.blank and self.r.match.state == 0:
                self.r.echo = False
                self.choose_table()
            return WAIT
        self.s.looked += found
        self.r.scan += found
        upto = self.r.scan - self.r.match.length
        if self.seeks_payload() and self.bracket_before(upto):
            return GO_ON
        return self.marker_at(upto, self.r.scan)

    cdef bint opener_is_text(self) noexcept:
        """Text of the thought that the prompt opened stands already: an opener is no echo any more."""
        return self.r.echo and not self.r.blank and self.s.channel == REASONING

    cdef bint seeks_payload(self) noexcept:
        return self.plan.guided and not self.r.payload_found and self.s.channel == CONTENT and not self.r.faulty

    cdef bint bracket_before(self, Py_ssize_t upto) except -1:
        """Guided output: does the payload begin before `upto`, or may it? Brackets of markers do not come here."""
        cdef Py_ssize_t at
        for at in range(self.r.seen, upto):
            if is_payload_bracket(self.data[at - self.s.base]) and self.payload_at(at, at + 1) != BROKEN:
                self.r.marker_start = at
                self.r.marker_end = self.s.pos = at + 1
                self.r.mode = AFTER_BRACKET
                self.take(at)
                self.send(at)
                return True
        return False

    cdef Py_ssize_t sure_end(self, MarkerTable table, Py_ssize_t partial, bint closers) except -1:
        """From `partial` on the input may be the head of markers: where does the first begin that may not be text?

        What is certain of the rest goes out, so where some of it is out, it stays certain. `closers`: they are text.
        """
        cdef Py_ssize_t start = max(partial, self.s.text_from)
        cdef bint seeking = self.seeks_payload()
        cdef uint8_t kind
        cdef bint quoted
        while start < self.s.limit:
            head = (<const char *>self.data)[start - self.s.base : self.s.limit - self.s.base]
            if (
                seeking and is_payload_bracket(self.data[start - self.s.base])
                and self.payload_at(start, start + 1) != BROKEN
            ):
                return start
            quoted = self.plan.guided and is_quote(self.byte_before(start))
            for number, text in enumerate(table.texts):
                kind = table.kinds[number]
                if text.startswith(head) and not (
                    (closers and kind == CLOSER) or (quoted and (kind == TAG or kind == TAG_OPENER))
                    or (kind == THINK_OPENER and self.opener_is_text())
                ):
                    return start
            start += 1
        return start

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
            elif not is_space(byte) or at - self.s.text_from >= self.limits.malformed:
                self.r.stray = False
            else:
                at += 1
        if self.r.blank and not self.r.stray:
            while at < upto and is_space(self.data[at - self.s.base]):
                at += 1
            if self.trim:
                self.s.text_from = at
                self.r.blank = at == upto
            elif at < upto or at - self.s.text_from > self.limits.whitespace:
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
            if upto - end > self.limits.whitespace:
                self.r.loose = True
            if self.r.loose:
                end = upto
        return self.say(end)

    cdef Py_ssize_t blank_line_before(self, Py_ssize_t upto) except -1:
        """Newlines that the opener behind them may take with it, if one comes."""
        cdef Py_ssize_t count = self.newlines_before(upto)
        if count == 0 or (self.s.channel == REASONING and not self.plan.calls_in_reasoning):
            return 0
        if upto == self.s.limit:
            return count
        head = (<const char *>self.data)[upto - self.s.base : self.s.limit - self.s.base]
        for number, text in enumerate(self.table.texts):
            if self.table.kinds[number] == OPENER and text.startswith(head):
                if count == 2 and self.plan.blank_line[self.table.owners[number]]:
                    return count
        return 0

    cdef Py_ssize_t newlines_before(self, Py_ssize_t upto) noexcept:
        """Two at most, of those that are not sent yet."""
        cdef Py_ssize_t count = 0
        while count < 2 and upto - count > self.s.text_from and self.data[upto - count - 1 - self.s.base] == c"\n":
            count += 1
        return count

    cdef int marker_at(self, Py_ssize_t start, Py_ssize_t end) except -1:
        cdef uint8_t before = self.byte_before(start)
        self.r.marker_start = start
        self.r.marker_end = self.s.pos = end
        self.r.kind = self.table.kinds[self.r.match.marker]
        self.r.owner = self.table.owners[self.r.match.marker]
        if start < self.s.text_from:  # its head went out, for it was certain to be text
            self.r.closer_owed = self.r.echo = False
            return self.marker_is_text()
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
            if byte in b"<{[\n" or self.s.pos - self.r.marker_end >= self.limits.malformed:
                return self.drop_marker()
            self.s.pos += 1
            if byte == c">":
                self.r.marker_end = self.s.pos
                if is_quote(self.byte_before(self.r.marker_start)):
                    self.r.mode = AFTER_QUOTE
                    return GO_ON
                return self.drop_marker()
        return WAIT

    cdef int over(self) except -1:
        cdef Py_ssize_t at
        if self.stop_sequence is None and AFTER_END_OF_TURN_WARNING not in self.warned:
            for at in range(self.s.text_from, self.s.limit):
                if not is_space(self.data[at - self.s.base]):
                    self.warn(AFTER_END_OF_TURN_WARNING)
                    break
        self.s.text_from = self.s.pos = self.s.limit
        return WAIT

    cdef object waits_for(self):
        """Why text is held, if some is: a Hold."""
        if self.r.resuming or self.r.mode == MALFORMED:
            return Hold.BROKEN
        if self.r.mode == BLOCK:
            if self.r.held:
                return Hold.OPENER if self.r.trial else Hold.QUOTE
            if self.s.call == NO_CALL:
                return Hold.NAME
            return Hold.AFTER_CALL if self.s.call == SENT and not self.s.arguments_open else Hold.VALUE
        if self.r.mode == AFTER_OPENER or self.r.mode == AFTER_BRACKET:
            return Hold.OPENER
        if self.r.mode == AFTER_QUOTE:
            return Hold.QUOTE
        if self.r.mode == IN_TAG or self.r.match.state:
            return Hold.MARKER
        return Hold.LINE if self.r.stray else Hold.WHITESPACE

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
