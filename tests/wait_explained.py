"""Waits that the oracle finds and that stay: each with the reason, and with a text in which it has to be found."""

import re
from dataclasses import dataclass, field
from typing import Any

__all__ = ["EXPLAINED", "Explained", "Wait", "explanation"]


@dataclass(frozen=True, slots=True)
class Wait:
    """Held beyond the oracle: behind this prefix every continuation agrees on what is held."""

    format: str
    scene: str
    prefix: str
    held: str
    size: int
    """Characters and other events."""

    def __str__(self) -> str:
        return f"{self.format} [{self.scene}] {self.prefix!r} holds {self.held}"


@dataclass(frozen=True, slots=True)
class Explained:
    """A kind of wait that stays."""

    title: str
    reason: str
    example: tuple[str, dict[str, Any], str]
    """Format, options and a prefix behind which it is found."""
    formats: tuple[str, ...] = ()
    """Only in these; empty: in any."""
    scenes: tuple[str, ...] = ()
    """Only in scenes, or case files, that begin so; empty: in any."""
    prefix: str = ""
    """A pattern that is found in the prefix, and"""
    held: str = ""
    """one that is found in what is held."""
    most: int = field(default=1 << 30)
    """Characters and events held at most."""

    def fits(self, wait: Wait) -> bool:
        return (
            (not self.formats or wait.format in self.formats)
            and (not self.scenes or wait.scene.startswith(self.scenes))
            and wait.size <= self.most
            and re.search(self.prefix, wait.prefix) is not None
            and re.search(self.held, wait.held) is not None
        )


EXPLAINED: tuple[Explained, ...] = ()


def explanation(wait: Wait) -> Explained | None:
    """The kind that a wait is of, None if it should not be."""
    return next((kind for kind in EXPLAINED if kind.fits(wait)), None)
