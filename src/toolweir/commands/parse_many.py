"""Parses a file of generations, one a line, and prints a message for each, as a line of JSON, in the same order.

A line is a text as a JSON string, or an object with the text in one of its fields; blank lines are passed over. Output
goes out as the file is read, so that memory does not grow with it.
"""

import json
import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Any

from ..bulk import AHEAD, in_order
from ..errors import ToolweirError
from ..formats import format_info
from ..parser import StreamParser
from ..tools import Tools
from .parse import as_dict, read_message
from .problem import Problem
from .reading import add_parser_arguments, parser_options
from .recording import blocks, not_utf8, title_of

__all__ = ["HELP", "NAME", "add_arguments", "record_batches", "run"]

NAME = "parse-many"
HELP = "the messages of a file of generations, one a line"

to_json = json.JSONEncoder(ensure_ascii=False).encode


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_parser_arguments(parser)
    many = parser.add_argument_group("the file and how it is read")
    many.add_argument("--field", default="text", metavar="NAME", help="the field with the text (default: text)")
    many.add_argument("--tools-field", metavar="NAME", help="the field with the tools of this one text")
    many.add_argument("-0", "--null", action="store_true", help="texts as they are, each ended by a NUL byte; no JSON")
    many.add_argument("-j", "--jobs", type=_count, default=1, metavar="N", help="processes that parse (default: 1)")


def run(arguments: Namespace) -> int:
    """Print the messages, up to the first line that is none."""
    worker = Worker(arguments)
    batches = record_batches(arguments.file, worker.separator)
    with closing(batches), closing(_outputs(worker, batches, arguments.jobs)) as outputs:
        for lines, problem in outputs:
            sys.stdout.write(lines.decode())
            if problem is not None:
                raise Problem(problem)
    return 0


Batch = tuple[int, bytes]
"""Whole records as they stand in the file, and the number of the first."""

Output = tuple[bytes, str | None]
"""The lines for a batch, and what is wrong with the first record that is none."""


class Worker:
    """Reads batches, here or in another process. Raises for wrong options."""

    def __init__(self, arguments: Namespace) -> None:
        self.options = parser_options(arguments)
        self.format = arguments.format
        self.special = format_info(self.format).special_tokens if arguments.special else ()
        self.finish = arguments.finish
        self.title = title_of(arguments.file)
        self.errors = "replace" if arguments.replace else "strict"
        self.field = arguments.field
        self.tools_field = arguments.tools_field
        self.separator = b"\0" if arguments.null else b"\n"
        StreamParser(self.format, **self.options)

    def read(self, batch: Batch) -> Output:
        """The output for a batch."""
        first, records = batch
        shared = StreamParser(self.format, **self.options)
        lines: list[str] = []
        problem = None
        for number, record in enumerate(records.removesuffix(self.separator).split(self.separator), first):
            try:
                text, tools = self.generation(record)
                if text is None:
                    continue
                parser = shared
                if tools is not None:
                    parser = StreamParser(self.format, **{**self.options, "tools": Tools(tools)})
                lines.append(to_json(as_dict(read_message(parser, text, self.special, self.finish))))
                parser.reset()
            except (Problem, ToolweirError) as error:
                problem = f"{self.title}, line {number}: {error}"
                break
        return "".join([line + "\n" for line in lines]).encode("utf-8", "backslashreplace"), problem

    def generation(self, record: bytes) -> tuple[str | None, Any]:
        """The text of a record, None for a blank line, and the tools that it brings. Raises Problem."""
        try:
            text = record.decode("utf-8", self.errors)
        except UnicodeDecodeError as error:
            raise Problem(not_utf8(error)) from error
        if self.separator == b"\0":
            return text, None
        if not text.strip():
            return None, None
        tools = None
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Problem(f"not JSON: {error}") from error
        if isinstance(value, dict):
            tools = value.get(self.tools_field) if self.tools_field else None
            value = value.get(self.field)
        if not isinstance(value, str):
            raise Problem(f"expected a JSON string, or an object with one in `{self.field}`")
        return value, tools


def record_batches(path: str, separator: bytes) -> Generator[Batch, None, None]:
    """The file in batches of whole records, about a block each: far more work than it is to hand them on."""
    number = 1
    parts: list[bytes] = []
    with closing(blocks(path, printing=True)) as read:
        for block in read:
            end = block.rfind(separator) + 1
            if end:
                records = b"".join([*parts, block[:end]])
                yield number, records
                number += records.count(separator)
                parts = []
            parts.append(block[end:])
    if rest := b"".join(parts):
        yield number, rest


def _outputs(worker: Worker, batches: Iterator[Batch], jobs: int) -> Generator[Output, None, None]:
    if jobs == 1:
        yield from map(worker.read, batches)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    # Not forked: the bar has a thread, and a fork would copy its locks.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (worker,))
    try:
        yield from in_order(lambda batch: pool.submit(_read, batch), batches, jobs * AHEAD)
    except BrokenProcessPool as error:
        raise Problem("a process that parses was ended by the system") from error
    finally:
        pool.shutdown(cancel_futures=True)


_workers: list[Worker] = []
"""In a process of the pool: its worker."""


def _begin(worker: Worker) -> None:
    _workers.append(worker)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever interrupts the command means the process that waits for this


def _read(batch: Batch) -> Output:
    return _workers[0].read(batch)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"expected a number of processes, got {text!r}")
    return int(text)
