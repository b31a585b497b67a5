"""A copy of a parser, made anywhere, goes on as its original does."""

import copy

import pytest
from support import read_rest, steps, without_spans
from texts import ALL_STATES, STATE_OPTIONS
from texts import QUOTING_CALL as CALL

from toolweir import StreamParser
from toolweir.errors import ParserStateError


@pytest.mark.parametrize("options", STATE_OPTIONS, ids=str)
def test_a_copy_in_every_state_goes_on_equally(options):
    made = iter(range(1000))
    options = options | {"make_id": lambda index, name: f"{name}{index}"}
    for at in range(len(ALL_STATES) + 1):
        parser = StreamParser("hermes", **options)
        for character in ALL_STATES[:at]:
            parser.feed(character)
        other = parser.copy()
        assert (other.offset, other.held, other.channel) == (parser.offset, parser.held, parser.channel)
        expected = read_rest(parser, ALL_STATES[at:])
        assert read_rest(other, ALL_STATES[at:]) == expected, f"copied at {at}"
    assert next(made) == 0


def test_a_copy_is_independent():
    parser = StreamParser("hermes")
    parser.feed('<tool_call>{"name": "f", "arguments": {"a": "')
    other = copy.copy(parser)
    other.feed('other"}')
    assert without_spans(steps(parser.feed('x"}')))[-1] == ("end", 0, "complete", '{"a": "x"}', None)
    assert other.result.calls == 1


def test_a_copy_knows_what_its_original_has_done():
    parser = StreamParser("hermes")
    parser.copy().prime("so far")
    parser.feed("a")
    with pytest.raises(ParserStateError, match="read text already"):
        parser.copy().prime("so far")
    (event,) = parser.copy().feed(piece := "plain words")
    assert event.text is piece
    parser.finish()
    assert parser.copy().may_stop
    with pytest.raises(ParserStateError, match="is finished"):
        parser.copy().feed("a")


def test_a_parser_that_make_id_interrupted_is_not_copied():
    def interrupt(index, name):
        raise KeyboardInterrupt

    parser = StreamParser("hermes", make_id=interrupt)
    with pytest.raises(KeyboardInterrupt):
        parser.feed(CALL)
    for use in (parser.copy, parser.finish):
        with pytest.raises(ParserStateError, match="stopped in the middle of a piece"):
            use()
    parser.reset()
    assert parser.copy().feed("a")


def test_a_copy_remembers_ids_and_warnings():
    parser = StreamParser("hermes", ids="native")
    parser.feed('<tool_call>{"id": "a", "name": "f", "name": "f"}</tool_call>')
    other = parser.copy()
    events = other.feed('<tool_call>{"id": "a", "name": "f"}</tool_call>')
    assert events[0].id != "a"
    assert other.result.warnings == ("second_name",)
