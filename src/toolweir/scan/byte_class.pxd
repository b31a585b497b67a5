# Classes of bytes.

from libc.stdint cimport uint8_t


cdef inline bint is_space(uint8_t byte) noexcept:
    return byte == c" " or 9 <= byte <= 13


cdef inline bint is_json_space(uint8_t byte) noexcept:
    return byte == c" " or byte == c"\n" or byte == c"\t" or byte == c"\r"


cdef inline bint is_quote(uint8_t byte) noexcept:
    return byte == c'"' or byte == c"'" or byte == c"`"


cdef inline bint is_bracket(uint8_t byte) noexcept:
    return byte in b"<>{}[]()"
