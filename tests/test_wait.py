"""No avoidable wait: what is held is what continuations disagree on (wait_oracle.py tells how that is found out)."""

import random
from pathlib import Path

import pytest
from wait_explained import EXPLAINED, Explained, explanation
from wait_oracle import Count, Oracle, Sweep, atoms, examine
from wait_texts import SCENES, base_texts
from wait_ways import WAYS

import toolweir

FORMATS = toolweir.formats()


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_is_held_that_is_decided(format):
    """Case files and a few scenes, others for each format; wait_oracle.py looks at all of them."""
    rng = random.Random(format)
    count = examine(format, Sweep(["string", *rng.sample(sorted(SCENES), 2)], ["characters"]))
    assert [str(wait) for wait in count.unexplained] == []
    assert count.prefixes > 1000


@pytest.mark.parametrize("format", FORMATS)
def test_tokens_apart_and_halves_of_characters_hold_nothing_up(format):
    count = examine(format, Sweep([random.Random(format).choice(sorted(SCENES))], ["tokens", "bytes"]))
    assert [str(wait) for wait in count.unexplained] == []
    assert count.prefixes > 500


@pytest.mark.parametrize("format", FORMATS)
def test_symbols_that_do_not_belong_hold_nothing_up(format):
    rng = random.Random(format)
    scene = rng.choice(sorted(SCENES))
    count = Count()
    oracle = Oracle(format, scene, SCENES[scene], count, rng.choice(list(WAYS.values())))
    oracle.explore(oracle.way.units(base_texts(format)[0]), depth=1, rng=rng, share=0.02)
    assert [str(wait) for wait in count.unexplained] == []


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_text_is_the_same_in_every_way(format, way):
    """Units are the text again when they are shown, and give the events that the whole text gives."""
    way = way(format)
    text = f"Sô 🌍\n{toolweir.format_info(format).example}é"
    assert way.shown(way.units(text)) == text
    parser = toolweir.StreamParser(format, make_id=lambda index, name: f"made_{index}")
    said = [event for unit in way.units(text) for event in way.feed(parser, unit)]
    whole = toolweir.StreamParser(format, make_id=lambda index, name: f"made_{index}")
    assert atoms([*said, *parser.finish()]) == atoms([*whole.feed(text), *whole.finish()])


def test_half_a_character_holds_nothing_but_what_may_be_a_marker():
    parser = toolweir.StreamParser("hermes")
    way = WAYS["bytes"]("hermes")
    said = [atoms(way.feed(parser, unit)) for unit in way.units("aé")]
    assert said == [[("content", "a", 0)], [], [("content", "é", 1)]]


@pytest.mark.parametrize("kind", EXPLAINED, ids=lambda kind: kind.title)
def test_each_explained_wait_is_still_there(kind: Explained):
    format, options, prefix = kind.example
    count = Count()
    scene = kind.scenes[0] if kind.scenes else "example"
    oracle = Oracle(format, scene, options, count, WAYS[kind.way or "characters"])
    parser = oracle.start.copy()
    for unit in prefix:
        oracle.way.feed(parser, unit)
    oracle.look(parser, prefix)
    assert [explanation(wait) for wait in count.waits] == [kind]
    assert kind.reason


def test_a_parser_that_waits_is_found_out():
    """Fed a character late, every parser holds something that all continuations agree on."""
    count = Count()
    oracle = Oracle("hermes", "late", {}, count)
    oracle.look(oracle.start.copy(), "ab")
    assert count.waits == []

    class Late:
        def __init__(self, parser, kept):
            self.parser, self.kept = parser, kept

        def copy(self):
            return Late(self.parser.copy(), self.kept)

        def feed(self, text):
            *ready, self.kept = self.kept + text
            return self.parser.feed("".join(ready))

        def finish(self, reason):
            return (*self.parser.feed(self.kept), *self.parser.finish(reason))

    oracle.look(Late(oracle.start.copy(), "b"), "b")
    assert [(wait.prefix, wait.held, wait.size) for wait in count.waits] == [("b", "content 'b'", 1)]


def test_what_a_cut_call_says_is_no_witness():
    """The end of a text inside a call drops what is held, and must not excuse that it was."""
    parser = toolweir.StreamParser("hermes", make_id=lambda index, name: "1")
    said = atoms(parser.feed('<tool_call>{"name": "f", "arguments": {"a')) + atoms(parser.finish())
    assert said[-1] == ("end", 0, "incomplete", "text_ended")


def test_the_page_lists_what_is_explained():
    page = (Path(__file__).parent.parent / "docs" / "robustness.md").read_text("utf-8")
    for kind in EXPLAINED:
        assert f"| {kind.title} | {kind.reason} |" in page
