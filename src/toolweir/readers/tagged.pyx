"""Calls written as tags around bare text: a function's tag, parameters with values, closers.

Theory of operation. One switch over what is due. A block begins behind its opener, which is a wrapper or the function's
own tag. Until the header is read and the next visible byte can go on from it nothing is a call, and a header that does
not fit makes its tags stray ones. Then parameters come, each a key in a tag and a value up to its closer; the arguments
go out as a JSON object that grows with them. The block ends with the function: a wrapper's closer behind it is markup
between calls, and several functions in one wrapper are several blocks.

A value's closer counts only where the grammar can go on behind it: another parameter, the function's end, the wrapper's
end or the end of the text. Whatever else follows makes it a part of the value. Until that is known it is held.

Options of an opener, all texts, `""` for what a grammar does not have:

    wrapped          True where the opener is a wrapper in which `function` is due, False where it is the function's
    function         what stands before a function's name; `""`: it is the opener
    bare_names       True where a function's name has no closing bracket but ends at a tag or space; if `function`
                     is `""`
    function_end     closes the function; `""`: the wrapper's end does
    parameter        what stands before a key
    tag_end          closes a tag that carries a name
    key_end          closes a key that has a tag of its own, and
    value_opener     opens the value then;
    type_opener, type_end    stand around a type that may come between them
    quoted_value     two texts: a value that begins with the first ends with the second and the closer
    parameter_end    closes a value
    wrapper_ends     close the wrapper, and the function too where its own closer is missing
    function_closer_needed   ... which makes the call incomplete then
    markup           other tags that say nothing inside a call
    verbatim_attribute       attribute of a parameter that says whether its value is a string
    verbatim_value   ... which is one if the attribute, or the type, is this, and else JSON
    value_whitespace "keep", "one_newline", "newline_pair" (one at the end if one stands at the start) or "trim": what
                     of the whitespace at a value's edges is no part of it
    prefer           "typed" or "glm": what wins where a string is admitted beside other types
    integers         "written" or "plain": whether a zero fraction is left out where only integers are admitted
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcmp, memset

from ..outcomes import CallStatus, Reason
from ..schema import UNTYPED
from ..scan.marker_matcher cimport tw_markers, tw_markers_feed, tw_markers_held
from ..values import quote
from .raw_value cimport AS_STRING, KEEP, NEWLINE_PAIR, ONE_NEWLINE, RawValueReader, TRIM
from .tags cimport (
    FUNCTION, FUNCTION_END, IS_JSON, IS_STRING, MARKUP, NO_TAG, PARAMETER, PART_OF_TAG, TAG_BAD, TAG_CLOSED, TAG_LONG,
    Tag,
    TAG_OPEN, TagGrammar, TagKind, WRAPPER_END,
)
from .turn cimport BROKEN, DONE, HELD, MORE, REJECTED, Reader, SENT, STRAYED, Turn

COMPLETE = CallStatus.COMPLETE
INCOMPLETE = CallStatus.INCOMPLETE

EDGES = {"keep": KEEP, "one_newline": ONE_NEWLINE, "newline_pair": NEWLINE_PAIR, "trim": TRIM}

cdef enum:
    ON = 100           # nothing to report, read on


cdef inline bint is_space(uint8_t byte) noexcept:
    return byte == c" " or 9 <= byte <= 13


cdef inline bint is_quote(uint8_t byte) noexcept:
    return byte == c'"' or byte == c"'" or byte == c"`"


cdef class TaggedReader(RawValueReader):

    def __init__(
        self, *, marker, wrapped, function, function_end, parameter, parameter_end, wrapper_ends=(), markup=(),
        bare_names=False, tag_end=">", key_end="", type_opener="", type_end="", value_opener="", quoted_value=("", ""),
        verbatim_attribute="", verbatim_value="true", function_closer_needed=False, value_whitespace="keep",
        prefer="typed", integers="written", argument_style="compact", stream_values=False, **_,
    ):
        self.grammar = TagGrammar(
            marker=marker, wrapped=wrapped, function=function, function_end=function_end, parameter=parameter,
            parameter_end=parameter_end, wrapper_ends=wrapper_ends, markup=markup, bare_names=bare_names,
            tag_end=tag_end, key_end=key_end, type_opener=type_opener, type_end=type_end, value_opener=value_opener,
            quoted_value=quoted_value, verbatim_attribute=verbatim_attribute, verbatim_value=verbatim_value,
            function_closer_needed=function_closer_needed,
        )
        self.edge = EDGES[value_whitespace]
        self.style = argument_style
        self.spaced = argument_style == "spaced"
        self.prefer = prefer
        self.integers = integers
        self.stream_values = stream_values

    cdef Reader copy(self):
        return self.copied(TaggedReader.__new__(TaggedReader))

    cdef TaggedReader copied(self, TaggedReader other):
        """`other` in the state of this reader."""
        other.t, other.raw = self.t, self.raw
        other.grammar, other.properties, other.types = self.grammar, self.properties, self.types
        other.edge, other.style, other.spaced = self.edge, self.style, self.spaced
        other.prefer, other.integers = self.prefer, self.integers
        other.stream_values = self.stream_values
        return other

    cdef bint accepts(self, Turn turn, uint8_t first):
        if self.grammar.wrapped:
            return first == self.grammar.function.text[0]
        return not (first in b"<>{}[]()")

    cdef tw_markers *string_closer(self) noexcept:
        if self.t.place == IN_VALUE and self.raw.kind == AS_STRING and self.t.match.state == 0:
            if self.raw.head or self.raw.loose:
                return NULL
            return self.closers()
        return NULL

    cdef bint may_end_string(self, uint8_t last) noexcept:
        return self.raw.edge != KEEP and (last == c"\n" or (self.raw.edge == TRIM and is_space(last)))

    cdef bint asked(self, Turn turn, Py_ssize_t pos) noexcept:
        """The grammar asks for a quote around a name or an attribute's value: inside a tag that carries one."""
        cdef Py_ssize_t at = pos, length = 0
        cdef const uint8_t *byte
        cdef Tag end = self.grammar.tag_end
        cdef TagKind kind
        while at > turn.s.block and pos - at <= turn.limits.malformed:
            at -= 1
            byte = turn.data + (at - turn.s.base)
            if pos - at >= end.length and memcmp(byte, end.text, end.length) == 0:
                return False
            if byte[0] == self.grammar.first:
                kind = self.grammar.tag_at(byte, pos + 1 - at, &length)
                if kind == FUNCTION or kind == PARAMETER:
                    return True
        return False

    cdef int begin(self, Turn turn) except -1:
        memset(&self.t, 0, sizeof(self.t))
        self.properties = None
        self.t.tag_start = turn.s.block
        self.t.place = IN_WRAPPER
        if not self.grammar.wrapped:
            self.t.place = IN_HEADER
            self.grammar.begin(&self.t.tag, turn.s.pos, FUNCTION)
        return 0

    cdef int step(self, Turn turn) except -1:
        cdef int answer = ON
        while answer == ON:
            if self.t.place == IN_VALUE:
                answer = self.in_value(turn)
            elif self.t.place == AFTER_VALUE_CLOSER or self.t.place == LOOKING_AHEAD:
                answer = self.after_value_closer(turn)
            elif self.t.place == BETWEEN:
                answer = self.between(turn)
            elif self.t.place == AT_VALUE:
                answer = self.at_value(turn)
            elif self.t.place == IN_PARAMETER_TAG:
                answer = self.in_parameter_tag(turn)
            elif self.t.place == AFTER_KEY:
                answer = self.after_key(turn)
            elif self.t.place == IN_NESTED:
                answer = self.in_nested(turn)
            elif self.t.place == IN_WRAPPER:
                answer = self.in_wrapper(turn)
            elif self.t.place == IN_HEADER:
                answer = self.in_header(turn)
            elif self.t.place == IN_STRAY_PARAMETER or self.t.place == IN_STRAY_VALUE:
                answer = self.in_stray_parameter(turn)
            else:
                answer = self.after_header(turn)
        turn.s.held_from = turn.s.pos if answer == MORE and turn.s.pos < turn.s.limit else -1
        return answer

    cdef int end(self, Turn turn) except -1:
        """The text ended: that is as good as a tag behind a value's closer."""
        if self.t.place == AFTER_VALUE_CLOSER or self.t.place == LOOKING_AHEAD:
            if self.close_value(turn, self.t.closer) == ON:
                turn.s.pos = self.t.closer_end
                self.t.place = BETWEEN
        if self.t.place == BETWEEN and self.t.parameters and self.grammar.function_end.length == 0:
            self.whole(turn)
        return 0

    # The header

    cdef int stray(self, Turn turn, Py_ssize_t end) except -1:
        """No call: the tags up to `end` are stray ones."""
        turn.s.pos = end
        return STRAYED

    cdef int in_wrapper(self, Turn turn) except -1:
        """A function's tag is due; other tags in front of it are markup."""
        cdef const uint8_t *data = turn.data - turn.s.base
        cdef Py_ssize_t length = 0
        cdef TagKind kind
        while turn.s.pos < turn.s.limit:
            if turn.s.pos - turn.s.block > turn.limits.malformed:
                return self.no_function(turn)
            if is_space(data[turn.s.pos]):
                turn.s.pos += 1
                continue
            kind = self.grammar.tag_at(data + turn.s.pos, turn.s.limit - turn.s.pos, &length)
            if kind == PART_OF_TAG:
                return MORE
            if kind == NO_TAG or kind == WRAPPER_END:
                return self.no_function(turn)
            self.t.tag_start = turn.s.pos
            self.grammar.begin(&self.t.tag, turn.s.pos + length, kind)
            if kind == PARAMETER:
                self.t.place = IN_STRAY_PARAMETER
                return ON
            turn.s.pos += length
            if kind == FUNCTION:
                self.t.place = IN_HEADER
                self.t.parameters = 0
                return ON
        return MORE

    cdef int in_stray_parameter(self, Turn turn) except -1:
        """A parameter without a function: from its tag to the closer of its value."""
        cdef tw_markers *closers = self.grammar.value_closers.markers
        cdef Py_ssize_t found
        cdef int answer
        if self.t.place == IN_STRAY_PARAMETER:
            answer = self.read_tag(turn)
            if answer != TAG_CLOSED:
                return MORE if answer == TAG_OPEN else self.no_function(turn)
            self.t.scan = self.t.tag.at
            self.t.parameters = 1
            self.t.place = IN_STRAY_VALUE
            memset(&self.t.match, 0, sizeof(self.t.match))
        found = tw_markers_feed(
            closers, &self.t.match, turn.data + (self.t.scan - turn.s.base), turn.s.limit - self.t.scan
        )
        self.t.scan = turn.s.limit if found < 0 else self.t.scan + found
        answer = tw_markers_held(closers, &self.t.match) if found < 0 else self.t.match.length
        if self.t.scan - answer - turn.s.block > turn.limits.malformed:
            return self.no_function(turn)
        if found < 0:
            return MORE
        turn.s.pos = self.t.scan
        self.t.place = IN_WRAPPER
        return ON

    cdef int no_function(self, Turn turn) except -1:
        """A wrapper with parameters but no function is a broken call; one without either holds no call at all."""
        if self.t.parameters:
            return self.broken(turn, Reason.NO_NAME)
        return self.stray(turn, turn.s.block + self.grammar.opener.length)

    cdef int read_tag(self, Turn turn) except -1:
        return self.grammar.read_name(
            &self.t.tag, turn.data, turn.s.base, turn.s.limit, turn.limits.header, turn.limits.malformed
        )

    cdef int in_header(self, Turn turn) except -1:
        cdef int answer = self.read_tag(turn)
        if answer == TAG_OPEN:
            return MORE
        if answer == TAG_BAD:
            return self.stray(turn, self.before_name(turn))
        if answer == TAG_LONG:
            turn.s.pos = self.t.tag.at
            return self.broken(turn, Reason.LIMIT)
        turn.s.pos = self.t.tag.at
        self.t.place = AFTER_HEADER
        return ON

    cdef Py_ssize_t before_name(self, Turn turn) noexcept:
        """Where the tag ends that a function's name follows."""
        return self.t.tag.start if self.grammar.wrapped else turn.s.block + self.grammar.opener.length

    cdef int after_header(self, Turn turn) except -1:
        """The next visible byte says whether this is a call."""
        cdef Py_ssize_t at = self.t.tag.at
        cdef uint8_t byte = 0
        while at < turn.s.limit:
            byte = turn.data[at - turn.s.base]
            if not is_space(byte):
                break
            at += 1
            if at - turn.s.pos > turn.limits.whitespace:
                return self.stray(turn, self.before_name(turn) if self.grammar.bare_names else turn.s.pos)
        self.t.tag.at = at
        if at == turn.s.limit:
            return MORE
        if byte != self.grammar.first:
            return self.stray(turn, self.before_name(turn) if self.grammar.bare_names else turn.s.pos)
        name = turn.text(self.t.tag.name, self.t.tag.name_end)
        if not turn.start_call(name):
            return REJECTED
        if turn.tools is not None:
            declared = turn.tools.resolve(name)
            if declared is not None:
                self.properties = turn.tools[declared].properties
        self.t.place = BETWEEN
        return ON

    # Between parameters

    cdef int between(self, Turn turn) except -1:
        cdef const uint8_t *data = turn.data - turn.s.base
        cdef Py_ssize_t length = 0
        cdef TagKind kind
        while turn.s.pos < turn.s.limit and is_space(data[turn.s.pos]):
            turn.s.pos += 1
        if turn.s.pos == turn.s.limit:
            return MORE
        kind = self.grammar.tag_at(data + turn.s.pos, turn.s.limit - turn.s.pos, &length)
        self.t.tag_start = turn.s.pos
        if kind == PART_OF_TAG:
            return MORE
        if kind == NO_TAG:
            return self.broken(turn, Reason.HEADER)
        if kind == PARAMETER and self.t.parameters == turn.limits.parameters:
            return self.broken(turn, Reason.LIMIT)
        if kind == PARAMETER or kind == FUNCTION:
            self.grammar.begin(&self.t.tag, turn.s.pos + length, kind)
            self.t.place = IN_PARAMETER_TAG if kind == PARAMETER else IN_NESTED
            return ON
        turn.s.pos += length
        if kind == MARKUP:
            return ON
        if kind == WRAPPER_END and self.grammar.function_closer_needed:
            if turn.s.call == HELD:  # read quietly: no whole call
                return self.broken(turn, Reason.ENVELOPE)
            turn.end_call(INCOMPLETE, Reason.ENVELOPE)
            return DONE
        return self.whole(turn)

    cdef int whole(self, Turn turn) except -1:
        """The call is complete."""
        if self.t.parameters:
            turn.argue(<const uint8_t *>b"}", 1, self.t.tag_start, turn.s.pos)
        else:
            turn.argue(<const uint8_t *>b"{}", 2, self.t.tag_start, turn.s.pos)
        turn.end_call(COMPLETE, None)
        return DONE

    cdef int in_nested(self, Turn turn) except -1:
        cdef int answer = self.read_tag(turn)
        if answer == TAG_OPEN:
            return MORE
        if answer != TAG_CLOSED:
            return self.broken(turn, Reason.HEADER)
        turn.s.pos = self.t.tag.at
        self.t.place = BETWEEN
        return ON

    # Parameters

    cdef int in_parameter_tag(self, Turn turn) except -1:
        cdef int answer = self.read_tag(turn)
        if answer == TAG_OPEN:
            return MORE
        if answer != TAG_CLOSED:
            return self.broken(turn, Reason.LIMIT if answer == TAG_LONG else Reason.HEADER)
        if self.grammar.key_end.length:
            self.t.place = AFTER_KEY
            return ON
        return self.open_parameter(turn, self.t.tag.at)

    cdef int after_key(self, Turn turn) except -1:
        """A key with a tag of its own: its closer, perhaps a type, and the value's opener."""
        cdef Py_ssize_t at = self.t.tag.at, word = 0
        cdef int answer
        answer = self.expect(turn, &at, &self.grammar.key_end)
        if answer == ON and self.grammar.type_opener.length:
            answer = self.expect(turn, &at, &self.grammar.type_opener)
            if answer == ON:
                word = at
                while at < turn.s.limit and turn.data[at - turn.s.base] != self.grammar.first:
                    at += 1
                self.t.tag.verbatim = self.grammar.said(turn.data + (word - turn.s.base), at - word)
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
        if at[0] - self.t.tag_start > turn.limits.malformed:
            return BROKEN
        if part < tag.length:
            return MORE
        at[0] += part
        return ON

    cdef int open_parameter(self, Turn turn, Py_ssize_t start) except -1:
        """The key is known, and the value begins at `start`."""
        cdef Py_ssize_t tag_start = turn.s.pos
        key = turn.text(self.t.tag.name, self.t.tag.name_end)
        text = quote(key) + (": " if self.spaced else ":")
        if self.t.parameters:
            text = (", " if self.spaced else ",") + text
        else:
            text = "{" + text
        encoded = text.encode("utf-8", "replace")
        turn.argue(<const uint8_t *><const char *>(<bytes>encoded), len(encoded), tag_start, start)
        self.t.parameters += 1
        turn.s.pos = self.t.scan = start
        memset(&self.t.match, 0, sizeof(self.t.match))
        types = None
        if turn.s.call == SENT and self.t.tag.verbatim != IS_STRING:
            types = UNTYPED
            if self.properties is not None and self.t.tag.verbatim != IS_JSON:
                types = self.properties[key]
        self.open_value(turn, types)
        self.t.quoted = False
        self.t.place = AT_VALUE if self.grammar.quoted_value.length else IN_VALUE
        return ON

    cdef int at_value(self, Turn turn) except -1:
        """Is the value quoted?"""
        cdef Tag *quotation = &self.grammar.quoted_value
        cdef Py_ssize_t part = min(quotation.length, turn.s.limit - turn.s.pos)
        if memcmp(turn.data + (turn.s.pos - turn.s.base), quotation.text, part) == 0:
            if part < quotation.length:
                return MORE
            turn.s.pos += part
            self.t.scan = turn.s.pos
            self.t.quoted = True
        self.t.place = IN_VALUE
        return ON

    cdef tw_markers *closers(self) noexcept:
        return self.grammar.quoted_closers.markers if self.t.quoted else self.grammar.value_closers.markers

    cdef int in_value(self, Turn turn) except -1:
        cdef tw_markers *closers = self.closers()
        cdef Py_ssize_t found, upto
        cdef int answer
        found = tw_markers_feed(
            closers, &self.t.match, turn.data + (self.t.scan - turn.s.base), turn.s.limit - self.t.scan
        )
        self.t.scan = turn.s.limit if found < 0 else self.t.scan + found
        upto = self.t.scan - (tw_markers_held(closers, &self.t.match) if found < 0 else self.t.match.length)
        answer = self.take_value(turn, upto)
        if answer != ON or found < 0:
            return MORE if answer == ON else answer
        self.t.closer = upto
        self.t.closer_end = self.t.tag.at = self.t.scan
        self.t.place = AFTER_VALUE_CLOSER
        return ON

    cdef int after_value_closer(self, Turn turn) except -1:
        """Can the grammar go on behind what may be the value's closer?"""
        cdef const uint8_t *data = turn.data - turn.s.base
        cdef Py_ssize_t length = 0, at = self.t.tag.at
        cdef TagKind kind
        cdef int answer
        if self.t.place == LOOKING_AHEAD:
            answer = self.read_tag(turn)
            if answer == TAG_OPEN:
                return MORE
            return self.closer_counts(turn) if answer == TAG_CLOSED else self.closer_is_data(turn)
        while at < turn.s.limit and is_space(data[at]) and at - self.t.closer_end <= turn.limits.whitespace:
            at += 1
        self.t.tag.at = at
        if at == turn.s.limit:
            return MORE
        kind = self.grammar.tag_at(data + at, turn.s.limit - at, &length)
        if kind == PART_OF_TAG:
            return MORE
        if kind == PARAMETER:
            self.grammar.begin(&self.t.tag, at + length, PARAMETER)
            self.t.place = LOOKING_AHEAD
            return ON
        if kind == FUNCTION_END or kind == WRAPPER_END:
            return self.closer_counts(turn)
        return self.closer_is_data(turn)

    cdef int closer_counts(self, Turn turn) except -1:
        cdef int answer = self.close_value(turn, self.t.closer)
        if answer != ON:
            return answer
        turn.s.pos = self.t.closer_end
        self.t.place = BETWEEN
        return ON

    cdef int closer_is_data(self, Turn turn) except -1:
        self.t.scan = self.t.closer_end
        memset(&self.t.match, 0, sizeof(self.t.match))
        self.t.place = IN_VALUE
        return ON
