"""A text that may be JSON, or a Python literal, written anew as compact JSON.

Theory of operation. `transcode` walks the tokens of the text once, with a stack of the closers it waits for and the set
of token kinds that may stand next. The tokens are cut by a regular expression, which also finds the quote or the digit
that should have begun a string or a number and did not; the walk ends there, and whether that is because the text ends
is looked at once. So one walk answers both questions that are asked of a text: is it whole, and could it still become
whole. Strings and numbers are copied, never evaluated: nothing is rounded, reordered or dropped, and nothing but the
depth is limited.

Not JSON here, though the grammar would have it: a number too large for a double, and an escaped surrogate without its
other half, since a reader of the arguments would get something else than the model wrote, or an error.

The Python dialect is what `repr` writes for lists, dicts and tuples of strings, numbers, True, False and None, also
with a comma before the closer.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from json import JSONEncoder
from math import isinf

from .limits import DEEPEST

__all__ = ["DEPTH", "JSON", "PYTHON", "Dialect", "Progress", "quote", "transcode"]

DEPTH = DEEPEST - 1
"""Containers that may be open in a value: the arguments around it are one themselves."""

quote: Callable[[str], str] = JSONEncoder(ensure_ascii=False).encode
"""A text as a JSON string. Escaped is only what must be: in short form, else as `\\u00xx` with lower-case digits."""


class Progress(Enum):
    """What a text is, so far."""

    WHOLE = auto()
    PARTIAL = auto()
    """More text could make it whole."""
    BROKEN = auto()


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between the two notations.

    `string` makes the JSON string of a string token, or returns None if it is none; `cut_string` matches what more text
    could make such a token. Patterns are compiled when they are first needed, as most programs need none.
    """

    token: str
    string: Callable[[str], str | None]
    cut_string: str
    words: dict[str, str]
    trailing_comma: bool


_VALUE = frozenset(["open", "string", "number", "word"])
_VALUE_OR_CLOSER = _VALUE | {"close"}
_KEY = frozenset(["string"])
_KEY_OR_CLOSER = _KEY | {"close"}
_COLON = frozenset(["colon"])
_COMMA_OR_CLOSER = frozenset(["comma", "close"])
_END: frozenset[str] = frozenset()

# A tuple waits for a comma first: in Python, parentheses around one value are only parentheses.
_CLOSER = {"{": "}", "[": "]", "(": "?)"}

_BROKEN = (Progress.BROKEN, "")
_PARTIAL = (Progress.PARTIAL, "")

_CUT_NUMBER = re.compile(r"-|-?(?:0|[1-9][0-9]*)(?:\.|(?:\.[0-9]+)?[eE][-+]?)")
_CONTROL = re.compile(r"[\x00-\x1f]")


def transcode(text: str, dialect: Dialect, *, spaced: bool = False, strict: bool = False) -> tuple[Progress, str]:
    """What `text` is so far and, when it is one whole value, the JSON for it (else '').

    `spaced` writes a space after commas and colons, as Python's json module does. Raw control characters in strings are
    escaped; with `strict` they break the text.
    """
    comma, colon = (", ", ": ") if spaced else (",", ":")
    parts: list[str] = []
    closers: list[str] = []
    expected = _VALUE
    position = 0
    next_token = _pattern(dialect.token).match
    while match := next_token(text, position):
        position = match.end()
        kind = match.lastgroup
        token = match[kind or 0]
        if kind not in expected:
            if kind == "quote":
                start = match.start(kind)
                if strict and _CONTROL.search(text, start):
                    return _BROKEN
                return _cut("string" in expected and _pattern(dialect.cut_string).fullmatch(text, start))
            if kind == "digit":
                return _cut("number" in expected and _CUT_NUMBER.fullmatch(text, match.start(kind)))
            return _BROKEN
        if kind == "open":
            if len(closers) == DEPTH:
                return _BROKEN
            closers.append(_CLOSER[token])
            parts.append("{" if token == "{" else "[")
            expected = _KEY_OR_CLOSER if token == "{" else _VALUE_OR_CLOSER
            continue
        if kind == "comma":
            closers[-1] = closers[-1][-1]
            if closers[-1] == "}":
                expected = _KEY_OR_CLOSER if dialect.trailing_comma else _KEY
            else:
                expected = _VALUE_OR_CLOSER if dialect.trailing_comma else _VALUE
            parts.append(comma)
            continue
        if kind == "colon":
            parts.append(colon)
            expected = _VALUE
            continue
        if kind == "close":
            closer = closers.pop()
            if token != (closer if expected is _COMMA_OR_CLOSER else closer[-1]):
                return _BROKEN
            if parts[-1] == comma:
                parts.pop()
            parts.append("}" if token == "}" else "]")
        elif kind == "string":
            if strict and _CONTROL.search(token):
                return _BROKEN
            string = dialect.string(token)
            if string is None:
                return _BROKEN
            parts.append(string)
            if expected is _KEY or expected is _KEY_OR_CLOSER:
                expected = _COLON
                continue
        elif kind == "number":
            if not token.lstrip("-").isdigit() and isinf(float(token)):
                return _cut(position == len(text))  # An exponent may yet make it small.
            parts.append(token)
        else:
            word = dialect.words.get(token)
            if word is None:
                return _cut(position == len(text) and any(whole.startswith(token) for whole in dialect.words))
            parts.append(word)
        expected = _COMMA_OR_CLOSER if closers else _END
    if position < len(text.rstrip(" \t\n\r")):
        return _BROKEN
    return (Progress.WHOLE, "".join(parts)) if expected is _END else _PARTIAL


def _cut(by_the_end: object) -> tuple[Progress, str]:
    return _PARTIAL if by_the_end else _BROKEN


_TOKEN = r"""
    [ \t\n\r]*
    (?: (?P<open> [{[%(open)s] ) | (?P<close> [}\]%(close)s] ) | (?P<comma> , ) | (?P<colon> : )
      | (?P<string> %(string)s ) | (?P<quote> %(quote)s )
      | (?P<number> -?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)? (?![-+.0-9eE]) ) | (?P<digit> [-0-9] )
      | (?P<word> [A-Za-z]+ )
    )"""


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE | re.DOTALL)


_HEX = "[0-9a-fA-F]"
_LOW_SURROGATE = rf"\\u[dD][c-fC-F]{_HEX}{{2}}"
_JSON_ESCAPE = rf"""(?: \\["\\/bfnrt] | \\u[0-9abcefABCEF]{_HEX}{{3}} | \\u[dD][0-7]{_HEX}{{2}}
                      | \\u[dD][89abAB]{_HEX}{{2}} {_LOW_SURROGATE} )"""
_JSON_CONTENT = rf'[^"\\]*+ (?: {_JSON_ESCAPE} [^"\\]*+ )*'
_CUT_LOW_SURROGATE = rf"\\ (?: u (?: [dD] (?: [c-fC-F] {_HEX}? )? )? )?"
_CUT_JSON_ESCAPE = rf"\\ (?: u {_HEX}{{0,3}} | u[dD][89abAB]{_HEX}{{2}} (?: {_CUT_LOW_SURROGATE} )? )?"


def _json_string(token: str) -> str:
    # The token pattern lets in only what JSON allows, but for the control characters.
    if token.isprintable():
        return token
    return _CONTROL.sub(lambda control: quote(control[0])[1:-1], token)


JSON = Dialect(
    token=_TOKEN % {"open": "", "close": "", "string": f'"{_JSON_CONTENT}"', "quote": '"'},
    string=_json_string,
    cut_string=f'"{_JSON_CONTENT} (?: {_CUT_JSON_ESCAPE} )?',
    words={"true": "true", "false": "false", "null": "null"},
    trailing_comma=False,
)

_SINGLE = r"'[^'\\]*+ (?: \\. [^'\\]*+ )*"
_DOUBLE = r'"[^"\\]*+ (?: \\. [^"\\]*+ )*'
_PYTHON_ESCAPE = rf"""
    \\(?: (?P<octal> [0-7]{{1,3}}) | x(?P<x> {_HEX}{{2}}) | u(?P<u> {_HEX}{{4}}) | U(?P<U> {_HEX}{{8}})
      | (?P<other> .) )"""
_PYTHON_SHORT = dict(zip("\n\\'\"abfnrtv", ["", "\\", "'", '"', "\a", "\b", "\f", "\n", "\r", "\t", "\v"], strict=True))


def _python_string(token: str) -> str | None:
    content = token[1:-1]
    if "\\" in content:
        try:
            content = _pattern(_PYTHON_ESCAPE).sub(_python_character, content)
            # Joins the halves of a character that was escaped as JSON does; a half alone is an error.
            content = content.encode("utf-16", "surrogatepass").decode("utf-16")
        except (ValueError, OverflowError):
            return None
    return quote(content)


def _python_character(escape: re.Match[str]) -> str:
    kind = escape.lastgroup or ""
    digits = escape[kind]
    if kind != "other":
        return chr(int(digits, 8 if kind == "octal" else 16))
    if digits in "xuUN":
        raise ValueError("an escape without its digits, or a character by name")
    # As in Python, an unknown escape stands for itself.
    return _PYTHON_SHORT.get(digits, escape[0])


PYTHON = Dialect(
    token=_TOKEN % {"open": "(", "close": ")", "string": f"{_SINGLE}' | {_DOUBLE}\"", "quote": "['\"]"},
    string=_python_string,
    cut_string=rf"{_SINGLE} \\? | {_DOUBLE} \\?",
    words={"True": "true", "False": "false", "None": "null"},
    trailing_comma=True,
)
