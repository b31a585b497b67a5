"""prime(): what the prompt already wrote moves the state and is not sent."""

import pytest
from support import check_contract, read_rest, steps, without_spans
from texts import ALL_STATES
from texts import QUOTING_CALL as CALL

from toolweir import StreamParser, ToolCallStart
from toolweir.errors import ParserStateError


def test_prime_moves_the_state_and_sends_nothing():
    parser = StreamParser("hermes")
    assert parser.prime("<think>Well") is None
    assert parser.channel == "reasoning"
    events = parser.feed(" so</think>Hi")
    assert [(type(event).__name__, event.text, event.span) for event in events] == [
        ("ReasoningDelta", " so", (11, 14)),
        ("ContentDelta", "Hi", (22, 24)),
    ]


def test_primed_whitespace_is_not_sent():
    parser = StreamParser("hermes")
    parser.prime("<think>\n")
    assert steps(parser.feed("Hm")) == [("reasoning", "Hm", (8, 10))]


def test_prime_inside_a_marker():
    parser = StreamParser("hermes")
    parser.prime("a <tool_")
    assert steps(parser.feed('call>{"name": "f"'))[0][:3] == ("start", 0, "f")
    parser = StreamParser("hermes")
    parser.prime("a <tool_")
    assert steps(parser.feed("box>")) == [("content", "box>", (8, 12))]


def test_prime_inside_a_call_before_its_name():
    parser = StreamParser("hermes")
    parser.prime('<tool_call>{"name": "')
    assert without_spans(steps([*parser.feed('f", "arguments": {}}'), *parser.finish()])) == [
        ("start", 0, "f", 0),
        ("arguments", 0, "{}"),
        ("end", 0, "complete", "{}", None),
    ]


def test_prime_inside_a_call_after_its_name():
    parser = StreamParser("hermes")
    parser.prime(CALL + '<tool_call>{"name": "g", "arguments": {"a": ')
    events = [*parser.feed(""), *parser.feed("1}}"), *parser.finish()]
    check_contract(events)
    assert without_spans(steps(events)) == [
        ("start", 0, "g", 0),
        ("arguments", 0, '{"a": 1}'),
        ("end", 0, "complete", '{"a": 1}', None),
    ]
    assert parser.result.finish_reason == "tool_calls"


def test_primed_calls_are_not_counted():
    parser = StreamParser("hermes", max_tool_calls=1)
    parser.prime(CALL)
    events = parser.feed(CALL)
    assert isinstance(events[0], ToolCallStart)
    assert (events[0].index, events[0].position) == (0, 0)


def test_prime_comes_first():
    parser = StreamParser("hermes")
    parser.feed("")
    with pytest.raises(ParserStateError, match="before the first feed"):
        parser.prime("a")


@pytest.mark.parametrize("at", range(0, len(ALL_STATES), 3))
def test_primed_and_fed_is_never_more_than_fed(at):
    parser = StreamParser("hermes")
    parser.prime(ALL_STATES[:at])
    events, _ = read_rest(parser, ALL_STATES[at:])
    check_contract(events, ALL_STATES)
    for event in events:
        if hasattr(event, "text") and not hasattr(event, "index"):
            assert event.span[0] >= at
