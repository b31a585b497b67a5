"""Long stretches of text are read without the GIL: they say what their pieces say, and the parser is in use meanwhile."""

import json
import random
import sys
import threading
import time
from typing import Any

import pytest
from support import steps, stream

import toolweir
from toolweir import ParserStateError, StreamParser, parse

FORMATS = toolweir.formats()
STRETCH = 16 * 1024
"""What is longer is read without the GIL (readers/stretches.pxd)."""
CALL = '<tool_call>\n{"name": "f", "arguments": {"a": "%s"}}\n</tool_call>'


FILLERS = {
    "ascii": "Some words, a < b, [1] and {2}.\n",
    "latin-1": "Über façade, a < b.\n",
    "ucs-2": "春の海は静かで、a < b だ。\n",
    "ucs-4": "smile 🙂, a < b 🎉\n",
    "once beyond ascii": "",
}


def filler(kind: str, size: int) -> str:
    if kind == "once beyond ascii":
        return filler("ascii", size - 1)[: size - 1] + "é"
    text = FILLERS[kind]
    return (text * (size // len(text) + 1))[:size]


def cut(text: str | bytes, size: int) -> list[Any]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@pytest.mark.parametrize("kind", FILLERS)
@pytest.mark.parametrize("format", FORMATS)
def test_a_long_text_says_what_its_pieces_say(format: str, kind: str) -> None:
    text = filler(kind, 2 * STRETCH + 100) + "\n" + toolweir.format_info(format).example + filler(kind, 3 * STRETCH)
    events, _ = stream(cut(text, 5000), format)
    expected = steps(events)
    for whole in (text, text.encode(), bytearray(text.encode())):
        assert steps(stream([whole], format)[0]) == expected


@pytest.mark.parametrize("kind", FILLERS)
def test_a_long_argument_says_what_its_pieces_say(kind: str) -> None:
    value = filler(kind, 5 * STRETCH)
    texts = {
        "hermes": CALL % json.dumps(value, ensure_ascii=False)[1:-1],
        "qwen3_coder": f"<tool_call>\n<function=f>\n<parameter=a>\n{value}\n</parameter>\n</function>\n</tool_call>",
        "pythonic": f"[f(a={value!r})]",
    }
    for format, call in texts.items():
        text = f"Sure.\n{call}\nDone." if format != "pythonic" else call
        events, _ = stream(cut(text, 5000), format)
        assert steps(stream([text], format)[0]) == steps(events)
        message = parse(text, format)
        assert [json.loads(call.arguments) for call in message.tool_calls] == [{"a": value}]


@pytest.mark.parametrize("boundary", [STRETCH, 2 * STRETCH])
def test_markers_are_found_where_a_stretch_begins(boundary: int) -> None:
    for offset in range(-len("<tool_call>") - 2, 3):
        text = filler("ascii", boundary + offset) + CALL % "x" + filler("ascii", 3 * STRETCH)
        message = parse(text, "hermes")
        assert [call.arguments for call in message.tool_calls] == ['{"a": "x"}']
        assert message.content == text.replace(CALL % "x", "")


@pytest.mark.parametrize("boundary", [STRETCH, 2 * STRETCH])
def test_arguments_end_and_break_where_a_stretch_begins(boundary: int) -> None:
    for offset in range(-4, 5):
        value = "x" * (boundary - len('{"a": "') + offset)
        whole = CALL % value + filler("ascii", 3 * STRETCH)
        assert parse(whole, "hermes").tool_calls[0].arguments == f'{{"a": "{value}"}}'
        broken = CALL.replace('"%s"', '"%s" 7') % value + filler("ascii", 3 * STRETCH)
        (call,) = parse(broken, "hermes").tool_calls
        assert (call.status, call.arguments) == ("invalid", f'{{"a": "{value}" ')


def test_bytes_that_are_cut_or_no_utf8_are_read_as_before() -> None:
    text = filler("ucs-2", STRETCH).encode()
    for whole in (text[:-1], text[:-2], text + b"\xff", b"\xff" + text, text[1:]):
        assert parse(whole, "hermes").content == whole.decode("utf-8", "replace")


@pytest.mark.parametrize("alphabet", ["a\n", "aé", "éÿ", "a日", "日本", "aé日", "a🙂", "🙂🎉", "aé日🙂"])
def test_bytes_of_any_length_are_the_text_that_they_say(alphabet: str) -> None:
    rng = random.Random(alphabet)
    for length in (*range(1, 40), 255, 256, 257, 2039, 2040, 2041, 2048, 5000, STRETCH, STRETCH + 1, 3 * STRETCH):
        text = "x" + "".join(rng.choices(alphabet, k=length)) + "x"
        (event,) = StreamParser("hermes").feed(text.encode())
        assert (event.text, event.span) == (text, (0, len(text)))
        assert str(event.text).isascii() == text.isascii()


def test_a_parser_in_use_refuses_all_but_looks() -> None:
    """While a long text is read other threads run; one that touches the same parser may look, and nothing else."""
    text = "Sure.\n" + CALL % filler("ascii", 2_000_000).replace("\n", " ")
    refused: set[str] = set()
    looks: list[tuple[int, str, int, str]] = []
    parser = StreamParser("hermes")
    over = threading.Event()

    def touch() -> None:
        doings = {
            "feed": lambda: parser.feed(""),
            "feed_special": lambda: parser.feed_special("<think>"),
            "flush_held": lambda: parser.flush_held(),
            "finish": lambda: parser.finish(),
            "reset": lambda: parser.reset(),
            "copy": lambda: parser.copy(),
            "__init__": lambda: parser.__init__("hermes"),  # type: ignore[misc]
        }
        while not over.is_set():
            for name, do in doings.items():
                if not reading:
                    break
                try:
                    parser.stats  # noqa: B018
                    looks.append((parser.offset, parser.channel, len(parser.held), repr(parser)))
                    if reading:
                        do()
                except ParserStateError:
                    refused.add(name)
            time.sleep(0)

    reading = False
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # a thread that does not give the GIL up keeps it
    thread = threading.Thread(target=touch)
    try:
        thread.start()
        for _ in range(300):
            parser = StreamParser("hermes")
            reading = True
            events = [*parser.feed(text)]
            reading = False
            assert steps(events) == steps(stream([text], "hermes")[0][: len(events)])
            if len(refused) == 7:
                break
    finally:
        over.set()
        sys.setswitchinterval(before)
        thread.join()
    assert refused == {"feed", "feed_special", "flush_held", "finish", "reset", "copy", "__init__"}
