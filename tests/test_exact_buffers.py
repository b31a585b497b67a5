"""Pieces in buffers that end where the text ends: a sanitizer sees every byte read too much (tests/sanitize.sh).

bytes and str objects end with a zero that hides such a read; the memory of a numpy array does not.
"""

import numpy
import pytest
from support import steps, stream
from texts import ALL_STATES, STATE_OPTIONS

import toolweir
from toolweir import JsonScanner, MarkerMatcher

JSON = '{"a": [1, -2.5e3, true, null, "x\\n\\u00e9 é 日本 🎉"], "b": {"c": ""}}'


def exact(piece: bytes) -> numpy.ndarray:
    """A buffer of just these bytes."""
    return numpy.frombuffer(piece, dtype=numpy.uint8).copy()


@pytest.mark.parametrize("options", STATE_OPTIONS, ids=str)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 64, 100, 1000])
def test_stream_parser(size, options):
    raw = ALL_STATES.encode()
    pieces = [exact(raw[at : at + size]) for at in range(0, len(raw), size)]
    assert steps(stream(pieces, "hermes", **options)[0]) == steps(stream([ALL_STATES], "hermes", **options)[0])


@pytest.mark.parametrize("tail", ["", "<", "<tool", "é", "日", "🎉", '"', "\\", " "])
@pytest.mark.parametrize("length", range(70))
def test_every_length_and_tail(length, tail):
    head = '<tool_call>{"name": "f", "arguments": {"a": "'
    for start in ("", head):
        raw = (start + "x" * length + tail).encode()
        for cut in range(1, len(tail.encode()) + 2):
            pieces = [exact(raw[: len(raw) - cut]), exact(raw[len(raw) - cut :])]
            assert steps(stream(pieces, "hermes")[0]) == steps(stream([raw], "hermes")[0])


@pytest.mark.parametrize("format", toolweir.formats())
def test_every_format(format):
    raw = (toolweir.format_info(format).example + " é 日本 🎉").encode()
    for size in (1, 5, 16, len(raw)):
        pieces = [exact(raw[at : at + size]) for at in range(0, len(raw), size)]
        assert steps(stream(pieces, format)[0]) == steps(stream([raw], format)[0])


@pytest.mark.parametrize("size", [1, 2, 3, 16, 33, 100])
def test_json_scanner(size):
    raw = JSON.encode()
    scanner = JsonScanner()
    for at in range(0, len(raw), size):
        scanner.feed(exact(raw[at : at + size]))
    assert scanner.complete


@pytest.mark.parametrize("length", range(70))
def test_marker_matcher(length):
    matcher = MarkerMatcher(["<tool_call>", "</think>"])
    text = b"x" * length
    assert matcher.feed(exact(text + b"<tool_")) == MarkerMatcher(["<tool_call>", "</think>"]).feed(text + b"<tool_")
