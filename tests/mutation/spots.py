"""A mutation, and the stretch of source that a build holds both with and without it.

One build holds every mutation, for a build takes minutes. So a source is read as *spots*: stretches that can stand twice,
side by side, with a switch between them.

    statement     if tw_mutant(7): changed   else: as it was
    expression    (changed if tw_mutant(7) else as it was)
    condition     an expression of which only the truth counts

`tw_mutant(n)` is true in a process that was started with TOOLWEIR_MUTANT=n.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple


class Token(NamedTuple):
    kind: str
    """name, number, string, op or newline"""
    text: str
    start: int
    end: int


def read_tokens(source: str, pattern: re.Pattern[str]) -> Iterator[Token]:
    """The tokens of a source; what the pattern names `skip` is left out."""
    for match in pattern.finditer(source):
        if match.lastgroup and match.lastgroup != "skip":
            yield Token(match.lastgroup, match[0], match.start(), match.end())


@dataclass(frozen=True)
class Spot:
    """A stretch of source that a switch can choose a variant of."""

    start: int
    end: int
    kind: str
    """statement, expression or condition"""
    line: tuple[int, int]
    """The whole statement, which a reader wants to see."""
    where: str
    """The function or class around it, as a dotted name."""
    tokens: tuple[Token, ...]
    """What stands in it."""
    deletable: bool = False
    """Whether the rest makes sense without it."""
    negatable: bool = False
    """Whether it decides a branch that may be taken the other way."""


@dataclass(frozen=True)
class Mutation:
    """One change of one spot."""

    file: str
    spot: Spot
    start: int
    end: int
    text: str
    before: str
    """The statement, on one line."""
    after: str
    again: int = 0
    """How many mutations of the same words stand above it in the same function."""

    @property
    def key(self) -> str:
        """A name that stays as long as the statement does."""
        said = "\0".join([self.file, self.spot.where, self.before, self.after, str(self.again)])
        return sha256(said.encode()).hexdigest()[:10]

    def changed(self, source: str) -> str:
        """The spot with the mutation."""
        spot = self.spot
        return source[spot.start : self.start] + self.text + source[self.end : spot.end]


class Edit(NamedTuple):
    start: int
    end: int
    text: str


def one_line(text: str) -> str:
    return " ".join(text.split())


def make_mutation(file: str, source: str, spot: Spot, edit: Edit) -> Mutation:
    first, last = spot.line
    after = source[first : edit.start] + edit.text + source[edit.end : last]
    return Mutation(file, spot, *edit, before=one_line(source[first:last]), after=one_line(after))


MOST = 1 << 16
"""Numbers that mutations can have; 0 is none."""


def by_number(mutations: Iterable[Mutation]) -> dict[int, Mutation]:
    """A number for each, from its key: it stays when others come and go, and so does what is compiled."""
    numbers: dict[int, Mutation] = {}
    for mutation in sorted(mutations, key=lambda each: each.key):
        number = int(mutation.key, 16) % MOST
        while number == 0 or number in numbers:
            number = (number + 1) % MOST
        numbers[number] = mutation
    return numbers


def told_apart(mutations: Iterable[Mutation]) -> Iterator[Mutation]:
    """Counts mutations of the same words."""
    seen: dict[str, int] = {}
    for mutation in mutations:
        again = seen.get(mutation.key, 0)
        seen[mutation.key] = again + 1
        yield Mutation(**{**vars(mutation), "again": again}) if again else mutation
