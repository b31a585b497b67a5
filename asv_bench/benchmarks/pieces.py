"""What a piece of four characters costs, as a multiple of len() on the same piece (DESIGN: the speed table)."""

import time

from toolweir import formats

from .measure import idle, quiet
from .paths import PATHS, format_path, opened
from .texts import CALL, arguments, cut

__all__ = ["Feed", "FeedAndRead", "Formats", "Growth", "growth_ratio"]


ROWS = {f"{name}; {kind}": (path, kind) for name, path in PATHS.items() for kind in path.kinds}
READ = {row: (path, kind) for row, (path, kind) in ROWS.items() if path.reading}


class Feed:
    """The piece handed over, on every path."""

    params = (list(ROWS),)
    param_names = ("path",)
    unit = "len()"

    def track_feed(self, row: str) -> float:
        path, kind = ROWS[row]
        return path.ratio(kind)


class FeedAndRead:
    """The piece handed over, and the text of what comes out read."""

    params = (list(READ),)
    param_names = ("path",)
    unit = "len()"

    def track_feed_and_read(self, row: str) -> float:
        path, kind = READ[row]
        return path.ratio(kind, reading=True)


class Formats:
    """A string argument, code, in the syntax of each format."""

    params = (list(formats()),)
    param_names = ("format",)
    unit = "len()"

    def track_feed(self, format: str) -> float:
        return format_path(format).ratio("code")

    def track_feed_and_read(self, format: str) -> float:
        return format_path(format).ratio("code", reading=True)


class Growth:
    """A piece of one argument at 100 KB against the same piece at 1 KB."""

    unit = "times"

    def track_100_kb_against_1_kb(self) -> float:
        return growth_ratio()


def growth_ratio(near: int = 1024, far: int = 100 * 1024, repeats: int = 60) -> float:
    """A piece of one argument at `far` characters against the same piece at `near`."""
    text = arguments("code", far + 16 * 1024)
    # The same pieces for both: a text that repeats itself is the same at any of its periods.
    pieces = cut(text[near : near + 8 * 1024])
    parsers = {at: opened("hermes", CALL + text[:at]) for at in (near, far)}
    shortest = dict.fromkeys(parsers, float("inf"))
    with quiet():
        for _ in range(repeats):
            for at, parser in parsers.items():
                feed = parser.copy().feed
                for piece in pieces[:24]:  # the copy makes room for more
                    feed(piece)
                start = time.perf_counter()
                for piece in pieces[24:]:
                    feed(piece)
                shortest[at] = min(shortest[at], time.perf_counter() - start)
    return (shortest[far] - idle()) / (shortest[near] - idle())
