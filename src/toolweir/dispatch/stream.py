"""A server-sent stream with the complete calls in it: each right before the frame that completes it.

Ordinary frames pass byte for byte. A frame is held until its last byte has come, as what it completes goes first.
"""

import json
import logging
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator

from ..limits import Limits
from .calls import CompletedCall
from .dispatcher import ToolCallDispatcher
from .sse import EventSplitter

__all__ = ["DispatchFilter", "adispatch_sse", "dispatch_sse"]

logger = logging.getLogger("toolweir.dispatch")


class DispatchFilter:
    """The filter itself, for hosts that push: bytes in, frames out.

    dispatcher: the one to ask, so that its stats and reports can be read; a new one if None.
    limits: `sse_event` is the longest frame that is read; a longer one passes unread, with a warning in the log.
    """

    def __init__(self, dispatcher: ToolCallDispatcher | None = None, *, limits: Limits | None = None) -> None:
        limits = limits or Limits()
        self.dispatcher = dispatcher or ToolCallDispatcher(limits=limits)
        self._splitter = EventSplitter(limits.sse_event)
        self._limit = limits.sse_event

    def feed(self, piece: bytes | str) -> Iterator[bytes]:
        """The frames that this piece completes.

        Bytes may be cut anywhere; a str is one line, with or without its end.
        """
        if isinstance(piece, str):
            data = (piece if piece.endswith(("\n", "\r")) else piece + "\n").encode("utf-8", "surrogatepass")
        else:
            data = piece
        for frame, whole in self._splitter.feed(data):
            yield from self._pass_on(frame, whole)

    def finish(self) -> Iterator[bytes]:
        """What is left at the end of the stream, as a frame that is complete but for its empty line."""
        for frame, whole in self._splitter.finish():
            yield from self._pass_on(frame, whole)
        self.dispatcher.finish()

    def _pass_on(self, frame: bytes, whole: bool) -> Iterator[bytes]:
        if whole:
            yield from map(dispatch_frame, self.dispatcher.observe_bytes(frame))
        else:
            logger.warning("a server-sent event of more than %d bytes passes unread", self._limit)
        yield frame


def dispatch_frame(call: CompletedCall) -> bytes:
    """The event that announces a complete call."""
    payload = json.dumps(call.to_dict(), separators=(",", ":"))
    return b"event: tool_call_dispatch\ndata: " + payload.encode("ascii") + b"\n\n"


def dispatch_sse(
    lines: Iterable[bytes | str], dispatcher: ToolCallDispatcher | None = None, *, limits: Limits | None = None
) -> Iterator[bytes]:
    """The stream `lines` with an `event: tool_call_dispatch` right before each frame that completes a call.

    lines: bytes cut anywhere, as a socket has them, or str lines with or without their ends.
    """
    frames = DispatchFilter(dispatcher, limits=limits)
    for piece in lines:
        yield from frames.feed(piece)
    yield from frames.finish()


async def adispatch_sse(
    lines: AsyncIterable[bytes | str], dispatcher: ToolCallDispatcher | None = None, *, limits: Limits | None = None
) -> AsyncIterator[bytes]:
    """dispatch_sse() over an asynchronous stream."""
    frames = DispatchFilter(dispatcher, limits=limits)
    async for piece in lines:
        for frame in frames.feed(piece):
            yield frame
    for frame in frames.finish():
        yield frame
