"""Streams a recording through the parser: on a terminal as a live view, else as one JSON event a line.

The last line of the JSON is the result. With --as the output is what a server of that API would send. With --rate the
tokens come at the pace of a model.
"""

import json
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from typing import Protocol

from ..events import Event
from ..formats import format_info
from ..parser import StreamParser
from .reading import add_parser_arguments, feed, make_parser, split_special
from .recording import Token, read_tokens

__all__ = ["HELP", "NAME", "JsonLines", "View", "add_arguments", "play", "result_line", "run", "view_for"]

APIS = ("chat", "responses", "messages")
NAME = "stream"
HELP = "events of a recording, as they come"


encode = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps would make one for every line


class View(Protocol):
    """Shows a stream."""

    def show(self, text: str, events: tuple[Event, ...], parser: StreamParser) -> None:
        """Take a token and its events, and at last '' and those of the end; `parser` stands behind it."""

    def close(self, parser: StreamParser) -> None:
        """The stream ended, or was broken off: then the parser has no finish reason."""


class JsonLines:
    """One JSON object a line; who waits for more of the text flushes what is written."""

    def show(self, text: str, events: tuple[Event, ...], parser: StreamParser) -> None:
        """Write the events."""
        if events:
            sys.stdout.write("".join([encode(event.to_dict()) + "\n" for event in events]))

    def close(self, parser: StreamParser) -> None:
        """Write the result, unless the stream was broken off."""
        if parser.result.finish_reason is not None:
            print(result_line(parser), flush=True)


def result_line(parser: StreamParser) -> str:
    """The parser's result as a line of JSON."""
    result = parser.result
    values = {name: getattr(result, name) for name in result.__dataclass_fields__}
    return encode({"type": "result", **values})


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_parser_arguments(parser)
    parser.add_argument("-r", "--rate", type=_rate, metavar="N", help="tokens a second (default: as fast as they come)")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="JSON lines on a terminal too")
    shape.add_argument("--as", dest="api", choices=APIS, help="server-sent events, as a server of this API would send")


def run(arguments: Namespace) -> int:
    """Stream the recording."""
    parser = make_parser(arguments)
    tokens = read_tokens(arguments.file, arguments.rate, sys.stdout.flush, replace=arguments.replace)
    if arguments.special:
        tokens = split_special(tokens, format_info(arguments.format).special_tokens)
    play(parser, tokens, arguments.finish, view_of(arguments))
    return 0


def view_of(arguments: Namespace) -> View:
    """The view that the arguments ask for."""
    if arguments.api is not None:
        from ..wire.command import WireView  # the other views have no need of it

        return WireView(arguments.api)
    return JsonLines() if arguments.json else view_for(arguments.format)


def view_for(format: str) -> View:
    """The live view if standard output is a terminal that can move its cursor, JSON lines for everything else."""
    if not sys.stdout.isatty() or os.environ.get("TERM") in ("dumb", "unknown"):
        return JsonLines()
    from ..live import LiveView  # rich takes longer to import than everything else together

    return LiveView(format_info(format))


def play(parser: StreamParser, tokens: Iterator[Token], finish: str, view: View) -> None:
    """Feed the tokens and show what comes of each."""
    try:
        for token in tokens:
            view.show(token.text, feed(parser, token), parser)
        view.show("", parser.finish(finish), parser)
    finally:
        view.close(parser)


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0 < rate < float("inf"):
        raise ArgumentTypeError(f"expected a number of tokens a second above 0, got {text!r}")
    return rate
