"""Prints the tool calls of a recorded or running chat completion stream, a JSON line each, as they complete.

Exit status 1 if a call was not dispatched, or the file holds no event; standard error says why.
"""

import sys
from argparse import ArgumentParser, Namespace

from ..dispatch.command import run as dispatch
from .recording import bar_of, open_recording

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "dispatch"
HELP = "the tool calls of a chat completion stream, as they complete"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="server-sent events; - is standard input")


def run(arguments: Namespace) -> int:
    """Read the stream to its end."""
    with open_recording(arguments.file) as file, bar_of(file, printing=True):
        return dispatch(file, sys.stdout, sys.stderr)
