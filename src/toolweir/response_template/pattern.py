"""The regular expressions of response templates, read as the texts that they match.

Theory of operation. Readers look for fixed texts, so a pattern is of use only if it is made of them: the patterns that
models ship are texts with whitespace between them and a named group or two. Such a pattern is taken apart into its
alternatives, each a sequence of parts; optional parts and `|` multiply them. A named group has to be a run of
characters (`\\w+`, `[^>]+`, `.*?`), whichever they are: where a name ends is the reader's rule. Everything else, such
as text of any kind between two markers, is refused, and the error shows it.
"""

import re
from dataclasses import dataclass

from ..errors import UnknownFormatError

__all__ = ["Group", "Part", "Parts", "Space", "Width0", "read_pattern"]

MOST = 64
"""Alternatives of one pattern."""

RUN = re.compile(r"(?:(?:\.|\\[wWdDS]|\[(?:\\.|[^\]\\])+\])(?:[*+]\??)?)+")
"""The inside of a named group: characters of any class, one or a run of them."""

COUNT = re.compile(r"\{\d*,?\d*\}")

CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v"}

SPACES = re.compile(r"\\s|\[(?:\\[snrt]| )+\]")
"""Classes of whitespace."""


@dataclass(frozen=True, slots=True)
class Space:
    """Whitespace that may stand here; `newline`: one newline at most."""

    newline: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A named group: a run of characters."""

    name: str


@dataclass(frozen=True, slots=True)
class Width0:
    """Matches no text: the end of all text, or (`ahead`) a look at what follows."""

    ahead: bool


Part = str | Space | Group | Width0
Parts = tuple[Part, ...]


def read_pattern(where: str, pattern: str) -> list[Parts]:
    """The alternatives of a pattern, none of them twice.

    Raises UnknownFormatError, which names `where` and what in the pattern is more than texts, whitespace and groups.
    """
    reader = _PatternReader(where, pattern)
    found = reader.alternatives()
    if reader.at < len(pattern):
        raise reader.refusal(pattern[reader.at :])
    return list(dict.fromkeys(map(_joined, found)))


class _PatternReader:
    """Reads by recursive descent; `at` is where."""

    def __init__(self, where: str, pattern: str) -> None:
        self.where = where
        self.pattern = pattern
        self.at = 0

    def refusal(self, text: str) -> UnknownFormatError:
        return UnknownFormatError(
            f"{self.where}: {text!r} in {self.pattern!r} is more than texts, whitespace and named groups"
        )

    def take(self, text: str) -> bool:
        found = self.pattern.startswith(text, self.at)
        self.at += len(text) if found else 0
        return found

    def alternatives(self) -> list[Parts]:
        found = self.sequence()
        while self.take("|"):
            found += self.sequence()
        return found

    def sequence(self) -> list[Parts]:
        found: list[Parts] = [()]
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            atom = self.repeated()
            found = [(*before, *after) for before in found for after in atom]
            if len(found) > MOST:
                raise UnknownFormatError(f"{self.where}: more than {MOST} alternatives in {self.pattern!r}")
        return found

    def repeated(self) -> list[Parts]:
        """An atom, and what says how often it comes."""
        start = self.at
        atom = self.atom()
        blank = all(isinstance(part, Space) or (isinstance(part, str) and not part.strip()) for part in sum(atom, ()))
        if self.take("*") or self.take("+"):
            if not blank:
                raise self.refusal(self.pattern[start : self.at])
            atom = [(Space(),)]
        elif self.take("?"):
            atom = [(Space(newline=True),)] if atom == [("\n",)] else [(Space(),)] if blank else [*atom, ()]
        elif counted := COUNT.match(self.pattern, self.at):
            raise self.refusal(self.pattern[start : counted.end()])
        else:
            return atom
        self.take("?")  # as few as can be: the same texts
        return atom

    def atom(self) -> list[Parts]:
        start = self.at
        spaces = SPACES.match(self.pattern, start)
        if spaces:
            self.at = spaces.end()
            return [(Space(),)]
        if self.take("(?P<"):
            return self.group()
        if self.take("(?="):
            self.inside(start)
            return [(Width0(ahead=True),)]
        if self.take("(?:") or (self.pattern[start : start + 2] != "(?" and self.take("(")):
            return self.inside(start)
        if self.take("$") or self.take("\\Z") or self.take("\\z"):
            return [(Width0(ahead=False),)]
        character = self.pattern[start]
        if character in ".[^*+?(":
            found = RUN.match(self.pattern, start)
            raise self.refusal(found[0] if found else self.pattern[start:])
        self.at += 1
        if character != "\\":
            return [(character,)]
        escaped = self.pattern[self.at : self.at + 1]
        self.at += 1
        if escaped in CONTROLS:
            return [(CONTROLS[escaped],)]
        if not escaped or escaped.isalnum():
            raise self.refusal(self.pattern[start : self.at])
        return [(escaped,)]

    def group(self) -> list[Parts]:
        name, _, _ = self.pattern[self.at :].partition(">")
        self.at += len(name) + 1
        run = RUN.match(self.pattern, self.at)
        if run is None or self.pattern[run.end() : run.end() + 1] != ")":
            raise self.refusal(f"(?P<{name}>{self.pattern[self.at :]}")
        self.at = run.end() + 1
        return [(Group(name),)]

    def inside(self, start: int) -> list[Parts]:
        """The alternatives up to the closing bracket."""
        found = self.alternatives()
        if not self.take(")"):
            raise self.refusal(self.pattern[start:])
        return found


def _joined(parts: Parts) -> Parts:
    """Neighbouring texts as one, neighbouring whitespace too."""
    joined: list[Part] = []
    for part in parts:
        last = joined[-1] if joined else None
        if isinstance(part, str) and isinstance(last, str):
            joined[-1] = last + part
        elif isinstance(part, Space) and isinstance(last, Space):
            joined[-1] = Space()
        else:
            joined.append(part)
    return tuple(joined)
