# Calls whose name stands in a header before their JSON: the state, one plain struct.

from libc.stdint cimport uint8_t

from .header cimport HeaderReader
from .turn cimport Turn


cdef enum Part:
    LEAD               # a fixed text before the name
    NAME
    ID
    BODY               # the first byte of the arguments is due
    JSON_BODY
    AFTER_BODY


cdef struct HeaderState:
    Part part
    Py_ssize_t header      # position where the header begins
    Py_ssize_t matched     # bytes of the lead
    bint follows           # it stands behind a call, without an opener
    Py_ssize_t separated_at  # position behind the separator
    bint ended             # whitespace stood behind the name
    Py_ssize_t name_length  # bytes of `text` that are the name
    bint separated         # a separator stood behind the name: any JSON value may follow


cdef class HeaderJsonReader(HeaderReader):
    cdef HeaderState h
    cdef bytes lead
    cdef bint bare_body        # the arguments may follow the name directly
    cdef bint bare_header      # another header may follow a call without an opener
    cdef bint native_ids
    cdef bint counted          # the name ends in a colon and the call's number; the whole header is its id
    cdef bint one_tag          # the opener and the header, up to the separator, are one tag
    cdef frozenset text_names  # lines that look like headers and open text

    cdef int begin_header(self, Turn turn, Part part) except -1
    cdef int misfit(self, Turn turn) except -1
    cdef int leave(self, Turn turn) except -1
    cdef int read_lead(self, Turn turn, uint8_t byte) except -1
    cdef int read_header(self, Turn turn, uint8_t byte) except -1
    cdef bint may_be_header(self, Turn turn) except -1
    cdef bint names_no_tool(self, Turn turn) except -1
    cdef int separated_by(self, Turn turn, int role) except -1
    cdef str name(self, Turn turn)
    cdef int body(self, Turn turn, uint8_t first) except -1
    cdef int call_begins(self, Turn turn) except -1
    cdef int after_body(self, Turn turn, uint8_t byte) except -1
