"""A file of generations through `toolweir parse-many`: JSON in, JSON out, one process.

The processor time of the command, less that of the same command on an empty file.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from .texts import CALL, arguments

__all__ = ["LINES", "Lines", "lines_speed"]

MB = 1_000_000
COMMAND = [sys.executable, "-m", "toolweir", "parse-many", "--format", "hermes"]


def line(size: int, calls: int) -> str:
    """A text with calls, each with a string of code, as a line of JSON."""
    call = f'{CALL}{arguments("code", size)}"}}}}\n</tool_call>\n'
    return json.dumps({"text": "I look into it.\n" + call * calls}, ensure_ascii=False) + "\n"


LINES: dict[str, Callable[[], str]] = {
    "short, two calls": lambda: line(1, 2),
    "a call with 1 KB of code": lambda: line(1000, 1),
    "a call with 10 KB of code": lambda: line(10_000, 1),
}
"""By the name of the row in the table; `code` itself is half a kilobyte, and a string has no less of it."""


def processor_time(path: Path) -> float:
    """Of the command on a file, in seconds."""
    with path.open("rb") as file:
        process = subprocess.Popen(COMMAND, stdin=file, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(COMMAND)}: exit status {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def lines_speed(name: str, size: int = 10 * MB, repeats: int = 5) -> float:
    """MB/s of a file of such lines."""
    text = LINES[name]().encode()
    with tempfile.TemporaryDirectory() as folder:
        empty, full = Path(folder, "empty"), Path(folder, "full")
        empty.touch()
        full.write_bytes(text * (size // len(text)))
        started, done = (min(processor_time(path) for _ in range(repeats)) for path in (empty, full))
        return full.stat().st_size / (done - started) / MB


class Lines:
    """A file of 10 MB."""

    params = (list(LINES),)
    param_names = ("lines",)
    unit = "MB/s"

    def track_speed(self, name: str) -> float:
        return lines_speed(name)
