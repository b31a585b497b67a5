"""Recorded parses: what another parser made of every prefix of a text, as SnapshotDiffer takes it.

A text file of lines `<fixture> <prefix length|final> <payload>`, separated by single spaces; blank lines and lines
that begin with `#` are skipped. The payload is a JSON array of OpenAI tool calls. Only prefixes at which it changed are
there.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Recording", "read_recordings"]


@dataclass(slots=True)
class Recording:
    """The parses of one text."""

    snapshots: list[tuple[int, list[Any]]] = field(default_factory=list)
    """(bytes of the text that were parsed, tool calls), by growing prefix."""
    final: list[Any] | None = None
    """The parse of the whole text."""


def read_recordings(lines: Iterable[str]) -> dict[str, Recording]:
    """The recordings of a file, by fixture. Raises ValueError, naming the line, for a line that is none of the above.

    A parse that failed when it was recorded (`THROW`) is an error as well: a recording with a hole proves nothing.
    """
    recordings: dict[str, Recording] = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text and not text.startswith("#"):
            try:
                _read_line(text, recordings)
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from None
    return recordings


def _read_line(text: str, recordings: dict[str, Recording]) -> None:
    parts = text.split(" ", 2)
    if len(parts) < 3:
        raise ValueError(f"expected a fixture, a prefix length or 'final', and a payload, got {text!r}")
    fixture, prefix, payload = parts
    if payload.split(" ", 1)[0] == "THROW":
        raise ValueError(f"the parser failed on {fixture} {prefix}: {payload[6:]}")
    calls = json.loads(payload)
    if not isinstance(calls, list):
        raise ValueError(f"expected a JSON array of tool calls, got {payload!r}")
    recording = recordings.setdefault(fixture, Recording())
    if recording.final is not None:
        raise ValueError(f"{fixture} has a parse after its final one")
    if prefix == "final":
        recording.final = calls
        return
    if not (prefix.isascii() and prefix.isdigit()):
        raise ValueError(f"expected a prefix length or 'final', got {prefix!r}")
    if recording.snapshots and recording.snapshots[-1][0] >= int(prefix):
        raise ValueError(f"{fixture}: prefix {prefix} does not grow")
    recording.snapshots.append((int(prefix), calls))
