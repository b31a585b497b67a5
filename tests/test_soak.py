"""What tests/soak.py shows with a million turns, with a few; and ten thousand parsers at once."""

import gc
import logging
import tracemalloc

import pytest
from soak import Turns, in_use
from support import steps, stream

import toolweir
from toolweir import StreamParser, Tools

TOOLS = Tools([{"name": "get_weather", "parameters": {"properties": {"city": {"type": "string"}}}}])
PARSERS = 10_000


def test_as_much_is_in_use_after_many_turns_as_after_some(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "toolweir")  # faults are put in
    turns = Turns(texts=1)
    used = []
    for _ in range(3):
        for _ in range(1200):
            turns.turn()
        turns.rest()
        used.append(in_use()[1:])
    blocks, objects = (after - before for before, after in zip(used[1], used[2], strict=True))
    assert blocks < 600
    assert objects < 100


def test_ten_thousand_parsers_at_once() -> None:
    formats = toolweir.formats()
    texts = [f"Number {at}. " + toolweir.format_info(format).example for at, format in enumerate(formats)]
    expected = [steps(stream([text], format, tools=TOOLS)[0]) for format, text in zip(formats, texts, strict=True)]
    gc.collect()
    tracemalloc.start()
    parsers = [StreamParser(formats[at % len(formats)], tools=TOOLS) for at in range(PARSERS)]
    each, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert each < 4096 * PARSERS
    events: list[list[toolweir.Event]] = [[] for _ in parsers]
    size = 11
    for start in range(0, max(map(len, texts)), size):
        for at, parser in enumerate(parsers):
            piece = texts[at % len(texts)][start : start + size]
            if piece:
                events[at] += parser.feed(piece)
    for at, parser in enumerate(parsers):
        events[at] += parser.finish("stop")
        assert steps(events[at]) == expected[at % len(formats)]
    ids = [event.id for said in events for event in said if isinstance(event, toolweir.ToolCallStart)]
    minted = [id for id in ids if id.startswith("call_")]
    assert len(minted) > PARSERS // 2
    assert len(set(minted)) == len(minted)
