"""Log probabilities: which of them belong to the content that a frame carries."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any

__all__ = ["ScoredPiece", "Scores"]


@dataclass(frozen=True, slots=True)
class ScoredPiece:
    """The entries of one piece, which covers the code points [start, end) of the text."""

    start: int
    end: int
    entries: list[dict[str, Any]]

    @classmethod
    def of(cls, piece: str | bytes, start: int, entries: list[dict[str, Any]]) -> "ScoredPiece":
        """A piece that is read at `start`. Bytes that only go on with a character belong to it."""
        if isinstance(piece, str):
            return cls(start, start + len(piece), entries)
        begun = sum(byte & 0xC0 != 0x80 for byte in piece)
        return cls(start, start + max(1, begun), entries)


@dataclass(slots=True)
class Scores:
    """The queue between pieces that are read and content that goes out, which may be much later."""

    pieces: deque[ScoredPiece] = field(default_factory=deque)
    waiting: list[dict[str, Any]] = field(default_factory=list)
    sent: list[dict[str, Any]] = field(default_factory=list)

    def cover(self, start: int, end: int) -> None:
        """Content of [start, end) goes out: take the pieces it touches, forget those before it."""
        while self.pieces and self.pieces[0].start < end:
            piece = self.pieces.popleft()
            if piece.end > start:
                self.waiting += piece.entries

    def take(self) -> dict[str, Any] | None:
        """The `logprobs` of the frame that goes out now."""
        entries, self.waiting = self.waiting, []
        self.sent += entries
        return {"content": entries, "refusal": None} if entries else None
