"""Whether a whole text is JSON, by the strict scanner: the last word where simdjson has none."""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from ..scan.json_scanner cimport tw_json, tw_json_end, tw_json_feed

__all__ = ["is_json"]


cdef bint is_json_text(const uint8_t *text, Py_ssize_t length):
    cdef tw_json scanner
    cdef size_t taken
    cdef Py_ssize_t at
    memset(&scanner, 0, sizeof(scanner))
    at = tw_json_feed(&scanner, text, length, &taken)
    if at < 0:
        return taken == <size_t>length and tw_json_end(&scanner) == 0
    while at < length and text[at] in b" \t\n\r":
        at += 1
    return at == length


def is_json(str text not None):
    """Whether `text` is one JSON value, with or without whitespace around it. Lone surrogates are plain text."""
    cdef bytes encoded = text.encode("utf-8", "surrogatepass")
    return is_json_text(encoded, len(encoded))
