"""Counts the instructions that a piece takes, with callgrind: `make instructions`; no neighbour disturbs that.

    python asv_bench/instructions.py

Needs valgrind. One process under callgrind runs the loop of every path; a call of getppid() before and after each makes
callgrind write down what it has counted since the last one. The counts go into docs/performance.json and the table of
docs/performance.md. Where a time looks worse than before, this tells whether it is the code or the neighbours.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import figures
import tables
from benchmarks.measure import Loop, count_lengths, quiet
from benchmarks.paths import PATHS, PIECES


def rows() -> Iterator[tuple[str, str, Loop]]:
    """Name of the row, path of its pieces, loop over them."""
    yield "len()", "prose to a ContentDelta", count_lengths
    for name, path in PATHS.items():
        yield name, name, path.feeding()
        if path.reading:
            yield f"{name}, read", name, path.reading()


def run() -> None:
    """In the child: every loop once to get warm and once to be counted. The text is code where there is a choice."""
    with quiet():
        for _, name, loop in rows():
            path = PATHS[name]
            kind = "code" if "code" in path.kinds else path.kinds[0]
            warming, pieces = path.pieces(kind)[:100], path.pieces(kind)[100:]
            loop(warming)
            os.getppid()
            loop(pieces)
            os.getppid()


def counted(folder: Path) -> list[int]:
    """What callgrind wrote down, in order; every second count is a loop's."""
    command = ["valgrind", "--tool=callgrind", "--dump-before=getppid", f"--callgrind-out-file={folder}/counts"]
    done = subprocess.run([*command, sys.executable, __file__, "--run"], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    # The one without a number is written at the end; what it has, no loop did.
    dumps = sorted((path for path in folder.glob("counts.*")), key=lambda path: int(path.suffix[1:]))
    return [int(re.search(r"^(?:summary|totals): (\d+)", path.read_text("utf-8"), re.MULTILINE)[1]) for path in dumps]  # type: ignore[index]


def main() -> None:
    """Count, print and write."""
    with TemporaryDirectory() as folder:
        counts = counted(Path(folder))[1::2]
    names = [name for name, _, _ in rows()]
    found = {name: round(count / (PIECES - 100)) for name, count in zip(names, counts, strict=True)}
    for name, count in found.items():
        print(f"{count:9,}  {name}")
    everything = figures.merged(figures.read(), {"instructions": found})
    figures.write(everything)
    tables.rewrite(everything)


if __name__ == "__main__":
    run() if "--run" in sys.argv else main()
