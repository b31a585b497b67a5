"""The live view of a stream on a terminal.

Theory of operation. What is complete is printed for good and scrolls away: whole lines of text, ended calls. What still
grows (the line being written, the open call, what is held) is redrawn in place below it. Of an open call only the last
lines are shown, so that long arguments scroll inside their frame and never flood the terminal; of an ended one, a short
summary stays.
"""

import re
import time
from dataclasses import dataclass, field

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
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
from .parser import StreamParser

__all__ = ["LiveView"]

TAIL = 8
"""Lines of an open call's arguments that are shown."""

SUMMARY = 3
"""Lines that stay of an ended call."""

KEPT = 32 * 1024
"""Characters kept of an open call, more than any terminal shows."""

STYLES = {"content": "default", "reasoning": "italic bright_black"}

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
ESCAPE = re.compile(r'\\(["\\/nt])')
READABLE = {"n": "\n", "t": "    "}


def printable(text: str) -> str:
    """The text without control characters: a model's words must not move the cursor or change colours."""
    return CONTROL.sub(_picture, text)


def _picture(control: re.Match[str]) -> str:
    # Unicode has pictures of the C0 controls, in their order.
    return chr(0x2400 + ord(control[0])) if control[0] < " " else "\N{REPLACEMENT CHARACTER}"


def readable(arguments: str) -> str:
    """Arguments with the commonest escapes undone, for reading only: a file's lines are lines again."""
    return printable(ESCAPE.sub(lambda found: READABLE.get(found[1], found[1]), arguments))


@dataclass(slots=True)
class OpenCall:
    """What is shown of a call."""

    name: str
    id: str
    began: float = field(default_factory=time.monotonic)
    size: int = 0
    tail: str = ""

    def add(self, text: str) -> None:
        """Take more of the arguments."""
        self.size += len(text)
        self.tail = (self.tail + text)[-KEPT:]

    def title(self, state: str) -> Text:
        """The frame's upper edge."""
        return Text.assemble((printable(self.name), "bold cyan"), (f"  {self.size:,} characters, {state}", "dim"))


class LiveView:
    """Shows text, thoughts and growing calls; a context of rich's Live from the first event to `close`."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False)
        self.live = Live(console=self.console, refresh_per_second=12, transient=True, auto_refresh=False)
        self.live.start()
        self.kind = "content"
        self.line = ""
        self.call: OpenCall | None = None
        self.drawn = 0.0

    def show(self, events: tuple[Event, ...], parser: StreamParser) -> None:
        """Take the events of one token."""
        for event in events:
            self._take(event)
        now = time.monotonic()
        if now - self.drawn > 1 / 20:  # more often than anyone sees would only slow the stream down
            self.live.update(self._growing(parser.held), refresh=True)
            self.drawn = now

    def close(self, parser: StreamParser) -> None:
        """Print what the turn ended with and give the terminal back."""
        self._end_line()
        if self.call is not None:
            self._end_call("broken off", "yellow")
        self.live.update(Group())
        self.live.stop()
        result = parser.result
        if result.finish_reason is None:
            return
        told = [f"finish reason {result.finish_reason}", f"{result.complete} of {result.calls} calls complete"]
        told += [f"stopped by {result.stop_sequence!r}"] if result.stop_sequence else []
        told += [f"warnings: {', '.join(result.warnings)}"] if result.warnings else []
        self.console.print(Text("; ".join(told), style="dim"))

    def _take(self, event: Event) -> None:
        match event:
            case ContentDelta(text):
                self._write("content", text)
            case ReasoningDelta(text):
                self._write("reasoning", text)
            case ToolCallStart(_, id, name):
                self._end_line()
                self.call = OpenCall(name, id)
            case ArgumentsDelta(_, text) if self.call is not None:
                self.call.add(text)
            case ToolCallEnd(_, status, _, reason):
                self._end_call(status if reason is None else f"{status} ({reason})", "red" if reason else "green")
            case MalformedCall(raw, reason):
                self._end_line()
                self._print(self._framed(raw, Text(f"no call: {reason}"), "red", SUMMARY))
            case ToolCallSkipped(_, name, reason):
                self._end_line()
                self._print(Text(f"skipped {printable(name)}: {reason}", style="yellow"))

    def _print(self, whole: RenderableType) -> None:
        # The part that grows was drawn before this ended, and rich draws it again below: it must not show it twice.
        self.live.update(Group(), refresh=True)
        self.console.print(whole)

    def _write(self, kind: str, text: str) -> None:
        if kind != self.kind:
            self._end_line()
            self.kind = kind
        *lines, self.line = (self.line + printable(text)).split("\n")
        for line in lines:
            self._print(Text(line, style=STYLES[kind]))

    def _end_line(self) -> None:
        if self.line.strip():
            self._print(Text(self.line, style=STYLES[self.kind]))
        self.line = ""

    def _end_call(self, state: str, colour: str) -> None:
        if self.call is not None:
            seconds = time.monotonic() - self.call.began
            title = self.call.title(f"{state} after {seconds:.1f} s")
            self._print(self._framed(self.call.tail, title, colour, SUMMARY))
        self.call = None

    def _growing(self, held: str) -> RenderableType:
        parts: list[RenderableType] = []
        if self.call is not None:
            parts.append(self._framed(self.call.tail, self.call.title("growing"), "cyan", TAIL))
        elif self.line:
            # A line without an end must not grow past the screen: the redrawing would leave copies behind.
            parts.append(Text(self.line[-self.console.width * TAIL :], style=STYLES[self.kind]))
        if held:
            shown = printable(held[-self.console.width + 12 :]).replace("\n", "\N{SYMBOL FOR NEWLINE}")
            parts.append(Text.assemble(("held: ", "dim"), (shown, "reverse"), no_wrap=True, overflow="ellipsis"))
        return Group(*parts)

    def _framed(self, text: str, title: Text, colour: str, most: int) -> Panel:
        width = self.console.width - 4
        lines = Text(readable(text[-width * most * 4 :])).wrap(self.console, width)
        body = Text("\n").join(lines[-most:])
        return Panel(body, title=title, title_align="left", border_style=colour, width=self.console.width)
