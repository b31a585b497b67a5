"""What a stream remembers of its turn, for the body that says the same at once."""

from dataclasses import dataclass

__all__ = ["Segment"]


@dataclass(slots=True)
class Segment:
    """One part of a turn; `text` is filled in when it ends."""

    kind: str
    """content, reasoning or call."""
    id: str = ""
    name: str = ""
    text: str = ""
