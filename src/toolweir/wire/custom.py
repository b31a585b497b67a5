"""Custom tools: free text instead of arguments.

A model that knows only JSON calls writes the text as the one string property of an object. The decoded value of that
property is what the tool's input is, and it streams as it comes. Where the object begins in another way, or the tool's
schema has several properties, the input is the JSON text.

What is held is short, for it is looked at again with every piece: a head that is not decided, or half an escape.
"""

import re

from ..scan.text import unescape
from ..tools import Tool

__all__ = ["CustomInput"]

HEAD = re.compile(r'\s*\{\s*"((?:[^"\\]+|\\.)*+)"\s*:\s*(\S)')
"""An object up to the first character of its first value. Its loops never go back, and so remember nothing."""

LONGEST_HEAD = 1024
"""Characters that a head may have; an object with a longer one begins in another way."""

VALUE = re.compile(
    r"""(?:
        [^"\\]+
        | \\["\\/bfnrt]
        | \\u(?![dD][89abAB])[0-9a-fA-F]{4}
        | \\u[dD][89abAB][0-9a-fA-F]{2}(?=[^\\]|\\[^u]|\\u[0-9a-fA-F]{4})
    )*+""",
    re.VERBOSE,
)
"""As much of a string as is decided. The first half of a surrogate pair waits for what follows it."""


class CustomInput:
    """Makes a custom tool's input of its call's arguments, which are the beginning of a JSON object, piece by piece."""

    def __init__(self, tool: Tool) -> None:
        properties = (tool.parameters or {}).get("properties") or {}
        self._key = next(iter(properties)) if len(properties) == 1 else None
        self._state = "json" if len(properties) > 1 else "head"
        self._held = ""

    def feed(self, text: str, /) -> str:
        """More of the arguments; returns more of the input."""
        if self._state == "over":
            return ""
        self._held += text
        if self._state == "head":
            self._read_head()
        if self._state == "value":
            return self._read_value()
        return self._all() if self._state == "json" else ""

    def finish(self) -> str:
        """The arguments ended; returns the rest of the input."""
        return self._all() if self._state == "head" else ""

    def _read_head(self) -> None:
        head = HEAD.match(self._held, 0, LONGEST_HEAD)
        if head is not None and head[2] == '"' and self._key in (None, unescape(head[1])):
            self._state = "value"
            self._held = self._held[head.end() :]
        elif head is not None or len(self._held) >= LONGEST_HEAD:
            self._state = "json"

    def _read_value(self) -> str:
        end = VALUE.match(self._held).end()  # type: ignore[union-attr]
        text, self._held = unescape(self._held[:end]), self._held[end:]
        if self._held.startswith('"'):
            self._state, self._held = "over", ""
        return text

    def _all(self) -> str:
        text, self._held = self._held, ""
        return text
