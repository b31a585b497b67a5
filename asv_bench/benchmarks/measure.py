"""How things are measured: against len() in the same loop of the same run, the smallest of many repeats.

A shared machine slows a run down by half and more, never speeds it up, so the smallest is the nearest to the truth, and
a ratio to something measured alternately holds where nanoseconds do not. Runs are short, below a millisecond where that
is possible, so that some of them fit between two turns of the neighbours.
"""

import ctypes
import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

__all__ = ["Loop", "best", "gigabytes_per_second", "idle", "in_child", "over_len", "quiet"]

Loop = Callable[[Iterable[Any]], Any]

REPEATS = 60

ENOUGH, SECONDS = 15, 0.5
"""A loop that takes long is repeated so often at least, and goes on for so long."""

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # malloc.h


@cache
def settle_memory() -> list[bytes]:
    """Brings the allocators to where a process that has run for a while has them, and returns what keeps them there.

    In a young process it depends on chance, on what lies above a block, whether each copy of a long text goes back to
    the system and the next one asks for its pages anew, which costs ten times as much as the copy. So malloc is told to
    keep what is freed (glibc only), and a few small objects hold arenas of Python's.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt:
        mallopt(M_TRIM_THRESHOLD, 1 << 30)
        mallopt(M_MMAP_THRESHOLD, 1 << 25)
    return [bytes(100) for _ in range(80_000)][::2000]


@contextmanager
def quiet(settled: bool = True) -> Iterator[None]:
    """No garbage collection while something is measured and, if `settled`, no new pages for what was freed before."""
    if settled:
        settle_memory()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@cache
def idle(clock: Callable[[], float] = time.perf_counter) -> float:
    """What it takes to read the clock, in seconds; to be taken off."""
    return min(-(clock() - clock()) for _ in range(1000))


def best(run: Callable[[], Any], repeats: int = REPEATS, *, settled: bool = True) -> float:
    """The shortest of several runs, in seconds."""
    shortest = float("inf")
    with quiet(settled):
        for _ in range(repeats):
            start = time.perf_counter()
            run()
            shortest = min(shortest, time.perf_counter() - start)
    return shortest - idle()


def over_len(pieces: Callable[[], list[Any]], fresh: Callable[[], Loop], repeats: int = REPEATS) -> float:
    """What a loop over pieces costs as a multiple of a loop that takes their len(); both are made anew each time."""
    shortest, shortest_len = float("inf"), float("inf")
    until = time.perf_counter() + SECONDS
    with quiet():
        for done in range(repeats):
            if done >= ENOUGH and time.perf_counter() > until:
                break
            loop, fed, counted = fresh(), pieces(), pieces()
            start = time.perf_counter()
            loop(fed)
            middle = time.perf_counter()
            count_lengths(counted)
            end = time.perf_counter()
            shortest = min(shortest, middle - start)
            shortest_len = min(shortest_len, end - middle)
    return (shortest - idle()) / (shortest_len - idle())


def count_lengths(pieces: Iterable[Any]) -> None:
    """The loop that everything is compared with."""
    size = len
    for piece in pieces:
        size(piece)


def gigabytes_per_second(run: Callable[[], Any], size: int, repeats: int = 20, *, settled: bool = True) -> float:
    """How fast `run` reads `size` bytes."""
    return size / best(run, repeats, settled=settled) / 1e9


def in_child(code: str) -> float:
    """What a fresh interpreter prints as a number."""
    # Bytecode is cached where code is installed; an environment that forbids it would time the compiler.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return float(done.stdout)
