"""The JSON value that a raw text stands for, under the types that its schema admits.

Formats with tagged parameters write every value as bare text. `decide` makes JSON of a whole one; `viable` says, while
the text is still coming, whether it could yet be anything but a string. Together they are the reference that the
incremental reader of values is held against.
"""

import re
from typing import Literal

from .schema import ARRAY, BOOLEAN, INTEGER, NULL, NUMBER, OBJECT, STRING, ValueTypes
from .transcode import JSON, PYTHON, Progress, quote, transcode

__all__ = ["Integers", "Preference", "Style", "decide", "viable"]

Preference = Literal["typed", "glm"]
"""What wins where a string is admitted beside other types: "typed" the other type; "glm" the string, but over null."""

Style = Literal["compact", "spaced"]

Integers = Literal["written", "plain"]
"""How a number goes out where integers are admitted and no other numbers: as written, or "plain": without a fraction
that is zero."""

_WHITESPACE = " \t\n\r"

_WORDS = {
    "true": (BOOLEAN, "true"),
    "True": (BOOLEAN, "true"),
    "false": (BOOLEAN, "false"),
    "False": (BOOLEAN, "false"),
    "null": (NULL, "null"),
    "None": (NULL, "null"),
}
_ZERO_FRACTION = re.compile(r"(?<=\d)\.0+\Z")
_FIRST = {"{": OBJECT, "[": ARRAY, "(": ARRAY, **dict.fromkeys("-0123456789", INTEGER | NUMBER)}


def decide(
    text: str,
    types: ValueTypes,
    *,
    prefer: Preference = "typed",
    style: Style = "compact",
    strict: bool = False,
    integers: Integers = "written",
) -> str:
    """The JSON text for the whole value `text`, trimmed as its format wants it; never raises.

    It is the first of these that `types` admits: JSON of an admitted type; True, False and None for boolean and null;
    where no string is admitted, a Python literal for object and array. Else it is the text as a JSON string. An integer
    is any JSON number, but beside strings, where only digits make one.

    JSON is written compactly, or as Python's json module would with `style="spaced"`, strings and numbers as the model
    wrote them; raw control characters in its strings are escaped, or with `strict` make it no JSON.
    """
    mask = _beside_string(types, text, prefer)
    if mask == 0:
        return quote(text)
    if types.no_schema:
        json = transcode(text, JSON, spaced=style == "spaced", strict=strict)[1]
        return json or quote(text)
    value = text.strip(_WHITESPACE)
    if value in _WORDS:
        bit, json = _WORDS[value]
        return json if mask & bit else quote(text)
    if not mask & _FIRST.get(value[:1], 0):
        return quote(text)
    if _is_string_number(value, types):
        return quote(text)
    json = transcode(value, JSON, spaced=style == "spaced", strict=strict)[1]
    if integers == "plain" and types.mask & (INTEGER | NUMBER) == INTEGER:
        json = _ZERO_FRACTION.sub("", json) if value[0] in "-0123456789" else json
    if not json and _may_be_python(value, types):
        json = transcode(value, PYTHON, spaced=style == "spaced", strict=strict)[1]
    return json or quote(text)


def viable(text: str, types: ValueTypes, *, prefer: Preference = "typed", strict: bool = False) -> bool:
    """Whether a value that begins with `text` could still be decided as anything but a string.

    Once False it stays False for every continuation: the value is then the text as a string, and can go out.
    """
    # Of the strings that a schema lists, one may yet come: only the whole text tells.
    mask = _beside_string(types, None, prefer)
    if types.no_schema:
        return transcode(text, JSON, strict=strict)[0] is not Progress.BROKEN
    value = text.lstrip(_WHITESPACE)
    if not value:
        return mask != 0
    word = value.rstrip(_WHITESPACE)
    for whole, (bit, _) in _WORDS.items():
        if mask & bit and (word == whole or whole.startswith(value)):
            return True
    if not mask & _FIRST.get(value[0], 0):
        return False
    if _is_string_number(value, types):
        return False
    if transcode(value, JSON, strict=strict)[0] is not Progress.BROKEN:
        return True
    return _may_be_python(value, types) and transcode(value, PYTHON, strict=strict)[0] is not Progress.BROKEN


def _beside_string(types: ValueTypes, text: str | None, prefer: Preference) -> int:
    """The types other than string that `text` may have; a text of None is one of which the end is not known."""
    mask = types.mask & ~STRING
    if prefer == "glm" and types.admits_string:
        admitted = types.strings is None or (text is not None and text in types.strings)
        return mask & NULL if admitted else mask
    return mask


def _is_string_number(value: str, types: ValueTypes) -> bool:
    """A number that is none of the integers which are admitted beside strings."""
    if not types.admits_string or types.mask & (INTEGER | NUMBER) != INTEGER or value[0] not in "-0123456789":
        return False
    return any(byte in value for byte in ".eE")


def _may_be_python(value: str, types: ValueTypes) -> bool:
    # Beside a string it may not: the text is sent as a string from the first character that is no JSON.
    return not types.admits_string and value[0] in "{[("
