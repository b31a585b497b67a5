"""A fault inside the library ends in content and a log entry, never in an exception."""

import pytest
from support import check_contract, read_rest, steps, stream, without_spans
from texts import ALL_STATES, STATE_OPTIONS
from texts import QUOTING_CALL as CALL

from toolweir import StreamParser
from toolweir._testing import fault_after


@pytest.mark.parametrize("options", STATE_OPTIONS, ids=str)
def test_a_fault_anywhere_costs_no_text_and_shows_no_call_as_runnable(options, caplog):
    whole = StreamParser("hermes", **options)
    before, _ = read_rest(whole, ALL_STATES)
    for at in range(len(ALL_STATES)):
        for pieces in ([ALL_STATES], list(ALL_STATES)):
            caplog.clear()
            with fault_after(at) as fault:
                events, _ = stream(pieces, "hermes", **options)
                struck = not fault.armed
            check_contract(events, ALL_STATES)
            assert len(caplog.records) == struck
            if struck:
                for end in [event for event in events if type(event).__name__ == "ToolCallEnd"]:
                    assert end.status == "complete" or end.reason
                assert events == before or any(event.span[1] == len(ALL_STATES) for event in events)


def test_a_fault_at_the_end_of_the_text_stays_inside(caplog):
    """Half a character becomes U+FFFD when the text ends: the one code point that only finish() reads."""
    with fault_after(2):
        events, result = stream([b"ab\xe2"], "hermes")
    assert without_spans(steps(events)) == [("content", "ab\ufffd")]
    assert result.finish_reason == "stop"
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_a_fault_ends_the_open_call_as_invalid(caplog):
    with fault_after(50):
        events, result = stream([CALL + " bye"], "hermes")
    assert without_spans(steps(events)) == [
        ("start", 0, "f", 0),
        ("arguments", 0, '{"a": "x<too'),
        ("end", 0, "invalid", '{"a": "x<too', "fault"),
        ("content", 'l_call>y"}}</tool_call> bye'),
    ]
    assert result.finish_reason == "length"
    assert [record.levelname for record in caplog.records] == ["ERROR"]


@pytest.mark.parametrize("at", [0, 1])
def test_a_fault_is_not_passed_by(at, caplog):
    """A piece that would go out as it is, by the gate, meets the fault like any other."""
    parser = StreamParser("hermes")
    parser.feed("So")
    with fault_after(at) as fault:
        (event,) = parser.feed("it is")
        assert not fault.armed
    assert event.text == "it is"
    assert [record.levelname for record in caplog.records] == ["ERROR"]
