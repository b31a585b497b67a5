"""What a piece of four characters costs, as a multiple of len() on the same piece (DESIGN: the speed table)."""

from .measure import feed_ratio, growth_ratio, wire_ratio
from .texts import TEXTS

KINDS = list(TEXTS)


class Prose:
    """Text that goes out as a ContentDelta."""

    params = (KINDS,)
    param_names = ("text",)
    unit = "len()"

    def track_feed(self, text: str) -> float:
        return feed_ratio("prose", text, reading=False)

    def track_feed_and_read(self, text: str) -> float:
        return feed_ratio("prose", text, reading=True)


class Arguments:
    """A long string inside a call's JSON arguments."""

    params = (KINDS,)
    param_names = ("text",)
    unit = "len()"

    def track_feed(self, text: str) -> float:
        return feed_ratio("arguments", text, reading=False)

    def track_feed_and_read(self, text: str) -> float:
        return feed_ratio("arguments", text, reading=True)


class DenseArguments:
    """Arguments of many small values."""

    unit = "len()"

    def track_feed(self) -> float:
        return feed_ratio("dense", "", reading=False)

    def track_feed_and_read(self) -> float:
        return feed_ratio("dense", "", reading=True)


class TaggedValue:
    """A string between tags, which goes out escaped."""

    params = (KINDS,)
    param_names = ("text",)
    unit = "len()"

    def track_feed(self, text: str) -> float:
        return feed_ratio("tagged", text, reading=False)

    def track_feed_and_read(self, text: str) -> float:
        return feed_ratio("tagged", text, reading=True)


class Wire:
    """Text and arguments to the bytes of Chat Completions' server-sent events."""

    params = (["prose", "arguments"], KINDS)
    param_names = ("path", "text")
    unit = "len()"

    def track_chat(self, path: str, text: str) -> float:
        return wire_ratio(path, text)


class Growth:
    """A piece of one argument at 100 KB against the same piece at 1 KB."""

    unit = "times"

    def track_100_kb_against_1_kb(self) -> float:
        return growth_ratio()
