"""The end of the text: it decides what was undecided.

Theory of operation. Whatever mode the reading is in, the end settles it as a byte that fits nothing would, and the rest
is read in the mode that follows, until nothing waits any more.
"""

from .outcomes import CallStatus, Reason
from .readers.plan cimport TAG_OPENER
from .readers.turn cimport DONE, NATIVE, NO_CALL, REJECTED, STRAYED, TEXT
from .reading cimport Reading
from .text cimport AFTER_BRACKET, AFTER_OPENER, AFTER_QUOTE, BLOCK, IN_TAG, MALFORMED, TEXT_MODE

INCOMPLETE = CallStatus.INCOMPLETE
TEXT_ENDED = Reason.TEXT_ENDED


cdef class Ending(Reading):
    """What ends a reading."""

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
            if answer == REJECTED:
                return self.block_is_text()
        if self.s.call == NO_CALL:
            self.r.broken_at = self.s.limit
            self.r.broken_from = self.s.block
            self.broken_reason = TEXT_ENDED
            return self.malformed_from()
        self.reader.end(self)
        if self.s.call == TEXT:
            return self.text_call_over()
        if self.s.arguments_open:
            self.s.pos = self.s.limit
            self.end_call(INCOMPLETE, TEXT_ENDED)
        return self.block_done()
