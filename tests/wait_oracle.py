"""How long does a parser wait, against how long it has to? `python tests/wait_oracle.py --format hermes --depth 1`.

Theory of operation. A character has to wait only while continuations disagree on it. So for a prefix of a text the
oracle asks for two witnesses: continuations, the end of the text among them, whose events differ at the very first
thing that is still held. Where it finds them the parser was right to wait. Where every continuation it can think of
agrees on what comes next, that much is held beyond the oracle: a `Wait`.

The parser itself says what a continuation gives, so the oracle needs no second reading of the grammar, and a poor
choice of continuations can only accuse a parser, never acquit it. One end of a text testifies to nothing: where it cuts
a call short, what is held of the call is dropped. Such an end is no witness against what would have followed.

Prefixes are all cuts, by character, of texts and of what becomes of them when symbols stand where they do not belong.
Prints for each format how many prefixes and continuations were looked at and how much was held beyond the oracle, with
the waits that no entry of wait_explained.py explains. Exit status 1 if there are any.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from case_files import all_cases
from wait_explained import Wait, explanation
from wait_texts import QUOTED, QUOTES, SCENES, STRUCTURE, Alphabet, base_texts, value_texts

import toolweir
from toolweir import (
    ArgumentsDelta,
    ContentDelta,
    MalformedCall,
    ReasoningDelta,
    StreamParser,
    ToolCallEnd,
    ToolCallSkipped,
    ToolCallStart,
)

Atom = tuple[Any, ...]
"""A character of a channel, or an event that is no delta: what goes out at once or not at all."""


def atoms(events: Iterable[Any]) -> list[Atom]:
    """Events as atoms; spans left out, for they say where something stands and not what it is."""
    found: list[Atom] = []
    for event in events:
        match event:
            case ContentDelta(text):
                found += [("content", character) for character in text]
            case ReasoningDelta(text):
                found += [("reasoning", character) for character in text]
            case ArgumentsDelta(index, text):
                found += [("arguments", character, index) for character in text]
            case ToolCallStart(index, id, name, position):
                found.append(("start", index, id, name, position))
            case ToolCallEnd(index, status, _, reason):
                found.append(("end", index, str(status), str(reason)))
            case MalformedCall(raw, reason):
                found.append(("malformed", raw, str(reason)))
            case ToolCallSkipped(position, name, reason):
                found.append(("skipped", position, name, str(reason)))
    return found


def told(held: Iterable[Atom]) -> str:
    """Atoms as a line that people can read."""
    parts: list[tuple[str, str]] = []
    for kind, *fields in held:
        if kind not in ("content", "reasoning", "arguments"):
            parts.append((kind, " ".join(map(str, fields))))
        elif parts and parts[-1][0] == kind:
            parts[-1] = (kind, parts[-1][1] + fields[0])
        else:
            parts.append((kind, fields[0]))
    return ", ".join(f"{kind} {text!r}" for kind, text in parts)


@dataclass(slots=True)
class Agreement:
    """What the continuations so far agree on; `open` while none of them has said that nothing follows it."""

    said: list[Atom] = field(default_factory=list)
    open: bool = True

    def hear(self, said: list[Atom]) -> bool:
        """Take in what one continuation gives; True while there may be something that all agree on."""
        cut_short = bool(said) and said[-1][0] == "end" and said[-1][2:] == ("incomplete", "text_ended")
        if cut_short:
            said = said[:-1]
        for at, (mine, other) in enumerate(zip(self.said, said, strict=False)):
            if mine != other:
                self.said, self.open = self.said[:at], False
                return at > 0
        if len(said) == len(self.said):
            self.open = self.open and cut_short
        elif len(said) > len(self.said):
            if self.open:
                self.said, self.open = said, cut_short
        elif not cut_short:
            self.said, self.open = said, False
        return self.open or bool(self.said)


@dataclass(slots=True)
class Count:
    """What was looked at, and what was found."""

    prefixes: int = 0
    continuations: int = 0
    waits: list[Wait] = field(default_factory=list)

    @property
    def held(self) -> int:
        """Characters and events held beyond the oracle, summed over all prefixes."""
        return sum(wait.size for wait in self.waits)

    @property
    def unexplained(self) -> list[Wait]:
        return [wait for wait in self.waits if explanation(wait) is None]


class Oracle:
    """Looks at prefixes of texts in one format under one set of options."""

    def __init__(self, format: str, scene: str, options: dict[str, Any], count: Count, patience: int = 2000):
        self.format, self.scene, self.count = format, scene, count
        self.alphabet = Alphabet.of(format, options)
        self.start = StreamParser(format, make_id=lambda index, name: f"made_{index}", **options)
        self.patience = patience  # pairs of symbols that are tried before it is a wait
        self.seen: set[str] = set()
        self.lucky: tuple[int, str] | None = None

    def look(self, parser: StreamParser, prefix: str, rest: str = "") -> None:
        """Does the parser, which has read the prefix, hold what all continuations agree on?"""
        if prefix in self.seen:
            return
        self.seen.add(prefix)
        self.count.prefixes += 1
        agreed = Agreement()
        for continuation in self.continuations(prefix, rest):
            self.count.continuations += 1
            other = parser.copy()
            said = atoms(feed(other, continuation))
            if not agreed.hear(said + atoms(other.finish("stop"))):
                return
        self.count.waits.append(Wait(self.format, self.scene, prefix, told(agreed.said), len(agreed.said)))

    def continuations(self, prefix: str, rest: str) -> Iterator[str]:
        """Those that disagree most often first."""
        alphabet = self.alphabet
        yield ""
        yield rest
        yield "x"
        if self.lucky:  # what convinced behind the last prefix often does again
            left, symbol = self.lucky
            yield rest[: max(0, len(rest) - left)] + symbol
        yield from alphabet.completions(prefix)
        yield from alphabet.symbols
        yield from alphabet.whole
        yield from QUOTED
        for left in range(len(rest) - 1, 0, -1):
            for symbol in (*STRUCTURE, *QUOTES):
                self.lucky = left, symbol
                yield rest[: len(rest) - left] + symbol
        self.lucky = None
        yield from alphabet.late(prefix, rest)
        yield from alphabet.pairs(prefix, rest, self.patience)

    def explore(self, text: str, depth: int = 0, rng: random.Random | None = None, share: float = 1) -> None:
        """All cuts of a text, and at each of them the deviations, up to `depth` symbols, or a share of them."""
        parser = self.start.copy()
        for at in range(len(text) + 1):
            if at:
                parser.feed(text[at - 1])
            self.look(parser, text[:at], text[at:])
            if depth:
                self.deviate(parser, text[:at], text[at:], depth, rng, share)

    def deviate(
        self, parser: StreamParser, prefix: str, rest: str, depth: int, rng: random.Random | None, share: float
    ) -> None:
        for symbol in (*self.alphabet.symbols, *self.alphabet.halves):
            if rng is not None and rng.random() > share:
                continue
            other = parser.copy()
            for at, character in enumerate(symbol, 1):
                other.feed(character)
                self.look(other, prefix + symbol[:at], symbol[at:] + rest)
            if depth > 1:
                self.deviate(other, prefix + symbol, rest, depth - 1, rng, share)


def feed(parser: StreamParser, text: str) -> tuple[Any, ...]:
    return parser.feed(text) if text else ()


def examine(format: str, scenes: Iterable[str] = SCENES, depth: int = 0, share: float = 1, seed: int = 0) -> Count:
    """The texts of the scenes with a share of the deviations from them, and the format's case files."""
    count = Count()
    for scene in scenes:
        rng = None if share >= 1 else random.Random(f"{seed} {format} {scene}")
        oracle = Oracle(format, scene, SCENES[scene], count)
        for text in [*base_texts(format), *value_texts(format)]:
            oracle.explore(text, depth, rng, share)
    for case in all_cases():
        if case.format == format:
            Oracle(format, case.name, case.options, count).explore(case.text)
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--format", choices=toolweir.formats(), action="append", help="default: all")
    parser.add_argument("--scene", choices=list(SCENES), action="append", help="default: all")
    parser.add_argument("--depth", type=int, default=0, help="symbols that stand where they do not belong (default 0)")
    parser.add_argument("--share", type=float, default=1, help="share of such deviations that is looked at (default 1)")
    parser.add_argument("--seed", type=int, default=0, help="chooses them")
    parser.add_argument("--show", type=int, default=20, help="unexplained waits shown a format (default 20)")
    arguments = parser.parse_args()
    failed = 0
    for format in arguments.format or toolweir.formats():
        count = examine(format, arguments.scene or SCENES, arguments.depth, arguments.share, arguments.seed)
        unexplained = sorted(count.unexplained, key=lambda wait: len(wait.prefix))
        print(
            f"{format}: {count.prefixes} prefixes, {count.continuations} continuations, {count.held} held beyond, "
            f"{sum(wait.size for wait in unexplained)} of them unexplained",
            flush=True,
        )
        for wait in unexplained[: arguments.show]:
            print(f"    {wait}")
        failed += len(unexplained)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
