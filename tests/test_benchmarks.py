"""The benchmarks measure what they say: their texts are calls, and what they feed goes out as it comes."""

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import toolweir

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "asv_bench"))

from benchmarks.bulk import LENGTHS, MANY_TEXTS, many_cost  # noqa: E402
from benchmarks.lines import LINES, lines_speed  # noqa: E402
from benchmarks.paths import EXAMPLE_TOOLS, PATHS, format_path, opened  # noqa: E402
from benchmarks.texts import call_in, prose  # noqa: E402

VALUE = prose("code", 1000).strip()


@pytest.mark.parametrize("format", toolweir.formats())
def test_the_text_for_a_format_is_a_call_with_the_value(format):
    message = toolweir.parse("".join(call_in(format, VALUE)), format, tools=EXAMPLE_TOOLS)
    assert [json.loads(call.arguments) for call in message.tool_calls] == [{"city": VALUE}]
    assert message.finish_reason == "tool_calls"


@pytest.mark.parametrize("format", toolweir.formats())
def test_what_is_fed_for_a_format_goes_out_as_arguments(format):
    head, value, _ = call_in(format, prose("code", 8000).strip())
    parser = opened(format, head, EXAMPLE_TOOLS)
    events = [event for piece in format_path(format).pieces("code") for event in parser.feed(piece)]
    assert {type(event) for event in events} == {toolweir.ArgumentsDelta}
    sent = "".join(event.text for event in events)
    assert len(sent) > 0.99 * len(value)


@pytest.mark.parametrize("name", PATHS)
def test_paths_have_pieces_of_four_characters_and_loops_that_take_them(name):
    path = PATHS[name]
    for kind in path.kinds:
        pieces = path.pieces(kind)
        assert name.startswith("observe") or {len(piece) for piece in pieces} == {4}
        path.feeding()(pieces)
        if path.reading:
            path.reading()(pieces)  # fails where an event has no text: a call that ended, or none that began


@pytest.mark.parametrize("name", MANY_TEXTS)
def test_texts_of_many_are_as_long_as_they_say_and_whole_calls(name):
    format, kind, make, _ = MANY_TEXTS[name]
    message = toolweir.parse(make(kind, 1000), format)
    assert [call.status for call in message.tool_calls] == ["complete"] * (make is not prose)
    for length in list(LENGTHS.values())[:2]:
        size, seconds = many_cost(name, length, repeats=1)
        assert length * 0.9 < size < length * 1.2 + 500
        assert seconds > 0


@pytest.mark.parametrize("name", LINES)
def test_lines_are_texts_with_calls(name):
    message = toolweir.parse(json.loads(LINES[name]())["text"], "hermes")
    assert [call.status for call in message.tool_calls] == ["complete"] * (2 if "two" in name else 1)


def test_the_command_reads_lines():
    assert lines_speed("short, two calls", size=1_000_000, repeats=1) > 0


def test_pictures_show_what_was_measured():
    figures = json.loads((ROOT / "docs" / "performance.json").read_text("utf-8"))["3.11"]
    for picture, section in (("growth", "peers"), ("formats", "formats")):
        root = ElementTree.parse(ROOT / "docs" / f"performance-{picture}.svg")
        shown = {(text.text or "").partition(":")[0] for text in root.iter("{http://www.w3.org/2000/svg}text")}
        assert set(figures[section]) <= shown
