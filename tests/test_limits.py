"""Limits are a frozen set of numbers, checked when it is made."""

import dataclasses
import pickle

import pytest
from support import check_every_cut, stream
from texts import ALL_STATES

from toolweir.errors import OptionError
from toolweir.limits import Limits

FIELDS = [field.name for field in dataclasses.fields(Limits)]


def test_defaults_of_the_contract():
    limits = Limits()
    assert (limits.header, limits.name, limits.id) == (256, 512, 128)
    assert (limits.value, limits.arguments_before_name, limits.arguments) == (1 << 20, 1 << 20, 16 << 20)
    assert (limits.quoted_hold, limits.resync_hold, limits.malformed, limits.whitespace) == (4096, 65536, 4096, 1024)
    assert (limits.calls, limits.parameters, limits.depth) == (1024, 1024, 1023)


def test_a_limit_cannot_be_changed_later():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Limits().name = 3


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", [None, "7", 1.5, True])
def test_only_ints(field, value):
    with pytest.raises(OptionError, match=rf"Limits\.{field}: expected an int"):
        Limits(**{field: value})


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", [-1, 1 << 64])
def test_only_in_range(field, value):
    with pytest.raises(OptionError, match=rf"Limits\.{field}: expected \d+ to \d+, got {value}"):
        Limits(**{field: value})


def test_depth_has_room_for_1023_containers():
    assert Limits(depth=1).depth == 1
    assert Limits(depth=1023).depth == 1023
    for value in (0, 1024):
        with pytest.raises(OptionError, match="1 to 1023"):
            Limits(depth=value)


def test_no_hold_at_all_is_a_choice():
    assert Limits(quoted_hold=0).quoted_hold == 0


def test_equal_by_value_and_picklable():
    assert pickle.loads(pickle.dumps(Limits(name=7))) == Limits(name=7) != Limits()


# Where no log shows them


def test_arguments_past_their_limit_go_out_and_are_not_kept():
    text = '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'
    assert check_every_cut(text, "hermes", limits=Limits(arguments=8))[-1][3] == '{"a": 1}'
    joined = check_every_cut(text, "hermes", limits=Limits(arguments=7))
    assert joined[1][2] == '{"a": 1}'
    assert joined[2][:5] == ("end", 0, "complete", None, None)


@pytest.mark.parametrize("value", [0, 1, 2, 3, 5, 8, 13, 21, 34, 55])
@pytest.mark.parametrize(
    "field",
    [
        "name",
        "id",
        "arguments_before_name",
        "quoted_hold",
        "resync_hold",
        "malformed",
        "whitespace",
        "calls",
        "arguments",
    ],
)
def test_every_limit_under_every_cut(field, value):
    limits = Limits(**{field: value})
    check_every_cut(ALL_STATES, "hermes", ids="native", limits=limits)
    check_every_cut(ALL_STATES, "hermes", calls_in_reasoning=True, trim=True, malformed_as_text=True, limits=limits)


@pytest.mark.parametrize("depth", [1, 2, 3, 1022, 1023])
def test_depth_at_below_and_above(depth):
    for deep, status in ((depth - 1, "complete"), (depth, "complete"), (depth + 1, "invalid")):
        if deep:
            text = '<tool_call>{"name": "f", "arguments": {"a":' + "[" * (deep - 1) + "]" * (deep - 1) + "}}"
            if deep == 1:
                text = '<tool_call>{"name": "f", "arguments": {}}'
            events, _ = stream([text], "hermes", limits=Limits(depth=depth))
            end = next(event for event in events if type(event).__name__ == "ToolCallEnd")
            assert end.status == status
            assert status == "complete" or end.reason == "depth"
