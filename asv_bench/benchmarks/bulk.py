"""Whole texts at once, in bytes a second."""

from toolweir import JsonScanner, MarkerMatcher, parse

from .measure import TOOLS, gigabytes_per_second
from .texts import CALL, arguments, dense, prose

SIZE = 900 * 1024
"""Below the size up to which a finished call is confirmed."""

SHAPES = {"strings": lambda: arguments("code", SIZE) + '"}', "dense": lambda: dense(SIZE) + "]}"}
MARKERS = ["<tool_call>", "</tool_call>", "<think>", "</think>", "<|im_end|>"]


class Bulk:
    """GB/s of the scanner and of parse(), for strings and for small values."""

    params = (list(SHAPES),)
    param_names = ("shape",)
    unit = "GB/s"

    def setup(self, shape: str) -> None:
        self.text = SHAPES[shape]()
        self.data = self.text.encode()

    def track_scanner(self, shape: str) -> float:
        return gigabytes_per_second(lambda: JsonScanner().feed(self.data), len(self.data))

    def track_boundary_scanner(self, shape: str) -> float:
        return gigabytes_per_second(lambda: JsonScanner(boundary=True).feed(self.data), len(self.data))

    def track_parse(self, shape: str) -> float:
        call = f"{CALL}{self.text}}}\n</tool_call>"
        return gigabytes_per_second(lambda: parse(call, "hermes", tools=TOOLS), len(self.data))


class BulkProse:
    """GB/s of text without a marker."""

    unit = "GB/s"

    def setup(self) -> None:
        self.text = prose("english", SIZE)

    def track_markers(self) -> float:
        matcher = MarkerMatcher(MARKERS)
        data = self.text.encode()
        return gigabytes_per_second(lambda: matcher.feed(data), len(data))

    def track_parse(self) -> float:
        return gigabytes_per_second(lambda: parse(self.text, "hermes"), len(self.text))
