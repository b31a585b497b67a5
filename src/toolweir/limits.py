"""How much a parser or a dispatcher may hold or keep. Inclusive: what is exactly that large is accepted."""

import sys
from dataclasses import dataclass, fields

from .errors import OptionError

__all__ = ["Limits"]

KIB = 1024
MIB = 1024 * KIB
DEEPEST = 1023
"""Open JSON containers that the scanner has room for; simdjson can confirm as many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Upper bounds of everything that is held back or kept; a field is in bytes of UTF-8 unless it counts something.

    Raises OptionError, naming the field, for a value that is no int or is out of range.
    """

    header: int = 256
    """A call's header and the names in tags; real ones stay below 100."""
    name: int = 512
    """A tool's name as a JSON string; clients allow 64 to 128, gateways prefix them with a server's name."""
    id: int = 128
    """An id that the model wrote; a longer one is replaced by a minted one."""
    value: int = MIB
    """A tagged value that is held because its type is open: a large file, not a runaway model."""
    arguments_before_name: int = MIB
    """Arguments that a model writes before the name: the whole call is held, as large as one value."""
    quoted_hold: int = 4 * KIB
    """A call that a quote touches: an example in prose is a few lines long."""
    resync_hold: int = 64 * KIB
    """Text kept from an opener inside a JSON string, in case that string was never meant to hold it."""
    malformed: int = 4 * KIB
    """The raw text of one MalformedCall; enough to see what went wrong."""
    whitespace: int = KIB
    """Whitespace that a marker behind it would drop; past it, it is text."""
    calls: int = 1024
    """Calls that one parser starts (a count); no turn of a working model comes near."""
    parameters: int = 1024
    """Parameters of one tagged call (a count)."""
    depth: int = DEEPEST
    """Open JSON containers inside one another (a count, 1 to 1023)."""
    arguments: int = 16 * MIB
    """Arguments kept of one call: far above what models write, and 64 such calls still fit into a small server."""
    dispatch_calls: int = 16 * KIB
    """Calls that one dispatcher or aggregator remembers, finished ones too (a count): 128 choices of 128 calls."""
    dispatch_bytes: int = 64 * MIB
    """What one dispatcher or aggregator keeps of all its calls together."""
    sse_event: int = 32 * MIB
    """One SSE event: the largest arguments in one piece, every second byte an escape."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            lowest, highest = (1, DEEPEST) if field.name == "depth" else (0, sys.maxsize)
            if type(value) is not int:
                raise OptionError(f"Limits.{field.name}: expected an int, got {value!r}")
            if not lowest <= value <= highest:
                raise OptionError(f"Limits.{field.name}: expected {lowest} to {highest}, got {value}")
