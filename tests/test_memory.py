"""Memory that is asked for is given back: nothing grows with the length of a text or with the number of parsers."""

import gc
import itertools
import tracemalloc

import pytest

import toolweir
from toolweir import StreamParser, Tools
from toolweir.plans import MOST_PLANS

TOOLS = Tools([{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": ["string", "integer"]}}}}])


def grown(work, times):
    """Bytes that are in use after doing this so often, and were not before: the least of three tries.

    What is lost is lost each time; a cache that happens to grow does so once.
    """
    work(2)  # what is made once and kept: caches, tables
    return min(grown_once(work, times) for _ in range(3))


def grown_once(work, times):
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        work(times)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return after - before


ENDLESS = {
    "half an opener at the end of each piece": ("", "text <tool_"),
    "half a character at the end of each piece": ("", "é".encode() + "é".encode()[:1]),
    "a string of arguments": ('<tool_call>{"name": "f", "arguments": {"a": "', "text <tool_"),
    "a malformed block": ("<tool_call>{x", "text </tool_"),
    "a thought": ("<think>", "text </thi"),
    "calls": ("", '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call> <'),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_text_without_end_needs_no_more_than_a_short_one(name):
    head, piece = ENDLESS[name]
    if isinstance(piece, bytes):
        piece = piece[-1:] + piece[:-1]  # each begins with the other half
    parser = StreamParser("hermes", tools=TOOLS, limits=toolweir.Limits(arguments=1000))
    parser.feed(head)

    def feed(times):
        for _ in range(times):
            parser.feed(piece)

    assert grown(feed, 5000) < 16 * len(piece) * 100


def use_parsers(format, text, **options):
    def use(times):
        for _ in range(times):
            parser = StreamParser(format, tools=TOOLS, **options)
            for at in range(0, len(text), 9):
                parser.feed(text[at : at + 9])
            parser.copy()
            parser.finish()

    return use


@pytest.mark.parametrize("format", toolweir.formats())
def test_parsers_leave_nothing_behind(format):
    text = toolweir.format_info(format).example
    assert grown(use_parsers(format, text + text[: len(text) // 2], tool_choice="auto"), 40) < 4000


def test_stop_strings_of_requests_do_not_pile_up():
    stops = (f"stop {number}" for number in itertools.count())

    def make(times):
        for _ in range(times):
            StreamParser("hermes", tools=TOOLS, stop=[next(stops)]).feed("x")

    assert grown(make, 2000) < MOST_PLANS * 64 * 1024  # a plan takes some 20 KiB


def test_dispatchers_leave_nothing_behind():
    fragment = {"index": 0, "id": "c", "function": {"name": "f", "arguments": '{"a": "' + "x" * 100}}
    chunk = {"choices": [{"index": 0, "delta": {"tool_calls": [fragment]}, "finish_reason": None}]}

    def use(times):
        for _ in range(times):
            toolweir.ToolCallDispatcher().observe(chunk)

    assert grown(use, 200) < 4000
