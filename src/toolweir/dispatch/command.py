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

    At the end `err` gets one line for each call that was not dispatched, with the reason, or one that says that the
    stream is none. Returns the exit status: 0 if every call was dispatched, else 1.
    """
    limits = limits or Limits()
    dispatcher = ToolCallDispatcher(limits=limits)
    splitter = EventSplitter(limits.sse_event)
    all_events = with_data = 0

    def observe(events: Iterable[tuple[bytes, bool]]) -> None:
        nonlocal all_events, with_data
        for event, whole in events:
            all_events += 1
            with_data += b"data:" in event
            for call in dispatcher.observe_bytes(event) if whole else ():
                print(json.dumps(call.to_dict()), file=out, flush=True)

    while data := stream.read1(READ):
        observe(splitter.feed(data))
    observe(splitter.finish())
    dispatcher.finish()
    missed = [report for report in dispatcher.reports() if report.reason]
    for report in missed if err else ():
        print(f"choice {report.choice_index}, call {report.index} ({report.name}): {report.reason}", file=err)
    foreign = all_events > 0 and not with_data  # some other file
    if err and foreign:
        print("no server-sent event: expected lines that begin with 'data:'", file=err)
    return 1 if missed or foreign else 0
