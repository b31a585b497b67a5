"""Runs the suite of the copy on each mutation; worker.py is its other half."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from reach import Reach
from spots import MOST
from tree import Tree

LEFT_OUT = {
    "test_layers.py": "reads the source's imports",
    "test_docs.py": "runs what the documentation says, which other tests do as well",
    "test_wire_clients.py": "needs clients of other people",
    "test_no_memory.py": "lets every allocation fail in turn: minutes for each mutation",
    "test_no_memory_steps.py": "does so too",
}
"""Files of tests that are not run, and why."""


class Verdict(NamedTuple):
    number: int
    verdict: str
    """caught, timeout or survived"""
    why: str
    seconds: float


class Suite:
    """The tests of the copy. `lenient`: those that fail with no mutation on are left out, else there is no run."""

    def __init__(self, tree: Tree, *, lenient: bool = False) -> None:
        self.tree, self.lenient = tree, lenient
        self.build = tree.folder / "build"
        self.log = self.build / "log"
        tests = (tree.folder / "tests").glob("test_*.py")
        self.files = sorted(path.relative_to(tree.folder).as_posix() for path in tests if path.name not in LEFT_OUT)
        self.reach = self.build / f"reach-{self.fingerprint()}.json"

    def fingerprint(self) -> str:
        """Of everything that says which test reaches what."""
        digest = sha256()
        for top in ("src", "include", "tests"):
            for path in sorted((self.tree.folder / top).rglob("*")):
                own = path.parent == self.tree.folder / "tests" / "mutation"
                if path.is_file() and not own and path.suffix in (".py", ".pyx", ".pxd", ".h", ".md", ".c"):
                    digest.update(path.read_bytes())
        return digest.hexdigest()[:12]

    def verdicts(self, numbers: list[int]) -> Iterator[Verdict]:
        if not self.reach.exists():
            yield from self.work([])
        by_import = Reach.read(self.reach).by_import
        for verdict in self.work(numbers):
            if verdict.verdict == "survived" and verdict.number in by_import:
                yield self.alone(verdict.number)
            else:
                yield verdict

    def alone(self, number: int) -> Verdict:
        """Of a mutation that may change what is done on import: it is on from the start of a process of its own."""
        found = list(self.work([number], alone=True))
        if found:
            return found[0]
        hangs = (self.build / "alone.hanging").stat().st_size > 0
        return Verdict(number, "timeout" if hangs else "caught", "the suite does not get to its tests", 0.0)

    def work(self, numbers: list[int], *, alone: bool = False) -> Iterator[Verdict]:
        """One pytest process for these mutations. `alone`: for the only one, which is on from the start."""
        answers, tell = os.pipe()
        name = "alone" if alone else "many"  # both may be at work
        mutants, plan = self.build / f"{name}.mutants", self.build / f"{name}.json"
        mutants.write_bytes((numbers[0] if alone else 0).to_bytes(4, sys.byteorder) + bytes(MOST))
        plan.write_text(json.dumps({"reach": str(self.reach), "numbers": numbers, "alone": alone, "answers": tell}))
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "-p",
            "worker",
            "--hypothesis-seed=0",
            "-q",
        ]
        with open(self.log, "wb") as log:
            process = subprocess.Popen(
                [*command, *self.files],
                cwd=self.tree.folder,
                env=self.tree.environment(TOOLWEIR_MUTANTS=str(mutants), TOOLWEIR_WORK=str(plan)),
                stdout=log,
                stderr=log,
                pass_fds=[tell],
                start_new_session=True,
            )
        os.close(tell)
        try:
            with open(answers) as lines:
                for line in lines:
                    verdict = Verdict(*json.loads(line))
                    if verdict.verdict != "broken":
                        yield verdict
                    elif not self.lenient:
                        raise SystemExit(verdict.why)
                    else:
                        print(f"left out: {verdict.why}", flush=True)
        finally:
            stop(process.pid)
            process.wait()


def stop(group: int) -> None:
    """Ends what a test may have started and left."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return
