"""Validates JSON from a stream and says at which byte it breaks; text after the first value counts as a break.

Exit status 1 if it is not one whole JSON value.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from contextlib import closing

from ..scan.json_scanner import INVALID, NEED_DATA, TOO_DEEP, JsonScanner
from .recording import blocks

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "scan"
HELP = "whether a stream is one JSON value, and where it breaks"

JSON_SPACE = b" \t\r\n"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="JSON text; - is standard input")


def run(arguments: Namespace) -> int:
    """Read up to the end of the value, or to the byte that breaks it."""
    with closing(blocks(arguments.file)) as text:
        status, words = _verdict(text)
    print(words)  # when the bar is gone
    return status


def _verdict(text: Iterable[bytes]) -> tuple[int, str]:
    scanner = JsonScanner()
    ended = False
    read, line, column = 0, 1, 1
    for block in text:
        taken = 0
        trouble = ""
        if not ended:
            answer = scanner.feed(block)
            taken = scanner.taken if answer < 0 else answer
            ended = answer >= 0
            trouble = {INVALID: "JSON does not allow", TOO_DEEP: "too many open containers at"}.get(answer, "")
            if answer == NEED_DATA:
                taken = len(block)
        if ended:
            taken = len(block) - len(block[taken:].lstrip(JSON_SPACE))
            trouble = "the value has ended before" if taken < len(block) else ""
        before = block[:taken]
        line += before.count(b"\n")
        column = len(before) - before.rfind(b"\n") if b"\n" in before else column + len(before)
        read += taken
        if trouble:
            byte = ascii(chr(block[taken])) if block[taken] < 0x80 else f"byte 0x{block[taken]:02x}"
            return 1, f"line {line}, column {column}, byte {read}: {trouble} {byte}"
    if not scanner.end():
        return 1, f"the text ends after {read} bytes, {scanner.depth} open containers, before the value does"
    return 0, f"one JSON value in {read} bytes"
