# What a parser looks for, compiled once for each (format, options) and shared by all parsers that ask for the same.

from libc.stdint cimport uint8_t

from ..scan.marker_matcher cimport tw_markers


cdef enum MarkerKind:
    OPENER          # opens a call block
    CLOSER          # closes one
    THINK_OPENER
    THINK_CLOSER
    END_OF_TURN
    MARKUP          # means nothing, dropped
    STOP            # a stop string of the caller
    TAG             # guided output: native markup, dropped wherever it stands
    TAG_START       # guided output: a parameter's tag up to its name; the rest of it is markup as well
    TAG_OPENER      # guided output: native markup that the payload may follow, which ends a thought


cdef class MarkerTable:
    cdef tw_markers *markers
    cdef uint8_t *kinds        # MarkerKind of each marker
    cdef uint8_t *owners       # for OPENER and CLOSER: the number of the opener; for STOP: of the stop string
    cdef tuple texts           # of the markers
    cdef uint8_t plain[256]    # 1 for a byte that begins no marker and that a JSON string holds as it is
    cdef bint wide             # a marker begins with a character beyond ASCII


cdef class Plan:
    cdef readonly object format
    cdef MarkerTable content
    cdef MarkerTable reasoning    # no opener: within a thought it is text
    cdef MarkerTable echo         # a thought that the prompt opened, up to its first visible character
    cdef MarkerTable openers      # what the text inside a JSON string may hide
    cdef MarkerTable malformed    # where a malformed block ends
    cdef readonly object tokens   # the markers that are special tokens
    cdef MarkerTable spelled_content  # once special tokens are fed apart: what may still be spelled
    cdef MarkerTable spelled_reasoning
    cdef MarkerTable nothing      # after a fault
    cdef readonly tuple readers   # of each opener; guided output: that of the payload before them
    cdef readonly tuple alternatives  # for each opener the numbers of those with the same marker
    cdef readonly tuple prefixes  # for each opener what belongs to it before a name, where it is only a tag
    cdef readonly tuple skips     # for each opener the bytes that may stand behind it
    cdef readonly tuple weak      # for each opener whether it is an ordinary word
    cdef int bare                 # number of the opener without a marker, -1
    cdef bint guided
    cdef readonly tuple blank_line  # for each opener whether the blank line before it belongs to it
    cdef bint blank_lines         # ... and whether any is like that
    cdef bint calls_in_reasoning

    cdef MarkerTable spelled(self, list entries)
