"""Compiles a format and the options of a parser into marker tables."""

from libc.stdint cimport uint8_t
from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc

from ..scan.json_scanner cimport tw_json_is_special
from ..scan.marker_matcher cimport tw_markers_build, tw_markers_first, tw_markers_size


NEVER = b"\xff\xff"  # no UTF-8 holds these bytes: the marker of a table without markers


cdef class MarkerTable:
    """An automaton over markers, and what each of them means."""

    def __cinit__(self, entries):
        """`entries`: (text, MarkerKind, owner) triples; of two with the same text the first counts."""
        cdef Py_ssize_t i
        cdef const uint8_t **texts = NULL
        cdef size_t *lengths = NULL
        cdef size_t size
        unique = {}
        for text, kind, owner in entries:
            marker = text.encode("utf-8", "replace")
            if marker not in unique:
                unique[marker] = (kind, owner)
        self.wide = any([text[0] >= 0x80 for text in unique])
        if not unique:
            unique[NEVER] = (MarkerKind.STOP, 0)
        count = len(unique)
        keys = list(unique)
        self.texts = tuple(keys)
        self.kinds = <uint8_t *>PyMem_Calloc(count, 1)
        self.owners = <uint8_t *>PyMem_Calloc(count, 1)
        texts = <const uint8_t **>PyMem_Malloc(count * sizeof(uint8_t *))
        lengths = <size_t *>PyMem_Malloc(count * sizeof(size_t))
        try:
            if self.kinds == NULL or self.owners == NULL or texts == NULL or lengths == NULL:
                raise MemoryError()
            for i in range(count):
                texts[i] = <const uint8_t *><const char *>(<bytes>keys[i])
                lengths[i] = len(<bytes>keys[i])
                self.kinds[i], self.owners[i] = unique[keys[i]]
            size = tw_markers_size(texts, lengths, count)
            memory = PyMem_Malloc(size)
            if memory == NULL:
                raise MemoryError()
            self.markers = tw_markers_build(memory, size, texts, lengths, count)
            if self.markers == NULL:
                PyMem_Free(memory)
                raise ValueError("too many or too long markers and stop strings")
        finally:
            PyMem_Free(texts)
            PyMem_Free(lengths)
        for i in range(256):
            self.plain[i] = not (tw_markers_first(self.markers, <uint8_t>i) or tw_json_is_special(<uint8_t>i))

    def __dealloc__(self):
        PyMem_Free(self.markers)
        PyMem_Free(self.kinds)
        PyMem_Free(self.owners)


cdef class Plan:
    """The marker tables of one format under one set of options.

    `reasoning` is "auto", "started" or "off"; without `calls` the markup of calls is text.
    """

    def __init__(
        self, format, readers, *, bint calls, bint guided, reasoning, bint calls_in_reasoning, stop
    ):
        self.format = format
        self.readers = readers
        self.guided = guided and calls
        self.calls_in_reasoning = calls_in_reasoning and calls and not guided
        markers = [opener.marker for opener in format.openers]
        self.alternatives = tuple([[n for n, other in enumerate(markers) if other == marker] for marker in markers])
        self.bare = markers.index("") if "" in markers and not guided else -1
        if not calls and self.bare >= 0 and not format.openers[self.bare].message:
            self.bare = -1
        self.prefixes = tuple([opener.options.get("guided_prefix", "").encode() for opener in format.openers])
        self.skips = tuple([opener.skips.encode() for opener in format.openers])
        self.weak = tuple([opener.weak for opener in format.openers])
        self.blank_line = tuple([opener.blank_line for opener in format.openers])
        self.blank_lines = calls and not guided and any(self.blank_line)
        stops = [(text, STOP, number) for number, text in enumerate(stop)]
        ends = [(text, END_OF_TURN, 0) for text in format.end_of_turn] + [(text, MARKUP, 0) for text in format.markup]
        thinking = []
        if reasoning != "off":
            for opener, closer in format.reasoning:
                thinking += [(opener, THINK_OPENER, 0), (closer, THINK_CLOSER, 0)]
        markup = []
        stray = []
        for number, opener in enumerate(format.openers):
            if opener.marker:
                markup.append((opener.marker, TAG_OPENER if self.guided else OPENER, number))
            markup += [(text, TAG if self.guided else CLOSER, number) for text in opener.closers]
            if self.guided:
                start = TAG_START if opener.options.get("tag_end", ">") == ">" else TAG
                tags = opener.options.get("guided_tags", ())
                markup += [(text, TAG if text.endswith(">") else start, number) for text in tags]
            else:
                stray += [(text, CLOSER, number) for text in opener.options.get("stray_tags", ())]
        messages = [entry for entry in markup if format.openers[entry[2]].message]
        if not calls:
            markup, stray = messages, []
        in_thought = [*markup, *stray] if self.guided or self.calls_in_reasoning else messages
        content = [*stops, *ends, *thinking, *markup, *stray]
        in_thought = [*ends, *[entry for entry in thinking if entry[1] == THINK_CLOSER], *in_thought]
        self.content = MarkerTable(content)
        self.echo = MarkerTable([*thinking, *in_thought])
        self.reasoning = MarkerTable(in_thought)
        self.openers = MarkerTable([entry for entry in markup if entry[1] == OPENER])
        self.malformed = MarkerTable([entry for entry in markup + ends if entry[1] != MARKUP])
        self.nothing = MarkerTable([])
        self.tokens = frozenset(format.special_tokens).intersection([text for text, _, _ in [*content, *in_thought]])
        self.spelled_content = self.spelled(content)
        self.spelled_reasoning = self.spelled(in_thought)

    cdef MarkerTable spelled(self, list entries):
        """The markers that a model spells with ordinary tokens: those without a special token among them."""
        kept = [entry for entry in entries if entry[1] == STOP or not any([token in entry[0] for token in self.tokens])]
        return MarkerTable(kept) if kept else self.nothing
