"""parse(): a whole text at once, by the same grammar: the stream fed once and finished."""

from .builder cimport MessageBuilder
from .parser cimport StreamParser

__all__ = ["parse", "read_whole"]


def parse(text, format, *, finish="stop", **options):
    """The message that a model wrote. `finish` is the engine's finish reason, `options` are StreamParser's.

    Raises what StreamParser raises for wrong options; nothing for what the text says.
    """
    return read_whole(StreamParser(format, **options), text, finish)


def read_whole(StreamParser parser not None, text, finish, /):
    """The message of a text, by a parser that has read nothing yet."""
    cdef MessageBuilder builder = MessageBuilder.__new__(MessageBuilder)
    builder.extend(parser.feed(text))
    builder.extend(parser.finish(finish))
    builder.end(parser.final_reason, parser.stop_sequence, tuple(parser.warned))
    return builder.message
