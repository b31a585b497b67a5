"""SnapshotDiffer: deltas out of cumulative parses, and the reader of recorded ones."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolweir.dispatch.recordings import Recording, read_recordings
from toolweir.dispatch.snapshots import SnapshotDiffer, new_text


def calls(*pairs):
    return [{"function": {"name": name, "arguments": arguments}} for name, arguments in pairs]


def replay(deltas):
    """What a client makes of deltas: (id, name, arguments) by index."""
    known = {}
    for delta in deltas:
        function = delta["function"]
        if delta["index"] not in known:
            known[delta["index"]] = [delta["id"], function["name"], ""]
        else:
            assert not {"id", "type"} & delta.keys()
            assert "name" not in function
        known[delta["index"]][2] += function.get("arguments", "")
    return known


@pytest.mark.parametrize(
    ("sent", "current", "tail"),
    [("", "ab", "ab"), ("a", "ab", "b"), ("ab", "ab", ""), ("ab", "a", ""), ("ab", "ac", ""), ("", "", "")],
)
def test_new_text(sent, current, tail):
    assert new_text(sent, current) == tail


def test_header_once_then_tails():
    differ = SnapshotDiffer()
    (first,) = differ.update(calls(("f", "{")))
    assert re.fullmatch("call_[0-9a-f]{24}", first["id"])
    assert first == {"index": 0, "id": first["id"], "type": "function", "function": {"name": "f", "arguments": "{"}}
    assert differ.update(calls(("f", '{"a"'))) == [{"index": 0, "function": {"arguments": '"a"'}}]
    assert differ.update(calls(("f", '{"a"'))) == []
    assert differ.finish(calls(("f", '{"a":1}')), "stop") == (
        [{"index": 0, "function": {"arguments": ":1}"}}],
        "tool_calls",
    )


@pytest.mark.parametrize(
    ("given", "kept"), [("x", "x"), (" x\n", "x"), ("", None), ("  ", None), (None, None), (7, None)]
)
def test_the_id_is_read_once_and_made_if_there_is_none(given, kept):
    differ = SnapshotDiffer()
    (first,) = differ.update([{"id": given, "function": {"name": "f"}}])
    assert first["id"] == kept if kept else first["id"].startswith("call_")
    assert differ.update([{"id": "other", "function": {"name": "f", "arguments": "{}"}}]) == [
        {"index": 0, "function": {"arguments": "{}"}}
    ]


def test_a_call_without_a_name_holds_up_those_after_it():
    differ = SnapshotDiffer()
    assert differ.update(calls(("", "{"), ("g", "{}"))) == []
    assert [delta["index"] for delta in differ.update(calls(("f", "{"), ("g", "{}")))] == [0, 1]


def test_only_changed_calls_are_there_so_the_index_is_explicit():
    differ = SnapshotDiffer()
    differ.update(calls(("f", "{}"), ("g", "{")))
    assert differ.update(calls(("f", "{}"), ("g", "{}"))) == [{"index": 1, "function": {"arguments": "}"}}]


def test_a_parse_that_takes_something_back_is_not_repaired():
    differ = SnapshotDiffer()
    differ.update(calls(("f", '{"a":T')))
    assert differ.update(calls(("f", '{"a":true}'))) == []
    assert differ.update(calls(("f", "{"))) == []
    assert differ.update(calls(("f", '{"a":Tea"'))) == [{"index": 0, "function": {"arguments": 'ea"'}}]


@pytest.mark.parametrize(
    ("final", "reason"),
    [
        (calls(("f", "{}")), "tool_calls"),
        (calls(("f", "{} ")), "tool_calls"),
        (calls(("f", "[]")), "length"),
        (calls(("ff", "{}")), "length"),
        (calls(("f", "{}"), ("", "")), "length"),
        (calls(("f", "{}"), ("g", "")), "tool_calls"),
        ([], "length"),
        (None, "length"),
    ],
)
def test_tool_calls_only_if_the_client_has_the_terminal_parse(final, reason):
    differ = SnapshotDiffer()
    differ.update(calls(("f", "{}")))
    assert differ.finish(final, "length")[1] == reason


def test_nothing_at_all_is_no_tool_call():
    assert SnapshotDiffer().finish([], "stop") == ([], "stop")


def test_absent_arguments_are_empty_ones():
    differ = SnapshotDiffer()
    (delta,) = differ.update([{"function": {"name": "f"}}])
    assert delta["function"] == {"name": "f"}
    assert differ.finish(calls(("f", "")), "stop") == ([], "tool_calls")


def test_a_message_gives_reasoning_then_content_then_calls():
    differ = SnapshotDiffer(reasoning_field="reasoning")
    message = {"content": "Hi", "reasoning": "Hm", "tool_calls": [{"id": "c", **calls(("f", "{"))[0]}]}
    assert differ.update_message(message) == [
        {"reasoning": "Hm"},
        {"content": "Hi"},
        {"tool_calls": [{"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": "{"}}]},
    ]
    assert differ.update_message({**message, "content": "Hi!"}) == [{"content": "!"}]
    assert differ.update_message({"content": None, "reasoning": "other"}) == []
    assert differ.update_message({"content": "Hi!?"}) == [{"content": "?"}]


@pytest.mark.parametrize("broken", [None, 5, {}, {"function": None}, {"function": {"name": 5}}, "x"])
def test_a_broken_snapshot_sends_nothing(broken):
    assert SnapshotDiffer().update([broken]) == []


@given(st.lists(st.tuples(st.sampled_from("fg"), st.text(max_size=8)), max_size=3), st.data())
def test_any_growth_ends_in_the_terminal_parse(final, data):
    differ, deltas = SnapshotDiffer(), []
    for _ in range(4):
        upto = data.draw(st.integers(0, len(final)))
        deltas += differ.update(
            calls(*[(name, text[: data.draw(st.integers(0, len(text)))]) for name, text in final[:upto]])
        )
    rest, reason = differ.finish(calls(*final), "stop")
    known = replay(deltas + rest)
    assert [tuple(call[1:]) for call in known.values()] == final
    assert reason == ("tool_calls" if final else "stop")
    assert len({call[0] for call in known.values()}) == len(final)


# Recordings

TEXT = """
# two texts
one 3 []
one 9 [{"type": "function", "function": {"name": "read file", "arguments": "{"}}]
  one final [{"type": "function", "function": {"name": "read file", "arguments": "{}"}}]

two final []
"""


def test_recordings_by_fixture():
    recordings = read_recordings(TEXT.splitlines())
    assert list(recordings) == ["one", "two"]
    assert [prefix for prefix, _ in recordings["one"].snapshots] == [3, 9]
    assert recordings["two"] == Recording([], [])


def test_a_recording_is_what_the_differ_takes():
    differ, recording = SnapshotDiffer(), read_recordings(TEXT.splitlines())["one"]
    deltas = [delta for _, snapshot in recording.snapshots for delta in differ.update(snapshot)]
    rest, reason = differ.finish(recording.final, "stop")
    assert [tuple(call[1:]) for call in replay(deltas + rest).values()] == [("read file", "{}")]
    assert reason == "tool_calls"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("one", "expected a fixture"),
        ("one 3", "expected a fixture"),
        ("one x []", "prefix length"),
        ("one -1 []", "prefix length"),
        ("one 3 {}", "JSON array"),
        ("one 3 [", "Expecting value"),
        ("one 3 THROW no viable alternative", "the parser failed on one 3: no viable alternative"),
        ("one 3 []\none 3 []", "does not grow"),
        ("one final []\none 3 []", "after its final one"),
    ],
)
def test_a_broken_line_is_named(line, what):
    lines = ["# a comment", *line.split("\n")]
    with pytest.raises(ValueError, match=f"line {len(lines)}: .*{what}"):
        read_recordings(lines)
