"""Ways to feed a text to a parser: by characters, with the special tokens apart, by bytes.

The oracle of waits cuts a text into units and puts others between them, so a text is a string of units, one character
each: a character; a special token, as a character of private use; a byte of a character that is none of ASCII, as the
surrogate that Python decodes such a byte to.
"""

import re
from typing import Any

import toolweir
from toolweir import StreamParser

__all__ = ["WAYS", "Way"]

FIRST_TOKEN = 0xF0000
"""In a plane of private use, which no format names anything with."""

HALVES = (b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xef", b"\xff", b"\x80", b"\xc0\x80", b"\xed\xa0", b"\xf4\x90")
"""Characters cut off, bytes that begin none, and what may not follow a byte."""


class Way:
    """By characters; the others differ from it."""

    name = "characters"
    symbols: tuple[str, ...] = ()
    """Units that stand where they do not belong and that only this way has."""

    def __init__(self, format: str):
        self.format = format

    def units(self, text: str) -> str:
        """The text as units of this way."""
        return text

    def spelled(self, text: str) -> str:
        """The text without special tokens."""
        return self.units(text)

    def shown(self, units: str) -> str:
        """Units as a text that people can read, and that the patterns of wait_explained.py do."""
        return units

    def feed(self, parser: StreamParser, units: str) -> tuple[Any, ...]:
        return parser.feed(units) if units else ()

    def texts(self, example: str) -> list[str]:
        """What else is looked at, because it is fed in this way."""
        return []


class TokensApart(Way):
    """The special tokens of the format by feed_special(), all else by characters."""

    name = "tokens"

    def __init__(self, format: str):
        super().__init__(format)
        self.tokens = toolweir.format_info(format).special_tokens
        longest_first = sorted(self.tokens, key=len, reverse=True)
        self.token = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")
        last = FIRST_TOKEN + len(self.tokens) - 1
        self.unit = re.compile(f"([{chr(FIRST_TOKEN)}-{chr(last)}])" if self.tokens else "((?!))")

    def units(self, text: str) -> str:
        return self.token.sub(lambda found: chr(FIRST_TOKEN + self.tokens.index(found[0])), text)

    def spelled(self, text: str) -> str:
        """A marker that is spelled is one as long as no token came apart."""
        return text

    def shown(self, units: str) -> str:
        return self.unit.sub(lambda found: self.tokens[ord(found[0]) - FIRST_TOKEN], units)

    def feed(self, parser: StreamParser, units: str) -> tuple[Any, ...]:
        events: list[Any] = []
        for part in self.unit.split(units):
            if self.unit.fullmatch(part):
                events += parser.feed_special(self.shown(part))
            elif part:
                events += parser.feed(part)
        return tuple(events)

    def texts(self, example: str) -> list[str]:
        """A call behind a token, that the model spelled, and another behind it."""
        token = chr(FIRST_TOKEN)
        return [f"a {token} b {example} c {self.units(example)}", f"{self.units(example)} {example}"]


class Bytes(Way):
    """UTF-8, byte by byte."""

    name = "bytes"
    symbols = tuple(half.decode("ascii", "surrogateescape") for half in ("€🌍".encode(), *HALVES))

    def units(self, text: str) -> str:
        return text.encode().decode("ascii", "surrogateescape")

    def shown(self, units: str) -> str:
        return units.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")

    def feed(self, parser: StreamParser, units: str) -> tuple[Any, ...]:
        return parser.feed(units.encode("utf-8", "surrogateescape")) if units else ()

    def texts(self, example: str) -> list[str]:
        """Characters of two, three and four bytes wherever a text may have some."""
        return [
            self.units(text)
            for text in (
                f"Sô € 🌍\n{example}é",
                example.replace("Oslo", "Zü€🌍"),
                example.replace("get_weather", "wetter_€"),
                example.replace("city", "größe"),
            )
        ]


WAYS = {way.name: way for way in (Way, TokensApart, Bytes)}
