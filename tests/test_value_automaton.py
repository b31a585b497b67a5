"""The value automaton against its reference, toolweir.values.viable, under every prefix."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolweir.scan.value_automaton import ValueAutomaton
from toolweir.schema import ARRAY, BOOLEAN, INTEGER, NULL, NUMBER, OBJECT, STRING, UNTYPED, ValueTypes
from toolweir.values import viable

MASKS = [
    STRING,
    STRING | INTEGER,
    STRING | NUMBER | INTEGER,
    STRING | BOOLEAN,
    STRING | NULL,
    STRING | OBJECT,
    STRING | ARRAY,
    STRING | BOOLEAN | NULL | INTEGER,
    STRING | OBJECT | ARRAY,
    UNTYPED.mask,
]

TEXTS = [
    *("true", "True", "tru", "trux", "true ", " true x", "false", "False", "null", "None", "nul l", "nullable", "No"),
    *(
        "5",
        "-",
        "-5",
        "5x",
        "05",
        "1.",
        "1.5",
        "1.5.5",
        "1e5",
        "1e999",
        "1e999 ",
        "1e9999e",
        "-1e-999",
        "+5",
        ".5",
        "NaN",
    ),
    *("[1e999, 2]", "[1e999]", '{"a":1e400}', "1" * 400, "1" * 400 + ".5", "1" * 400 + ".5 ", "1" * 400 + ".5e-300 "),
    *("1" * 400 + " ", "-" + "1" * 310 + "\n", "[" + "1" * 400 + ", 2]"),
    *(
        '"',
        '"a"',
        '"a" ',
        '"a"b',
        '"\\n"',
        '"\\q"',
        '"\\u00e9"',
        '"\\ud83d\\ude00"',
        '"\\ud83d"',
        '"\\ud83dx',
        '"\\ud83d\\n"',
    ),
    *(
        '"\\ud83d\\u0041"',
        '"\\ude00"',
        '"\\uDE00',
        '"\\uD83D\\uDE00\\uD83D\\uDE00"',
        '"\\u12',
        '"\\u12g',
        '"\\\\ud83d"',
    ),
    *('"\\ud83d\\ud83d', '["\\ud83d\\ude00", "\\ud7ff", "\\udbff"]', '"a\nb"', '"é"', '"\t'),
    *(
        '{"a": [1, true, null, {"b": "c"}]}',
        '{"a" 1}',
        "{a",
        "{",
        "[",
        "[]",
        "{} ",
        "{} x",
        "[1,]",
        "[True]",
        "['a']",
        "(1,)",
    ),
    *("", " ", "\n\t ", "\x0b1", "x", "é", "[" * 1022, "[" * 1023, '{"a":' * 1023, "  [1 , 2 ]  "),
]


def check(text: str, mask: int, strict: bool = False) -> None:
    types = ValueTypes(mask)
    automaton = ValueAutomaton(mask, strict)
    held = automaton.feed(b"")
    assert held == viable("", types, strict=strict)
    for end in range(1, len(text) + 1):
        held = automaton.feed(text[end - 1].encode())
        assert held == viable(text[:end], types, strict=strict), text[:end]
    whole = ValueAutomaton(mask, strict)
    assert whole.feed(text.encode()) == held, "in one piece"


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("strict", [False, True])
def test_agrees_with_the_reference(mask: int, strict: bool):
    for text in TEXTS:
        if len(text) < 500:
            check(text, mask, strict)


@pytest.mark.parametrize("text", ["[" * 1022, "[" * 1023, '{"a":' * 1022, '{"a":' * 1023])
def test_depth(text: str):
    assert ValueAutomaton(UNTYPED.mask).feed(text.encode()) == viable(text, UNTYPED)


SHRAPNEL = [
    *'{}[]:,"\\ \n-+.eE019tfnTFNdDcCuabx',
    "true",
    "null",
    "None",
    '"a"',
    "\\ud83d",
    "\\ude00",
    "1e999",
    "é",
    "12",
    '"k":',
]


def test_agrees_on_shrapnel():
    rng = random.Random(7)
    for _ in range(3000):
        text = rng.choice(['"', "[", '{"', "1", "-", "[1e", '["\\', ""]) + "".join(
            rng.choices(SHRAPNEL, k=rng.randrange(8))
        )
        check(text, rng.choice(MASKS))


@given(st.text(alphabet=st.sampled_from('{}[]:,"\\ 0189eE-.trufalsnTNodD\n'), max_size=14), st.sampled_from(MASKS))
def test_agrees_on_any_text(text: str, mask: int):
    check(text, mask)
