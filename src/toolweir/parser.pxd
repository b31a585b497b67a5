# The public parser.

from cpython.object cimport PyObject

from .gates cimport ESCAPED, ITSELF, NOTHING, SHUT, pass_piece, take_escaped
from .references cimport one_more
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
    cdef PyObject *as_events(self, object text) except NULL
    cdef tuple events(self)


cdef inline PyObject *take_one(StreamParser parser, object piece) except NULL:
    """Read a piece: its events, or the text of the one delta that it is if it went through a gate. A new reference."""
    cdef int passage
    if parser.gate != SHUT and not parser.torn:
        passage = pass_piece(parser, piece)
        if passage == ITSELF:
            return one_more(piece)
        if passage == NOTHING:
            return one_more(())
        if passage == ESCAPED:
            return one_more(take_escaped(parser))
    return one_more(parser.take_whole_way(piece))
