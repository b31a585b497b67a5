# The text between calls, and the state of everything that reads a turn.

from libc.stdint cimport uint8_t

from .readers.plan cimport MarkerTable
from .readers.turn cimport Step, Turn
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


cdef enum:
    WAIT = 0           # all input is read
    GO_ON = 1          # the mode may have changed


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
    bint held              # a quote touches the opener
    bint trial             # guided output: is this a complete native call?
    bint settled           # ... and it was settled that this is a call all the same
    uint8_t quote
    Py_ssize_t first       # position of the block's first byte behind its opener
    Py_ssize_t broken_at   # MALFORMED, RESUMED: the byte that did not fit
    Py_ssize_t broken_from  # where its raw text begins
    bint resuming
    bint closer_owed       # an unknown call was text: so is its closer


cdef class Text(Turn):
    cdef ReadingState r
    cdef MarkerTable table
    cdef object stop
    cdef object stop_sequence
    cdef bint trim

    cdef void choose_table(self) noexcept
    cdef int set_apart(self) except -1
    cdef int read_text(self) except -1
    cdef int take(self, Py_ssize_t upto) noexcept
    cdef int send(self, Py_ssize_t upto) except -1
    cdef Py_ssize_t sure_end(self, MarkerTable table, Py_ssize_t partial, bint closers) except -1
    cdef Py_ssize_t blank_line_before(self, Py_ssize_t upto) except -1
    cdef Py_ssize_t newlines_before(self, Py_ssize_t upto) noexcept
    cdef int marker_at(self, Py_ssize_t start, Py_ssize_t end) except -1
    cdef int decided(self) except -1
    cdef int drop_marker(self) except -1
    cdef int marker_is_text(self) except -1
    cdef int stray_tag(self, bint line_goes_on) except -1
    cdef int after_quote(self) except -1
    cdef int in_tag(self) except -1
    cdef int over(self) except -1
    cdef int settle_text(self) except -1
    cdef bint bare_block(self) except -1
    cdef bint opener_is_text(self) noexcept
    cdef bint seeks_payload(self) noexcept
    cdef bint bracket_before(self, Py_ssize_t upto) except -1
    cdef Step payload_at(self, Py_ssize_t bracket, Py_ssize_t behind) except *
    cdef object waits_for(self)
