"""Whole texts at once, in bytes a second."""

import sys
from collections.abc import Callable
from pathlib import Path
from timeit import repeat
from typing import Any

from toolweir import JsonScanner, MarkerMatcher, formats, parse, parse_many

from .measure import best, gigabytes_per_second, in_child
from .paths import EXAMPLE_TOOLS, TOOLS
from .texts import CALL, TAGGED_CALL, arguments, call_in, dense, prose

__all__ = [
    "LENGTHS",
    "MANY_TEXTS",
    "THREADED",
    "Bulk",
    "BulkMany",
    "BulkProse",
    "ManyTexts",
    "WholeCalls",
    "many_cost",
    "threads_cost_alone",
]

HERE = Path(__file__).parent.parent

SIZE = 900 * 1024
"""Below the size up to which a finished call is confirmed."""

MANY = 1_000_000
"""Characters of many texts: a millisecond or a few."""

SHAPES = {"strings": lambda: arguments("code", SIZE) + '"}', "dense": lambda: dense(SIZE) + "]}"}
MARKERS = ["<tool_call>", "</tool_call>", "<think>", "</think>", "<|im_end|>"]

YOUNG = """
import sys
sys.path[:0] = {path}
from benchmarks.bulk import Bulk
bench = Bulk()
bench.setup({shape!r})
print(bench.track_parse({shape!r}, settled=False))
"""
"""parse() alone in a process, where each run may have to ask the system for its memory again."""

OF_THREADS = 12_000_000
"""Characters of all texts that threads share."""

THREADED = {"300 KB": 300_000, "1 MB": 1_000_000, "4 MB": 4_000_000}
"""Lengths that threads read at the same time; what is longer than 1 MB is not confirmed."""

THREADS = """
import sys
sys.path[:0] = {path}
from benchmarks.bulk import threads_cost
print(threads_cost({length}, {confirm!r}, {threads}))
"""


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

    def track_parse(self, shape: str, settled: bool = True) -> float:
        call = f"{CALL}{self.text}}}\n</tool_call>"
        return gigabytes_per_second(lambda: parse(call, "hermes", tools=TOOLS), len(self.data), settled=settled)

    def track_parse_in_a_young_process(self, shape: str) -> float:
        return in_child(YOUNG.format(path=[str(HERE), *sys.path], shape=shape))


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


class WholeCalls:
    """parse() of one call with 64 KB of code, in the syntax of each format; and of the format's short example."""

    params = (list(formats()),)
    param_names = ("format",)

    def setup(self, format: str) -> None:
        self.text = "".join(call_in(format, prose("code", 64 * 1024).strip()))
        self.example = "".join(call_in(format, "Oslo"))

    def track_parse(self, format: str) -> float:
        return gigabytes_per_second(lambda: parse(self.text, format, tools=EXAMPLE_TOOLS), len(self.text))

    track_parse.unit = "GB/s"

    def track_example(self, format: str) -> float:
        return best(lambda: [parse(self.example, format, tools=EXAMPLE_TOOLS) for _ in range(20)], 20) / 20 * 1e6

    track_example.unit = "us"


BYTES = {"cjk": 3}
"""Of a character, where it is not one."""

LENGTHS = {"1 KB": 1_000, "10 KB": 10_000, "100 KB": 100_000, "1 MB": 1_000_000}


def json_call(kind: str, length: int) -> str:
    return f'Sure.\n{CALL}{arguments(kind, length)}"}}}}\n</tool_call>'


def tagged_call(kind: str, length: int) -> str:
    return f"Sure.\n{TAGGED_CALL}{prose(kind, length)}</parameter>\n</function>\n</tool_call>"


MANY_TEXTS: dict[str, tuple[str, str, Callable[[str, int], str], dict[str, Any]]] = {
    "hermes, a string of code": ("hermes", "code", json_call, {}),
    'the same, `confirm="never"`': ("hermes", "code", json_call, {"confirm": "never"}),
    "qwen3_coder, a string of code": ("qwen3_coder", "code", tagged_call, {}),
    "hermes, a string of Chinese and Japanese": ("hermes", "cjk", json_call, {}),
    "prose": ("hermes", "english", prose, {}),
}
"""By the name of the row in the table: format, kind of text, what is made of it, options."""


def many_cost(name: str, length: int, repeats: int = 30) -> tuple[int, float]:
    """The bytes of such a text, and what it takes parse_many() in seconds."""
    format, kind, make, options = MANY_TEXTS[name]
    text = make(kind, length // BYTES.get(kind, 1))
    texts = [text] * max(2, MANY // length // 4)

    def run() -> None:
        for _ in parse_many(texts, format, tools=TOOLS, **options):
            pass

    return len(text.encode()), best(run, repeats) / len(texts)


class ManyTexts:
    """Microseconds for a text, by its length."""

    params = (list(MANY_TEXTS), list(LENGTHS))
    param_names = ("text", "length")
    unit = "us"

    def track_text(self, text: str, length: str) -> float:
        return many_cost(text, LENGTHS[length])[1] * 1e6


def threads_cost(length: int, confirm: str, threads: int, repeats: int = 12) -> float:
    """Seconds that parse_many() takes for a text, by the clock, which sees all threads."""
    texts = [json_call("code", length)] * max(8, OF_THREADS // length)

    def run() -> None:
        for _ in parse_many(texts, "hermes", tools=TOOLS, threads=threads, confirm=confirm):
            pass

    return min(repeat(run, number=1, repeat=repeats)) / len(texts)


def threads_cost_alone(length: int, confirm: str, threads: int) -> float:
    """The same in a process of its own: memory is got and given back as in a program that does nothing else."""
    return in_child(THREADS.format(path=[str(HERE), *sys.path], length=length, confirm=confirm, threads=threads))


class BulkMany:
    """Microseconds for a text, by its length and the number of threads."""

    params = ([1_000, 100_000, *THREADED.values()], ["auto", "never"], [1, 2])
    param_names = ("length", "confirm", "threads")
    unit = "us"

    def track_parse_many(self, length: int, confirm: str, threads: int) -> float:
        return threads_cost_alone(length, confirm, threads) * 1e6
