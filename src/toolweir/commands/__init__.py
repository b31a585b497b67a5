"""The commands of the command line, one module each.

A command has NAME, HELP (one line), a docstring (its description), `add_arguments(parser)` and `run(arguments)`, which
returns the exit status.
"""

from argparse import ArgumentParser, Namespace
from typing import Protocol

from . import check, dispatch, formats, parse, parse_many, scan, stream

__all__ = ["COMMANDS", "Command"]


class Command(Protocol):
    """What a module of this package offers."""

    NAME: str
    HELP: str
    __doc__: str | None

    def add_arguments(self, parser: ArgumentParser, /) -> None:
        """Declare the command's arguments."""

    def run(self, arguments: Namespace, /) -> int:
        """Do it; returns the exit status."""


COMMANDS: tuple[Command, ...] = (stream, parse, parse_many, dispatch, check, scan, formats)
