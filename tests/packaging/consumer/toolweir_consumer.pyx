"""The length of the JSON value at the start of a text, by the C scanner itself and by the class that wraps it."""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from toolweir.scan.json_scanner cimport JsonScanner, tw_json, tw_json_feed


def by_header(bytes text):
    cdef tw_json scanner
    cdef size_t taken = 0
    memset(&scanner, 0, sizeof(scanner))
    return tw_json_feed(&scanner, <const uint8_t *><const char *>text, len(text), &taken)


def by_class(bytes text):
    cdef JsonScanner scanner = JsonScanner()
    return scanner.feed_bytes(<const uint8_t *><const char *>text, len(text))
