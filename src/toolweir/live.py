"""The live view of a stream on a terminal: what came in, what was understood of it, and what is held and why.

Theory of operation. While the stream runs, the view has the terminal's other screen to itself and draws the end of
everything: on the left the text as the model wrote it, its held part marked; on the right the passages that it was
understood as; below them what the parser waits for. A thread of rich draws at its own pace, so that a fast stream is
not slowed down and the last token before a pause is seen; it reads what `show` left for it, never the parser. When all
is over the terminal shows what it showed before, and behind that the passages, to be read and scrolled back to.
"""

import threading
from collections.abc import Iterable

from rich.console import Console, Group
from rich.layout import Layout
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from .events import Event
from .formats import FormatInfo
from .outcomes import Hold
from .parser import StreamParser
from .passages import Passages, Tail, folded, printable, tail_of

__all__ = ["LiveView", "reason_in_words"]

DRAWN = 12
"""Times a second; more than anyone sees would only slow the stream down."""

NARROW = 72
"""Columns below which the two sides do not stand side by side."""

LOW = 14
"""Rows below which they do not stand one above the other."""

NEWLINE = "\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}"

WORDS = {
    Hold.MARKER: "may become a marker",
    Hold.OPENER: "a call, if the next visible character fits",
    Hold.QUOTE: "a marker that quotes may enclose: is it meant?",
    Hold.NAME: "a call has begun, its name is not certain yet",
    Hold.VALUE: "a value whose type is open",
    Hold.AFTER_CALL: "behind a call: its end, another call or text",
    Hold.WHITESPACE: "whitespace, which goes if a marker follows",
    Hold.LINE: "a stray tag: text if the line goes on",
    Hold.BROKEN: "a broken call, gathered up to its end",
}


def markers_of(info: FormatInfo) -> tuple[str, ...]:
    """Every text that the format gives a meaning, in the order in which they are likely."""
    thoughts = [text for pair in info.reasoning_markers for text in pair]
    return tuple(dict.fromkeys([*info.markers, *thoughts, *info.special_tokens, *info.end_of_turn]))


def reason_in_words(why: Hold | None, held: str, markers: Iterable[str]) -> str:
    """Why this text is held, as a person would say it."""
    if why is None:
        return "nothing is held"
    if why is Hold.MARKER and (meant := _begun(held, markers)):
        more = f" or {len(meant) - 2} others" if len(meant) > 2 else ""
        return f"may become {' or '.join(meant[:2])}{more}"
    if why is Hold.VALUE and held.lstrip().startswith("<"):
        return "may be the tag that ends the value"
    if why is Hold.VALUE and held.startswith("\\"):
        return "an escape that is not complete"
    if why is Hold.VALUE and held.isspace():
        return "whitespace, which the end of the value may drop"
    return WORDS[why]


def _begun(held: str, markers: Iterable[str]) -> list[str]:
    """The markers of which the end of the held text is the longest head."""
    found: dict[int, list[str]] = {}
    for marker in markers:
        for count in range(min(len(marker) - 1, len(held)), 0, -1):
            if held.endswith(marker[:count]):
                found.setdefault(count, []).append(marker)
                break
    return found[max(found)] if found else []


class LiveView:
    """Shows a stream from its first token to `close`."""

    def __init__(self, info: FormatInfo, console: Console | None = None) -> None:
        self.info = info
        self.markers = markers_of(info)
        self.console = console or Console(highlight=False)
        self.raw = Tail()
        self.passages = Passages()
        self.held = ""
        self.why: Hold | None = None
        self._lock = threading.Lock()
        self._live = Live(console=self.console, get_renderable=self.frame, screen=True, refresh_per_second=DRAWN)
        self._live.start()

    def show(self, text: str, events: tuple[Event, ...], parser: StreamParser) -> None:
        """Take a token and its events."""
        with self._lock:
            self.raw.add(text)
            self.passages.take(events)
            self.held = parser.held
            self.why = parser.held_because

    def close(self, parser: StreamParser) -> None:
        """Give the terminal back and print what was understood."""
        self._live.stop()
        self.passages.end_call("broken off", "yellow")
        self.passages.print(self.console)
        result = parser.result
        if result.finish_reason is None:
            return
        told = [f"finish reason {result.finish_reason}", f"{result.complete} of {result.calls} calls complete"]
        told += [f"stopped by {result.stop_sequence!r}"] if result.stop_sequence else []
        told += [f"warnings: {', '.join(result.warnings)}"] if result.warnings else []
        self.console.print(Text("; ".join(told), style="dim"))

    def frame(self) -> Layout:
        """One picture of the stream, as large as the terminal."""
        width, height = self.console.size
        narrow = width < NARROW and height >= LOW
        rows = height - 3
        upper = rows // 2 if narrow else rows
        lower = rows - upper if narrow else rows
        left = width if narrow else width * 2 // 5
        right = width if narrow else width - left
        with self._lock:
            raw = self._raw(max(1, left - 4), max(1, upper - 2))
            understood = self.passages.lines(self.console, max(1, right - 4), max(1, lower - 2))
            holding = self._holding(max(1, width - 4))
            title = f"written: {self.raw.size:,} characters"
        sides = Layout(name="sides")
        one = Layout(_panel(title, raw), size=upper if narrow else left)
        two = Layout(_panel(f"understood: {self.info.name}", understood))
        if narrow:
            sides.split_column(one, two)
        else:
            sides.split_row(one, two)
        whole = Layout()
        whole.split_column(sides, Layout(_panel("held", [holding]), size=3))
        return whole

    def _raw(self, width: int, most: int) -> list[Text]:
        """The last lines of the text as it came in; the held part, which is always its end, is marked."""
        text = self.raw.text
        sent = tail_of(text[: max(0, len(text) - len(self.held))], self.raw.size - len(self.held), width, most)
        held = tail_of(self.held, len(self.held), width, most)
        shown = Text.assemble(printable(sent), (printable(held).replace("\n", f"{NEWLINE}\n"), "reverse yellow"))
        return list(folded(shown, width))[-most:]

    def _holding(self, width: int) -> Text:
        words = reason_in_words(self.why, self.held, self.markers)
        if not self.held:
            return Text(words, style="dim")
        most = max(8, width - len(words) - 3)
        held = printable(self.held).replace("\n", NEWLINE)
        held = held if len(held) <= most else f"...{held[3 - most :]}"
        return Text.assemble((held, "reverse yellow"), f"  {words}", no_wrap=True, overflow="ellipsis")


def _panel(title: str, lines: list[Text]) -> Panel:
    return Panel(Group(*lines), title=title, title_align="left", border_style="bright_black")
