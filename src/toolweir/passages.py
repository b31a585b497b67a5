"""What was understood of a stream, as passages for people to read: content, reasoning, calls and what was none.

Memory stays flat: of a long passage its end is kept, and of many passages the last ones.
"""

import re
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rich.cells import chop_cells
from rich.console import Console
from rich.text import Text

from .events import (
    ArgumentsDelta,
    ContentDelta,
    Event,
    MalformedCall,
    ReasoningDelta,
    ToolCallEnd,
    ToolCallSkipped,
    ToolCallStart,
)

__all__ = ["Passage", "Passages", "Tail", "folded", "printable", "tail_of"]

KEPT = 64 * 1024
"""Characters kept of a passage."""

MOST = 128
"""Passages kept."""

HEAD, FOOT = 6, 6
"""Lines of an ended call that are shown when all is over."""

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
ESCAPE = re.compile(r'\\(["\\/nt])')
READABLE = {"n": "\n", "t": "\t"}

STYLES = {"content": "default", "reasoning": "italic bright_black"}
EDGE = "\N{BOX DRAWINGS LIGHT VERTICAL} "


def printable(text: str) -> str:
    """The text without control characters: a model's words must not move the cursor or change colours."""
    return CONTROL.sub(_picture, text).replace("\t", "    ")


def _picture(control: re.Match[str]) -> str:
    # Unicode has pictures of the C0 controls, in their order.
    return chr(0x2400 + ord(control[0])) if control[0] < " " else "\N{REPLACEMENT CHARACTER}"


def readable(arguments: str) -> str:
    """Arguments with the commonest escapes undone, for reading only: a file's lines are lines again."""
    return ESCAPE.sub(lambda found: READABLE.get(found[1], found[1]), arguments)


def tail_of(text: str, size: int, width: int, rows: int) -> str:
    """The end of a text that has grown to `size` characters, enough of it for these rows.

    It begins with a line, or else where it will begin for a while: what is shown must not crawl as the text grows.
    """
    most = width * rows
    start = len(text) - most
    if start <= 0:
        return text
    line = text.rfind("\n", max(0, start - most), start)
    return text[line + 1 if line >= 0 else max(0, start - (size - most) % most) :]


def folded(text: Text, width: int) -> Iterator[Text]:
    """The lines of a text as a terminal shows them: cut where the width ends, nothing left out."""
    for line in text.split("\n", allow_blank=True):
        at, cuts = 0, []
        for part in chop_cells(line.plain, width)[:-1]:
            at += len(part)
            cuts.append(at)
        yield from line.divide(cuts) if cuts else (line,)


class Tail:
    """The end of a text that grows."""

    __slots__ = ("_kept", "_pieces", "size")

    def __init__(self) -> None:
        self.size = 0
        self._kept = 0
        self._pieces: list[str] = []

    def add(self, text: str) -> None:
        """Take more of the text."""
        self.size += len(text)
        self._kept += len(text)
        self._pieces.append(text)
        if self._kept > 2 * KEPT:
            self._join()

    @property
    def text(self) -> str:
        """The last KEPT characters, all if there are not more."""
        self._join()
        return self._pieces[0]

    def _join(self) -> None:
        text = "".join(self._pieces)[-KEPT:]
        self._kept = len(text)
        self._pieces = [text]


@dataclass(slots=True)
class Passage:
    """A run of content or reasoning, a call, or what was no call."""

    kind: str
    title: str = ""
    state: str = ""
    colour: str = "cyan"
    tail: Tail = field(default_factory=Tail)
    began: float = field(default_factory=time.monotonic)

    @property
    def heading(self) -> Text:
        """What stands above a call."""
        sign = {"cyan": "\N{BLACK RIGHT-POINTING SMALL TRIANGLE}", "green": "\N{CHECK MARK}"}.get(self.colour, "✗")
        told = f"{self.tail.size:,} characters, {self.state}" if self.kind == "call" else self.state
        return Text.assemble((f"{sign} {printable(self.title)}  ", f"bold {self.colour}"), (told, "dim"))

    @property
    def blank(self) -> bool:
        """Is there nothing to see?"""
        return self.kind in STYLES and not self.tail.text.strip()

    def lines(self, console: Console, width: int, most: int) -> list[Text]:
        """The last lines of the passage, `most` at the most, a call's heading always among them."""
        if self.kind in STYLES:
            return self._body(console, width, most)
        return [self.heading, *self._body(console, width, most - 1)][:most]

    def print(self, console: Console) -> None:
        """All of a text; of a long call's arguments the first lines and the last."""
        if self.tail.size > KEPT:
            console.print(Text(f"... {self.tail.size - KEPT:,} characters before this", style="dim"))
        if self.kind == "content":
            console.print(Text(printable(self.tail.text.strip("\n"))), soft_wrap=True)
            return
        lines = self._body(console, console.width, KEPT)
        if self.kind != "reasoning":
            console.print(self.heading)
            if len(lines) > HEAD + FOOT + 1:
                left = Text(f"{EDGE}... {len(lines) - HEAD - FOOT:,} lines", style="dim")
                lines = [*lines[:HEAD], left, *lines[-FOOT:]]
        for line in lines:
            console.print(line, no_wrap=True, overflow="ellipsis")

    def _body(self, console: Console, width: int, most: int) -> list[Text]:
        if most <= 0:
            return []
        text = tail_of(self.tail.text.strip("\n"), self.tail.size, width, most)
        if self.kind == "content":
            return list(Text(printable(text)).wrap(console, width))[-most:]
        style = STYLES.get(self.kind, "default")
        words = printable(readable(text) if self.kind == "call" else text)
        edge = (EDGE, style if self.kind == "reasoning" else self.colour)
        lines = list(folded(Text(words, style), max(1, width - len(EDGE)))) if words else []
        return [Text.assemble(edge, line) for line in lines[-most:]]


class Passages:
    """The passages of a turn, the last of which grows."""

    def __init__(self) -> None:
        self.dropped = 0
        self._passages: deque[Passage] = deque()
        self._call: Passage | None = None

    def __iter__(self) -> Iterator[Passage]:
        return iter(self._passages)

    def take(self, events: Iterable[Event]) -> None:
        """Take events of the parser, in their order."""
        for event in events:
            match event:
                case ContentDelta(text):
                    self._running("content").tail.add(text)
                case ReasoningDelta(text):
                    self._running("reasoning").tail.add(text)
                case ToolCallStart(_, _, name):
                    self._call = self._add(Passage("call", name, "growing"))
                case ArgumentsDelta(_, text) if self._call is not None:
                    self._call.tail.add(text)
                case ToolCallEnd(_, status, _, reason):
                    self.end_call(status if reason is None else f"{status} ({reason})", "red" if reason else "green")
                case MalformedCall(raw, reason):
                    self._add(Passage("malformed", f"no call: {reason}", "", "red")).tail.add(raw)
                case ToolCallSkipped(_, name, reason):
                    self._add(Passage("skipped", name, f"skipped: {reason}", "yellow"))

    def end_call(self, state: str, colour: str) -> None:
        """The open call, if there is one, ended like this."""
        if self._call is not None:
            self._call.state = f"{state} after {time.monotonic() - self._call.began:.1f} s"
            self._call.colour = colour
        self._call = None

    def lines(self, console: Console, width: int, most: int) -> list[Text]:
        """The last lines of all, `most` at the most."""
        shown: list[Text] = []
        for passage in reversed(self._passages):
            if passage.blank:
                continue
            if shown:
                shown = [Text(), *shown]
            if len(shown) >= most:
                break
            shown = [*passage.lines(console, width, most - len(shown)), *shown]
        return shown[-most:]

    def print(self, console: Console) -> None:
        """All that is kept."""
        if self.dropped:
            console.print(Text(f"... {self.dropped:,} passages before this\n", style="dim"))
        for passage in self._passages:
            if not passage.blank:
                passage.print(console)
                console.print()

    def _running(self, kind: str) -> Passage:
        last = self._passages[-1] if self._passages else None
        return last if last is not None and last.kind == kind else self._add(Passage(kind))

    def _add(self, passage: Passage) -> Passage:
        self._passages.append(passage)
        if len(self._passages) > MOST:
            self._passages.popleft()
            self.dropped += 1
        return passage
