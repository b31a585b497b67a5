"""reconcile and verify: streamed calls against the parse that has the last word."""

import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolweir.dispatch.reconcile import Agreement, Call, calls_of, partners, reconcile, verify
from toolweir.events import ArgumentsDelta, ContentDelta, ToolCallEnd, ToolCallStart
from toolweir.outcomes import CallStatus, Reason


def whole(index, id, name, position, arguments):
    return (
        ToolCallStart(index, id, name, position),
        ArgumentsDelta(index, arguments),
        ToolCallEnd(index, "complete", arguments),
    )


def apply(streamed, events):
    """What the client ends up with: arguments of each index, and how it ended."""
    known = {
        call.index if call.index is not None else at: [call.name, call.arguments, call.status]
        for at, call in enumerate(streamed)
    }
    for event in events:
        match event:
            case ToolCallStart(index, _, name):
                assert index not in known
                known[index] = [name, "", None]
            case ArgumentsDelta(index, text):
                assert known[index][2] is None
                known[index][1] += text
            case ToolCallEnd(index, status, arguments):
                assert known[index][2] is None
                assert arguments == known[index][1]
                known[index][2] = status
    return known


def runnable(known):
    return [(name, arguments) for name, arguments, status in known.values() if status == "complete"]


# What agrees


@pytest.mark.parametrize("sent", ["", "{", '{"a":1', '{"a":1}'])
def test_the_rest_of_an_open_call(sent):
    events = reconcile([Call("f", sent, "c")], [Call("f", '{"a":1}')])
    rest = '{"a":1}'[len(sent) :]
    assert events == ((ArgumentsDelta(0, rest),) if rest else ()) + (ToolCallEnd(0, "complete", '{"a":1}'),)


def test_a_call_that_ended_gets_nothing():
    assert reconcile([Call("f", "{}", "c", status=CallStatus.COMPLETE)], [Call("f", "{}")]) == ()


@pytest.mark.parametrize("final", ["", "  ", "{}"])
def test_missing_arguments_are_an_empty_object(final):
    assert apply([Call("f")], reconcile([Call("f")], [Call("f", final)])) == {0: ["f", "{}", "complete"]}


def test_a_final_call_that_was_not_streamed_is_sent_whole():
    events = reconcile([Call("f", "{}", "c", status=CallStatus.COMPLETE)], [Call("f", "{}"), Call("g", "[1]", "d")])
    assert events == whole(1, "d", "g", 1, "[1]")


def test_ids_are_new():
    made = []

    def make_id(index, name):
        made.append((index, name))
        return f"made_{index}"

    events = reconcile(
        [Call("f", "{", "c")], [Call("g", "{}", "c"), Call("g", "{}", "d"), Call("g", "{}")], make_id=make_id
    )
    assert [event.id for event in events if isinstance(event, ToolCallStart)] == ["made_1", "d", "made_3"]
    assert made == [(1, "g"), (3, "g")]
    (start, *_) = reconcile([], [Call("g", "{}")])
    assert start.id.startswith("call_")


def test_a_final_call_that_was_cut_stays_cut():
    events = reconcile([Call("f", "{")], [Call("f", '{"a":')])
    assert events == (ArgumentsDelta(0, '"a":'), ToolCallEnd(0, "incomplete", '{"a":', Reason.TEXT_ENDED))


# What does not


@pytest.mark.parametrize("final", [[], [Call("g", '{"a":1}')], [Call("f", '{"b":1}')]])
def test_an_open_call_without_a_partner_is_closed_as_invalid_and_logged_once(final, caplog):
    with caplog.at_level(logging.WARNING, "toolweir"):
        events = reconcile([Call("f", '{"a":')], final)
    assert events[0] == ToolCallEnd(0, "invalid", '{"a":', Reason.REFUTED)
    assert [event.index for event in events[1:]] == [1, 1, 1] * len(final)
    assert len(caplog.records) == 1


def test_a_complete_call_without_a_partner_stands():
    assert reconcile([Call("f", "{}", status=CallStatus.COMPLETE)], []) == ()


def test_a_call_that_ended_broken_is_never_continued():
    streamed = [Call("f", "{", status=CallStatus.INVALID)]
    known = apply(streamed, reconcile(streamed, [Call("f", "{}")]))
    assert known == {0: ["f", "{", "invalid"], 1: ["f", "{}", "complete"]}


BAD, GOOD = Call("f", '{"a":', "bad"), Call("f", '{"a":1}', "good")


@pytest.mark.parametrize("status", [None, CallStatus.COMPLETE])
@pytest.mark.parametrize("spans", [True, False])
def test_a_broken_call_and_a_good_one_with_its_name_do_not_become_two(spans, status):
    streamed = [
        Call("f", '{"a":', "bad", span=(0, 20) if spans else None),
        Call("f", '{"a":1}', "good", span=(20, 60) if spans else None, status=status),
    ]
    final = [Call("f", '{"a":1}', span=(22, 58) if spans else None)]
    known = apply(streamed, reconcile(streamed, final))
    assert runnable(known) == [("f", '{"a":1}')]
    assert known[0][2] == "invalid"
    assert partners(streamed, final) == [1]


def test_nor_with_a_late_call_that_makes_the_numbers_equal():
    streamed = [BAD, GOOD]
    known = apply(streamed, reconcile(streamed, [Call("f", '{"a":1}'), Call("f", '{"a":2}')]))
    assert runnable(known) == [("f", '{"a":1}'), ("f", '{"a":2}')]


def test_spans_tell_apart_what_looks_alike():
    streamed = [Call("f", "", span=(0, 10)), Call("f", "", span=(10, 20))]
    assert partners(streamed, [Call("f", "{}", span=(12, 20))]) == [1]
    assert partners(streamed, [Call("f", "{}", span=(20, 30)), Call("f", "{}", span=(2, 9))]) == [None, 0]


def test_equal_calls_keep_their_index():
    streamed = [Call("f", ""), Call("f", "{}")]
    assert partners(streamed, [Call("f", "{}"), Call("f", "{}")]) == [0, 1]


def test_openai_tool_calls_are_taken_as_they_are():
    streamed = [{"index": 0, "id": "c", "function": {"name": "f", "arguments": "{"}, "span": [3, 9]}]
    final = [{"id": "x", "function": {"name": "f", "arguments": {"é": 1}}, "span": [2, 12]}]
    assert reconcile(streamed, final) == (ArgumentsDelta(0, '"é": 1}'), ToolCallEnd(0, "complete", '{"é": 1}'))


def test_calls_of_events():
    events = [
        ContentDelta("x", (0, 1)),
        ToolCallStart(0, "c", "f", 0, (1, 9)),
        ArgumentsDelta(0, "{", (9, 10)),
        ArgumentsDelta(0, "}", (10, 11)),
        ToolCallEnd(0, "complete", "{}", None, (11, 12)),
        ToolCallStart(1, "d", "g", 1, (20, 30)),
    ]
    assert calls_of(events) == [
        Call("f", "{}", "c", 0, (1, 12), CallStatus.COMPLETE),
        Call("g", "", "d", 1, (20, 30), None),
    ]


NAMES = st.sampled_from("fg")
TEXTS = st.sampled_from(["", "{", '{"a":', '{"a":1}', '{"a":2}', "{}"])
SPANS = st.none() | st.tuples(st.integers(0, 5), st.integers(1, 4)).map(lambda pair: (pair[0], sum(pair)))
STREAMED = st.lists(st.builds(Call, NAMES, TEXTS, span=SPANS), max_size=3)
FINAL = st.lists(st.builds(Call, NAMES, st.sampled_from(['{"a":1}', '{"a":2}', "{}"]), span=SPANS), max_size=3)


@given(STREAMED, FINAL)
def test_no_arguments_are_ever_used_twice(streamed, final):
    known = apply(streamed, reconcile(streamed, final))
    found = [index for index in partners(streamed, final) if index is not None]
    assert len(found) == len(set(found))
    wanted = sorted((call.name, call.arguments) for call in final)
    assert sorted(runnable(known)) == wanted
    assert all(status is not None for _, _, status in known.values())


# verify


@pytest.mark.parametrize(
    ("one", "other", "agreement", "cause"),
    [
        ("{}", "{}", Agreement.EQUAL, None),
        ('{"a":1}', '{ "a": 1 }', Agreement.EQUAL_AS_JSON, "another way"),
        ('{"a":1,"b":2}', '{"b":2,"a":1}', Agreement.EQUAL_AS_JSON, "another way"),
        ('{"a":1,"a":2}', '{"a":2}', Agreement.EQUAL_AS_JSON, "another way"),
        ('{"a":1}', '{"a":1.0}', Agreement.DIFFERENT, "different values"),
        ('{"a":1}', '{"a":true}', Agreement.DIFFERENT, "different values"),
        ('{"a":', '{"a":1}', Agreement.DIFFERENT, "not JSON"),
        ('{"a":NaN}', '{"a": NaN}', Agreement.DIFFERENT, "NaN"),
        ("[" * 200_000 + "]" * 200_000, "[ " + "[" * 199_999 + "]" * 200_000, Agreement.DIFFERENT, "too deep"),
        ("9" * 5000, "9" * 5000 + " ", Agreement.DIFFERENT, "not JSON"),
    ],
)
def test_verify_arguments(one, other, agreement, cause):
    comparison = verify([Call("f", one)], [Call("f", other)])
    assert comparison.agreement is agreement
    assert comparison.cause is None if cause is None else cause in comparison.cause


def test_verify_names_and_numbers():
    assert "'f' was streamed, 'g' parsed" in verify([Call("f", "{}")], [Call("g", "{}")]).cause
    assert verify([], []).agreement == "equal"
    more = verify([Call("f", "{}"), Call("f", "{")], [Call("f", "{}")])
    assert (more.agreement, "cut off" in more.cause) == ("different", True)
    assert "cut off" not in verify([], [Call("f")]).cause


def test_verify_names_the_first_difference():
    streamed = [Call("f", "{ }"), Call("g", '{"a":1}')]
    assert verify(streamed, [Call("f", "{}"), Call("g", json.dumps({"a": 2}))]).cause.startswith("call 1 ('g')")
