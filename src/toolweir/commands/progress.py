"""How far a command has come: a bar on standard error, if that is a terminal and there is much to do."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress"]

MUCH = 4 * 1024 * 1024
"""Bytes or characters that take long enough for someone to wonder."""


@contextmanager
def progress(what: str, total: int, *, printing: bool = False) -> Iterator[Callable[[int], None]]:
    """Gives a function that is told how much of `total` was done since the last time.

    The bar is gone when the context ends. Print nothing before, or say so (`printing`): then there is only a bar if
    standard output goes elsewhere.
    """
    if total < MUCH or not sys.stderr.isatty() or (printing and sys.stdout.isatty()):
        yield lambda done: None
        return
    from rich.console import Console  # rich takes longer to import than everything else together
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(escape(what), total=total)
        yield lambda done: shown.advance(task, done)
