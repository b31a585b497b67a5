"""The command line: `toolweir COMMAND ...`. Each command is a module of toolweir.commands.

Exit status: 0 all is well, 1 the command's answer is no (a broken text, cuts that disagree), 2 it could not run,
130 interrupted, 141 nobody reads the output any more.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from .commands import COMMANDS
from .commands.problem import Problem
from .errors import ToolweirError

__all__ = ["main"]

INTERRUPTED = 130
PIPE_CLOSED = 141


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and end with status 2."""
        self.exit(2, f"{self.prog}: {message} (--help lists what there is)\n")


class Version(argparse.Action):
    """Prints the version; it is only looked up when it is asked for, which takes a while."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Print it and end."""
        from importlib.metadata import version

        print(f"toolweir {version('toolweir')}")
        parser.exit()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name (default: those of the process); returns the exit status."""
    parser = Parser(prog="toolweir", description="Reads what a language model writes and streams its tool calls.")
    parser.add_argument("--version", action=Version, nargs=0, help="show the version and exit")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        added = subparsers.add_parser(command.NAME, help=command.HELP, description=command.__doc__, allow_abbrev=False)
        command.add_arguments(added)
        added.set_defaults(run=command.run)
    read = parser.parse_args(arguments)
    if sys.stdout is None:
        return _complain("standard output: closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A broken locale must not break JSON, and a lone surrogate must not break anything.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status: int = read.run(read)
        sys.stdout.flush()
    except OSError as error:  # of the output: what cannot be read is a Problem
        # What is buffered can go nowhere; without this the interpreter would try again at exit and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return PIPE_CLOSED
        return _complain(f"standard output: {error.strerror or error}")
    except KeyboardInterrupt:
        return INTERRUPTED
    except (Problem, ToolweirError) as error:
        return _complain(str(error))
    return status


def _complain(words: str) -> int:
    print(f"toolweir: {words}", file=sys.stderr)
    return 2
