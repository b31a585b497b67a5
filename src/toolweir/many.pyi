from collections.abc import Sequence
from typing import Literal, overload

from typing_extensions import Buffer

from .events import Event
from .parser import StreamParser

__all__ = ["feed_many"]

class Item: ...

@overload
def feed_many(
    parsers: Sequence[StreamParser], pieces: Sequence[str | Buffer], /, *, events: Literal[True]
) -> list[tuple[Event, ...]]: ...
@overload
def feed_many(
    parsers: Sequence[StreamParser], pieces: Sequence[str | Buffer], /, *, events: bool = False
) -> list[str | tuple[Event, ...]]: ...
