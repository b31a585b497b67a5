# One parameter of a tagged call.

from ..scan.marker_matcher cimport tw_match
from .raw_value cimport RawValueReader
from .tags cimport Tag, TagGrammar, TagState
from .plan cimport MarkerTable
from .turn cimport Turn


cdef enum ParameterStage:
    NO_PARAMETER       # none is open
    IN_PARAMETER_TAG
    AFTER_KEY          # the value's opener is due
    AT_VALUE           # the first bytes of a value that may be quoted
    IN_VALUE
    AFTER_VALUE_CLOSER  # the tag behind it says whether it is one
    LOOKING_AHEAD      # ... a parameter's tag, which has to fit


cdef struct ParameterState:
    ParameterStage stage
    Py_ssize_t scan        # the value's closer is searched up to here
    tw_match match
    bint quoted            # the value began with the grammar's quotation
    Py_ssize_t closer      # where it begins
    Py_ssize_t closer_end
    Py_ssize_t count       # parameters of this call


cdef class ParameterReader(RawValueReader):
    cdef ParameterState p
    cdef TagState tag              # the tag that is being read
    cdef Py_ssize_t tag_start      # its position
    cdef TagGrammar grammar
    cdef object properties         # PropertyTypes of the tool, None if it is not known

    cdef int begin_parameter(self, Py_ssize_t start) except -1
    cdef int read_parameter(self, Turn turn) except -1
    cdef int read_tag(self, Turn turn) except -1
    cdef int in_parameter_tag(self, Turn turn) except -1
    cdef int after_key(self, Turn turn) except -1
    cdef int expect(self, Turn turn, Py_ssize_t *at, Tag *tag) noexcept
    cdef int open_parameter(self, Turn turn, Py_ssize_t start) except -1
    cdef int at_value(self, Turn turn) except -1
    cdef MarkerTable closers(self)
    cdef int in_value(self, Turn turn) except -1
    cdef int after_value_closer(self, Turn turn) except -1
    cdef int looking_ahead(self, Turn turn) except -1
    cdef int text_ended(self, Turn turn) except -1
    cdef int closer_counts(self, Turn turn) except -1
    cdef int closer_is_data(self, Turn turn) except -1
