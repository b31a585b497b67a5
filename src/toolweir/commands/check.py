"""Reads a recording under many cuts (whole, by character, by byte, by token, at random) and says whether all agree.

Exit status 1 if two cuts give different events; the first difference is printed.
"""

import json
import random
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import Any

from ..events import Event
from ..parser import StreamParser
from .progress import progress
from .reading import add_parser_arguments, parser_options
from .recording import read_text, tokens_of

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "check"
HELP = "whether a text gives the same events however it is cut"

STEPS = (1, 2, 3, 5, 8, 13, 40)
"""Lengths of the pieces of a random cut."""

MANY = 64 * 1024
"""Pieces after which the bar moves, and the joined ones are one."""

SURROGATE = re.compile("[\ud800-\udfff]")

Steps = list[dict[str, Any]]


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_parser_arguments(parser)
    parser.add_argument("--cuts", type=_count, default=8, metavar="N", help="random cuts to try (default: 8)")


def run(arguments: Namespace) -> int:
    """Compare every cut with the whole text."""
    options = parser_options(arguments)
    text = read_text(arguments.file, replace=arguments.replace)
    first: Steps | None = None
    count = 0
    difference = None
    with progress(arguments.file, len(text) * (4 + arguments.cuts)) as advance:
        for name, pieces in _cuts(text, arguments.cuts):
            found = _joined(StreamParser(arguments.format, **options), pieces, arguments.finish, advance)
            first = found if first is None else first
            if found != first:
                difference = f"cut {name} differs from the whole text:\n{_difference(first, found)}"
                break
            count += 1
    print(difference or f"{count} cuts agree on {len(first or ()) - 1} events")
    return 1 if difference else 0


def _cuts(text: str, seeds: int) -> Iterator[tuple[str, Iterable[str | bytes]]]:
    yield "whole", [text]
    yield "by character", text
    if not SURROGATE.search(text):  # no bytes of UTF-8 mean a lone surrogate
        yield "by byte", (bytes((byte,)) for at in range(0, len(text), MANY) for byte in text[at : at + MANY].encode())
    yield "by token", (token.text for token in tokens_of(text))
    for seed in range(seeds):
        yield f"at random, seed {seed}", _at_random(text, random.Random(seed))


def _at_random(text: str, chance: random.Random) -> Iterator[str]:
    at = 0
    while at < len(text):
        step = chance.choice(STEPS)
        yield text[at : at + step]
        at += step


class Joined:
    """Events in a form that no cut may change: neighbouring deltas are joined, minted ids left out."""

    def __init__(self) -> None:
        self.steps: Steps = []
        self._texts: list[str] = []
        self._pieces: list[str] = []

    def take(self, events: tuple[Event, ...]) -> None:
        """Take the next events."""
        for event in events:
            step = event.to_dict()
            step.pop("id", None)
            piece = step.pop("text", None)
            if piece is None or not self.steps or step != self.steps[-1]:
                self.close()
                self.steps.append(step)
            if piece is not None:
                self._pieces.append(piece)
                if len(self._pieces) > MANY:  # a list of characters takes eight times what their text does
                    self._gather()

    def close(self) -> None:
        """No more of the last delta."""
        self._gather()
        if self._texts:
            self.steps[-1]["text"] = "".join(self._texts)
            self._texts.clear()

    def _gather(self) -> None:
        if self._pieces:
            self._texts.append("".join(self._pieces))
            self._pieces.clear()


def _joined(parser: StreamParser, pieces: Iterable[str | bytes], finish: str, advance: Callable[[int], None]) -> Steps:
    """What comes of these pieces, the finish reason last."""
    joined = Joined()
    told = 0
    for number, piece in enumerate(pieces):
        joined.take(parser.feed(piece))
        if number % MANY == 0:  # a bar that moves for every character would take longer than all else
            advance(parser.offset - told)
            told = parser.offset
    joined.take(parser.finish(finish))
    joined.close()
    advance(parser.offset - told)
    return [*joined.steps, {"type": "result", "finish_reason": parser.result.finish_reason}]


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
