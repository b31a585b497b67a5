"""parse(): a whole text at once, by the same grammar: the stream fed once and finished."""

from typing import Any

from .formats import Format
from .message import Message, MessageBuilder
from .parser import StreamParser

__all__ = ["parse"]


def parse(text: str | bytes, format: str | Format, *, finish: str | None = "stop", **options: Any) -> Message:
    """The message that a model wrote. `finish` is the engine's finish reason, `options` are StreamParser's.

    Raises what StreamParser raises for wrong options; nothing for what the text says.
    """
    parser = StreamParser(format, **options)
    builder = MessageBuilder()
    builder.extend(parser.feed(text))
    builder.extend(parser.finish(finish))
    return builder.finish(parser.result)
