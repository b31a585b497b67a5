# Messages with headers: the state, one plain struct.

from libc.stdint cimport uint8_t

from .header cimport HeaderReader
from .turn cimport Channel, Turn


cdef enum MessagePart:
    IN_HEADER
    BEFORE_BODY        # the first byte of a call's arguments is due
    IN_BODY
    AFTER_BODY


cdef enum Due:         # what the next word of a header is, unless it names the recipient
    ROLE
    CHANNEL
    CONTENT_TYPE       # nothing depends on it


cdef enum Mark:        # what a marker inside a header says
    CHANNEL_MARK       # the channel's name follows
    TYPE_MARK          # the content type follows
    BODY_MARK          # the header is over
    START_MARK         # another message begins
    END_MARK           # the message is over


cdef struct MessageState:
    MessagePart part
    Due due
    bint thought           # the channel is one of thoughts
    bint prose             # a word stands where none is due
    Py_ssize_t words
    Py_ssize_t marks


cdef class ChannelsReader(HeaderReader):
    cdef MessageState m
    cdef str recipient
    cdef str role
    cdef frozenset thoughts
    cdef frozenset people
    cdef Due first_due
    cdef bint bare             # this opener has no marker: the prompt wrote the head of the header
    cdef bint json_body        # what a tool is sent is JSON, and read here
    cdef bint calls
    cdef bint thinking

    cdef int read_header(self, Turn turn, uint8_t byte) except -1
    cdef int misfit(self, Turn turn) except -1
    cdef bint viable(self) except -1
    cdef bint may_be_word(self) except -1
    cdef int word_over(self, Turn turn) except -1
    cdef int marked(self, Turn turn, int mark) except -1
    cdef int message(self, Turn turn) except -1
    cdef int text_of(self, Turn turn, Channel channel, Py_ssize_t start) except -1
    cdef str name(self, Turn turn)
    cdef int before_body(self, Turn turn, uint8_t first) except -1
    cdef int after_body(self, Turn turn, uint8_t byte) except -1
