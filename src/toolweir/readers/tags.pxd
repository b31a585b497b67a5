# The tags of a grammar, and the inside of one.

from libc.stdint cimport uint8_t

from .plan cimport MarkerTable


cdef enum TagKind:
    NO_TAG
    PART_OF_TAG        # the text ends inside what may be a tag
    FUNCTION           # opens a function: a name follows
    PARAMETER          # opens a parameter: a name follows
    FUNCTION_END
    WRAPPER_END
    MARKUP             # in a place where it says nothing


cdef enum TagAnswer:
    TAG_OPEN           # all input read, the tag goes on
    TAG_CLOSED         # `at` is behind it
    TAG_BAD            # the byte at `at` does not fit
    TAG_LONG           # longer than the limits allow


cdef enum TagStage:
    BEFORE_NAME
    IN_NAME
    IN_QUOTED_NAME
    AFTER_NAME
    IN_ATTRIBUTE
    AFTER_ATTRIBUTE
    BEFORE_ATTRIBUTE_VALUE
    IN_ATTRIBUTE_VALUE
    IN_QUOTED_ATTRIBUTE_VALUE
    IN_BARE_NAME       # a name without a tag around it
    IN_CLOSING         # the text that closes the tag


cdef enum Verbatim:    # what an attribute says about the value
    UNSAID
    IS_STRING
    IS_JSON


cdef struct Tag:
    const uint8_t *text
    Py_ssize_t length
    TagKind kind


cdef struct TagState:  # positions are those of the turn
    TagStage stage
    Py_ssize_t start
    Py_ssize_t at
    Py_ssize_t name
    Py_ssize_t name_end
    Py_ssize_t attribute
    Py_ssize_t attribute_end
    Py_ssize_t attribute_value
    uint8_t quote
    Py_ssize_t closing
    Verbatim verbatim


cdef class TagGrammar:
    cdef Tag tags[16]
    cdef int count
    cdef list texts            # keeps the bytes that `tags` points into
    cdef Tag opener            # what stands before the block's first byte
    cdef Tag function          # empty: the name follows the opener bare
    cdef Tag parameter
    cdef Tag parameter_end
    cdef Tag function_end      # empty: the wrapper's end does
    cdef uint8_t first         # the first byte of all tags inside a call
    cdef bint wrapped          # a function's tag stands inside the opener's
    cdef bint bare_names       # a function's name has no closing bracket
    cdef Tag tag_end           # closes a tag that carries a name
    cdef Tag key_end           # key and value have tags of their own: the key's closer, else empty
    cdef Tag type_opener       # a type's tag may stand between them
    cdef Tag type_end
    cdef Tag value_opener
    cdef Tag quoted_value      # a value that begins with it ends with `quoted_closers`; else empty
    cdef MarkerTable value_closers
    cdef MarkerTable quoted_closers
    cdef bytes verbatim_attribute
    cdef bytes verbatim_value
    cdef bint function_closer_needed

    cdef Tag _tag(self, text, TagKind kind)
    cdef void begin(self, TagState *t, Py_ssize_t start, TagKind kind) noexcept
    cdef TagKind tag_at(self, const uint8_t *at, Py_ssize_t left, Py_ssize_t *length) noexcept
    cdef TagAnswer read_name(
        self, TagState *t, const uint8_t *data, Py_ssize_t base, Py_ssize_t limit, Py_ssize_t longest_name,
        Py_ssize_t longest_tag
    ) noexcept
    cdef Verbatim said(self, const uint8_t *word, Py_ssize_t length) noexcept
    cdef void attribute_known(self, TagState *t, const uint8_t *data, Py_ssize_t base, Py_ssize_t end) noexcept
