"""Bare words of Python and of the literals that models write like it: numbers, constants, and text without quotes."""

import re
from math import isinf

from .transcode import quote

__all__ = ["key_to_json", "word_to_json"]

CONSTANTS = {
    **dict.fromkeys(("True", "true"), "true"),
    **dict.fromkeys(("False", "false"), "false"),
    **dict.fromkeys(("None", "null"), "null"),
}

JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
PYTHON_NUMBER = re.compile(
    r"""(?P<sign> [-+]? )
        (?: (?P<based> 0[xX](?:_?[0-9a-fA-F])+ | 0[oO](?:_?[0-7])+ | 0[bB](?:_?[01])+ )
          | (?P<whole> [0-9](?:_?[0-9])* )? (?: \. (?P<part> [0-9](?:_?[0-9])* )? )?
            (?P<power> [eE][-+]?[0-9](?:_?[0-9])* )? )""",
    re.VERBOSE,
)
MOST_BASED = 1024
"""Digits of a number in another base; longer ones are text, since writing them in base ten is slow."""


def word_to_json(word: str) -> str:
    """The JSON for a whole word, trimmed; never raises.

    Constants of Python and JSON are what they say. A number goes out as it is written where JSON allows that; else its
    digits are kept and only the notation changes: `+5`, `007`, `1_000`, `.5`, `5.`, `0x1f`. What is left is text:
    complex numbers, `inf`, `nan`, numbers past a double's range, and every other word.
    """
    if word in CONSTANTS:
        return CONSTANTS[word]
    number = word if JSON_NUMBER.fullmatch(word) else _number(word)
    if not number or (not number.lstrip("-").isdigit() and isinf(float(number))):
        return quote(word)
    return number


def key_to_json(word: str) -> str:
    """The JSON string for a word that is a dict's key: what the word stands for, in quotes."""
    json = word_to_json(word)
    return json if json[0] == '"' else f'"{json}"'


def _number(word: str) -> str:
    match = PYTHON_NUMBER.fullmatch(word)
    if not match:
        return ""
    sign = "-" if match["sign"] == "-" else ""
    if match["based"]:
        return f"{sign}{int(match['based'], 0)}" if len(match["based"]) <= MOST_BASED else ""
    if not match["whole"] and not match["part"]:
        return ""
    whole = (match["whole"] or "0").lstrip("0_") or "0"
    part = f".{match['part'] or '0'}" if "." in word else ""
    return f"{sign}{whole}{part}{match['power'] or ''}".replace("_", "")
