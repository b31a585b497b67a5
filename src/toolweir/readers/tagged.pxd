# Calls written as tags around bare text.

from ..scan.marker_matcher cimport tw_markers, tw_match
from .raw_value cimport RawValueReader
from .tags cimport Tag, TagGrammar, TagState
from .turn cimport Turn


cdef enum TaggedPlace:
    IN_WRAPPER         # a function's tag is due
    IN_STRAY_PARAMETER  # a parameter without a function: markup
    IN_STRAY_VALUE
    IN_HEADER
    AFTER_HEADER       # the next visible byte says whether this is a call
    BETWEEN            # a parameter or the end is due
    IN_NESTED          # a function's tag inside a function: markup
    IN_PARAMETER_TAG
    AFTER_KEY          # the value's opener is due
    AT_VALUE           # the first bytes of a value that may be quoted
    IN_VALUE
    AFTER_VALUE_CLOSER  # the tag behind it says whether it is one
    LOOKING_AHEAD      # ... a parameter's tag, which has to fit


cdef struct TaggedState:
    TaggedPlace place
    TagState tag
    Py_ssize_t tag_start   # position of the tag that is being read
    Py_ssize_t scan        # the value's closer is searched up to here
    tw_match match
    bint quoted            # the value began with the grammar's quotation
    Py_ssize_t closer      # where it begins
    Py_ssize_t closer_end
    Py_ssize_t parameters  # of this call


cdef class TaggedReader(RawValueReader):
    cdef TaggedState t
    cdef TagGrammar grammar
    cdef object properties         # PropertyTypes of the tool, None if it is not known

    cdef TaggedReader copied(self, TaggedReader other)
    cdef int in_wrapper(self, Turn turn) except -1
    cdef int in_stray_parameter(self, Turn turn) except -1
    cdef int no_function(self, Turn turn) except -1
    cdef int in_header(self, Turn turn) except -1
    cdef Py_ssize_t before_name(self, Turn turn) noexcept
    cdef int after_header(self, Turn turn) except -1
    cdef int between(self, Turn turn) except -1
    cdef int in_nested(self, Turn turn) except -1
    cdef int in_parameter_tag(self, Turn turn) except -1
    cdef int after_key(self, Turn turn) except -1
    cdef int open_parameter(self, Turn turn, Py_ssize_t start) except -1
    cdef int expect(self, Turn turn, Py_ssize_t *at, Tag *tag) noexcept
    cdef int at_value(self, Turn turn) except -1
    cdef tw_markers *closers(self) noexcept
    cdef int in_value(self, Turn turn) except -1
    cdef int after_value_closer(self, Turn turn) except -1
    cdef int closer_counts(self, Turn turn) except -1
    cdef int closer_is_data(self, Turn turn) except -1
    cdef int stray(self, Turn turn, Py_ssize_t end) except -1
    cdef int whole(self, Turn turn) except -1
    cdef int read_tag(self, Turn turn) except -1
