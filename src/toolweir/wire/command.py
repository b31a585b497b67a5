"""`toolweir stream --as API`: what a server would send for a recording, byte for byte, on standard output."""

import sys

from ..events import Event
from ..parser import StreamParser
from .chat import ChatCompletionStream
from .messages import MessageStream
from .responses import ResponseStream
from .stream import Stream

__all__ = ["APIS", "WireView"]

APIS: dict[str, type[ChatCompletionStream] | type[ResponseStream] | type[MessageStream]] = {
    "chat": ChatCompletionStream,
    "responses": ResponseStream,
    "messages": MessageStream,
}
"""The words that `--as` takes."""


class WireView:
    """A view of a stream, as the command has several: it writes the server-sent events of one API."""

    def __init__(self, api: str, model: str = "recording") -> None:
        self._api = APIS[api]
        self._model = model
        self._stream: Stream | None = None

    def show(self, text: str, events: tuple[Event, ...], parser: StreamParser) -> None:
        """Take a token and its events, and with those of the parser's finish() the end."""
        if self._stream is None:
            self._stream = self._api(parser, model=self._model)
        sys.stdout.buffer.write(self._stream.bytes_of(events))
        sys.stdout.buffer.flush()

    def close(self, parser: StreamParser) -> None:
        """The stream ended; one that was broken off stays without an end, as a connection that is cut does."""
