# What every reader shares: the input that is still undecided, and the events that go out.

from libc.stdint cimport uint8_t, uint32_t

from ..scan.json_scanner cimport tw_json
from ..scan.marker_matcher cimport tw_markers, tw_match
from .buffer cimport Buffer
from .plan cimport MarkerTable, Plan


cdef enum Channel:
    CONTENT
    REASONING


cdef enum Step:            # what a reader says at the end of its step
    MORE                   # all input read, the block goes on
    DONE                   # the block ended at `pos`
    BROKEN                 # the byte at `pos` does not fit; `reason` says why
    STRAYED                # the header does not fit: the tag up to `pos` is a stray one
    REJECTED               # no call by the rules of its place (undeclared, unknown key): all of it is text


cdef enum:
    ON = 100               # what a part of a step says: nothing to report, read on


cdef enum CallState:
    NO_CALL                # the name is not known yet
    SENT                   # its start is out
    SKIPPED                # the model's call is not sent
    HELD                   # a quote touches the opener: read as SENT, but nothing goes out
    TEXT                   # unknown_tools="text": the reader finds the end, the bytes are content


cdef enum Place:           # what a block needs to be a call, and what it is if it breaks before its start
    NATIVE                 # behind an opener: a MalformedCall
    BARE                   # without one: declared names only, else text
    WEAK                   # behind an opener that is an ordinary word: declared names only, else text
    GUIDED                 # guided output: text
    IN_THOUGHT             # inside a thought: declared names only, else text of the thought
    RESUMED                # an opener inside a string of a call that broke: the next such opener is tried


cdef struct TurnState:     # plain data: copying a parser copies it whole
    # what a piece moves that goes through a gate: one cache line
    Py_ssize_t mark_point  # the code points before
    Py_ssize_t mark        # this position
    Py_ssize_t sent        # bytes of `arguments` that went out
    Py_ssize_t index       # of the open call
    Py_ssize_t looked      # bytes looked at
    Channel channel
    uint8_t before         # the byte before `base`, 0 at the start
    bint line_visible      # visible text went out on this line
    # the input
    Py_ssize_t base        # position of the first byte of `data`; positions count bytes of input from the start
    Py_ssize_t limit       # position after the last
    Py_ssize_t pos         # how far the input is read
    Py_ssize_t source_end  # position where the unsent arguments end
    Py_ssize_t source      # code point where they began
    Py_ssize_t block       # position where the open call's block began
    Py_ssize_t primed      # text before this position was in the prompt and is not sent
    # text
    Py_ssize_t text_from   # text from here on is not sent yet
    bint spoken            # content went out since the start or the last call
    # the open call
    Place place
    CallState call
    bint arguments_open    # its end is not out yet
    bint held_whole        # HELD: its arguments are complete
    bint held_text         # HELD: its name makes it text, whatever the quotes mean
    bint forgotten         # more arguments than limits.arguments
    Py_ssize_t hidden      # position of the first opener inside an open string, -1
    tw_match watch         # the search for it
    Py_ssize_t held_from   # the reader needs the input from here on, -1
    # counters
    Py_ssize_t started
    Py_ssize_t invalid
    Py_ssize_t incomplete
    Py_ssize_t position    # calls of the model
    Py_ssize_t malformed
    Py_ssize_t skipped
    Py_ssize_t reached     # how far a step has read that went back from there
    Py_ssize_t confirmations


cdef struct TurnLimits:    # of `toolweir.Limits`, by the same names, what one turn asks for
    Py_ssize_t header
    Py_ssize_t name
    Py_ssize_t id
    Py_ssize_t value
    Py_ssize_t arguments_before_name
    Py_ssize_t quoted_hold
    Py_ssize_t resync_hold
    Py_ssize_t malformed
    Py_ssize_t whitespace
    Py_ssize_t calls
    Py_ssize_t parameters
    Py_ssize_t depth
    Py_ssize_t arguments


cdef class Turn:
    cdef Buffer arguments      # of the open call, as sent
    cdef TurnState s
    cdef Buffer window         # input of earlier pieces that is still needed
    cdef const uint8_t *data
    cdef bint narrow           # all of `data` is ASCII: a byte is a code point
    cdef object piece          # the caller's str if `data` is exactly its text
    cdef list out
    cdef dict warned           # warning -> how often
    cdef object reason         # why the reader broke
    cdef set used_ids
    cdef object native_id      # the open call's id as the model wrote it
    # policy
    cdef Plan plan
    cdef object tools          # Tools or None
    cdef object chosen         # the name of a named choice or None
    cdef object unknown_tools
    cdef bint parallel
    cdef Py_ssize_t most_calls  # -1: no maximum
    cdef TurnLimits limits
    cdef object make_id
    cdef object confirm
    cdef bint strict

    cdef Py_ssize_t point(self, Py_ssize_t pos) noexcept
    cdef object text(self, Py_ssize_t start, Py_ssize_t end)
    cdef uint8_t byte_before(self, Py_ssize_t pos) noexcept
    cdef int warn(self, object what) except -1
    cdef int say(self, Py_ssize_t upto) except -1
    cdef int say_malformed(self, Py_ssize_t start, Py_ssize_t end, object reason) except -1
    cdef int open_block(self, Place place, Py_ssize_t start) except -1
    cdef int start_call(self, object name) except -1
    cdef int is_call(self) except -1
    cdef object _id(self, object name)
    cdef int argue(self, const uint8_t *bytes, Py_ssize_t count, Py_ssize_t start, Py_ssize_t end) except -1
    cdef int argue_escaped(self, Py_ssize_t start, Py_ssize_t end) except -1
    cdef object flush_arguments(self)
    cdef int end_call(self, object status, object reason) except -1
    cdef object utf8_of(self, object arguments)
    cdef int watch(self, Py_ssize_t start, Py_ssize_t end) except -1
    cdef Py_ssize_t room_before_name(self) noexcept
    cdef int forget_hidden(self) except -1

    cdef inline void back_to(self, Py_ssize_t pos) noexcept:
        """What was read from `pos` on was none of the block's: it will be read again."""
        self.s.reached = max(self.s.reached, self.s.pos)
        self.s.pos = pos

    cdef inline void skip_to(self, Py_ssize_t pos) noexcept:
        """What stands before `pos` is known already."""
        if pos > self.s.pos:
            self.s.looked -= pos - self.s.pos
            self.s.pos = pos


cdef class Reader:
    cdef bint accepts(self, Turn turn, uint8_t first)
    cdef int begin(self, Turn turn) except -1
    cdef int step(self, Turn turn) except -1
    cdef int end(self, Turn turn) except -1
    cdef bint asked(self, Turn turn, Py_ssize_t pos) noexcept
    cdef tw_json *strict_scanner(self) noexcept
    cdef MarkerTable string_closer(self)
    cdef bint inside(self) noexcept
    cdef bint may_end_string(self, uint8_t last) noexcept
    cdef Reader copy(self)
