"""The marker matcher, against a search that knows no automaton."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolweir.errors import OptionError
from toolweir.scan.marker_matcher import MarkerMatcher

MARKERS = ["<tool_call>", "</tool_call>", "<think>", "</think>", "<|im_end|>", "[TOOL_CALLS]", "<function="]


def search(markers, text):
    """The first marker that ends in the text: (end, number); of several that end there the longest."""
    for end in range(1, len(text) + 1):
        fitting = [m for m in markers if text[:end].endswith(m)]
        if fitting:
            return end, markers.index(max(fitting, key=len))
    return None


def held(markers, text):
    """Length of the longest end of the text that begins a marker and is none."""
    return max(
        (n for n in range(len(text) + 1) for m in markers if m[:n] == text[len(text) - n :] and n < len(m)), default=0
    )


def feed(matcher, pieces):
    start = 0
    for piece in pieces:
        if (found := matcher.feed(piece)) is not None:
            return start + found[0], found[1]
        start += len(piece)
    return None


@pytest.mark.parametrize("number", range(len(MARKERS)))
@pytest.mark.parametrize("before", ["", "text ", "<", "<<tool_", "</thi", "[TOOL[", "x" * 70, "<|" * 40])
def test_finds_a_marker_under_every_cut(number, before):
    text = before + MARKERS[number] + "after"
    end = len(before) + len(MARKERS[number])
    for at in range(len(text)):
        matcher = MarkerMatcher(MARKERS)
        assert feed(matcher, [text[:at], text[at:]]) == (end, number)
        assert matcher.held == 0
    assert feed(MarkerMatcher(MARKERS), text) == (end, number)


def test_goes_on_after_a_marker_and_uses_no_character_twice():
    matcher = MarkerMatcher(["aba", "bab"])
    assert matcher.feed("xababa") == (4, 0)
    assert matcher.feed("ba") is None
    assert matcher.held == 2
    assert matcher.feed("b") == (1, 1)


def test_of_several_at_one_place_the_longest_and_of_equal_ones_the_first():
    matcher = MarkerMatcher(["b", "ab", "xab", "ab"])
    assert matcher.feed("ab") == (2, 1)
    assert matcher.feed("xab") == (3, 2)
    assert matcher.feed("cb") == (2, 0)


def test_a_marker_inside_another_comes_first():
    matcher = MarkerMatcher(["<tool_call>", "call"])
    assert matcher.feed("<tool_call>") == (10, 1)


def test_held_is_what_may_become_a_marker():
    matcher = MarkerMatcher(MARKERS)
    text = "say <tool_cal"
    seen = []
    for character in text:
        matcher.feed(character)
        seen.append(matcher.held)
    assert seen == [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    matcher.feed("<")
    assert matcher.held == 1


def test_counts_characters_of_a_str_and_bytes_of_bytes():
    markers = ["<｜DSML｜", "é!", "\U0001f600"]
    matcher = MarkerMatcher(markers)
    assert matcher.feed("ünï <｜DSML｜ ") == (11, 0)
    assert matcher.feed("ünï <｜DS".encode()) is None
    assert matcher.held == 6
    assert matcher.feed("") is None
    assert matcher.held == 4
    assert matcher.feed("ML｜ü") == (3, 0)
    for at in range(5):
        data = "é!".encode()
        assert feed(MarkerMatcher(markers), [data[:at], data[at:]]) == (3, 1)
    assert matcher.feed("x\U0001f600") == (2, 2)
    assert matcher.feed("\ud800é!") == (3, 1)


def test_bytes_markers_may_hold_any_byte():
    every = [bytes([byte]) * 2 for byte in range(256)]
    matcher = MarkerMatcher(every)
    for byte in range(256):
        assert matcher.feed(bytes([byte, (byte + 1) % 256])) is None
        matcher.reset()
        assert matcher.feed(bytes([byte, byte])) == (2, byte)


def test_many_markers():
    markers = [f"<{number:05d}>" for number in range(9000)]
    matcher = MarkerMatcher(markers)
    for number in (0, 1, 77, 8999):
        assert matcher.feed(f"x<{number:05d}>") == (8, number)


@pytest.mark.parametrize(
    ("markers", "problem"),
    [(["a", ""], "marker 1 is empty"), ([b""], "marker 0 is empty"), (["a" * 40000, "b" * 30000], "too long")],
)
def test_refused_markers_raise(markers, problem):
    with pytest.raises(OptionError, match=problem):
        MarkerMatcher(markers)


def test_no_markers_find_nothing():
    matcher = MarkerMatcher([])
    assert matcher.feed("anything at all") is None
    assert matcher.held == 0


def test_the_longest_set_of_markers_that_fits():
    matcher = MarkerMatcher(["a" * 65534])
    assert matcher.feed("a" * 65533) is None
    assert matcher.held == 65533
    assert matcher.feed("ba") is None
    assert matcher.held == 1


def test_reset_and_copy():
    matcher = MarkerMatcher(MARKERS)
    matcher.feed("<thi")
    other = matcher.copy()
    assert other.feed("nk>") == (3, 2)
    assert matcher.held == 4
    matcher.reset()
    assert matcher.held == 0
    assert matcher.feed("nk>") is None


@pytest.mark.parametrize("data", [None, 3, ["<"]])
def test_other_types_raise(data):
    with pytest.raises(TypeError):
        MarkerMatcher(MARKERS).feed(data)
    with pytest.raises(TypeError):
        MarkerMatcher([data])


@given(
    st.lists(st.text("ab<", min_size=1, max_size=4), min_size=1, max_size=5, unique=True),
    st.text("ab<.", max_size=20),
    st.integers(0, 20),
)
def test_agrees_with_a_plain_search(markers, text, at):
    matcher = MarkerMatcher(markers)
    assert feed(matcher, [text[:at], text[at:]]) == search(markers, text)
    if search(markers, text) is None:
        assert matcher.held == held(markers, text)


@given(st.sampled_from([1, 2, 4, 5, 9, 20]), st.integers(0, 200), st.text("xyz", max_size=3))
def test_long_text_before_a_marker(count, length, tail):
    """Every number of first bytes takes its own way through long pieces."""
    markers = [chr(0x41 + number) + "!" for number in range(count)]
    matcher = MarkerMatcher(markers)
    text = "." * length + markers[-1] + tail
    assert matcher.feed(text) == (length + 2, count - 1)
