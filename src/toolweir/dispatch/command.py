"""`toolweir dispatch`: complete calls out of a server-sent stream, as JSON lines while it runs."""

import json
from collections.abc import Iterable
from typing import Protocol, TextIO

from ..limits import Limits
from .dispatcher import ToolCallDispatcher
from .sse import EventSplitter

__all__ = ["run"]

READ = 64 * 1024


class ByteStream(Protocol):
    """A binary file whose read1() returns what is there, and b'' at the end; sys.stdin.buffer and open files are."""

    def read1(self, size: int, /) -> bytes: ...


def run(stream: ByteStream, out: TextIO, err: TextIO | None = None, *, limits: Limits | None = None) -> int:
    """Writes one JSON line to `out` for each call as it completes, flushed at once.

    At the end `err` gets one line for each call that was not dispatched, with the reason. Returns the exit status: 0 if
    every call was, 1 if one was not.
    """
    limits = limits or Limits()
    dispatcher = ToolCallDispatcher(limits=limits)
    splitter = EventSplitter(limits.sse_event)

    def observe(events: Iterable[tuple[bytes, bool]]) -> None:
        for event, whole in events:
            for call in dispatcher.observe_bytes(event) if whole else ():
                print(json.dumps(call.to_dict()), file=out, flush=True)

    while data := stream.read1(READ):
        observe(splitter.feed(data))
    observe(splitter.finish())
    dispatcher.finish()
    missed = [report for report in dispatcher.reports() if report.reason]
    for report in missed if err else ():
        print(f"choice {report.choice_index}, call {report.index} ({report.name}): {report.reason}", file=err)
    return 1 if missed else 0
