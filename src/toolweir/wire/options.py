"""What the options of all streams have in common: words, ids and times."""

import time
from os import urandom

from ..errors import OptionError

__all__ = ["mint", "read_choice", "seconds"]


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
