"""The ids of calls: minted, the model's own, or the host's."""

import re

import pytest
from support import cuts, stream
from texts import QUOTING_CALL as CALL

from toolweir import Limits, StreamParser, ToolCallStart
from toolweir.errors import OptionError, ParserStateError


def test_minted_ids_are_unique_and_look_like_ids():
    events, _ = stream([CALL * 50], "hermes")
    ids = [event.id for event in events if isinstance(event, ToolCallStart)]
    assert len(set(ids)) == 50
    assert all(re.fullmatch("call_[0-9a-f]{24}", id) for id in ids)


@pytest.mark.parametrize(
    ("written", "used"),
    [
        ('"a"', True),
        ('"call_Az.09:x-y_"', True),
        ('"' + "x" * 128 + '"', True),
        ('"' + "x" * 129 + '"', False),
        ('""', False),
        ('"a b"', False),
        ('"é"', False),
        ('"a\\n"', False),
        ("7", False),
        ("null", False),
    ],
)
def test_native_ids(written, used):
    text = f'<tool_call>{{"id": {written}, "name": "f"}}</tool_call>'
    for _, pieces in cuts(text):
        events, _ = stream(pieces, "hermes", ids="native")
        assert (events[0].id == written.strip('"')) is used
        assert used or re.fullmatch("call_[0-9a-f]{24}", events[0].id)
    assert stream([text], "hermes")[0][0].id != written.strip('"')


def test_a_native_id_counts_before_the_name_only_and_once():
    text = '<tool_call>{"name": "f", "id": "late"}</tool_call>' + '<tool_call>{"id": "a", "name": "f"}</tool_call>' * 2
    ids = [event.id for event in stream([text], "hermes", ids="native")[0] if isinstance(event, ToolCallStart)]
    assert ids[0] != "late"
    assert ids[1] == "a" != ids[2]


def test_limit_of_native_ids():
    text = '<tool_call>{"id": "abc", "name": "f"}</tool_call>'
    assert stream([text], "hermes", ids="native", limits=Limits(id=3))[0][0].id == "abc"
    assert stream([text], "hermes", ids="native", limits=Limits(id=2))[0][0].id != "abc"


def test_make_id():
    events, _ = stream([CALL * 2], "hermes", make_id=lambda index, name: f"{name}-{index}")
    assert [event.id for event in events if isinstance(event, ToolCallStart)] == ["f-0", "f-1"]


@pytest.mark.parametrize("made", [None, "", 7, b"x"])
def test_make_id_makes_strings(made):
    with pytest.raises(OptionError, match=r"make_id\(0, 'f'\): expected a new non-empty str"):
        stream([CALL], "hermes", make_id=lambda index, name: made)


def test_make_id_makes_new_ids():
    with pytest.raises(OptionError, match=r"make_id\(1, 'f'\)"):
        stream([CALL * 2], "hermes", make_id=lambda index, name: "same")


def test_make_id_that_raises_is_named():
    def broken(index, name):
        raise KeyError("no ids left")

    with pytest.raises(OptionError, match="no ids left") as error:
        stream([CALL], "hermes", make_id=broken)
    assert isinstance(error.value.__cause__, KeyError)


def test_make_id_cannot_feed_the_parser():
    def reentrant(index, name):
        parser.feed("x")

    parser = StreamParser("hermes", make_id=reentrant)
    with pytest.raises(OptionError) as error:
        parser.feed(CALL)
    assert isinstance(error.value.__cause__, ParserStateError)
