"""What a format is: data. Which text opens a call, which reader reads it, what ends a turn, what marks a thought."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Format", "Opener"]


@dataclass(frozen=True, slots=True)
class Opener:
    """Text that opens a call, and the reader that reads what follows.

    `closers` are the texts that end the block; a call never needs them, but they are markup. `options` are the reader's
    own (see the reader's docstring).
    """

    marker: str
    reader: str
    closers: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    weak: bool = False
    """An ordinary word: only a declared tool makes a call of it, and all else is text."""
    message: bool = False
    """Opens a message, which need be no call: it is markup inside a thought too, and where there are no tools."""
    blank_line: bool = False
    """Whether the blank line right before it (two newlines) belongs to it."""
    skips: str = ""
    """What may stand between the opener and the call, besides whitespace."""


@dataclass(frozen=True, slots=True)
class Format:
    """One model family's way of writing calls and thoughts."""

    name: str
    openers: tuple[Opener, ...]
    aliases: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    reasoning: tuple[tuple[str, str], ...] = ()
    """Pairs of texts around a thought."""
    markup: tuple[str, ...] = ()
    """Other tags that mean nothing and are never content."""
    end_of_turn: tuple[str, ...] = ()
    """Texts after which nothing of the turn follows."""
    special_tokens: tuple[str, ...] = ()
    """Markers that are tokens of their own in the model's vocabulary."""
    keep_special_tokens: bool = False
    """Whether the engine must decode with special tokens kept, or the markers never reach the parser."""
    calls_in_reasoning: bool = False
    """Whether a call inside a thought is a call, unless the parser's option says otherwise."""
    server_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What servers call this format, by server."""
    evidence: tuple[tuple[str, ...], ...] = ()
    """Sets of texts by which a chat template, or a text, is known for this format's; empty: its markers are enough."""
    example: str = ""
    """One call as the model writes it."""
    summary: str = ""
    """The wire form in one sentence."""
