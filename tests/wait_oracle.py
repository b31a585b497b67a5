"""How long does a parser wait, against how long it has to? `python tests/wait_oracle.py --format hermes --depth 1`.

Theory of operation. A character has to wait only while continuations disagree on it. So for a prefix of a text the
oracle asks for two witnesses: continuations, the end of the text among them, whose events differ at the very first
thing that is still held. Where it finds them the parser was right to wait. Where every continuation it can think of
agrees on what comes next, that much is held beyond the oracle: a `Wait`.

The parser itself says what a continuation gives, so the oracle needs no second reading of the grammar, and a poor
choice of continuations can only accuse a parser, never acquit it. One end of a text testifies to nothing: where it cuts
a call short, what is held of the call is dropped. Such an end is no witness against what would have followed.

Prefixes are all cuts of texts, fed in each of the ways of wait_ways.py, and of what becomes of them when symbols stand
where they do not belong. Continuations are tried in three waves: near ones, those that take more than a symbol, and,
for a wait without an explanation, the many. What told in a late wave is remembered, and tried early from then on.
Prints for each format how many prefixes and continuations were looked at and how much was held beyond the oracle, with
the waits that no entry of wait_explained.py explains. Exit status 1 if there are any.
"""

import argparse
import random
import sys
import time
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from case_files import all_cases
from wait_explained import Wait, explanation
from wait_texts import QUOTED, QUOTES, SCENES, STRUCTURE, Alphabet, base_texts, value_texts
from wait_ways import WAYS, Way

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

WITNESSES = 8
"""Continuations that are remembered, because they told what no other did."""
EASY = 20
"""Those that are found within so many tries need not be."""


def atoms(events: Iterable[Any]) -> list[Atom]:
    """Events as atoms. Text with its place: the same character of another place is told by another event."""
    found: list[Atom] = []
    for event in events:
        match event:
            case ContentDelta(text):
                found += [("content", character, at) for at, character in enumerate(text, event.span[0])]
            case ReasoningDelta(text):
                found += [("reasoning", character, at) for at, character in enumerate(text, event.span[0])]
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

    texts: int = 0
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

    def __str__(self) -> str:
        return (
            f"{self.texts} texts, {self.prefixes} prefixes, {self.continuations} continuations, {self.held} held beyond"
            f" at {len(self.waits)} prefixes, {sum(wait.size for wait in self.unexplained)} of them unexplained"
        )

    def add(self, other: "Count") -> None:
        self.texts += other.texts
        self.prefixes += other.prefixes
        self.continuations += other.continuations
        self.waits += other.waits

    def told(self) -> str:
        """The kinds of waits, each with its prefixes."""
        kinds = Counter(kind.title if (kind := explanation(wait)) else "unexplained" for wait in self.waits)
        return "".join(f"\n    {number} {title}" for title, number in kinds.most_common())


class Oracle:
    """Looks at prefixes of texts in one format under one set of options."""

    def __init__(
        self,
        format: str,
        scene: str,
        options: dict[str, Any],
        count: Count,
        way: type[Way] = Way,
        patience: int = 2000,
    ):
        self.format, self.scene, self.count = format, scene, count
        self.way = way(format)
        self.alphabet = Alphabet.of(format, options, self.way)
        self.start = StreamParser(format, make_id=lambda index, name: f"made_{index}", **options)
        self.patience = patience  # pairs of symbols that are tried before it is a wait
        self.seen: set[str] = set()
        self.witnesses: deque[tuple[str, int]] = deque(maxlen=WITNESSES)

    def look(self, parser: StreamParser, prefix: str, rest: str = "") -> None:
        """Does the parser, which has read the prefix, hold what all continuations agree on?"""
        if prefix in self.seen:
            return
        self.seen.add(prefix)
        self.count.prefixes += 1
        agreed = Agreement()
        if self.convinced(parser, agreed, prefix, self.near(prefix, rest)):
            return
        kind = explanation(self.wait(prefix, agreed))
        if kind is None or not kind.near_only:
            if self.convinced(parser, agreed, prefix, self.late(prefix, rest)):
                return
            kind = explanation(self.wait(prefix, agreed))
        if kind is None and self.convinced(parser, agreed, prefix, self.far(prefix, rest, agreed)):
            return
        self.count.waits.append(self.wait(prefix, agreed))

    def wait(self, prefix: str, agreed: Agreement) -> Wait:
        shown = self.way.shown(prefix)
        return Wait(self.format, self.scene, shown, told(agreed.said), len(agreed.said), self.way.name)

    def convinced(self, parser: StreamParser, agreed: Agreement, prefix: str, continuations: Iterable[str]) -> bool:
        """Does one of the continuations contradict those before it?"""
        for tried, continuation in enumerate(continuations):
            self.count.continuations += 1
            other = parser.copy()
            said = atoms(self.way.feed(other, continuation))
            if not agreed.hear(said + atoms(other.finish("stop"))):
                if tried > EASY:
                    self.witnesses.appendleft((prefix + continuation, len(prefix)))
                return True
        return False

    def near(self, prefix: str, rest: str) -> Iterator[str]:
        """Those that disagree most often first."""
        alphabet = self.alphabet
        yield ""
        yield rest
        yield "x"
        for text, at in self.witnesses:  # what convinced behind other prefixes often does again
            yield text[len(prefix) :] if text.startswith(prefix) else text[at:]
        yield from alphabet.completions(prefix)
        yield from alphabet.symbols
        yield from alphabet.whole
        yield from QUOTED

    def late(self, prefix: str, rest: str) -> Iterator[str]:
        """Those that take more than a symbol."""
        for left in range(len(rest) - 1, 0, -1):
            for symbol in (*STRUCTURE, *QUOTES):
                yield rest[: len(rest) - left] + symbol
        yield from self.alphabet.late(prefix, rest)

    def far(self, prefix: str, rest: str, agreed: Agreement) -> Iterator[str]:
        """Those that are many."""
        if agreed.said[0][0] in ("start", "skipped"):
            yield from self.alphabet.quoted(prefix)
        yield from self.alphabet.joined(prefix)
        yield from self.alphabet.pairs(prefix, rest, self.patience)

    def explore(self, text: str, depth: int = 0, rng: random.Random | None = None, share: float = 1) -> None:
        """All cuts of a text, and at each of them the deviations, up to `depth` symbols, or a share of them."""
        self.count.texts += 1
        parser = self.start.copy()
        for at in range(len(text) + 1):
            if at:
                self.way.feed(parser, text[at - 1])
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
                self.way.feed(other, character)
                self.look(other, prefix + symbol[:at], symbol[at:] + rest)
            if depth > 1:
                self.deviate(other, prefix + symbol, rest, depth - 1, rng, share)


@dataclass(frozen=True, slots=True)
class Sweep:
    """What is looked at of a format."""

    scenes: Collection[str] = tuple(SCENES)
    ways: Collection[str] = tuple(WAYS)
    depth: int = 0
    """Symbols that stand where they do not belong."""
    share: float = 1
    """Of such deviations, drawn by `seed`."""
    seed: int = 0
    example_only: bool = False
    """The format's example alone, as characters or bytes or with tokens, and no case files."""

    def texts(self, way: Way) -> list[str]:
        example = toolweir.format_info(way.format).example
        if self.example_only:
            return [way.units(example)]
        found = base_texts(way.format) + (value_texts(way.format) if way.name == "characters" else [])
        return [*map(way.units, found), *way.texts(example)]


def examine(format: str, sweep: Sweep) -> Count:
    """The texts of the scenes in each way, and the format's case files."""
    count = Count()
    for scene, way in product(sweep.scenes, sweep.ways):
        rng = None if sweep.share >= 1 else random.Random(f"{sweep.seed} {format} {scene} {way}")
        oracle = Oracle(format, scene, SCENES[scene], count, WAYS[way])
        for text in sweep.texts(oracle.way):
            oracle.explore(text, sweep.depth, rng, sweep.share)
    if "characters" in sweep.ways and not sweep.example_only:
        for case in all_cases():
            if case.format == format:
                Oracle(format, case.name, case.options, count).explore(case.text)
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--format", choices=toolweir.formats(), action="append", help="default: all")
    parser.add_argument("--scene", choices=list(SCENES), action="append", help="default: all")
    parser.add_argument("--way", choices=list(WAYS), action="append", help="in which texts are fed (default: all)")
    parser.add_argument("--example", action="store_true", help="the example of the format only, not what is made of it")
    parser.add_argument("--depth", type=int, default=0, help="symbols that stand where they do not belong (default 0)")
    parser.add_argument("--share", type=float, default=1, help="share of such deviations that is looked at (default 1)")
    parser.add_argument("--seed", type=int, default=0, help="chooses them")
    parser.add_argument("--show", type=int, default=20, help="unexplained waits shown a format (default 20)")
    arguments = parser.parse_args()
    scenes, ways = arguments.scene or SCENES.keys(), arguments.way or WAYS.keys()
    sweep = Sweep(scenes, ways, arguments.depth, arguments.share, arguments.seed, arguments.example)
    total = Count()
    for format in arguments.format or toolweir.formats():
        count = examine(format, sweep)
        total.add(count)
        print(f"{format}: {count}", flush=True)
        for wait in sorted(count.unexplained, key=lambda wait: len(wait.prefix))[: arguments.show]:
            print(f"    {wait}")
    print(f"{total}; {time.process_time():.0f} s of processor time{total.told()}")
    return 1 if total.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
