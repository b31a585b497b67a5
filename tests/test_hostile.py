"""Texts that are made to hurt, for every format: a megabyte of one character, a hundred thousand halves of markers or openers
that nobody closes, alone and inside of all that a call is made of.

Work is counted, never timed: the bytes that are looked at (`stats.bytes_looked_at`) and those that are held between two
pieces. Nothing raises, nothing is lost.
"""

import re
from collections.abc import Iterator
from functools import cache

import pytest
from support import check_contract, check_coverage
from texts import TOOLS

import toolweir
from toolweir import Limits, StreamParser
from toolweir.options import read_format

FORMATS = toolweir.formats()
MEGABYTE = 1 << 20
MANY = 100_000
ROOM = Limits(value=1 << 12, arguments_before_name=1 << 12, resync_hold=1 << 12, header=64)
"""Small, so that what is held without a limit shows."""

HOLDS = 3 * (1 << 12) + ROOM.quoted_hold + ROOM.malformed + ROOM.whitespace + ROOM.header
LOOKS = 6
"""Times that a byte may be looked at: as text, in a held call and again when that is settled, for openers hidden in a
string, when reading is resumed at one of them, and as raw text."""

CHARACTERS = ["<", "[", "{", "\\", '"', "`", "'", "\n", " ", "-", "é"]


def markers_of(format: str) -> list[str]:
    spec = read_format(format)
    markers = {*spec.end_of_turn, *(marker for pair in spec.reasoning for marker in pair)}
    for opener in spec.openers:
        markers |= {opener.marker, *opener.closers}
    return sorted(markers - {""})


def openers_of(format: str) -> list[str]:
    return [opener.marker for opener in read_format(format).openers if opener.marker] or ["[", "{"]


@cache
def looks(format: str) -> float:
    """LOOKS, and once more for each opener that stands in a header: one is tried from each of them."""
    return LOOKS + ROOM.header / min(map(len, openers_of(format)))


def heads_of(format: str) -> list[str]:
    """The example, cut off behind everything that it is made of: inside of a tag, a name, a key, a string, a value."""
    example = toolweir.format_info(format).example
    return [example[: match.end()] for match in re.finditer(r"\w+|[^\w\s]+", example)][::2]


def read(format: str, text: str, size: int, **options: object) -> StreamParser:
    """Reads a text in pieces of a size, and counts."""
    parser = StreamParser(format, limits=ROOM, **options)  # type: ignore[arg-type]
    raw = text.encode() if size == 1 else None
    whole: bytes | str = text if raw is None else raw
    held = 0
    for at in range(0, len(whole), size):
        parser.feed(whole[at : at + size])
        held = max(held, parser.stats.bytes_held)
    parser.finish()
    length = len(text.encode())
    assert parser.stats.bytes_looked_at <= looks(format) * length + ROOM.header
    assert size >= length or held <= HOLDS + 4 * size
    return parser


@pytest.mark.parametrize("format", FORMATS)
def test_a_megabyte_of_one_character(format: str) -> None:
    for character in CHARACTERS:
        text = character * (MEGABYTE // len(character.encode()))
        read(format, text, MEGABYTE)
        read(format, text, 997)
        read(format, text[: MEGABYTE // 256], 1)


@pytest.mark.parametrize("format", FORMATS)
def test_halves_of_markers(format: str) -> None:
    for marker in markers_of(format):
        half = marker[: (len(marker) + 1) // 2]
        read(format, half * MANY, MEGABYTE)
        read(format, half * (MANY // 10), 7)
        read(format, half * (MANY // 100), 1)


@pytest.mark.parametrize("format", FORMATS)
def test_openers_that_nobody_closes(format: str) -> None:
    for opener in openers_of(format):
        for unit in (opener, opener + "{", opener + '{"name": "f', "`" + opener + '{"', opener + "\n"):
            read(format, unit * (MANY if unit == opener else MANY // 20), MEGABYTE)
            read(format, unit * (MANY // 100), 13)
            read(format, unit * (MANY // 500), 1)


def attacks(format: str) -> Iterator[tuple[str, str]]:
    """A head, and what comes behind it again and again."""
    opener = openers_of(format)[0]
    for head in heads_of(format):
        for unit in ("x", "<", "[", '"', "\\", "\n", opener, opener[:-1] or "<", head[-9:]):
            yield head, unit


@pytest.mark.parametrize("options", [{}, {"tools": TOOLS, "calls_in_reasoning": True, "reasoning": "started"}], ids=str)
@pytest.mark.parametrize("format", FORMATS)
def test_what_never_ends_inside_of_a_call(format: str, options: dict[str, object]) -> None:
    for head, unit in attacks(format):
        count = 1000 // len(unit.encode())
        read(format, head + unit * count * 10, MEGABYTE, **options)
        read(format, head + unit * count, 1, **options)


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_of_it_is_lost(format: str) -> None:
    for head, unit in attacks(format):
        text = head + unit * 40
        parser = StreamParser(format, limits=ROOM)
        events = [*parser.feed(text), *parser.finish()]
        check_contract(events, text, ROOM)
        stopped = "text_after_end_of_turn" in parser.result.warnings
        check_coverage(text, events, format, stopped)
