"""The command line: what it prints, where it complains, and with which status it ends."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support import heed_interrupts

import toolweir
from toolweir import StreamParser
from toolweir.cli import main
from toolweir.commands.check import _at_random
from toolweir.commands.reading import split_special
from toolweir.commands.recording import Token, read_tokens

CALL = '<tool_call>\n{"name": "save", "arguments": {"text": "h\\u00e9llo"}}\n</tool_call>'
TEXT = f"Sure.\n{CALL}"
TOOLS = [{"type": "function", "function": {"name": "save", "parameters": {"type": "object"}}}]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return str(path)


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "toolweir", *arguments], capture_output=True, **options)


def test_stream_prints_an_event_a_line_and_the_result_last(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stream", file, "--format", "hermes"]) == 0
    *events, result = lines(capsys.readouterr().out)
    assert [event["type"] for event in events if event["type"] != "content_delta"] == [
        "tool_call_start",
        *["arguments_delta"] * (len(events) - 4),
        "tool_call_end",
    ]
    assert "".join(event["text"] for event in events if event["type"] == "content_delta") == "Sure.\n"
    assert events[-1]["arguments"] == '{"text": "h\\u00e9llo"}'
    assert result["type"] == "result"
    assert result["finish_reason"] == "tool_calls"
    assert result["complete"] == 1


def test_stream_reads_standard_input_and_replaces_broken_utf8_if_told_to() -> None:
    done = run("stream", "--format", "hermes", "--replace", input=b"caf\xe9 \xe2\x82\xac")
    assert done.returncode == 0
    assert done.stderr == b""
    text = "".join(line["text"] for line in lines(done.stdout.decode())[:-1])
    assert text == "caf\N{REPLACEMENT CHARACTER} \N{EURO SIGN}"


def test_stream_writes_each_event_before_it_waits_for_more() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "toolweir", "stream", "-f", "hermes"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"early")
        process.stdin.flush()
        first = json.loads(process.stdout.readline())  # hangs if the event waits for the end of the input
        process.stdin.close()
        rest = process.stdout.read()
    assert first["text"].startswith("earl")
    assert b'"result"' in rest


def test_stream_as_an_api_writes_what_a_server_would_send(file: str) -> None:
    done = run("stream", file, "-f", "hermes", "--as", "chat")
    assert done.returncode == 0
    frames = done.stdout.decode().split("\n\n")
    assert frames[-2:] == ["data: [DONE]", ""]
    assert json.loads(frames[-3].removeprefix("data: "))["choices"][0]["finish_reason"] == "tool_calls"


def test_options_reach_the_parser(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps({"model": "m", "tools": TOOLS}))
    given = ["-f", "hermes", "--tools", str(tools)]
    assert main(["stream", file, *given, "--tool-choice", "none"]) == 0
    assert {line["type"] for line in lines(capsys.readouterr().out)} == {"content_delta", "result"}
    assert main(["stream", file, *given, "--max-tool-calls", "0"]) == 0
    assert "tool_call_skipped" in {line["type"] for line in lines(capsys.readouterr().out)}
    assert main(["stream", file, *given, "--stop", "ur"]) == 0
    *events, result = lines(capsys.readouterr().out)
    assert [event["text"] for event in events] == ["S"]
    assert result["stop_sequence"] == "ur"
    assert main(["stream", file, *given, "--finish", "content_filter"]) == 0
    assert lines(capsys.readouterr().out)[-1]["finish_reason"] == "content_filter"


def test_special_tokens_are_fed_as_such(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stream", file, "-f", "hermes", "--special"]) == 0
    assert lines(capsys.readouterr().out)[-1]["complete"] == 1


def test_special_tokens_are_cut_out_of_any_pieces() -> None:
    for step in (1, 3, 4, 100):
        pieces = [Token(TEXT[at : at + step]) for at in range(0, len(TEXT), step)]
        found = list(split_special(iter(pieces), ("<tool_call>", "</tool_call>")))
        assert "".join(token.text for token in found) == TEXT
        assert [token.text for token in found if token.special] == ["<tool_call>", "</tool_call>"]


def test_a_recording_may_say_itself_how_it_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "tokens.jsonl"
    path.write_text('"Hel"\n\n"lo"\n{"special": "<tool_call>"}\n')
    assert list(read_tokens(str(path))) == [Token("Hel"), Token("lo"), Token("<tool_call>", special=True)]


def test_parse_prints_the_message(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", file, "-f", "hermes"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["finish_reason"] == "tool_calls"
    assert found["message"]["content"] == "Sure.\n"
    assert found["message"]["tool_calls"][0]["function"]["name"] == "save"


def test_parse_keeps_broken_calls_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cut.txt"
    path.write_text(TEXT[: TEXT.index("llo")])
    assert main(["parse", str(path), "-f", "hermes"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "tool_calls" not in found["message"]
    assert [call["status"] for call in found["broken_calls"]] == ["incomplete"]


def test_check_says_that_all_cuts_agree(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", file, "-f", "hermes", "--cuts", "2"]) == 0
    assert capsys.readouterr().out == "6 cuts agree on 4 events\n"


def test_random_cuts_have_pieces_of_one_character_and_of_many() -> None:
    pieces = list(_at_random("x" * 1000, random.Random(0)))
    assert "".join(pieces) == "x" * 1000
    assert {len(piece) for piece in pieces[:-1]} == {1, 2, 3, 5, 8, 13, 40}


def test_check_shows_the_first_difference(
    file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Forgetful(StreamParser):
        def feed(self, piece: Any, /) -> Any:
            return super().feed("" if piece == "u" else piece)

    monkeypatch.setattr("toolweir.commands.check.StreamParser", Forgetful)
    assert main(["check", file, "-f", "hermes"]) == 1
    out = capsys.readouterr().out
    assert "by character" in out
    assert '"Sre.' in out


def test_scan_says_where_json_breaks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "value.json"
    for text, status, words in (
        ('{"a": [1, 2]}\n', 0, "one JSON value in 14 bytes"),
        ("12", 0, "one JSON value"),
        ('{"a":\n [1, x]}', 1, "line 2, column 6, byte 11: JSON does not allow 'x'"),
        ('{"a": 1} x', 1, "byte 9: the value has ended before 'x'"),
        ('{"a": [', 1, "2 open containers"),
        ("", 1, "ends after 0 bytes"),
        ("[" * 1100, 1, "too many open containers"),
    ):
        path.write_text(text)
        assert main(["scan", str(path)]) == status, text
        assert words in capsys.readouterr().out


def test_dispatch_prints_each_complete_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "chunks.sse"
    call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "save", "arguments": '{"a": 1}'}}
    chunk = {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}]}
    path.write_text(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n")
    assert main(["dispatch", str(path)]) == 0
    (line,) = lines(capsys.readouterr().out)
    assert line["tool_call"]["function"]["arguments"] == '{"a": 1}'


def test_formats_lists_and_tells(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formats"]) == 0
    assert "hermes " in capsys.readouterr().out
    assert main(["formats", "qwen25"]) == 0
    out = capsys.readouterr().out
    assert "Hermes 2 Pro" in out
    assert "<think> ... </think>" in out
    assert main(["formats", "hermes", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["name"] == "hermes"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["stream", "-f", "hermes", "missing.txt"], "missing.txt: No such file"),
        (["stream", "-f", "hermes", "."], "Is a directory"),
        (["parse", "-f", "hermse", "FILE"], "did you mean 'hermes'"),
        (["stream", "FILE"], "--format"),
        (["stream", "-f", "hermes", "--rate", "0", "FILE"], "above 0"),
        (["stream", "-f", "hermes", "--output", "json", "FILE"], "--output"),
        (["stream", "-f", "hermes", "--tools", "FILE", "FILE"], "not JSON"),
        (["stream", "-f", "hermes", "--tools", "NUMBER", "FILE"], "expected a list of tool definitions"),
        (["stream", "-f", "hermes", "--tools", "BROKEN", "FILE"], "BROKEN: tools[0].name: expected a non-empty string"),
        (["stream", "-f", "hermes", "--tools", "TOOLS", "--tool-choice", "f", "FILE"], "'f' is not among"),
        (["stream", "-f", "hermes", "NUMBER.jsonl"], "line 1: expected a JSON string"),
        (["stream", "-f", "hermes", "DEEP.jsonl"], "line 1: expected a JSON string"),
        (["stream", "-f", "hermes", "--tools", "DEEP", "FILE"], "DEEP: not JSON"),
        (["stream", "-f", "hermes", "--tools", "LATIN", "FILE"], "LATIN: not JSON"),
        (["stream", "-f", "hermes", "--tools", "EMPTY", "FILE"], "EMPTY: not JSON"),
        (["stream", "-f", "hermes", "--tools", ".", "FILE"], ".: Is a directory"),
        (["stream", "-f", "hermes", "--tools", "missing.json", "FILE"], "missing.json: No such file"),
        (["stream", "-f", "hermes", "--max-tool-calls", "-1", "FILE"], "max_tool_calls"),
        (["stream", "-f", "hermes", "--stop=", "FILE"], "stop: expected non-empty strings"),
        (["parse", "-f", "qwen3", "FILE"], "ambiguous"),
        (["parse", "-f", "", "FILE"], "unknown format ''; toolweir.formats() lists all"),
        (["check", "-f", "hermes", "--cuts", "-1", "FILE"], "expected a number of cuts"),
        (["formats", "nothing-like-it"], "unknown format"),
        (["formats", ""], "unknown format"),
        ([], "COMMAND"),
        (["fly"], "fly"),
    ],
)
def test_mistakes_get_one_line_and_status_2(
    arguments: list[str], words: str, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"FILE": file}
    for name, data in (
        ("NUMBER", b"7"),
        ("NUMBER.jsonl", b"7"),
        ("BROKEN", b'[{"name": 1}]'),
        ("TOOLS", json.dumps(TOOLS).encode()),
        ("DEEP", b"[" * 100_000),
        ("DEEP.jsonl", b"[" * 100_000),
        ("LATIN", b'[{"name": "caf\xe9"}]'),
        ("EMPTY", b""),
    ):
        (tmp_path / name).write_bytes(data)
        files[name] = str(tmp_path / name)
    try:
        status = main([files.get(argument, argument) for argument in arguments])
    except SystemExit as end:
        status = end.code  # type: ignore[assignment]
    assert status == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err
    assert captured.err.count("\n") == 1


READING = [["stream", "-f", "hermes"], ["parse", "-f", "hermes"], ["check", "-f", "hermes"], ["scan"], ["dispatch"]]
"""The commands that read a file."""

reading = pytest.mark.parametrize("command", READING, ids=lambda command: command[0])


@reading
@pytest.mark.parametrize(("name", "words"), [("missing", "No such file or directory"), (".", "Is a directory")])
def test_every_command_names_the_file_that_it_cannot_read(
    command: list[str], name: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, name]) == 2
    assert capsys.readouterr() == ("", f"toolweir: {name}: {words}\n")


@reading
@pytest.mark.parametrize(
    "data",
    [b"", b"\0" * 9, b"\xff\xfe", b"caf\xe9 <tool_call>", b"\xef\xbb\xbf{}", b"[" * 100_000, b"data: 5\n\n"],
    ids=["empty", "NUL", "UTF-16", "Latin-1", "BOM", "deep", "SSE"],
)
def test_every_command_has_an_answer_to_every_file(
    command: list[str], data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    no_events = command == ["dispatch"] and data and b"data:" not in data
    replace = ["--replace"] if "-f" in command else []
    assert main([*command, *replace, str(path)]) == (1 if no_events or command == ["scan"] else 0)
    captured = capsys.readouterr()
    assert captured.err == ("no server-sent event: expected lines that begin with 'data:'\n" if no_events else "")
    assert captured.out or command == ["dispatch"]


@pytest.mark.parametrize("command", READING[:3], ids=lambda command: command[0])
@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"caf\xe9 x", "invalid continuation byte at byte 3, 0xe9"),
        (b"x" * 65_535 + b"\xe2\x82x", "invalid continuation byte at byte 65535, 0xe2"),  # blocks end inside of it
        (b"euro \xe2\x82", "unexpected end of data at byte 5, 0xe2"),
    ],
    ids=["middle", "cut", "end"],
)
def test_broken_utf8_is_named_with_its_place(
    command: list[str], data: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(data)
    assert main([*command, str(path)]) == 2
    out, err = capsys.readouterr()
    assert err == f"toolweir: {path}: not UTF-8: {words} (--replace reads it as U+FFFD)\n"
    assert "result" not in out


def test_broken_utf8_in_a_recording_of_tokens_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tokens.jsonl"
    path.write_bytes(b'"a"\n"\xff"\n')
    assert main(["parse", "-f", "hermes", str(path)]) == 2
    assert "not UTF-8: invalid start byte at byte 5, 0xff" in capsys.readouterr().err
    assert main(["parse", "-f", "hermes", "--replace", str(path)]) == 0


def test_the_version_is_that_of_the_distribution(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"toolweir {toolweir.__version__}\n"


def test_lone_surrogates_are_no_reason_to_stop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tokens.jsonl"
    path.write_text('"a\\ud800b"\n"\\udc00"\n')
    for command, *options in READING[:3]:
        assert main([command, *options, str(path)]) == 0, command
    assert capsys.readouterr().out.endswith("cuts agree on 1 events\n")


def in_shell(redirection: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "toolweir", *arguments]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@reading
def test_a_closed_standard_input_is_named(command: list[str]) -> None:
    done = in_shell("<&-", *command)
    assert (done.returncode, done.stderr) == (2, b"toolweir: standard input: closed\n")


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
def test_a_closed_standard_output_is_named(file: str) -> None:
    done = in_shell(">&-", "parse", "-f", "hermes", file)
    assert (done.returncode, done.stderr) == (2, b"toolweir: standard output: closed\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("options", [["stream"], ["stream", "--as", "chat"], ["parse"]], ids=" ".join)
def test_a_full_disk_is_named(options: list[str], file: str) -> None:
    done = in_shell(">/dev/full", *options, "-f", "hermes", file)
    assert (done.returncode, done.stderr) == (2, b"toolweir: standard output: No space left on device\n")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that opens and cannot be read")
@reading
def test_a_file_that_stops_being_readable_is_named(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "/proc/self/mem"]) == 2
    assert capsys.readouterr() == ("", "toolweir: /proc/self/mem: Input/output error\n")


@pytest.mark.parametrize("command", [["scan"], ["check", "-f", "hermes"]], ids=lambda command: command[0])
@pytest.mark.parametrize("terminal", [True, False])
def test_a_long_file_has_a_bar_on_a_terminal(
    command: list[str],
    terminal: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "[long].json"  # a name that rich would take for markup
    path.write_text("[1]")
    monkeypatch.setattr("toolweir.commands.progress.MUCH", 3)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "400")
    assert main([*command, str(path)]) == 0
    out, err = capsys.readouterr()
    assert out.count("\n") == 1
    assert (str(path) in err) == terminal
    assert ("100%" in err) == terminal
    assert terminal or err == ""


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("word " * 100_000)
    with subprocess.Popen(
        [sys.executable, "-m", "toolweir", "stream", "-f", "hermes", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        complaint = process.stderr.read()
    assert complaint == b""
    assert process.returncode == 141


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupt_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "toolweir", "stream", "-f", "hermes"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_interrupts,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"words")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        complaint = process.stderr.read()
    assert complaint == b""
    assert process.returncode == 130
