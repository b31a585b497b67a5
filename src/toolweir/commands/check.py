"""Reads a recording under many cuts (whole, by character, by byte, by token, at random) and says whether all agree.

Exit status 1 if two cuts give different events; the first difference is printed.
"""

import json
import random
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from ..parser import StreamParser
from .progress import progress
from .reading import add_parser_arguments, parser_options
from .recording import read_text, tokens_of

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "check"
HELP = "whether a text gives the same events however it is cut"

STEPS = (1, 2, 3, 5, 8, 13, 40)
"""Lengths of the pieces of a random cut."""

SURROGATE = re.compile("[\ud800-\udfff]")

Steps = list[dict[str, Any]]


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_parser_arguments(parser)
    parser.add_argument("--cuts", type=_count, default=8, metavar="N", help="random cuts to try (default: 8)")


def run(arguments: Namespace) -> int:
    """Compare every cut with the whole text."""
    options = parser_options(arguments)
    text = read_text(arguments.file)
    first: Steps | None = None
    count = 0
    difference = None
    with progress(arguments.file, len(text) * (4 + arguments.cuts)) as advance:
        for name, pieces in _cuts(text, arguments.cuts):
            found = _joined(StreamParser(arguments.format, **options), pieces, arguments.finish)
            first = found if first is None else first
            if found != first:
                difference = f"cut {name} differs from the whole text:\n{_difference(first, found)}"
                break
            count += 1
            advance(len(text))
    print(difference or f"{count} cuts agree on {len(first or ()) - 1} events")
    return 1 if difference else 0


def _cuts(text: str, seeds: int) -> Iterator[tuple[str, list[str] | list[bytes]]]:
    yield "whole", [text]
    yield "by character", list(text)
    if not SURROGATE.search(text):  # no bytes of UTF-8 mean a lone surrogate
        raw = text.encode()
        yield "by byte", [raw[at : at + 1] for at in range(len(raw))]
    yield "by token", [token.text for token in tokens_of(text)]
    for seed in range(seeds):
        chance = random.Random(seed)
        at, pieces = 0, []
        while at < len(text):
            step = chance.choice(STEPS)
            pieces.append(text[at : at + step])
            at += step
        yield f"at random, seed {seed}", pieces


def _joined(parser: StreamParser, pieces: list[str] | list[bytes], finish: str) -> Steps:
    """The events in a form that no cut may change: neighbouring deltas joined, minted ids left out; the result last."""
    joined: Steps = []
    events = [event for piece in pieces for event in parser.feed(piece)]
    for event in [*events, *parser.finish(finish)]:
        step = event.to_dict()
        step.pop("id", None)
        last = joined[-1] if joined else {}
        if event.kind.endswith("_delta") and (last.get("type"), last.get("index")) == (event.kind, step.get("index")):
            last["text"] += step["text"]
        else:
            joined.append(step)
    joined.append({"type": "result", "finish_reason": parser.result.finish_reason})
    return joined


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"expected a number of cuts, got {text!r}")
    return int(text)


def _difference(first: Steps, other: Steps) -> str:
    for number, (one, two) in enumerate(zip_longest(first, other), 1):
        if one != two:
            return f"event {number}\n  whole: {_short(one)}\n  cut:   {_short(two)}"
    raise AssertionError("only called for lists that differ")


def _short(step: dict[str, Any] | None, most: int = 400) -> str:
    text = "nothing" if step is None else json.dumps(step, ensure_ascii=False)
    return text if len(text) <= most else text[:most] + " ..."
