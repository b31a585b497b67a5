"""A model writes a file, token by token, and its tool call streams while it is written.

    python examples/demo.py [RATE]          tokens a second, 90 if not given

Shows the recording write_file.txt as `toolweir stream` would, and then how much earlier the first piece of the
arguments was there than a parser that waits for the whole call could have had it.
"""

import sys
from pathlib import Path

from toolweir import ArgumentsDelta, Event, StreamParser, ToolCallEnd
from toolweir.commands.reading import read_tools
from toolweir.commands.recording import TOKEN, read_tokens
from toolweir.commands.stream import View, play, view_for

HERE = Path(__file__).parent
RATE = 90.0


class Watch:
    """Hands everything on to a view and notes when arguments came, in characters read."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.first = self.last = 0

    def show(self, text: str, events: tuple[Event, ...], parser: StreamParser) -> None:
        """Note the first arguments and the end of the call."""
        for event in events:
            if isinstance(event, ArgumentsDelta) and not self.first:
                self.first = parser.offset
            elif isinstance(event, ToolCallEnd):
                self.last = parser.offset
        self.view.show(text, events, parser)

    def close(self, parser: StreamParser) -> None:
        """The stream ended."""
        self.view.close(parser)


def main() -> None:
    """Play the recording and print the comparison."""
    rate = float(sys.argv[1]) if len(sys.argv) > 1 else RATE
    parser = StreamParser("hermes", tools=read_tools(str(HERE / "write_file_tools.json")))
    watch = Watch(view_for("hermes"))
    play(parser, read_tokens(str(HERE / "write_file.txt"), rate), "stop", watch)
    early = watch.last - watch.first
    pace = TOKEN * rate
    print(f"\nFirst piece of the arguments: after {watch.first:,} characters, {watch.first / pace:.1f} s.")
    print(f"Waiting for the whole call:   after {watch.last:,} characters, {watch.last / pace:.1f} s.")
    print(f"Streaming was {early:,} characters, {early / pace:.1f} s, earlier (at {rate:g} tokens a second).")


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(1)
