"""A pytest plugin that runs the suite on many mutations, each in a fork of one process that has collected it once.

TOOLWEIR_MUTANTS is the file that mutant.h describes. TOOLWEIR_WORK names a JSON file:

    reach    where to keep what the suite reaches with no mutation on; it is made unless it is there
    numbers  the mutations to run, in forks
    alone    whether it is only one, on from the start and run in this process: it changes what is done on import
    answers  the file descriptor that takes a JSON line for each

A fork ends at the first test that fails. An alarm ends one that hangs, even inside C.
"""

import faulthandler
import json
import mmap
import os
import re
import resource
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from reach import Reach

PATIENCE = 20.0
"""Seconds that a test gets beside twenty times what it takes; others may use the machine."""
MEMORY = 8 << 30
"""Bytes of address space: what never stops growing ends before the machine does."""
UNLIMITED = "test_c_layer.py"
"""Its sanitizers reserve more of it than there is memory."""
ALARM, CAUGHT, SURVIVED = 1, 3, 4  # exit codes of a fork; others are a crash


class Worker:
    def __init__(self) -> None:
        self.work = json.loads(Path(os.environ["TOOLWEIR_WORK"]).read_text())
        self.answers = open(self.work["answers"], "w")  # noqa: SIM115
        with open(os.environ["TOOLWEIR_MUTANTS"], "r+b") as file:
            self.mutants = mmap.mmap(file.fileno(), 0)
        self.hanging = open(Path(os.environ["TOOLWEIR_WORK"]).with_suffix(".hanging"), "w")  # noqa: SIM115
        self.failed: str | None = None
        self.said = ""
        self.imports: list[int] = []
        if self.work["alone"]:
            self.alarm(6 * PATIENCE)

    def pytest_collection_finish(self) -> None:
        self.imports = self.reached()

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and self.failed is None:
            self.failed = report.nodeid
            self.said = report.longreprtext

    def pytest_runtestloop(self, session: Any) -> bool:
        target = Path(self.work["reach"])
        if not target.exists():  # in a fork, for what the suite caches must not be known before a mutation is on
            forked(lambda: self.trace(session.items, target))
        reach = Reach.read(target)
        by_node = {item.nodeid: item for item in session.items}
        for number in self.work["numbers"]:
            nodes = reach.candidates(number, everything=self.work["alone"])
            items = [by_node[node] for node in nodes if node in by_node]
            if self.work["alone"]:
                self.run(items, reach)
                self.answer(number, "caught" if self.failed else "survived", self.failed or tests(items), 0.0)
            else:
                self.run_in_fork(number, items, reach)
        return True

    def trace(self, items: list[Any], target: Path) -> int:
        """Runs the suite with no mutation on."""
        reach = Reach(by_import=set(self.imports))
        for item, following in zip(items, [*items[1:], None], strict=True):
            begun = time.monotonic()
            forget_plans()
            limit_memory(item)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            numbers = self.reached()
            if self.failed is None:
                reach.add(item.nodeid, time.monotonic() - begun, numbers)
            else:
                self.answer(0, "broken", f"{self.failed} fails with no mutation on:\n{self.said}", 0.0)
                self.failed = None
        reach.write(target)
        return 0

    def reached(self) -> list[int]:
        """What was reached since this was asked last."""
        marks = self.mutants[4:]
        self.mutants[4:] = bytes(len(marks))
        return [found.start() for found in re.finditer(b"\1", marks)]

    def run_in_fork(self, number: int, items: list[Any], reach: Reach) -> None:
        begun = time.monotonic()
        told, tell = os.pipe()

        def work() -> int:
            self.run(items, reach)
            os.write(tell, (self.failed or tests(items)).encode()[:4000])
            return CAUGHT if self.failed else SURVIVED

        self.mutants[:4] = number.to_bytes(4, sys.byteorder)
        code = forked(work)
        self.mutants[:4] = bytes(4)
        os.close(tell)
        with open(told, "rb") as pipe:
            said = pipe.read().decode("utf-8", "replace")
        verdict = {SURVIVED: "survived", ALARM: "timeout"}.get(code, "caught")
        said = "a test hangs" if verdict == "timeout" else said or f"exit {code}"
        self.answer(number, verdict, said, time.monotonic() - begun)

    def run(self, items: list[Any], reach: Reach) -> None:
        """Up to the first test that fails."""
        for item, following in zip(items, [*items[1:], None], strict=False):
            self.alarm(PATIENCE + 20 * reach.seconds[item.nodeid])
            limit_memory(item)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return

    def alarm(self, seconds: float) -> None:
        faulthandler.dump_traceback_later(seconds, exit=True, file=self.hanging)

    def answer(self, number: int, verdict: str, why: str, seconds: float) -> None:
        self.answers.write(json.dumps([number, verdict, why, round(seconds, 2)]) + "\n")
        self.answers.flush()


def forget_plans() -> None:
    """Without this, only the first test that uses a format would reach what makes its readers and marker tables."""
    from toolweir import parser, plans

    parser.USUAL.clear()
    plans._plans.clear()


def tests(items: list[Any]) -> str:
    return f"{len(items)} tests pass" if items else "no test reaches it"


def limit_memory(item: Any) -> None:
    size = resource.RLIM_INFINITY if UNLIMITED in item.nodeid else MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.RLIM_INFINITY))


def forked(work: Callable[[], int]) -> int:
    """The exit code of a fork that does this; what it leaves running is ended."""
    child = os.fork()
    if child == 0:
        code = -1
        try:
            os.setsid()
            code = work()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(status)


def pytest_configure(config: Any) -> None:
    config.pluginmanager.register(Worker())
