# The public parser.

from .gates cimport SHUT, pass_piece
from .state cimport ParserState


cdef class StreamParser(ParserState):
    cdef bint busy
    cdef bint torn                 # a call did not get to its end: memory ran out, or make_id raised
    cdef bint fed
    cdef Py_ssize_t step           # the last step of many that it took part in
    cdef bint starts_in_thought
    cdef object mode               # of the tool choice
    cdef object on_broken_call

    cdef int read_token(self, object text) except -1
    cdef tuple take_whole_way(self, object piece)
    cdef int keep(self, object read) except -1
    cdef void shut_gate(self) noexcept
    cdef int refuse_if_busy(self) except -1
    cdef int enter(self) except -1
    cdef int refuse_if_torn(self) except -1
    cdef tuple alone(self, object text)
    cdef tuple events(self)


cdef inline object take_one(StreamParser parser, object piece):
    """Read a piece: its events, or the text of the one delta that it is if it went through a gate."""
    cdef object text
    if parser.gate != SHUT and not parser.torn:
        text = pass_piece(parser, piece)
        if text is not None:
            return text if parser.passed else ()
    return parser.take_whole_way(piece)
