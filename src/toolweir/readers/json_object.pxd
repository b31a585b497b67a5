# Calls written as JSON objects: their state, one plain struct and one buffer.

from libc.stdint cimport uint8_t

from ..scan.json_escape cimport tw_unescape
from ..scan.json_scanner cimport tw_json
from .buffer cimport Buffer
from .turn cimport Reader, Turn


cdef enum Expect:
    VALUE_START        # the call object, or an array of them
    ELEMENT            # in the array: an object
    KEY_OR_END
    KEY
    IN_KEY
    COLON
    VALUE
    IN_NAME
    IN_ID
    IN_ARGUMENTS       # an object, sent as it is written
    IN_STRING          # arguments that the model encoded twice: decoded as they come
    IN_NULL
    IN_OTHER           # a value that is nobody's business
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


cdef enum Decoded:     # how far the content of a string with arguments is
    BEFORE_OBJECT
    INSIDE_OBJECT
    AFTER_OBJECT


cdef struct JsonState:
    Expect expect
    Key key
    Decoded decoded
    bint in_array
    bint array_closed
    bint first
    bint nested        # inside the object of a FUNCTION_KEY
    bint named
    bint argued        # an arguments key was met
    bint complete      # the arguments are whole
    Py_ssize_t after   # position behind the last call
    Py_ssize_t key_length
    uint8_t key_text[64]
    tw_json scanner
    tw_unescape unescape


cdef class JsonObjectReader(Reader):
    cdef JsonState j
    cdef Buffer name
    cdef dict keys           # key -> Key
    cdef bint native_ids
    cdef object chosen       # guided output of a named choice: the object is this call's arguments

    cdef int broken(self, Turn turn, object reason) except -1
    cdef int open_object(self, Turn turn) except -1
    cdef int classify(self, Turn turn) except -1
    cdef int open_value(self, Turn turn, uint8_t first) except -1
    cdef int read_string(self, Turn turn) except -1
    cdef int take_key(self, const uint8_t *bytes, Py_ssize_t count) except -1
    cdef int take_name(self, Turn turn, const uint8_t *bytes, Py_ssize_t count) except -1
    cdef int read_json(self, Turn turn) except -1
    cdef int read_twice_encoded(self, Turn turn) except -1
    cdef int decoded(self, Turn turn, const uint8_t *bytes, Py_ssize_t count, Py_ssize_t start, Py_ssize_t end) except -1
    cdef int name_known(self, Turn turn) except -1
    cdef int arguments_whole(self, Turn turn) except -1
    cdef int close_object(self, Turn turn) except -1
    cdef int after_call(self, Turn turn, uint8_t byte) except -1
