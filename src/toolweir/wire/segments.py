"""What a stream remembers of its turn: the segments, in order, for the body that says the same at once."""

import time
from dataclasses import dataclass
from os import urandom

from ..errors import OptionError

__all__ = ["Segment", "mint", "read_choice", "seconds"]


@dataclass(slots=True)
class Segment:
    """One part of a turn; `text` and `status` are filled in when it ends."""

    kind: str
    """content, reasoning or call."""
    id: str = ""
    name: str = ""
    text: str = ""
    status: str = "incomplete"
    """How it ended: complete, incomplete or invalid."""


def mint(prefix: str, size: int) -> str:
    """A new id: the prefix and `size` random bytes in hexadecimal."""
    return prefix + urandom(size).hex()


def seconds(created: int | None) -> int:
    """When a turn began, in seconds since 1970; None means now."""
    return int(time.time()) if created is None else created


def read_choice(option: str, value: str, words: tuple[str, ...]) -> str:
    """The value of an option that takes one of several words."""
    if value not in words:
        raise OptionError(f"{option}: expected one of {', '.join(map(repr, words))}, got {value!r}")
    return value
