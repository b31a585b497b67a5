"""A second opinion on JSON that the scanner found complete: the one place that knows simdjson.

simdjson is asked once for each completed call. It refuses some texts that RFC 8259 allows: numbers that fit no 64-bit
type, escapes of lone surrogates, very deep nesting. It names them with the same words as real mistakes (`01` is a
NUMBER_ERROR just as `1e999` is), so these words leave the question open and the strict scanner's verdict stands. And it
accepts a byte order mark, which the grammar does not.

It is imported when the first parser is made that may ask it: a tenth of the time that `import toolweir` would take.
"""

import logging
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simdjson import Parser

__all__ = ["Verdict", "confirm", "simdjson_parser"]

logger = logging.getLogger("toolweir")

_OPEN_QUESTIONS = (
    "NUMBER_ERROR",  # past the range of a double or of 64 bits, or not a number
    "BIGINT_ERROR",  # an integer of more than 20 digits
    "STRING_ERROR",  # an escape of a lone surrogate, or a bad escape
    "DEPTH_ERROR",  # more than 1023 non-empty containers inside one another
    "CAPACITY",  # more than 4 GiB
    "MEMALLOC",
)

BYTE_ORDER_MARK = "\ufeff".encode()

KEPT = 1024 * 1024
"""Length of the longest text whose parser is kept: it keeps the memory for it, up to 15 bytes a byte."""

_spare: list["Parser"] = []
"""A parser that nobody is using, one at most. Who takes it has it alone, so threads never share it."""

_missing_reported = False


class Verdict(Enum):
    """What the second validator says about a text."""

    VALID = "valid"
    """One JSON value, with or without whitespace around it."""
    UNDECIDED = "undecided"
    """It refuses also some valid texts with this error, or it is not installed: the scanner's verdict stands."""
    REFUTED = "refuted"
    """Not JSON."""


@cache
def simdjson_parser() -> "type[Parser] | None":
    """simdjson's class of parsers; None where it is not installed, for there is no wheel for every platform."""
    try:
        from simdjson import Parser
    except ImportError:
        return None
    return Parser


def confirm(text: str | memoryview) -> Verdict:
    """Asks simdjson whether `text`, or the UTF-8 in it, is one JSON value. Takes linear time and never raises.

    A parser makes room of several times the text, and fresh memory costs more than the validation; so one is kept.
    """
    make_parser = simdjson_parser()
    if make_parser is None:
        _report_missing()
        return Verdict.UNDECIDED
    if text.startswith("\ufeff") if isinstance(text, str) else text[:3] == BYTE_ORDER_MARK:
        return Verdict.REFUTED
    try:
        parser = _spare.pop()
    except IndexError:
        parser = make_parser()
    try:
        parser.parse(text)
    except UnicodeEncodeError:  # a lone surrogate as a character: no UTF-8 to ask about
        return Verdict.UNDECIDED
    except (ValueError, RuntimeError) as error:
        return Verdict.UNDECIDED if str(error).startswith(_OPEN_QUESTIONS) else Verdict.REFUTED
    finally:
        if len(text) <= KEPT:
            _spare[:] = (parser,)
    return Verdict.VALID


def _report_missing() -> None:
    global _missing_reported
    if not _missing_reported:
        _missing_reported = True
        logger.info("pysimdjson is not installed: completed calls are checked by the strict scanner alone")
