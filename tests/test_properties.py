"""Properties that hold for every text: hypothesis looks for one that breaks them."""

import json
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import check_contract, check_every_cut, steps, stream, without_spans
from texts import parts_of, random_options, shrapnel

import toolweir
from toolweir import StreamParser
from toolweir._testing import fault_after

FORMATS = toolweir.formats()
# However slow the machine is, the texts are the same.
some = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def hermes_pieces():
    return st.lists(st.sampled_from(parts_of("hermes")) | st.text(max_size=4), max_size=12).map("".join)


@pytest.mark.parametrize("format", FORMATS)
def test_shrapnel_under_every_cut(format):
    parts = parts_of(format)
    for seed in range(300):
        rng = random.Random(seed)
        text = shrapnel(rng, parts)
        check_every_cut(text, format, seeds=1, **random_options(rng))


@some
@given(hermes_pieces(), st.randoms(use_true_random=False))
def test_every_cut_agrees(text, rng):
    check_every_cut(text, "hermes", **random_options(rng))


@some
@given(st.binary(max_size=60), st.integers(1, 5))
def test_bytes_are_decoded_as_python_does(raw, size):
    raw = raw.replace(b"<", b"")
    pieces = [raw[at : at + size] for at in range(0, len(raw), size)]
    events, _ = stream(pieces, "hermes")
    assert "".join(event.text for event in events) == raw.decode("utf-8", "replace")


@some
@given(st.text(st.characters(exclude_characters="<", exclude_categories=["Cs"])))
def test_text_without_markers_is_content(text):
    assert without_spans(check_every_cut(text, "hermes")) == ([("content", text)] if text else [])


# From calls to text and back

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
ARGUMENTS = st.dictionaries(st.text(max_size=8), VALUES, max_size=4)
PROSE = st.text(st.characters(exclude_characters="<", exclude_categories=["Cs"]), max_size=20).map(
    lambda text: text + "."
)
STYLES = st.fixed_dictionaries(
    {
        "ensure_ascii": st.booleans(),
        "indent": st.sampled_from([None, 2]),
        "separators": st.sampled_from([None, (",", ":")]),
    }
)


@st.composite
def turns(draw):
    """A turn as Hermes writes it, and what must come out: the JSON of arguments to the byte."""
    text, expected, index = "", [], 0
    if draw(st.booleans()):
        thought = draw(PROSE)
        text += f"<think>{thought}</think>"
        expected.append(("reasoning", thought))
    for _ in range(draw(st.integers(0, 4))):
        if draw(st.booleans()):
            prose = draw(PROSE)
            text += prose
            if expected and expected[-1][0] == "content":
                expected[-1] = ("content", expected[-1][1] + prose)
            else:
                expected.append(("content", prose))
            continue
        name, style = draw(NAMES), draw(STYLES)
        arguments = json.dumps(draw(ARGUMENTS), **style)
        written = json.dumps(arguments) if draw(st.booleans()) else arguments
        parts = [f'"name": {json.dumps(name, ensure_ascii=style["ensure_ascii"])}', f'"arguments": {written}']
        if draw(st.booleans()):
            parts.append(f'"more": {json.dumps(draw(VALUES), **style)}')
        body = "{" + ", ".join(draw(st.permutations(parts))) + "}"
        space = draw(st.sampled_from(["", "\n", " "]))
        text += f"<tool_call>{space}{body}{space}</tool_call>"
        expected += [
            ("start", index, name, index),
            ("arguments", index, arguments),
            ("end", index, "complete", arguments, None),
        ]
        index += 1
    return text, expected


@some
@given(turns())
def test_calls_come_back(turn):
    text, expected = turn
    assert joined(without_spans(check_every_cut(text, "hermes", seeds=1))) == expected


def joined(parts):
    """Content on both sides of dropped markup is one run here."""
    whole = []
    for step in parts:
        if whole and whole[-1][0] == step[0] == "content":
            whole[-1] = ("content", whole[-1][1] + step[1])
        else:
            whole.append(step)
    return whole


@some
@given(turns(), st.data())
def test_a_cut_off_turn_says_nothing_that_the_whole_does_not(turn, data):
    text, _ = turn
    at = data.draw(st.integers(0, len(text)))
    whole = without_spans(steps(stream([text], "hermes")[0]))
    parser = StreamParser("hermes")
    part = without_spans(steps(list(parser.feed(text[:at]))))
    for step, full in zip(part, whole, strict=False):
        if step[0] in ("content", "reasoning", "arguments"):
            assert full[:-1] == step[:-1]
            assert full[-1].startswith(step[-1])
        else:
            assert step == full
    assert len(part) <= len(whole)
    check_contract([*stream([text[:at]], "hermes", "length")[0]])


@some
@given(hermes_pieces(), st.data())
def test_a_copy_goes_on_as_the_parser_does(text, data):
    at = data.draw(st.integers(0, len(text)))
    parser = StreamParser("hermes", make_id=lambda index, name: str(index))
    for character in text[:at]:
        parser.feed(character)
    other = parser.copy()
    rest = text[at:]
    assert steps([*other.feed(rest), *other.finish()]) == steps([*parser.feed(rest), *parser.finish()])
    assert other.result == parser.result


@some
@given(hermes_pieces(), st.data())
def test_a_fault_loses_nothing(text, data):
    at = data.draw(st.integers(0, len(text)))
    with fault_after(at):
        events, _ = stream(list(text), "hermes")
    check_contract(events)
