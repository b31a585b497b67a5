"""The tags of a grammar of tagged calls: which one stands at a place, and the name inside it.

Theory of operation. A grammar has few tags, and where one may stand is known; so each is compared in place. The inside
of a tag that carries a name is read byte by byte: the name, bare or in quotes, then attributes, which are ignored but
for the one that says whether the value is a string. Whatever is neither makes the tag none. In grammars where the name
has no tag of its own (`bare_names`), it ends at the next tag or line. Where a tag's text ends in a quote, the name is
quoted.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcmp, memset

from ..scan.byte_class cimport is_bracket, is_space
from .plan cimport CLOSER, MarkerTable


cdef inline bint is_word(uint8_t byte) noexcept:
    return c"a" <= (byte | 0x20) <= c"z" or c"0" <= byte <= c"9" or byte in b"_-:." or byte >= 0x80


cdef class TagGrammar:
    """The tags of one opener; TaggedReader's docstring tells what each argument is."""

    def __init__(
        self, *, marker, wrapped, function, function_end, parameter, parameter_end, wrapper_ends, markup, key_end,
        type_opener, type_end, value_opener, quoted_value, verbatim_attribute, verbatim_value, bare_names, tag_end,
        function_closer_needed,
    ):
        self.texts = []
        self.opener = self._tag(marker, NO_TAG)
        self.wrapped = wrapped
        self.function = self._tag(function, FUNCTION)
        self.function_end = self._tag(function_end, FUNCTION_END)
        self.parameter = self._tag(parameter, PARAMETER)
        self.parameter_end = self._tag(parameter_end, MARKUP)
        self.first = self.parameter.text[0]
        self.bare_names = bare_names or not function
        self.tag_end = self._tag(tag_end, NO_TAG)
        self.key_end = self._tag(key_end, NO_TAG)
        self.type_opener = self._tag(type_opener, NO_TAG)
        self.type_end = self._tag(type_end, NO_TAG)
        self.value_opener = self._tag(value_opener, NO_TAG)
        self.quoted_value = self._tag(quoted_value[0], NO_TAG)
        self.quoted_closers = MarkerTable([(quoted_value[1] + parameter_end, CLOSER, 0)])
        self.verbatim_attribute = verbatim_attribute.encode()
        self.verbatim_value = verbatim_value.encode()
        self.function_closer_needed = function_closer_needed
        self.value_closers = MarkerTable([(parameter_end, CLOSER, 0)])
        entries = [(parameter, PARAMETER), (function, FUNCTION), (function_end, FUNCTION_END)]
        entries += [(text, WRAPPER_END) for text in wrapper_ends]
        entries += [(text, MARKUP) for text in (parameter_end, *markup)]
        for text, kind in entries:
            if text:
                self.tags[self.count] = self._tag(text, kind)
                self.count += 1

    cdef Tag _tag(self, text, TagKind kind):
        cdef Tag tag
        encoded = text.encode()
        self.texts.append(encoded)
        tag.text = <const uint8_t *><const char *>(<bytes>encoded)
        tag.length = len(encoded)
        tag.kind = kind
        return tag

    cdef void begin(self, TagState *t, Py_ssize_t start, TagKind kind) noexcept:
        """The inside of a function's or a parameter's tag begins at `start`."""
        cdef Tag tag = self.function if kind == FUNCTION else self.parameter
        memset(t, 0, sizeof(t[0]))
        t.start = t.at = t.name = start
        t.stage = BEFORE_NAME
        if self.bare_names if kind == FUNCTION else self.key_end.length:
            t.stage = IN_BARE_NAME
        elif tag.text[tag.length - 1] == c'"':
            t.quote = c'"'
            t.stage = IN_QUOTED_NAME

    cdef TagKind tag_at(self, const uint8_t *at, Py_ssize_t left, Py_ssize_t *length) noexcept:
        """The longest tag that begins at `at`, and its length."""
        cdef TagKind found = NO_TAG
        cdef int i
        length[0] = 0
        for i in range(self.count):
            if memcmp(at, self.tags[i].text, min(left, self.tags[i].length)) == 0:
                if left < self.tags[i].length:
                    return PART_OF_TAG
                if self.tags[i].length > length[0]:
                    length[0] = self.tags[i].length
                    found = self.tags[i].kind
        return found

    cdef TagAnswer read_name(
        self, TagState *t, const uint8_t *data, Py_ssize_t base, Py_ssize_t limit, Py_ssize_t longest_name,
        Py_ssize_t longest_tag
    ) noexcept:
        """Read on inside a tag, to its end."""
        cdef uint8_t byte, closing = self.tag_end.text[0]
        while t.at < limit:
            byte = data[t.at - base]
            if t.at - t.start > longest_tag:
                return TAG_LONG
            if t.stage == IN_NAME or t.stage == IN_QUOTED_NAME or t.stage == IN_BARE_NAME:
                if t.at - t.name >= longest_name and not (is_bracket(byte) or is_space(byte) or byte == t.quote):
                    return TAG_LONG
            if t.stage == BEFORE_NAME:
                if byte == c'"' or byte == c"'":
                    t.quote = byte
                    t.name = t.at + 1
                    t.stage = IN_QUOTED_NAME
                elif is_bracket(byte):
                    return TAG_BAD
                elif not is_space(byte):
                    t.name = t.at
                    t.stage = IN_NAME
            elif t.stage == IN_NAME:
                if is_space(byte) or byte == closing:
                    t.name_end = t.at
                    t.stage = AFTER_NAME
                    continue
                if is_bracket(byte):
                    return TAG_BAD
            elif t.stage == IN_QUOTED_NAME:
                if byte == t.quote and t.at > t.name:
                    t.name_end = t.at
                    t.stage = AFTER_NAME
                elif is_space(byte) or is_bracket(byte) or byte == t.quote:
                    return TAG_BAD
            elif t.stage == IN_BARE_NAME:
                if is_space(byte) or byte == c"<":
                    t.name_end = t.at
                    return TAG_CLOSED if t.at > t.name else TAG_BAD
                if is_bracket(byte):
                    return TAG_BAD
            elif t.stage == AFTER_NAME:
                if byte == closing:
                    t.closing = t.at
                    t.stage = IN_CLOSING
                    continue
                if is_word(byte):
                    t.attribute = t.at
                    t.stage = IN_ATTRIBUTE
                elif not is_space(byte):
                    return TAG_BAD
            elif t.stage == IN_ATTRIBUTE:
                if not is_word(byte):
                    t.attribute_end = t.at
                    t.stage = AFTER_ATTRIBUTE
                    continue
            elif t.stage == AFTER_ATTRIBUTE:
                if byte == c"=":
                    t.stage = BEFORE_ATTRIBUTE_VALUE
                elif not is_space(byte):
                    return TAG_BAD
            elif t.stage == BEFORE_ATTRIBUTE_VALUE:
                t.attribute_value = t.at
                if byte == c'"' or byte == c"'":
                    t.quote = byte
                    t.attribute_value = t.at + 1
                    t.stage = IN_QUOTED_ATTRIBUTE_VALUE
                elif is_bracket(byte):
                    return TAG_BAD
                elif not is_space(byte):
                    t.stage = IN_ATTRIBUTE_VALUE
            elif t.stage == IN_CLOSING:
                if byte != self.tag_end.text[t.at - t.closing]:
                    return TAG_BAD
                if t.at - t.closing == self.tag_end.length - 1:
                    t.at += 1
                    return TAG_CLOSED
            elif t.stage == IN_ATTRIBUTE_VALUE:
                if is_space(byte) or byte == closing:
                    self.attribute_known(t, data, base, t.at)
                    t.stage = AFTER_NAME
                    continue
                if byte == c"<":
                    return TAG_BAD
            elif byte == t.quote:
                self.attribute_known(t, data, base, t.at)
                t.stage = AFTER_NAME
            elif byte == c"<":
                return TAG_BAD
            t.at += 1
        return TAG_OPEN

    cdef void attribute_known(self, TagState *t, const uint8_t *data, Py_ssize_t base, Py_ssize_t end) noexcept:
        cdef Py_ssize_t length = t.attribute_end - t.attribute
        if length == 0 or length != len(self.verbatim_attribute):
            return
        if memcmp(data + (t.attribute - base), <const char *>self.verbatim_attribute, length):
            return
        t.verbatim = self.said(data + (t.attribute_value - base), end - t.attribute_value)

    cdef Verbatim said(self, const uint8_t *word, Py_ssize_t length) noexcept:
        """What this word of an attribute or of a type's tag says about the value."""
        if length == len(self.verbatim_value) and memcmp(word, <const char *>self.verbatim_value, length) == 0:
            return IS_STRING
        return IS_JSON
