"""What a piece of four characters costs, as a multiple of len() on the same piece (DESIGN: the speed table)."""

import time

from toolweir import formats

from .measure import idle, quiet
from .paths import PATHS, format_path, opened
from .texts import CALL, TEXTS, arguments, cut

__all__ = ["Feed", "FeedAndRead", "Formats", "Growth", "growth_ratio"]


class Feed:
    """The piece handed over, on every path."""

    params = (list(PATHS), [*TEXTS, "values"])
    param_names = ("path", "text")
    unit = "len()"

    def setup(self, path: str, text: str) -> None:
        if text not in PATHS[path].kinds:
            raise NotImplementedError  # asv's word for: there is no such row

    def track_feed(self, path: str, text: str) -> float:
        return PATHS[path].ratio(text)


class FeedAndRead(Feed):
    """The piece handed over, and the text of what comes out read."""

    params = ([path for path in PATHS if PATHS[path].events], [*TEXTS, "values"])

    def track_feed(self, path: str, text: str) -> float:
        return PATHS[path].ratio(text, reading=True)


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
                start = time.thread_time()
                for piece in pieces[24:]:
                    feed(piece)
                shortest[at] = min(shortest[at], time.thread_time() - start)
    return (shortest[far] - idle()) / (shortest[near] - idle())
