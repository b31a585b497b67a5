# Calls written as JSON objects: the state of the envelope, one plain struct and one buffer.

from libc.stdint cimport uint8_t

from ..scan.json_escape cimport tw_unescape
from .arguments cimport ArgumentsReader
from .buffer cimport Buffer
from .turn cimport Turn


cdef enum Expect:
    LEAD               # a fixed text before the object
    VALUE_START        # the call object, or an array of them
    ELEMENT            # in the array: an object
    KEY_OR_END
    KEY
    IN_KEY
    COLON
    VALUE
    IN_NAME
    IN_ID
    IN_VALUE           # arguments, or a value that is nobody's business
    COMMA_OR_END
    AFTER_CALL
    AFTER_SEPARATOR


cdef enum Key:
    OTHER_KEY
    NAME_KEY
    ARGUMENTS_KEY
    ID_KEY
    TYPE_KEY
    FUNCTION_KEY       # a nested object that is the envelope itself
    LIST_KEY           # an array of calls


cdef struct EnvelopeState:
    Expect expect
    Key key
    bint in_array
    bint array_closed
    bint first
    bint wrapped       # the array stands in an object under a LIST_KEY
    Py_ssize_t matched  # bytes of the lead
    bint nested        # inside the object of a FUNCTION_KEY
    bint argued        # an arguments key was met
    Py_ssize_t after   # position behind the last call
    Py_ssize_t key_length
    uint8_t key_text[64]
    tw_unescape unescape


cdef class JsonObjectReader(ArgumentsReader):
    cdef EnvelopeState e
    cdef Buffer name
    cdef dict keys           # key -> Key
    cdef bint native_ids
    cdef bytes lead
    cdef bint headed         # a name, which the object repeats, stands before the lead
    cdef bint keyed          # the key is the name, its value the arguments
    cdef bint strict_keys    # a key that the envelope does not know means that this is no call
    cdef object chosen       # guided output of a named choice: the object is this call's arguments

    cdef int read_lead(self, Turn turn, uint8_t byte) except -1
    cdef int open_object(self, Turn turn) except -1
    cdef int next_call(self, Turn turn) except -1
    cdef int open_key(self, Turn turn) except -1
    cdef bint by_keys(self, Turn turn) noexcept
    cdef int classify(self, Turn turn) except -1
    cdef bint may_be_known(self, Turn turn) except -1
    cdef int open_value(self, Turn turn, uint8_t first) except -1
    cdef int read_string(self, Turn turn) except -1
    cdef int take_key(self, Turn turn, const uint8_t *bytes, Py_ssize_t count) except -1
    cdef int take_name(self, Turn turn, const uint8_t *bytes, Py_ssize_t count) except -1
    cdef int name_known(self, Turn turn) except -1
    cdef int close_object(self, Turn turn) except -1
    cdef int after_call(self, Turn turn, uint8_t byte) except -1
