# Events added up to a message.

cdef class MessageBuilder:
    cdef list segments     # (kind, its pieces, StartedCall or event), as in Message.segments
    cdef str kind          # of the last segment
    cdef list texts        # of the last segment of text
    cdef dict calls        # index -> StartedCall
    cdef object finish_reason
    cdef object stop_sequence
    cdef object warnings

    cdef int end(self, finish_reason, stop_sequence, warnings) except -1
    cdef int take(self, object event) except -1
    cdef int take_text(self, str kind, object text) except -1
    cdef int open_segment(self, str kind, object part) except -1
