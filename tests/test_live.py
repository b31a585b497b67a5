"""The live view: what came in, what was understood, what is held and why; and what stays when all is over."""

import io
import json
import os
import select
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest
from rich.console import Console
from support import heed_interrupts

from toolweir import ContentDelta, Hold, StreamParser, ToolCallEnd, ToolCallStart, format_info, formats
from toolweir.commands.recording import tokens_of
from toolweir.live import LiveView, markers_of, reason_in_words
from toolweir.passages import KEPT, Passages, Tail, tail_of

CALL = '<tool_call>\n{"name": "save", "arguments": {"text": "one\\ntwo"}}\n</tool_call>'
TEXT = f"<think>\nhm\n</think>\nSure.\n{CALL}"
LONG = {"name": "save", "arguments": {"text": "".join(f"line {n} {'x' * 60}\n" for n in range(2000))}}


def view_of(text: str, *, width: int = 100, height: int = 24, end: bool = True) -> tuple[LiveView, io.StringIO]:
    """A view that was shown a text, and what it wrote to its terminal."""
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=width, height=height, color_system=None, highlight=False)
    view = LiveView(format_info("hermes"), console)
    parser = StreamParser("hermes")
    for token in tokens_of(text):
        view.show(token.text, parser.feed(token.text), parser)
    if end:
        view.show("", parser.finish("stop"), parser)
        view.close(parser)
    else:
        view._live.stop()
    return view, out


def frame_of(text: str, *, width: int = 100, height: int = 24) -> list[str]:
    """The lines of the screen when just this text was read."""
    view, _ = view_of(text, width=width, height=height, end=False)
    console = Console(file=io.StringIO(), width=width, height=height, record=True)
    console.print(view.frame())
    return console.export_text(styles=False).splitlines()


def left_of(text: str) -> str:
    """What a text leaves on the terminal when it is over."""
    return view_of(text)[1].getvalue().rpartition("\x1b[?1049l")[2]


def test_the_text_stands_on_the_left_and_what_it_means_on_the_right() -> None:
    lines = frame_of(TEXT[: TEXT.index("two")])
    left = "\n".join(line[:40] for line in lines)
    right = "\n".join(line[40:] for line in lines)
    for words in ("<think>", "Sure.", "<tool_call>", '{"name": "save", "arguments": {"te', ': "one\\n'):
        assert words in left
    for words in ("hm", "Sure.", "\N{BLACK RIGHT-POINTING SMALL TRIANGLE} save", "growing", '{"text": "one'):
        assert words in right
    assert "<tool_call>" not in right
    assert "nothing is held" in lines[-2]


@pytest.mark.parametrize(
    ("text", "held", "why"),
    [
        ("Sure.\n<tool_", "<tool_", "may become <tool_call>"),
        ("Sure.\n<", "<", "may become <tool_call> or </tool_call> or 4 others"),
        ("<tool_call>\n", "<tool_call>\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}", "if the next visible character fits"),
        ('<tool_call>{"na', '<tool_call>{"na', "its name is not certain yet"),
        ('the "<tool_call>{"name": "f"', '<tool_call>{"name": "f"', "quotes may enclose"),
        ('<tool_call>{"name": 5, ', '<tool_call>{"name": 5, ', "broken call"),
    ],
)
def test_what_is_held_is_shown_with_its_reason(text: str, held: str, why: str) -> None:
    line = frame_of(text)[-2]
    assert held in line
    assert why in line


def test_reasons_inside_a_value_say_which_part_of_it_waits() -> None:
    for held, words in (
        ("12", "a value whose type is open"),
        ("\n</para", "may be the tag that ends the value"),
        ("\\u00", "an escape"),
        ("\n", "whitespace"),
    ):
        assert words in reason_in_words(Hold.VALUE, held, ())


def test_every_reason_has_words_in_every_format() -> None:
    for name in formats():
        markers = markers_of(format_info(name))
        words = {reason_in_words(why, "<", markers) for why in Hold}
        assert len(words) == len(Hold)


@pytest.mark.parametrize(("width", "height"), [(160, 50), (80, 24), (72, 20), (60, 24), (60, 10), (24, 6), (8, 3)])
def test_the_screen_is_filled_and_nothing_beyond(width: int, height: int) -> None:
    from rich.cells import cell_len

    wide = "漢字 " * 200
    lines = frame_of(f"{wide}\n{TEXT}{wide}<tool_", width=width, height=height)
    assert len(lines) == height
    assert {cell_len(line) for line in lines} == {width}


def test_where_there_is_no_room_side_by_side_one_stands_above_the_other() -> None:
    lines = frame_of(TEXT[:-20], width=60)
    written, understood = (
        next(n for n, line in enumerate(lines) if word in line) for word in ("written", "understood")
    )
    assert written == 0
    assert understood > 5


def test_a_long_line_does_not_crawl_as_it_grows() -> None:
    text = "".join(chr(97 + n % 26) for n in range(5000))
    starts = {tail_of(text[:size], size, 40, 10)[:5] for size in range(2000, 2400)}
    assert len(starts) <= 2
    assert all(len(tail_of(text[:size], size, 40, 10)) >= 400 for size in range(2000, 2400))


def test_what_was_understood_stays() -> None:
    left = left_of(f"{TEXT}\n")
    order = [left.index(words) for words in ("hm", "Sure.", "save", "complete after", "one", "two", "finish reason")]
    assert order == sorted(order)
    assert "<tool_call>" not in left
    assert "finish reason tool_calls; 1 of 1 calls complete" in left


def test_a_long_call_stays_as_its_first_and_last_lines() -> None:
    left = left_of(f"<tool_call>\n{json.dumps(LONG)}\n</tool_call>")
    assert left.count("\n") < 25
    assert "line 0 " not in left  # more was written than is kept
    assert "line 1999" in left
    assert " lines\n" in left


def test_what_was_no_call_stays() -> None:
    left = left_of('<tool_call>\n{"name": 5}\n</tool_call>')
    assert "no call: name" in left
    assert '{"name": 5}' in left


def test_what_is_broken_off_says_so() -> None:
    view, out = view_of(TEXT[: TEXT.index("two")], end=False)
    view.close(StreamParser("hermes"))
    left = out.getvalue().rpartition("\x1b[?1049l")[2]
    assert "broken off" in left
    assert "finish reason" not in left


def test_no_control_character_gets_through() -> None:
    text = "before \x1b]0;title\x07 \x1b[2J \x9b2J after\n"
    for shown in (left_of(text), "\n".join(frame_of(text))):
        assert "\x1b]0;" not in shown
        assert "\x1b[2J" not in shown
        assert "\x9b" not in shown
        assert "\N{SYMBOL FOR ESCAPE}" in shown


def test_memory_stays_flat() -> None:
    passages = Passages()
    word = "w" * 4096
    tracemalloc.start()
    try:
        for number in range(20_000):
            passages.take((ContentDelta(word),))
            if number % 10 == 0:
                passages.take((ToolCallStart(0, "call_1", "f", 0), ToolCallEnd(0, "complete", "{}", None)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 16 * 1024 * 1024
    assert passages.dropped > 3000


def test_a_tail_keeps_the_end() -> None:
    tail = Tail()
    assert tail.text == ""
    for number in range(100_000):
        tail.add(f"{number},")
    assert tail.text.endswith("99998,99999,")
    assert len(tail.text) == KEPT
    assert tail.size == sum(len(f"{number},") for number in range(100_000))


# On a real terminal


def on_terminal(*arguments: str, environment: dict[str, str] | None = None, until: bytes = b"") -> tuple[int, bytes]:
    """Runs the command on a pseudo terminal; returns its status and what it wrote. `until` is when it is interrupted."""
    pty = pytest.importorskip("pty")
    here, there = pty.openpty()
    command = [sys.executable, "-m", "toolweir", *arguments]
    given = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "24", **(environment or {})}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=there, stderr=there, env=given, preexec_fn=heed_interrupts
    ) as process:
        os.close(there)
        written = b""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and select.select([here], [], [], 60)[0]:
            try:
                block = os.read(here, 65536)
            except OSError:  # the other end is closed
                break
            if not block:
                break
            written += block
            if until and until in written:
                process.send_signal(2)
                until = b""
    os.close(here)
    return process.returncode, written


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return str(path)


def test_a_terminal_gets_its_screen_back(file: str) -> None:
    status, written = on_terminal("stream", "-f", "hermes", file)
    assert status == 0
    assert (written.count(b"\x1b[?1049h"), written.count(b"\x1b[?1049l")) == (1, 1)
    assert b"finish reason tool_calls" in written.rpartition(b"\x1b[?1049l")[2]


def test_an_interrupted_view_gives_the_screen_back_without_a_word(file: str) -> None:
    status, written = on_terminal("stream", "-f", "hermes", "--rate", "5", file, until=b"think")
    left = written.rpartition(b"\x1b[?1049l")[2]
    assert status == 130
    assert b"\x1b[?25h" in written  # the cursor is there again
    assert b"Traceback" not in left
    assert b"finish reason" not in left


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"TERM": "unknown"}], ids=str)
def test_a_terminal_without_a_cursor_gets_lines(file: str, environment: dict[str, str]) -> None:
    status, written = on_terminal("stream", "-f", "hermes", file, environment=environment)
    assert status == 0
    assert b"\x1b" not in written
    assert b'"type": "result"' in written


def test_no_colour_means_none(file: str) -> None:
    _, written = on_terminal("stream", "-f", "hermes", file, environment={"NO_COLOR": "1"})
    assert b"\x1b[3" not in written.replace(b"\x1b[3m", b"")  # italics are no colour


def test_a_file_that_is_missing_costs_no_screen() -> None:
    status, written = on_terminal("stream", "-f", "hermes", "missing.txt")
    assert (status, written) == (2, b"toolweir: missing.txt: No such file or directory\r\n")
