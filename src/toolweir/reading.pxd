# The text between calls, and the blocks that calls stand in.

from libc.stdint cimport uint8_t

from .readers.plan cimport MarkerTable
from .readers.turn cimport Place, Reader, Turn
from .scan.marker_matcher cimport tw_match


cdef enum Mode:
    TEXT_MODE          # content or reasoning
    AFTER_OPENER       # an opener was read; the next visible byte says whether a call begins
    AFTER_QUOTE        # a marker that a quote touches; the next byte says whether another one does
    IN_TAG             # guided output: a parameter's tag, up to its end
    AFTER_BRACKET      # guided output: a bracket was read; the next visible byte says whether it begins the payload
    BLOCK              # a reader reads
    MALFORMED          # a broken block, up to its end
    OVER               # after an end of turn or a stop string: nothing that follows counts


cdef struct ReadingState:
    Mode mode
    Py_ssize_t scan        # the marker search has read up to here
    Py_ssize_t seen        # whitespace and stray tags are decided up to here
    tw_match match
    bint blank             # nothing visible since the last marker: text from `text_from` is whitespace
    bint loose             # trim: whitespace that was too long to hold goes out as it comes
    bint stray             # a stray tag at `text_from` waits for the rest of its line
    Py_ssize_t stray_end
    bint marked            # a marker was read
    bint echo              # the prompt opened the thought: one opener in front of it is an echo
    bint payload_found
    bint apart             # special tokens are fed apart
    bint special           # this piece is one
    bint faulty            # the core failed: everything is content
    # the marker that is being decided
    Py_ssize_t marker_start
    Py_ssize_t marker_end
    uint8_t kind
    uint8_t owner
    # blocks
    uint8_t reader         # number of the opener whose reader reads
    bint held              # a quote touches the opener
    bint trial             # guided output: is this a complete native call?
    bint settled           # ... and it was settled that this is a call all the same
    uint8_t quote
    Py_ssize_t first       # position of the block's first byte behind its opener
    Py_ssize_t broken_at   # MALFORMED, RESUMED: the byte that did not fit
    Py_ssize_t broken_from  # where its raw text begins
    bint resuming
    bint closer_owed       # an unknown call was text: so is its closer


cdef class Reading(Turn):
    cdef ReadingState r
    cdef MarkerTable table
    cdef list readers
    cdef Reader reader
    cdef object broken_reason
    cdef object stop
    cdef object stop_sequence
    cdef bint trim
    cdef bint malformed_as_text
    cdef Py_ssize_t quoted_limit

    cdef int run(self) except -1
    cdef int settle(self) except -1
    cdef void choose_table(self) noexcept
    cdef Py_ssize_t needed(self) noexcept
    cdef bint bare_block(self) except -1
    cdef int read_text(self) except -1
    cdef int take(self, Py_ssize_t upto) noexcept
    cdef int send(self, Py_ssize_t upto) except -1
    cdef Py_ssize_t newlines_before(self, Py_ssize_t upto) noexcept
    cdef int marker_at(self, Py_ssize_t start, Py_ssize_t end) except -1
    cdef int decided(self) except -1
    cdef int drop_marker(self) except -1
    cdef int marker_is_text(self) except -1
    cdef int stray_tag(self, bint line_goes_on) except -1
    cdef int after_opener(self) except -1
    cdef int after_quote(self) except -1
    cdef int in_tag(self) except -1
    cdef int after_bracket(self) except -1
    cdef Reader reader_of(self, Py_ssize_t number)
    cdef int begin_block(self, Py_ssize_t start, Py_ssize_t first) except -1
    cdef int read_block(self) except -1
    cdef int try_native(self, uint8_t first) except -1
    cdef int read_trial(self) except -1
    cdef int settle_trial(self) except -1
    cdef int block_done(self) except -1
    cdef int block_broken(self, object reason) except -1
    cdef int block_strayed(self) except -1
    cdef int block_is_text(self) except -1
    cdef int resume(self, Py_ssize_t after) except -1
    cdef int malformed_from(self) except -1
    cdef int read_malformed(self) except -1
    cdef int settle_held(self) except -1
    cdef int settle_block(self) except -1
    cdef int settle_text(self) except -1
    cdef int over(self) except -1
    cdef bint rest_is_blank(self, Py_ssize_t end) noexcept
    cdef int tell_malformed(self, Py_ssize_t end, Py_ssize_t closer) except -1
    cdef int end_malformed(self, Py_ssize_t end, Py_ssize_t visible_end) except -1
