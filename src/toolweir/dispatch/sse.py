"""Server-sent events: cutting a byte stream into whole events, and reading the JSON of one.

An event ends with an empty line; a line ends with CR LF, LF or CR, and pieces may be cut anywhere, between CR and LF
too. Nothing is changed: what comes out joins to what went in.
"""

import json
import re
from collections.abc import Iterator

__all__ = ["EventSplitter", "read_event"]

BOM = b"\xef\xbb\xbf"
# A CR after LF waits for the byte behind it, which will be the LF of a CR LF; among lines that end with CR none comes.
END = re.compile(rb"\n(?:\n|\r\n|\r(?=[^\n]))|\r\r\n?")
LONGEST_END = 3


class EventSplitter:
    """Cuts a stream into events. One of more than `limit` bytes is not held but comes out in parts."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held = bytearray()
        self._searched = 0  # no end begins before this offset
        self._in_parts = False

    def feed(self, data: bytes) -> Iterator[tuple[bytes, bool]]:
        """What can be handed out now, each with whether it is one whole event."""
        self._held += data
        while match := END.search(self._held, self._searched):
            whole = not self._in_parts and match.end() <= self._limit
            self._in_parts = False
            yield self._take(match.end()), whole
        if len(self._held) > self._limit + LONGEST_END:
            self._in_parts = True
            yield self._take(len(self._held) - LONGEST_END), False
        self._searched = max(0, len(self._held) - LONGEST_END)

    def finish(self) -> Iterator[tuple[bytes, bool]]:
        """What stands after the last event; whole, if the stream ended where only an empty line was missing."""
        if self._held:
            yield self._take(len(self._held)), not self._in_parts

    def _take(self, size: int) -> bytes:
        taken = bytes(self._held[:size])
        del self._held[:size]
        self._searched = 0
        return taken


def read_event(event: bytes) -> object:
    """The JSON value of an event's data lines; None where it has none, as comments and `[DONE]` have none.

    Raises ValueError for data that is not JSON.
    """
    lines = [line[5:].removeprefix(b" ") for line in event.removeprefix(BOM).splitlines() if line.startswith(b"data:")]
    data = b"\n".join(lines)
    if not data or data == b"[DONE]":
        return None
    try:
        return json.loads(data.decode("utf-8", "replace"))
    except RecursionError:
        raise ValueError("nested too deep") from None
