"""How long does a parser wait, against how long it has to? `python tests/wait_oracle.py --format hermes --depth 2`.

Theory of operation. A character has to wait only while continuations disagree on it. So for a prefix of a text the
oracle asks for two witnesses: continuations, the end of the text among them, whose events differ at the very first
thing that is still held. Where it finds them the parser was right to wait. Where every continuation it can think of
agrees on what comes next, that much is held beyond the oracle: a `Wait`.

The parser itself says what a continuation gives, so the oracle needs no second reading of the grammar, and a poor
choice of continuations can only accuse a parser, never acquit it. Two ends of a text testify to nothing: a call that
the end cut short says only that nothing more of it came, so that what is held of it is dropped there. Such an end is
no witness against what would have followed.

Prefixes are all cuts, by character, of texts and of what becomes of them when a symbol of the format's alphabet stands
where it does not belong: its markers whole and in halves, quotes, brackets, names, whitespace. Every prefix is tried with
the rest of the text, with what completes a marker that has begun, and with the alphabet, up to two symbols on.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from case_files import all_cases

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
from toolweir.options import read_format

Atom = tuple[Any, ...]
"""A character of a channel, or an event that is no delta: what goes out at once or not at all."""


def atoms(events: Iterable[Any]) -> list[Atom]:
    """Events as atoms; spans left out, for they say where something stands and not what it is."""
    found: list[Atom] = []
    for event in events:
        match event:
            case ContentDelta(text) | ReasoningDelta(text):
                kind = "content" if isinstance(event, ContentDelta) else "reasoning"
                found += [(kind, character) for character in text]
            case ArgumentsDelta(index, text):
                found += [("arguments", index, character) for character in text]
            case ToolCallStart(index, id, name, position):
                found.append(("start", index, id, name, position))
            case ToolCallEnd(index, status, _, reason):
                found.append(("end", index, str(status), str(reason)))
            case MalformedCall(raw, reason):
                found.append(("malformed", raw, str(reason)))
            case ToolCallSkipped(position, name, reason):
                found.append(("skipped", position, name, str(reason)))
    return found


@dataclass(slots=True)
class Agreement:
    """What the continuations so far agree on; `open` while none of them has said that nothing follows it."""

    said: list[Atom] = field(default_factory=list)
    open: bool = True

    def hear(self, said: list[Atom]) -> bool:
        """Take in what one continuation gives; True while there is something that all agree on."""
        open = bool(said) and said[-1][0] == "end" and said[-1][2:] == ("incomplete", "text_ended")
        if open:
            said = said[:-1]
        for at, (mine, other) in enumerate(zip(self.said, said, strict=False)):
            if mine != other:
                self.said, self.open = self.said[:at], False
                return at > 0
        if len(said) == len(self.said):
            self.open = self.open and open
        elif len(said) > len(self.said):
            if self.open:
                self.said, self.open = said, open
        elif not open:
            self.said, self.open = said, False
        return self.open or bool(self.said)


@dataclass(frozen=True, slots=True)
class Wait:
    """Held beyond the oracle: behind this prefix every continuation agrees on what is held."""

    format: str
    scene: str
    prefix: str
    held: tuple[Atom, ...]

    def __str__(self) -> str:
        return f"{self.format} [{self.scene}] {self.prefix!r} holds {held_text(self.held)}"


def held_text(held: Iterable[Atom]) -> str:
    """Atoms as a line that people can read."""
    parts: list[tuple[str, str]] = []
    for atom in held:
        kind = str(atom[0])
        if kind in ("content", "reasoning", "arguments"):
            if parts and parts[-1][0] == kind:
                parts[-1] = (kind, parts[-1][1] + atom[-1])
            else:
                parts.append((kind, atom[-1]))
        else:
            parts.append((kind, " ".join(map(str, atom[1:]))))
    return ", ".join(f"{kind} {text!r}" for kind, text in parts)


# Alphabets

WORDS = ("value_whitespace", "prefer", "integers", "due", "role", "thoughts", "people", "verbatim_value")
"""Options of openers whose texts are no markers."""

STRUCTURE = (
    "{", "}", "[", "]", "(", ")", ",", ":", ";", "=", '"', "'", "`", "\\\"", "\\", "\n", " ", "x", "0", "<", "</", ">", "|",
)  # fmt: skip
PHRASES = (
    "\n\n", "\\n", "\\u00e", "f", "get_weather", "city", "other", '{"', '": ', '"name": "f"', '"arguments": {', '"id": "i1"', "1}", '"s"',
    "{}", "[]", "null", "true", "False", "1.5", "-", "é", "STOP", "\\\"",
)  # fmt: skip

CLOSING = {"{": "}", "[": "]"}

CALLS = (
    '{"name": "NAME", "arguments": {"city": "x"}}',
    '{"arguments": {"city": "x"}, "name": "NAME"}',
    '{"type": "function", "function": {"id": "i1", "name": "NAME"}}',
    '[{"name": "NAME", "arguments": {}}]',
    '.NAME", "arguments": {}}',
)

QUOTED = [
    start + quote
    for start in ('"x": "', ', "x": "', ': "', '": "', ' "', ': {"x": "', '{"x": "')
    for quote in ("`", '\\"', "'", "`x", '\\"x', "'x")
]
"""Quotes that no grammar asks for, wherever in an object a text may stop."""


def texts_in(value: Any) -> Iterator[str]:
    """Every text in nested options."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from texts_in(part)


def markers_of(name: str) -> tuple[str, ...]:
    """Everything a format names: openers, closers, tags, separators, markers of thoughts, ends of turn."""
    spec = read_format(name)
    found = [*spec.end_of_turn, *spec.markup, *texts_in(spec.reasoning)]
    for opener in spec.openers:
        found += [opener.marker, *opener.closers]
        found += [text for key, value in opener.options.items() if key not in WORDS for text in texts_in(value)]
    marks = {"channel", "type", "body", "start", "end", "arguments", "id"}
    return tuple(dict.fromkeys(text for text in found if text and text not in marks))


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Symbols of a format under some options."""

    markers: tuple[str, ...]
    symbols: tuple[str, ...]
    halves: tuple[str, ...]
    """Of markers: they deviate a text, but complete none."""
    whole: tuple[str, ...]
    """Whole calls: they complete what has begun."""
    names: tuple[str, ...]

    @classmethod
    def of(cls, name: str, options: dict[str, Any]) -> "Alphabet":
        markers = markers_of(name)
        halves = dict.fromkeys(marker[: len(marker) // 2] for marker in markers if len(marker) > 3)
        names = [tool["name"] for tool in options.get("tools") or ({"name": "f"},)]
        example = toolweir.format_info(name).example
        whole = [example.replace("get_weather", known) for known in names]
        whole += [template.replace("NAME", known) for template in CALLS for known in names]
        symbols = [*markers, *options.get("stop", ()), *STRUCTURE, *PHRASES, *names]
        return cls(markers, tuple(dict.fromkeys(symbols)), tuple(halves), tuple(whole), tuple(names))

    def completions(self, prefix: str) -> list[str]:
        """What is left of each symbol that the prefix ends in the head of, longest head first."""
        found = []
        for symbol in (*self.symbols, *self.whole):
            for size in range(min(len(symbol) - 1, len(prefix)), 0, -1):
                if prefix.endswith(symbol[:size]):
                    found.append((-size, symbol[size:]))
        return [rest for _, rest in sorted(found)] + self.late_names(prefix)

    def late_names(self, prefix: str) -> list[str]:
        """What closes the values of an object that has begun, and then names the tool."""
        found = []
        for start in {prefix.find("{"), prefix.rfind("{")} - {-1}:
            in_string, open = False, ""
            for at in range(start, len(prefix)):
                character = prefix[at]
                if character == '"' and prefix[at - 1] != "\\":
                    in_string = not in_string
                elif not in_string and character in "{[":
                    open = CLOSING[character] + open
                elif not in_string and open.startswith(character):
                    open = open[1:]
            for value in ('"',) if in_string else ("", "1", ": 1", '"x": 1', ', "x": 1'):
                for known in self.names:
                    found += [f'{value}{more}{open[:-1]}, "name": "{known}"}}' for more in ("", ": 1")]
        return found

    def tails(self, rest: str) -> list[str]:
        """The rest of a text from each marker in it on: what may follow something else."""
        starts = {at for marker in self.markers for at in range(len(rest)) if rest.startswith(marker, at)}
        return [rest[at:] for at in sorted(starts)]


# The oracle


@dataclass(slots=True)
class Count:
    prefixes: int = 0
    continuations: int = 0
    waits: list[Wait] = field(default_factory=list)

    @property
    def held(self) -> int:
        """Characters held beyond the oracle, summed over all prefixes."""
        return sum(len(wait.held) for wait in self.waits)


class Oracle:
    """Looks at prefixes of one format under one set of options."""

    def __init__(self, format: str, scene: str, alphabet: Alphabet, count: Count, patience: int = 4000):
        self.format, self.scene, self.alphabet, self.count = format, scene, alphabet, count
        self.patience = patience
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
            said += atoms(other.finish("stop"))
            if not agreed.hear(said):
                return
        self.count.waits.append(Wait(self.format, self.scene, prefix, tuple(agreed.said)))

    def continuations(self, prefix: str, rest: str) -> Iterator[str]:
        yield ""
        yield rest
        yield "x"
        if self.lucky:  # what convinced last time often does again
            left, symbol = self.lucky
            yield rest[: max(0, len(rest) - left)] + symbol
        completions = self.alphabet.completions(prefix)
        yield from completions
        yield from self.alphabet.symbols
        yield from self.alphabet.whole
        yield from QUOTED
        for left in range(len(rest) - 1, 0, -1):
            for symbol in (*STRUCTURE, "`x", "'x", '"x'):
                self.lucky = left, symbol
                yield rest[: len(rest) - left] + symbol
        self.lucky = None
        firsts = [*completions, *self.alphabet.symbols]
        for first in firsts:
            yield first + rest
        for tail in self.alphabet.tails(rest):
            for first in firsts:
                yield first + tail
        for _, (first, second) in zip(
            range(self.patience), product(firsts, ["x", *self.alphabet.symbols]), strict=False
        ):
            yield first + second

    def walk(self, parser: StreamParser, prefix: str, text: str, rest: str = "") -> StreamParser:
        """A copy of the parser that has read the text too, looked at behind each character."""
        parser = parser.copy()
        for at, character in enumerate(text, 1):
            feed(parser, character)
            prefix += character
            self.look(parser, prefix, text[at:] + rest)
        return parser

    def deviate(
        self, parser: StreamParser, prefix: str, rest: str, depth: int, rng: random.Random | None, share: float
    ):
        """Look at what follows if symbols, up to `depth` of them, stand here."""
        for symbol in (*self.alphabet.symbols, *self.alphabet.halves):
            if rng is not None and rng.random() > share:
                continue
            other = self.walk(parser, prefix, symbol, rest)
            if depth > 1:
                self.deviate(other, prefix + symbol, rest, depth - 1, rng, share)

    def explore(self, parser: StreamParser, text: str, depth: int, rng: random.Random | None, share: float) -> None:
        """All cuts of a text, and the deviations from it at each."""
        parser = parser.copy()
        self.look(parser, "", text)
        for at in range(len(text) + 1):
            prefix, rest = text[:at], text[at:]
            if at:
                feed(parser, text[at - 1])
                self.look(parser, prefix, rest)
            if depth:
                self.deviate(parser, prefix, rest, depth, rng, share)


def feed(parser: StreamParser, text: str) -> tuple[Any, ...]:
    return parser.feed(text) if text else ()


# What is looked at


def tool(schema: dict[str, Any] | None) -> list[dict[str, Any]]:
    properties = {} if schema is None else {"properties": {"city": schema}}
    return [{"name": "get_weather", "parameters": {"type": "object", **properties}}, {"name": "f"}]


STRING = tool({"type": "string"})
SCENES: dict[str, dict[str, Any]] = {
    "no tools known": {},
    "string": {"tools": STRING},
    "integer": {"tools": tool({"type": "integer"})},
    "boolean": {"tools": tool({"type": "boolean"})},
    "object": {"tools": tool({"type": "object"})},
    "array": {"tools": tool({"type": "array"})},
    "string or null": {"tools": tool({"type": ["string", "null"]})},
    "enum": {"tools": tool({"enum": ["Oslo", 1, None]})},
    "untyped": {"tools": tool(None)},
    "streamed object": {"tools": tool({"type": ["object", "array"]}), "stream_values": True},
    "value kept": {"tools": STRING, "value_whitespace": "keep"},
    "value trimmed": {"tools": STRING, "value_whitespace": "trim"},
    "value without a newline": {"tools": STRING, "value_whitespace": "one_newline"},
    "spaced": {"tools": STRING, "argument_style": "spaced"},
    "guided": {"tools": STRING, "output": "guided"},
    "guided by name": {"tools": STRING, "output": "guided", "tool_choice": {"name": "get_weather"}},
    "guided, started": {"tools": STRING, "output": "guided", "reasoning": "started"},
    "started": {"tools": STRING, "reasoning": "started"},
    "reasoning off": {"tools": STRING, "reasoning": "off"},
    "calls in thoughts": {"tools": STRING, "reasoning": "started", "calls_in_reasoning": True},
    "no calls in thoughts": {"tools": STRING, "reasoning": "started", "calls_in_reasoning": False},
    "drop": {"tools": [{"name": "f"}], "unknown_tools": "drop"},
    "text": {"tools": [{"name": "f"}], "unknown_tools": "text"},
    "none": {"tools": STRING, "tool_choice": "none"},
    "named": {"tools": STRING, "tool_choice": {"name": "f"}},
    "one call": {"tools": STRING, "parallel_tool_calls": False},
    "stop": {"tools": STRING, "stop": ["STOP", "O\n"]},
    "trim": {"tools": STRING, "trim": True},
    "trim, started": {"tools": STRING, "trim": True, "reasoning": "started"},
    "broken as text": {"tools": STRING, "malformed_as_text": True},
    "strict": {"tools": STRING, "strict": True},
}  # fmt: skip

VALUES = (
    "42",
    "4.0",
    "true",
    "None",
    "null",
    '"Oslo"',
    '["a", 1]',
    '{"a": [true]}',
    "{'a': 1}",
    "\nOslo\n",
    " a ",
    "Osl",
    "",
)
"""Values that stand in the place of a format's example's one."""


def base_texts(name: str) -> list[str]:
    """The format's example alone, in prose, behind a thought, between quotes, twice, and with other values."""
    info = toolweir.format_info(name)
    example = info.example
    found = [example, f"So:\n\n{example}\n\nok. ", f'a "{example}" b', f"`{example}", example + "\n" + example]
    found += [f"{opener}a{closer}\n{example}" for opener, closer in info.reasoning_markers[:1]]
    found += [f"{opener}a {example} b{closer} c" for opener, closer in info.reasoning_markers[:1]]
    found += [f"a{closer}{example}" for _, closer in info.reasoning_markers[:1]]
    return found


def value_texts(name: str) -> list[str]:
    example = toolweir.format_info(name).example
    quoted = '"Oslo"' if '"Oslo"' in example else "Oslo"
    return [example.replace(quoted, value) for value in VALUES]


def make(format: str, options: dict[str, Any]) -> StreamParser:
    return StreamParser(format, make_id=lambda index, name: f"made_{index}", **options)


def examine(format: str, depth: int, share: float, seed: int, scenes: Iterable[str] = SCENES) -> Count:
    """Every scene, its texts and a share of the deviations from them; then the format's case files."""
    count = Count()
    for scene in scenes:
        options = SCENES[scene]
        rng = None if share >= 1 else random.Random(f"{seed} {format} {scene}")
        oracle = Oracle(format, scene, Alphabet.of(format, options), count)
        parser = make(format, options)
        for text in [*base_texts(format), *value_texts(format)]:
            oracle.explore(parser, text, depth, rng, share)
    for case in all_cases():
        if case.format == format:
            oracle = Oracle(format, case.name, Alphabet.of(format, case.options), count)
            oracle.explore(make(format, case.options), case.text, 0, None, 1)
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--format", choices=toolweir.formats(), action="append", help="default: all")
    parser.add_argument("--scene", choices=list(SCENES), action="append", help="default: all")
    parser.add_argument("--depth", type=int, default=1, help="symbols that stand where they do not belong (default 1)")
    parser.add_argument(
        "--share", type=float, default=1, help="share of the deviations that is looked at (default all)"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=20, help="waits shown a format")
    arguments = parser.parse_args()
    failed = 0
    for format in arguments.format or toolweir.formats():
        count = examine(format, arguments.depth, arguments.share, arguments.seed, arguments.scene or SCENES)
        print(
            f"{format}: {count.prefixes} prefixes, {count.continuations} continuations, {count.held} held", flush=True
        )
        for wait in sorted(count.waits, key=lambda wait: len(wait.prefix))[: arguments.show]:
            print(f"    {wait}")
        failed += len(count.waits)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
