"""Calls whose arguments are elements named after their keys, nested for objects and arrays.

Theory of operation. The header and the places between parameters are those of tagged calls, with `parameter` the text
before an element's name and `parameter_end` the text before the name in its closer. What stands in an element is not
known from its tag: if the first visible thing inside is another element it is a container, an array if that one is
called `item`, else an object; whatever else it is, it is a value up to its own closer. A value that the schema wants to
be a string is never a container. So a container's bracket goes out with the tag of its first member, a string as it
comes, and any other value with its closer. The stack of open containers lives in lists, which only tags touch.

A value that is empty and may be no string is an empty object or array, whichever is admitted. Elements that repeat a
name are sent as they come, and text between the members of a container breaks the call.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcmp, memset

from ..outcomes import Reason
from ..schema import ARRAY, OBJECT, STRING, UNTYPED
from ..scan.byte_class cimport is_space
from ..values import quote
from .parameter cimport AT_VALUE, IN_VALUE, NO_PARAMETER
from .raw_value cimport HELD_WHOLE
from .tagged cimport TaggedReader
from .tags cimport FUNCTION, MARKUP, NO_TAG, PARAMETER, PART_OF_TAG, TagKind
from .turn cimport MORE, ON, Reader, Turn

ITEM = b"item"

cdef enum:
    MISMATCH = 101


cdef int follows(Turn turn, Py_ssize_t at, bytes name) noexcept:
    """Do the name and a closing bracket stand at `at`? ON, MORE or MISMATCH."""
    cdef Py_ssize_t length = len(name), part = min(length, turn.s.limit - at)
    if memcmp(turn.data + (at - turn.s.base), <const char *>name, part):
        return MISMATCH
    if at + length >= turn.s.limit:
        return MORE
    return ON if turn.data[at + length - turn.s.base] == c">" else MISMATCH


cdef class ElementsReader(TaggedReader):

    cdef Reader copy(self):
        cdef ElementsReader other = ElementsReader.__new__(ElementsReader)
        self.copied(other)
        other.name, other.schema = self.name, self.schema
        if self.names is not None:
            other.names, other.arrays, other.counts = self.names[:], self.arrays[:], self.counts[:]
            other.schemas = self.schemas[:]
        return other

    cdef int begin(self, Turn turn) except -1:
        self.name = b""
        self.names = []
        self.arrays = []
        self.counts = []
        self.schemas = []
        self.schema = []
        return TaggedReader.begin(self, turn)

    # Between elements

    cdef int between(self, Turn turn) except -1:
        cdef Py_ssize_t length = 0, inner = len(self.names) - 1
        cdef TagKind kind
        if inner < 0:
            return TaggedReader.between(self, turn)
        kind = self.next_tag(turn, &length)
        if kind == PART_OF_TAG:
            return MORE
        if kind == MARKUP and length == self.grammar.parameter_end.length:
            return self.container_ends(turn, turn.s.pos + length)
        if kind != PARAMETER and kind != FUNCTION:
            return self.broken(turn, Reason.HEADER)
        if self.counts[inner] == turn.limits.parameters:
            return self.broken(turn, Reason.LIMIT)
        if kind == PARAMETER:
            return self.begin_parameter(turn.s.pos + length)
        return self.begin_nested(turn.s.pos + length)

    cdef int bracket(self, Turn turn, bytes text, Py_ssize_t end) except -1:
        return turn.argue(<const uint8_t *><const char *>text, len(text), turn.s.pos, end)

    cdef int container_ends(self, Turn turn, Py_ssize_t at) except -1:
        """A closer's name is due at `at`: that of the innermost container."""
        cdef Py_ssize_t inner = len(self.names) - 1
        cdef bytes name = self.names[inner]
        cdef int answer = follows(turn, at, name)
        if answer == MORE:
            return MORE
        if answer == MISMATCH:
            return self.broken(turn, Reason.HEADER)
        at += len(name) + 1
        self.bracket(turn, b"]" if self.arrays[inner] else b"}", at)
        self.names.pop()
        self.arrays.pop()
        self.counts.pop()
        self.schemas.pop()
        turn.s.pos = at
        return ON

    # An element

    cdef int open_parameter(self, Turn turn, Py_ssize_t start) except -1:
        """The element's name is known; what stands in it begins at `start`."""
        cdef Py_ssize_t tag_start = turn.s.pos, inner = len(self.names) - 1
        cdef str text = ""
        key = turn.text(self.tag.name, self.tag.name_end)
        self.name = key.encode("utf-8", "replace")
        if inner < 0:
            text = "{" if self.p.count == 0 else ""
            count = self.p.count
            self.p.count += 1
        else:
            count = self.counts[inner]
            self.counts[inner] = count + 1
        if count:
            text = ", " if self.spaced else ","
        if inner < 0 or not self.arrays[inner]:
            text += quote(key) + (": " if self.spaced else ":")
        encoded = text.encode("utf-8", "replace")
        turn.argue(<const uint8_t *><const char *>(<bytes>encoded), len(encoded), tag_start, start)
        turn.s.pos = self.p.scan = start
        memset(&self.p.match, 0, sizeof(self.p.match))
        types = UNTYPED
        if self.properties is not None:
            around = None if inner < 0 else self.schemas[inner]
            self.schema = self.properties.below(around, None if inner >= 0 and self.arrays[inner] else key)
            types = self.properties[key] if inner < 0 else self.properties.admitted(self.schema)
        self.types = types
        self.p.stage = AT_VALUE
        if types.mask == STRING:
            self.open_value(turn, types)
            self.p.stage = IN_VALUE
        return ON

    cdef int at_value(self, Turn turn) except -1:
        """Does another element come first?"""
        cdef const uint8_t *data = turn.data - turn.s.base
        cdef Py_ssize_t at = turn.s.pos, length = 0
        cdef TagKind kind = NO_TAG
        cdef int answer
        while at < turn.s.limit and is_space(data[at]) and at - turn.s.pos <= turn.limits.whitespace:
            at += 1
        if at == turn.s.limit:
            return MORE
        if not is_space(data[at]):
            kind = self.grammar.tag_at(data + at, turn.s.limit - at, &length)
        if kind == PART_OF_TAG:
            return MORE
        if kind != PARAMETER:
            self.open_value(turn, self.types)
            self.p.stage = IN_VALUE
            return ON
        answer = follows(turn, at + length, ITEM)
        if answer == MORE:
            return MORE
        return self.open_container(turn, answer == ON, at)

    cdef int open_container(self, Turn turn, bint array, Py_ssize_t at) except -1:
        if <Py_ssize_t>len(self.names) + 2 > turn.limits.depth:
            return self.broken(turn, Reason.DEPTH)
        self.bracket(turn, b"[" if array else b"{", at)
        self.names.append(self.name)
        self.arrays.append(array)
        self.counts.append(0)
        self.schemas.append(self.schema)
        turn.s.pos = at
        self.p.stage = NO_PARAMETER
        return ON

    cdef int after_value_closer(self, Turn turn) except -1:
        """It is the closer if the element's own name stands in it."""
        cdef int answer = follows(turn, self.p.closer_end, self.name)
        if answer == MORE:
            return MORE
        if answer == MISMATCH:
            return self.closer_is_data(turn)
        if self.raw.kind == HELD_WHOLE and self.may_be_blank() and self.is_empty(turn):
            self.bracket(turn, b"{}" if self.types.mask & OBJECT else b"[]", self.p.closer)
        else:
            answer = self.close_value(turn, self.p.closer)
            if answer != ON:
                return answer
        turn.s.pos = self.p.closer_end + len(self.name) + 1
        self.p.stage = NO_PARAMETER
        return ON

    cdef bint may_be_blank(self) noexcept:
        return self.types.mask & STRING == 0 and self.types.mask & (OBJECT | ARRAY) != 0

    cdef bint is_empty(self, Turn turn) noexcept:
        """Nothing visible stands in the element."""
        cdef Py_ssize_t at = turn.s.pos
        while at < self.p.closer and is_space(turn.data[at - turn.s.base]):
            at += 1
        return at == self.p.closer

    cdef int end(self, Turn turn) except -1:
        return 0
