"""Calls written as tags around bare text: a function's tag, parameters with values, closers.

Theory of operation. One switch over what is due. A block begins behind its opener, which is a wrapper or the function's
own tag. Until the header is read and the next visible byte can go on from it nothing is a call, and a header that does
not fit makes its tags stray ones. Then parameters come, which parameter.pyx reads; the arguments go out as a JSON
object that grows with them. The block ends with the function: a wrapper's closer behind it is markup between calls, and
several functions in one wrapper are several blocks.

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
from ..scan.byte_class cimport is_bracket, is_space
from ..scan.marker_matcher cimport tw_markers, tw_markers_held
from .parameter cimport NO_PARAMETER, ParameterReader
from .raw_value cimport KEEP, NEWLINE_PAIR, ONE_NEWLINE, TRIM
from .stretches cimport find_marker
from .tags cimport (
    FUNCTION, MARKUP, NO_TAG, PARAMETER, PART_OF_TAG, TAG_BAD, TAG_CLOSED, TAG_LONG, TAG_OPEN, Tag, TagGrammar, TagKind,
    WRAPPER_END,
)
from .turn cimport DONE, HELD, MORE, ON, REJECTED, Reader, STRAYED, Turn

COMPLETE = CallStatus.COMPLETE
INCOMPLETE = CallStatus.INCOMPLETE

EDGES = {"keep": KEEP, "one_newline": ONE_NEWLINE, "newline_pair": NEWLINE_PAIR, "trim": TRIM}


cdef class TaggedReader(ParameterReader):

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
        other.place, other.tag, other.tag_start = self.place, self.tag, self.tag_start
        other.skimmed = self.skimmed
        other.p, other.raw = self.p, self.raw
        other.grammar, other.properties, other.types = self.grammar, self.properties, self.types
        other.edge, other.style, other.spaced = self.edge, self.style, self.spaced
        other.prefer, other.integers = self.prefer, self.integers
        other.stream_values = self.stream_values
        return other

    cdef bint accepts(self, Turn turn, uint8_t first):
        if self.grammar.wrapped:
            return first == self.grammar.function.text[0]
        return not is_bracket(first)

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
        memset(&self.p, 0, sizeof(self.p))
        self.properties = None
        self.tag_start = turn.s.block
        self.place = IN_WRAPPER
        if not self.grammar.wrapped:
            self.place = IN_HEADER
            self.grammar.begin(&self.tag, turn.s.pos, FUNCTION)
        return 0

    cdef int step(self, Turn turn) except -1:
        cdef int answer = ON
        while answer == ON:
            if self.p.stage != NO_PARAMETER:
                answer = self.read_parameter(turn)
            elif self.place == BETWEEN:
                answer = self.between(turn)
            elif self.place == IN_NESTED:
                answer = self.in_nested(turn)
            elif self.place == IN_WRAPPER:
                answer = self.in_wrapper(turn)
            elif self.place == IN_HEADER:
                answer = self.in_header(turn)
            elif self.place == IN_STRAY_PARAMETER or self.place == IN_STRAY_VALUE:
                answer = self.in_stray_parameter(turn)
            else:
                answer = self.after_header(turn)
        turn.s.held_from = turn.s.pos if answer == MORE and turn.s.pos < turn.s.limit else -1
        return answer

    # The header

    cdef int stray(self, Turn turn, Py_ssize_t end) except -1:
        """No call: the tags up to `end` are stray ones."""
        turn.back_to(end)
        return STRAYED

    cdef int in_wrapper(self, Turn turn) except -1:
        """A function's tag is due; other tags in front of it are markup.

        Some of them are openers themselves: where no function follows, each is tried, and none reads again what the one
        before it has read.
        """
        cdef const uint8_t *data = turn.data - turn.s.base
        cdef Py_ssize_t length = 0
        cdef TagKind kind
        turn.skip_to(self.skimmed)
        while turn.s.pos < turn.s.limit:
            if self.p.count == 0:
                self.skimmed = turn.s.pos
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
            self.tag_start = turn.s.pos
            self.grammar.begin(&self.tag, turn.s.pos + length, kind)
            if kind == PARAMETER:
                self.place = IN_STRAY_PARAMETER
                return ON
            turn.s.pos += length
            if kind == FUNCTION:
                self.place = IN_HEADER
                self.p.count = 0
                return ON
        return MORE

    cdef int in_stray_parameter(self, Turn turn) except -1:
        """A parameter without a function: from its tag to the closer of its value."""
        cdef tw_markers *closers = self.grammar.value_closers.markers
        cdef Py_ssize_t found
        cdef int answer
        if self.place == IN_STRAY_PARAMETER:
            answer = self.read_tag(turn)
            if answer != TAG_CLOSED:
                return MORE if answer == TAG_OPEN else self.no_function(turn)
            self.p.scan = self.tag.at
            self.p.count = 1
            self.place = IN_STRAY_VALUE
            memset(&self.p.match, 0, sizeof(self.p.match))
        found = find_marker(
            closers, &self.p.match, turn.data + (self.p.scan - turn.s.base), turn.s.limit - self.p.scan
        )
        self.p.scan = turn.s.limit if found < 0 else self.p.scan + found
        answer = tw_markers_held(closers, &self.p.match) if found < 0 else self.p.match.length
        if self.p.scan - answer - turn.s.block > turn.limits.malformed:
            return self.no_function(turn)
        if found < 0:
            return MORE
        turn.s.pos = self.p.scan
        self.place = IN_WRAPPER
        return ON

    cdef int no_function(self, Turn turn) except -1:
        """A wrapper with parameters but no function is a broken call; one without either holds no call at all."""
        if self.p.count:
            return self.broken(turn, Reason.NO_NAME)
        return self.stray(turn, turn.s.block + self.grammar.opener.length)

    cdef int in_header(self, Turn turn) except -1:
        cdef int answer = self.read_tag(turn)
        if answer == TAG_OPEN:
            return MORE
        if answer == TAG_BAD:
            return self.stray(turn, self.before_name(turn))
        if answer == TAG_LONG:
            turn.s.pos = self.tag.at
            return self.broken(turn, Reason.LIMIT)
        turn.s.pos = self.tag.at
        self.place = AFTER_HEADER
        return ON

    cdef Py_ssize_t before_name(self, Turn turn) noexcept:
        """Where the tag ends that a function's name follows."""
        return self.tag.start if self.grammar.wrapped else turn.s.block + self.grammar.opener.length

    cdef int after_header(self, Turn turn) except -1:
        """The next visible byte says whether this is a call."""
        cdef Py_ssize_t at = self.tag.at
        cdef uint8_t byte = 0
        while at < turn.s.limit:
            byte = turn.data[at - turn.s.base]
            if not is_space(byte):
                break
            at += 1
            if at - turn.s.pos > turn.limits.whitespace:
                return self.stray(turn, self.before_name(turn) if self.grammar.bare_names else turn.s.pos)
        self.tag.at = at
        if at == turn.s.limit:
            return MORE
        if byte != self.grammar.first:
            return self.stray(turn, self.before_name(turn) if self.grammar.bare_names else turn.s.pos)
        name = turn.text(self.tag.name, self.tag.name_end)
        if not turn.start_call(name):
            return REJECTED
        if turn.tools is not None:
            declared = turn.tools.resolve(name)
            if declared is not None:
                self.properties = turn.tools[declared].properties
        self.place = BETWEEN
        return ON

    # Between parameters

    cdef TagKind next_tag(self, Turn turn, Py_ssize_t *length) noexcept:
        """The kind of the next visible tag, at `pos` then; PART_OF_TAG where there is not enough input to tell."""
        cdef const uint8_t *data = turn.data - turn.s.base
        while turn.s.pos < turn.s.limit and is_space(data[turn.s.pos]):
            turn.s.pos += 1
        if turn.s.pos == turn.s.limit:
            return PART_OF_TAG
        self.tag_start = turn.s.pos
        return self.grammar.tag_at(data + turn.s.pos, turn.s.limit - turn.s.pos, length)

    cdef int between(self, Turn turn) except -1:
        cdef Py_ssize_t length = 0
        cdef TagKind kind = self.next_tag(turn, &length)
        if kind == PART_OF_TAG:
            return MORE
        if kind == NO_TAG:
            return self.broken(turn, Reason.HEADER)
        if kind == PARAMETER and self.p.count == turn.limits.parameters:
            return self.broken(turn, Reason.LIMIT)
        if kind == PARAMETER:
            return self.begin_parameter(turn.s.pos + length)
        if kind == FUNCTION:
            return self.begin_nested(turn.s.pos + length)
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
        if self.p.count:
            turn.argue(<const uint8_t *>b"}", 1, self.tag_start, turn.s.pos)
        else:
            turn.argue(<const uint8_t *>b"{}", 2, self.tag_start, turn.s.pos)
        turn.end_call(COMPLETE, None)
        return DONE

    cdef int begin_nested(self, Py_ssize_t start) except -1:
        """The inside of a function's tag inside the function begins at `start`."""
        self.grammar.begin(&self.tag, start, FUNCTION)
        self.place = IN_NESTED
        return ON

    cdef int in_nested(self, Turn turn) except -1:
        cdef int answer = self.read_tag(turn)
        if answer == TAG_OPEN:
            return MORE
        if answer != TAG_CLOSED:
            return self.broken(turn, Reason.HEADER)
        turn.s.pos = self.tag.at
        self.place = BETWEEN
        return ON

    cdef int end(self, Turn turn) except -1:
        self.text_ended(turn)
        if self.place == BETWEEN and self.p.stage == NO_PARAMETER:
            if self.p.count and self.grammar.function_end.length == 0:
                self.whole(turn)
        return 0
