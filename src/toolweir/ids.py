"""Ids that parsers mint for calls: `call_` and 24 hexadecimal digits of the system's randomness.

Asking the system gives up the GIL, and a thread that is busy with something else may keep it for milliseconds, at the
very start of a call. So it is asked for many ids at once. A process that is forked off throws away what it inherits.
"""

import os

__all__ = ["mint_id"]

DIGITS = 24
AT_ONCE = 64

_minted: list[str] = []


def mint_id() -> str:
    """An id that was never given out before."""
    try:
        return _minted.pop()
    except IndexError:
        digits = os.urandom(AT_ONCE * DIGITS // 2).hex()
        ids = [f"call_{digits[at : at + DIGITS]}" for at in range(0, len(digits), DIGITS)]
        _minted.extend(ids[1:])
        return ids[0]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_minted.clear)
