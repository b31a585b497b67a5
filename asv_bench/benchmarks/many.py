"""A server's step: what a sequence of it costs, as a multiple of len() on its piece; and tokens against their text."""

from collections.abc import Callable
from typing import Any

from toolweir import StreamParser, TokenTable, feed_many

from .measure import best, opened, over_len, pieces_of
from .texts import TEXTS, prose

PATHS = ["prose", "arguments", "dense", "tagged"]
SEQUENCES = [1, 32, 256]
PIECES = 8192
"""Of all sequences together."""


def rows_of(path: str, kind: str, sequences: int) -> list[list[str]]:
    """The pieces of each step: every sequence has the same text, in strings of its own."""
    columns = [pieces_of(path, kind, PIECES // sequences) for _ in range(sequences)]
    return [list(row) for row in zip(*columns, strict=True)]


def step_ratio(path: str, kind: str, sequences: int, *, events: bool, repeats: int = 20) -> float:
    """A sequence of a step, as a multiple of len()."""
    rows = rows_of(path, kind, sequences)

    def stepping() -> Callable[[list[Any]], None]:
        parsers = [opened(path) for _ in range(sequences)]

        def loop(_: list[Any]) -> None:
            for row in rows:
                feed_many(parsers, row, events=events)

        return loop

    return over_len([piece for row in rows for piece in row], stepping, repeats)


NOTHING = {
    "no text": ("So:", ""),
    "a late name": ('<tool_call>{"arguments": {"a": "', "word"),
    "after the end": ("<|im_end|>", "word"),
}
"""Steps in which nothing is decided: the text before them, and the piece."""


def nothing_ratio(case: str, sequences: int, repeats: int = 20) -> float:
    """A sequence of a step in which nothing is decided, as a multiple of len()."""
    head, piece = NOTHING[case]
    row = [piece] * sequences
    steps = PIECES // sequences

    def stepping() -> Callable[[list[Any]], None]:
        parsers = [StreamParser("hermes") for _ in row]
        feed_many(parsers, [head] * sequences)

        def loop(_: list[Any]) -> None:
            for _step in range(steps):
                feed_many(parsers, row)

        return loop

    return over_len(row * steps, stepping, repeats)


class Steps:
    """Whole pieces, told by their text alone, and the same with an event each."""

    params = (PATHS, SEQUENCES)
    param_names = ("path", "sequences")
    unit = "len()"

    def track_pieces(self, path: str, sequences: int) -> float:
        return step_ratio(path, "english", sequences, events=False)

    def track_events(self, path: str, sequences: int) -> float:
        return step_ratio(path, "english", sequences, events=True)


class Nothing:
    """Steps in which nothing is decided."""

    params = (list(NOTHING), SEQUENCES)
    param_names = ("case", "sequences")
    unit = "len()"

    def track_pieces(self, case: str, sequences: int) -> float:
        return nothing_ratio(case, sequences)


def token_cost(kind: str, feeding: str, portion: int = 1, repeats: int = 20) -> float:
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
        parser = opened("prose")
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
