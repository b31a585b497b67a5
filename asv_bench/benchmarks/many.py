"""A server's step: what a sequence of it costs, as a multiple of len() on its piece; and tokens against their text."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from toolweir import StreamParser, TokenTable, feed_many

from .measure import Loop, best, over_len
from .paths import argument_pieces, opened, prose_pieces
from .texts import CALL, TAGGED_CALL, TEXTS, prose

__all__ = ["SEQUENCES", "STEPS", "Step", "token_cost"]

SEQUENCES = [1, 32, 256]
REPEATS = 30
PIECES = 8192
"""Of all sequences together."""


@dataclass(frozen=True, slots=True)
class Step:
    """What each parser of a step has read, and its pieces."""

    parser: Callable[[], StreamParser]
    pieces: Callable[[], list[str]]
    events: bool = False

    def ratio(self, sequences: int, repeats: int = REPEATS) -> float:
        """The cost of a sequence. All have the same text, in strings of their own."""
        columns = [self.pieces()[: PIECES // sequences] for _ in range(sequences)]
        rows = [list(row) for row in zip(*columns, strict=True)]

        def stepping() -> Loop:
            parsers = [self.parser() for _ in range(sequences)]

            def loop(_: Any) -> None:
                for row in rows:
                    feed_many(parsers, row, events=self.events)

            return loop

        flat = [piece for row in rows for piece in row]
        return over_len(lambda: flat, stepping, repeats)


def in_prose() -> StreamParser:
    return opened("hermes", "So: ")


def in_arguments() -> StreamParser:
    return opened("hermes", CALL)


STEPS = {
    "a piece without text": Step(in_prose, lambda: [""] * 256),
    "prose": Step(in_prose, lambda: prose_pieces("english")),
    "JSON arguments inside a string": Step(in_arguments, lambda: argument_pieces("english")),
    "tagged string value, escaped": Step(lambda: opened("qwen3_coder", TAGGED_CALL), lambda: prose_pieces("english")),
    "prose, with events": Step(in_prose, lambda: prose_pieces("english"), events=True),
    "JSON arguments, with events": Step(in_arguments, lambda: argument_pieces("english"), events=True),
    "arguments held for a late name": Step(
        lambda: opened("hermes", '<tool_call>{"arguments": '), lambda: argument_pieces("english")
    ),
}
"""By the name of the row in the table."""


class Steps:
    """A sequence of a step, whatever comes of its piece."""

    params = (list(STEPS), SEQUENCES)
    param_names = ("step", "sequences")
    unit = "len()"

    def track_feed_many(self, step: str, sequences: int) -> float:
        return STEPS[step].ratio(sequences)


def token_cost(kind: str, feeding: str, portion: int = 1, repeats: int = REPEATS) -> float:
    """A token of four bytes, in nanoseconds: fed as "ids", or as the "text" or "bytes" that it stands for."""
    raw = prose(kind, 8000).encode()
    cut = [raw[at : at + 4] for at in range(0, len(raw), 4)]
    numbers = {token: number for number, token in enumerate(dict.fromkeys(cut))}
    table = TokenTable(list(numbers))
    ids = [numbers[token] for token in cut]
    items: list[Any] = {
        "ids": ids if portion == 1 else [ids[at : at + portion] for at in range(0, len(ids), portion)],
        "bytes": cut,
        "text": [token.decode("utf-8", "replace") for token in cut],
    }[feeding]

    def run() -> None:
        parser = in_prose()
        if feeding == "ids":
            feed_ids = table.feed_ids
            for item in items:
                feed_ids(parser, item)
        else:
            feed = parser.feed
            for item in items:
                feed(item)

    return best(run, repeats) / len(ids) * 1e9


class Tokens:
    """A token by its id, alone or with a hundred others, and by what a detokenizer makes of it."""

    params = (list(TEXTS),)
    param_names = ("text",)
    unit = "ns"

    def track_id(self, text: str) -> float:
        return token_cost(text, "ids")

    def track_id_among_a_hundred(self, text: str) -> float:
        return token_cost(text, "ids", 100)

    def track_text(self, text: str) -> float:
        return token_cost(text, "text")

    def track_bytes(self, text: str) -> float:
        return token_cost(text, "bytes")
