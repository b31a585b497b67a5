"""Turns text into the events of OpenAI Chat Completions, OpenAI Responses and Anthropic Messages.

>>> stream = ChatCompletionStream(StreamParser("hermes", tools=tools), model="m")
>>> for piece in pieces:
...     send(stream.feed(piece))          # bytes of server-sent events, b"" when nothing is decided
>>> send(stream.finish("stop", usage={"input_tokens": 9, "output_tokens": 40}))
>>> stream.body()                         # the same turn as one object, for a request without streaming
"""

from .chat import ChatCompletionStream
from .messages import MessageStream
from .responses import ResponseStream
from .usage import Usage

__all__ = ["ChatCompletionStream", "MessageStream", "ResponseStream", "Usage"]
