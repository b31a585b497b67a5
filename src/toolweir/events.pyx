"""Events: what a parser says about the text that it reads.

Theory of operation. A stream makes one event object per piece, so their cost is the cost of the library. All of them
share one root class with a freelist, and the three deltas add no field to it, so that their objects are recycled
without the allocator. They hold nothing but strings and integers and cannot take part in a cycle: the collector does
not track them. Their fields are plain members (`PyMemberDef`), not properties, because the interpreter specialises the
reading of a member and a reading loop costs half as much.
"""

cimport cython

from .outcomes import CallStatus, Reason, SkipReason

__all__ = [
    "ArgumentsDelta",
    "ContentDelta",
    "Event",
    "MalformedCall",
    "ReasoningDelta",
    "ToolCallEnd",
    "ToolCallSkipped",
    "ToolCallStart",
]

cdef extern from *:
    """
    #include <stddef.h>
    #include "structmember.h"

    static PyMemberDef tw_members[24];  /* a member descriptor points to its definition for ever */
    static int tw_members_used;

    static int tw_add_member(PyObject *type, const char *name, int kind, Py_ssize_t offset)
    {
        PyTypeObject *cls = (PyTypeObject *)type;
        PyMemberDef *member = &tw_members[tw_members_used++];
        PyObject *descr;
        int failed;
        member->name = name;
        member->type = kind;
        member->offset = offset;
        member->flags = READONLY;
        descr = PyDescr_NewMember(cls, member);
        failed = descr == NULL || PyDict_SetItemString(cls->tp_dict, name, descr) < 0;
        Py_XDECREF(descr);
        PyType_Modified(cls);
        return failed ? -1 : 0;
    }
    """
    int T_OBJECT_EX, T_PYSSIZET
    int tw_add_member(object type, const char *name, int kind, Py_ssize_t offset) except -1
    Py_ssize_t EVENT_TEXT "offsetof(struct __pyx_obj_8toolweir_6events_Event, text)"
    Py_ssize_t EVENT_INDEX "offsetof(struct __pyx_obj_8toolweir_6events_Event, index)"
    Py_ssize_t START_ID "offsetof(struct __pyx_obj_8toolweir_6events_ToolCallStart, id)"
    Py_ssize_t START_NAME "offsetof(struct __pyx_obj_8toolweir_6events_ToolCallStart, name)"
    Py_ssize_t START_POSITION "offsetof(struct __pyx_obj_8toolweir_6events_ToolCallStart, position)"
    Py_ssize_t END_STATUS "offsetof(struct __pyx_obj_8toolweir_6events_ToolCallEnd, status)"
    Py_ssize_t END_ARGUMENTS "offsetof(struct __pyx_obj_8toolweir_6events_ToolCallEnd, arguments)"
    Py_ssize_t END_REASON "offsetof(struct __pyx_obj_8toolweir_6events_ToolCallEnd, reason)"
    Py_ssize_t MALFORMED_RAW "offsetof(struct __pyx_obj_8toolweir_6events_MalformedCall, raw)"
    Py_ssize_t MALFORMED_REASON "offsetof(struct __pyx_obj_8toolweir_6events_MalformedCall, reason)"
    Py_ssize_t SKIPPED_POSITION "offsetof(struct __pyx_obj_8toolweir_6events_ToolCallSkipped, position)"
    Py_ssize_t SKIPPED_NAME "offsetof(struct __pyx_obj_8toolweir_6events_ToolCallSkipped, name)"
    Py_ssize_t SKIPPED_REASON "offsetof(struct __pyx_obj_8toolweir_6events_ToolCallSkipped, reason)"


cdef _place(Event event, object span):
    event.start, event.end = span


@cython.no_gc
@cython.freelist(512)  # what two steps of many sequences hold at once
cdef class Event:
    """What all events have in common: a span, equality by value, a readable repr, pickling and `to_dict()`.

    `span` takes no part in equality: it tells where in the input an event comes from, not what it says.
    """

    __match_args__ = ()

    @property
    def span(self):
        """Code points of input that the event covers, as (start, end)."""
        return (self.start, self.end)

    def _fields(self):
        return tuple([getattr(self, name) for name in self.__match_args__])

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return self._fields() == (<Event>other)._fields()

    def __hash__(self):
        return hash((type(self).__name__, self._fields()))

    def __repr__(self):
        inside = ", ".join([f"{name}={str(value)!r}" if isinstance(value, str) else f"{name}={value!r}"
                            for name, value in zip(self.__match_args__, self._fields())])
        return f"{type(self).__name__}({inside})"

    def __reduce__(self):
        return type(self), (*self._fields(), self.span)

    def to_dict(self):
        """The event as a dict that json can write; `type` is its name in snake case."""
        values = [str(value) if isinstance(value, str) else value for value in self._fields()]
        return {"type": self.kind, **dict(zip(self.__match_args__, values))}


@cython.no_gc
@cython.final
cdef class ContentDelta(Event):
    """More text of the answer."""

    __match_args__ = ("text",)
    kind = "content_delta"

    def __init__(self, str text not None, span=(0, 0)):
        self.text = text
        _place(self, span)


@cython.no_gc
@cython.final
cdef class ReasoningDelta(Event):
    """More text of the thought."""

    __match_args__ = ("text",)
    kind = "reasoning_delta"

    def __init__(self, str text not None, span=(0, 0)):
        self.text = text
        _place(self, span)


@cython.no_gc
@cython.final
cdef class ToolCallStart(Event):
    """A call begins: its id and its whole name. `position` counts the model's calls, those not sent too."""

    __match_args__ = ("index", "id", "name", "position")
    kind = "tool_call_start"

    def __init__(self, Py_ssize_t index, str id not None, str name not None, Py_ssize_t position, span=(0, 0)):
        self.index = index
        self.id = id
        self.name = name
        self.position = position
        _place(self, span)


@cython.no_gc
@cython.final
cdef class ArgumentsDelta(Event):
    """More text of the arguments of call `index`; joined, they are one JSON object."""

    __match_args__ = ("index", "text")
    kind = "arguments_delta"

    def __init__(self, Py_ssize_t index, str text not None, span=(0, 0)):
        self.index = index
        self.text = text
        _place(self, span)


@cython.no_gc
@cython.final
cdef class ToolCallEnd(Event):
    """Call `index` ended. `arguments` is the joined text, None past `Limits.arguments`; `reason` tells why it broke."""

    __match_args__ = ("index", "status", "arguments", "reason")
    kind = "tool_call_end"

    def __init__(self, Py_ssize_t index, status, arguments, reason=None, span=(0, 0)):
        self.index = index
        self.status = CallStatus(status)
        self.arguments = arguments
        self.reason = None if reason is None else Reason(reason)
        _place(self, span)


@cython.no_gc
@cython.final
cdef class MalformedCall(Event):
    """Text that looked like a call and was none; `raw` is that text."""

    __match_args__ = ("raw", "reason")
    kind = "malformed_call"

    def __init__(self, str raw not None, reason, span=(0, 0)):
        self.raw = raw
        self.reason = Reason(reason)
        _place(self, span)


@cython.no_gc
@cython.final
cdef class ToolCallSkipped(Event):
    """A call of the model that was not sent."""

    __match_args__ = ("position", "name", "reason")
    kind = "tool_call_skipped"

    def __init__(self, Py_ssize_t position, str name not None, reason, span=(0, 0)):
        self.position = position
        self.name = name
        self.reason = SkipReason(reason)
        _place(self, span)


for delta in (ContentDelta, ReasoningDelta, ArgumentsDelta):
    tw_add_member(delta, b"text", T_OBJECT_EX, EVENT_TEXT)
for indexed in (ToolCallStart, ArgumentsDelta, ToolCallEnd):
    tw_add_member(indexed, b"index", T_PYSSIZET, EVENT_INDEX)
tw_add_member(ToolCallStart, b"id", T_OBJECT_EX, START_ID)
tw_add_member(ToolCallStart, b"name", T_OBJECT_EX, START_NAME)
tw_add_member(ToolCallStart, b"position", T_PYSSIZET, START_POSITION)
tw_add_member(ToolCallEnd, b"status", T_OBJECT_EX, END_STATUS)
tw_add_member(ToolCallEnd, b"arguments", T_OBJECT_EX, END_ARGUMENTS)
tw_add_member(ToolCallEnd, b"reason", T_OBJECT_EX, END_REASON)
tw_add_member(MalformedCall, b"raw", T_OBJECT_EX, MALFORMED_RAW)
tw_add_member(MalformedCall, b"reason", T_OBJECT_EX, MALFORMED_REASON)
tw_add_member(ToolCallSkipped, b"position", T_PYSSIZET, SKIPPED_POSITION)
tw_add_member(ToolCallSkipped, b"name", T_OBJECT_EX, SKIPPED_NAME)
tw_add_member(ToolCallSkipped, b"reason", T_OBJECT_EX, SKIPPED_REASON)


cdef ToolCallStart tool_call_start(
    Py_ssize_t index, object id, object name, Py_ssize_t position, Py_ssize_t start, Py_ssize_t end
):
    cdef ToolCallStart event = ToolCallStart.__new__(ToolCallStart)
    event.index = index
    event.id = id
    event.name = name
    event.position = position
    event.start = start
    event.end = end
    return event


cdef ToolCallEnd tool_call_end(
    Py_ssize_t index, object status, object arguments, object reason, Py_ssize_t start, Py_ssize_t end
):
    cdef ToolCallEnd event = ToolCallEnd.__new__(ToolCallEnd)
    event.index = index
    event.status = status
    event.arguments = arguments
    event.reason = reason
    event.start = start
    event.end = end
    return event


cdef MalformedCall malformed_call(object raw, object reason, Py_ssize_t start, Py_ssize_t end):
    cdef MalformedCall event = MalformedCall.__new__(MalformedCall)
    event.raw = raw
    event.reason = reason
    event.start = start
    event.end = end
    return event


cdef ToolCallSkipped tool_call_skipped(
    Py_ssize_t position, object name, object reason, Py_ssize_t start, Py_ssize_t end
):
    cdef ToolCallSkipped event = ToolCallSkipped.__new__(ToolCallSkipped)
    event.position = position
    event.name = name
    event.reason = reason
    event.start = start
    event.end = end
    return event
