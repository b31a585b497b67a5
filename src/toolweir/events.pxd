# The events a parser hands out. Their layout is shared with the hot path, which fills the fields directly.

from cpython.object cimport PyObject

from .references cimport given, new_reference


cdef class Event:
    cdef object text          # str of a delta; other events keep their own fields
    cdef Py_ssize_t index     # the call's index; -1 where an event has none
    cdef Py_ssize_t start     # code points of input that the event covers: [start, end)
    cdef Py_ssize_t end

cdef class ContentDelta(Event):
    pass

cdef class ReasoningDelta(Event):
    pass

cdef class ArgumentsDelta(Event):
    pass

cdef class ToolCallStart(Event):
    cdef object id
    cdef object name
    cdef Py_ssize_t position

cdef class ToolCallEnd(Event):
    cdef object status
    cdef object arguments
    cdef object reason

cdef class MalformedCall(Event):
    cdef object raw
    cdef object reason

cdef class ToolCallSkipped(Event):
    cdef object name
    cdef object reason
    cdef Py_ssize_t position


cdef inline PyObject *new_delta(
    object kind, Py_ssize_t index, object text, Py_ssize_t start, Py_ssize_t end
) except NULL:
    """A new reference to a delta of this class."""
    cdef PyObject *event = new_reference(kind, ())
    (<Event>event).index = index
    (<Event>event).text = text
    (<Event>event).start = start
    (<Event>event).end = end
    return event


cdef inline ContentDelta content_delta(object text, Py_ssize_t start, Py_ssize_t end):
    return <ContentDelta>given(new_delta(ContentDelta, -1, text, start, end))


cdef inline ReasoningDelta reasoning_delta(object text, Py_ssize_t start, Py_ssize_t end):
    return <ReasoningDelta>given(new_delta(ReasoningDelta, -1, text, start, end))


cdef inline ArgumentsDelta arguments_delta(Py_ssize_t index, object text, Py_ssize_t start, Py_ssize_t end):
    return <ArgumentsDelta>given(new_delta(ArgumentsDelta, index, text, start, end))


cdef ToolCallStart tool_call_start(
    Py_ssize_t index, object id, object name, Py_ssize_t position, Py_ssize_t start, Py_ssize_t end
)
cdef ToolCallEnd tool_call_end(
    Py_ssize_t index, object status, object arguments, object reason, Py_ssize_t start, Py_ssize_t end
)
cdef MalformedCall malformed_call(object raw, object reason, Py_ssize_t start, Py_ssize_t end)
cdef ToolCallSkipped tool_call_skipped(
    Py_ssize_t position, object name, object reason, Py_ssize_t start, Py_ssize_t end
)
