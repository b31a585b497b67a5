"""A parameter in tags: a key, and behind it the text of its value up to a closer.

Theory of operation. One switch over the parameter's stage; NO_PARAMETER says that none is open, and then it is the
subclass that reads. The key goes out when the value begins, and the value as `RawValueReader` has it.

A value's closer counts only where the grammar can go on behind it: another parameter, the function's end, the wrapper's
end or the end of the text. Whatever else follows makes it a part of the value. Until that is known it is held.

    IN_PARAMETER_TAG --> (AFTER_KEY) --> (AT_VALUE) --> IN_VALUE --closer--> AFTER_VALUE_CLOSER --end--> NO_PARAMETER
                                                           ^                  |            |                  ^
                                                           +--anything else---+        a parameter            |
                                                           |                               v                  |
                                                           +--no whole tag---------- LOOKING_AHEAD --whole----+
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcmp, memset

from ..outcomes import Reason
from ..schema import UNTYPED
from ..scan.byte_class cimport is_space
from ..scan.marker_matcher cimport tw_markers, tw_markers_held
from ..values import quote
from .raw_value cimport AS_STRING, KEEP, RawValueReader, TRIM
from .stretches cimport find_marker
from .tags cimport (
    FUNCTION_END, IS_JSON, IS_STRING, PARAMETER, PART_OF_TAG, TAG_CLOSED, TAG_LONG, TAG_OPEN, Tag, TagKind, WRAPPER_END,
)
from .plan cimport MarkerTable
from .turn cimport BROKEN, MORE, ON, SENT, Turn


cdef class ParameterReader(RawValueReader):

    cdef int begin_parameter(self, Py_ssize_t start) except -1:
        """The inside of a parameter's tag begins at `start`."""
        self.grammar.begin(&self.tag, start, PARAMETER)
        self.p.stage = IN_PARAMETER_TAG
        return ON

    cdef int read_parameter(self, Turn turn) except -1:
        if self.p.stage == IN_VALUE:
            return self.in_value(turn)
        if self.p.stage == AFTER_VALUE_CLOSER:
            return self.after_value_closer(turn)
        if self.p.stage == LOOKING_AHEAD:
            return self.looking_ahead(turn)
        if self.p.stage == AT_VALUE:
            return self.at_value(turn)
        if self.p.stage == AFTER_KEY:
            return self.after_key(turn)
        return self.in_parameter_tag(turn)

    cdef int read_tag(self, Turn turn) except -1:
        """Read on inside a tag; the answer is a TagAnswer."""
        return self.grammar.read_name(
            &self.tag, turn.data, turn.s.base, turn.s.limit, turn.limits.header, turn.limits.malformed
        )

    cdef int in_parameter_tag(self, Turn turn) except -1:
        cdef int answer = self.read_tag(turn)
        if answer == TAG_OPEN:
            return MORE
        if answer != TAG_CLOSED:
            return self.broken(turn, Reason.LIMIT if answer == TAG_LONG else Reason.HEADER)
        if self.grammar.key_end.length:
            self.p.stage = AFTER_KEY
            return ON
        return self.open_parameter(turn, self.tag.at)

    cdef int after_key(self, Turn turn) except -1:
        """A key with a tag of its own: its closer, perhaps a type, and the value's opener."""
        cdef Py_ssize_t at = self.tag.at, word = 0
        cdef int answer
        answer = self.expect(turn, &at, &self.grammar.key_end)
        if answer == ON and self.grammar.type_opener.length:
            answer = self.expect(turn, &at, &self.grammar.type_opener)
            if answer == ON:
                word = at
                while at < turn.s.limit and turn.data[at - turn.s.base] != self.grammar.first:
                    at += 1
                self.tag.verbatim = self.grammar.said(turn.data + (word - turn.s.base), at - word)
                answer = self.expect(turn, &at, &self.grammar.type_end)
            elif answer == BROKEN:
                answer = ON
        if answer == ON:
            answer = self.expect(turn, &at, &self.grammar.value_opener)
        if answer == ON:
            return self.open_parameter(turn, at)
        return self.broken(turn, Reason.HEADER) if answer == BROKEN else MORE

    cdef int expect(self, Turn turn, Py_ssize_t *at, Tag *tag) noexcept:
        """Is the next visible text this tag, within the limit? Then `at` is behind it."""
        cdef Py_ssize_t part
        while at[0] < turn.s.limit and is_space(turn.data[at[0] - turn.s.base]):
            at[0] += 1
        part = min(tag.length, turn.s.limit - at[0])
        if memcmp(turn.data + (at[0] - turn.s.base), tag.text, part):
            return BROKEN
        if at[0] - self.tag_start > turn.limits.malformed:
            return BROKEN
        if part < tag.length:
            return MORE
        at[0] += part
        return ON

    cdef int open_parameter(self, Turn turn, Py_ssize_t start) except -1:
        """The key is known, and the value begins at `start`."""
        cdef Py_ssize_t tag_start = turn.s.pos
        key = turn.text(self.tag.name, self.tag.name_end)
        text = quote(key) + (": " if self.spaced else ":")
        if self.p.count:
            text = (", " if self.spaced else ",") + text
        else:
            text = "{" + text
        encoded = text.encode("utf-8", "replace")
        turn.argue(<const uint8_t *><const char *>(<bytes>encoded), len(encoded), tag_start, start)
        self.p.count += 1
        turn.s.pos = self.p.scan = start
        memset(&self.p.match, 0, sizeof(self.p.match))
        types = None
        if turn.s.call == SENT and self.tag.verbatim != IS_STRING:
            types = UNTYPED
            if self.properties is not None and self.tag.verbatim != IS_JSON:
                types = self.properties[key]
        self.open_value(turn, types)
        self.p.quoted = False
        self.p.stage = AT_VALUE if self.grammar.quoted_value.length else IN_VALUE
        return ON

    cdef int at_value(self, Turn turn) except -1:
        """Is the value quoted?"""
        cdef Tag *quotation = &self.grammar.quoted_value
        cdef Py_ssize_t part = min(quotation.length, turn.s.limit - turn.s.pos)
        if memcmp(turn.data + (turn.s.pos - turn.s.base), quotation.text, part) == 0:
            if part < quotation.length:
                return MORE
            turn.s.pos += part
            self.p.scan = turn.s.pos
            self.p.quoted = True
        self.p.stage = IN_VALUE
        return ON

    # The value

    cdef MarkerTable string_closer(self):
        if self.p.stage == IN_VALUE and self.raw.kind == AS_STRING and self.p.match.state == 0:
            if self.raw.head or self.raw.loose:
                return None
            return self.closers()
        return None

    cdef bint inside(self) noexcept:
        return self.p.stage == IN_VALUE or self.p.stage == AFTER_VALUE_CLOSER or self.p.stage == LOOKING_AHEAD

    cdef bint may_end_string(self, uint8_t last) noexcept:
        return self.raw.edge != KEEP and (last == c"\n" or (self.raw.edge == TRIM and is_space(last)))

    cdef MarkerTable closers(self):
        return self.grammar.quoted_closers if self.p.quoted else self.grammar.value_closers

    cdef int in_value(self, Turn turn) except -1:
        cdef tw_markers *closers = self.closers().markers
        cdef Py_ssize_t found, upto
        cdef int answer
        found = find_marker(
            closers, &self.p.match, turn.data + (self.p.scan - turn.s.base), turn.s.limit - self.p.scan
        )
        self.p.scan = turn.s.limit if found < 0 else self.p.scan + found
        upto = self.p.scan - (tw_markers_held(closers, &self.p.match) if found < 0 else self.p.match.length)
        answer = self.take_value(turn, upto)
        if answer != ON or found < 0:
            return MORE if answer == ON else answer
        self.p.closer = upto
        self.p.closer_end = self.tag.at = self.p.scan
        self.p.stage = AFTER_VALUE_CLOSER
        return ON

    cdef int after_value_closer(self, Turn turn) except -1:
        """Can the grammar go on behind what may be the value's closer?"""
        cdef const uint8_t *data = turn.data - turn.s.base
        cdef Py_ssize_t length = 0, at = self.tag.at
        cdef TagKind kind
        while at < turn.s.limit and is_space(data[at]) and at - self.p.closer_end <= turn.limits.whitespace:
            at += 1
        self.tag.at = at
        if at == turn.s.limit:
            return MORE
        kind = self.grammar.tag_at(data + at, turn.s.limit - at, &length)
        if kind == PART_OF_TAG:
            return MORE
        if kind == PARAMETER:
            self.grammar.begin(&self.tag, at + length, PARAMETER)
            self.p.stage = LOOKING_AHEAD
            return ON
        if kind == FUNCTION_END or kind == WRAPPER_END:
            return self.closer_counts(turn)
        return self.closer_is_data(turn)

    cdef int looking_ahead(self, Turn turn) except -1:
        """Is the parameter's tag behind what may be the value's closer a whole one?"""
        cdef int answer = self.read_tag(turn)
        if answer == TAG_OPEN:
            return MORE
        return self.closer_counts(turn) if answer == TAG_CLOSED else self.closer_is_data(turn)

    cdef int text_ended(self, Turn turn) except -1:
        """That is as good as a tag behind a value's closer."""
        if self.p.stage == AFTER_VALUE_CLOSER or self.p.stage == LOOKING_AHEAD:
            self.closer_counts(turn)
        return 0

    cdef int closer_counts(self, Turn turn) except -1:
        cdef int answer = self.close_value(turn, self.p.closer)
        if answer != ON:
            return answer
        turn.s.pos = self.p.closer_end
        self.p.stage = NO_PARAMETER
        return ON

    cdef int closer_is_data(self, Turn turn) except -1:
        self.p.scan = self.p.closer_end
        memset(&self.p.match, 0, sizeof(self.p.match))
        self.p.stage = IN_VALUE
        return ON
