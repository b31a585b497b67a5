"""Many texts at once: what parse() says of each, in order, in bounded memory, on threads or in processes."""

import json
import os
import platform
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support import steps, stream
from texts import OPTIONS, parts_of, shrapnel

import toolweir
from toolweir import OptionError, ParserStateError, StreamParser, bulk, parse, parse_many
from toolweir.bulk import AHEAD, BATCH, BATCH_TEXTS
from toolweir.cli import main
from toolweir.commands import recording
from toolweir.commands.parse_many import record_batches

FORMATS = toolweir.formats()
STRETCH = 16 * 1024
"""What is longer is read without the GIL (readers/stretches.pxd)."""

CALL = '<tool_call>\n{"name": "f", "arguments": {"a": "%s"}}\n</tool_call>'


def numbered(index: int, name: str) -> str:
    return f"id_{index}"


@contextmanager
def without_gil() -> Iterator[None]:
    """As if threads did not take turns."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bulk, "_threads_take_turns", lambda: False)
        yield


def generations(format: str, count: int = 30) -> list[str | bytes]:
    parts = parts_of(format)
    texts: list[str | bytes] = [shrapnel(random.Random(seed), parts) for seed in range(count)]
    return [toolweir.format_info(format).example, "", *texts, str(texts[0]).encode(), b"caf\xe9", "plain"]


@pytest.mark.parametrize("format", FORMATS)
def test_the_messages_are_those_of_parse(format: str) -> None:
    texts = generations(format)
    for options in OPTIONS[:3]:
        options = {**options, "make_id": numbered}
        expected = [parse(text, format, finish="length", **options) for text in texts]
        for threads in (None, 1, 3):
            assert list(parse_many(iter(texts), format, threads=threads, finish="length", **options)) == expected
        with without_gil():
            assert list(parse_many(iter(texts), format, threads=3, finish="length", **options)) == expected


def test_no_text_leaves_a_trace_in_the_next() -> None:
    broken = [
        "<think>a",
        "<tool_call>\n{",
        CALL % "x" + "\n<|im_end|> b",
        "<tool_call>\n" + '{"name": "f", "arguments": {"a": 1',
        "x",
    ]
    for text in broken:
        assert [message.content for message in parse_many([text, "plain"], "hermes")][1] == "plain"
        with without_gil():
            assert [message.warnings for message in parse_many([text, "plain"], "hermes", threads=2)][1] == ()


def test_long_and_short_texts_keep_their_order() -> None:
    texts = ["x" * length for length in (1, BATCH, 2, 3 * BATCH, *[5] * (BATCH_TEXTS + 1), BATCH - 1, 7)]
    assert [message.content for message in parse_many(texts, "hermes", threads=2)] == texts
    with without_gil():
        assert [message.content for message in parse_many(texts, "hermes", threads=2)] == texts


@pytest.mark.parametrize("length", [1, BATCH])
def test_texts_are_taken_as_messages_are_asked_for(length: int) -> None:
    taken = 0

    def texts() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "x" * length

    messages = parse_many(texts(), "hermes")
    next(messages)
    assert taken == 1
    taken = 0
    messages = parse_many(texts(), "hermes", threads=2)
    assert taken == 0
    for number in range(1, 3 * BATCH_TEXTS, 100):
        next(messages)
        assert taken <= number + (2 * AHEAD + 1) * (BATCH_TEXTS if length == 1 else 1)
    messages.close()


@pytest.mark.parametrize(("threads", "gil"), [(1, True), (2, True), (2, False)])
def test_what_raises_comes_behind_the_messages_before_it(
    threads: int, gil: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "_threads_take_turns", lambda: gil)

    def texts() -> Iterator[str]:
        yield from "ab"
        raise LookupError("no more")

    messages = parse_many(texts(), "hermes", threads=threads)
    assert [next(messages).content for _ in "ab"] == ["a", "b"]
    with pytest.raises(LookupError, match="no more"):
        next(messages)

    messages = parse_many(["a", "b", 3, "c"], "hermes", threads=threads)  # type: ignore[list-item]
    assert [next(messages).content for _ in "ab"] == ["a", "b"]
    with pytest.raises(TypeError, match="expected str or UTF-8 bytes, got int"):
        next(messages)

    with pytest.raises(OptionError, match="make_id"):
        list(parse_many([CALL % "x"], "hermes", threads=threads, make_id=lambda index, name: ""))


def test_wrong_options_raise_at_once() -> None:
    with pytest.raises(toolweir.UnknownFormatError):
        parse_many([], "herms")
    with pytest.raises(OptionError, match="reasoning"):
        parse_many([], "hermes", reasoning="maybe")
    for threads in (0, -1, True, 2.0, "2"):
        with pytest.raises(OptionError, match="threads: expected None or a number of threads"):
            parse_many([], "hermes", threads=threads)  # type: ignore[arg-type]


def test_options_that_can_be_read_once_hold_for_all_texts() -> None:
    for threads in (1, 2):
        messages = list(parse_many(["a STOP b"] * 3, "hermes", threads=threads, stop=iter(["STOP"])))
        assert [message.stop_sequence for message in messages] == ["STOP"] * 3


def test_the_threads_end_with_the_iterator() -> None:
    before = threading.active_count()
    messages = parse_many(iter(lambda: "x" * BATCH, None), "hermes", threads=2)
    next(messages)
    assert threading.active_count() > before
    messages.close()
    assert threading.active_count() == before


def test_no_thread_waits_for_another_over_short_texts() -> None:
    """Where there is a GIL, who asks for the messages reads such texts; where there is none, threads do."""
    readers: set[str] = set()

    def noted(index: int, name: str) -> str:
        readers.add(threading.current_thread().name)
        return "id"

    for _ in parse_many([CALL % "x"] * 600, "hermes", threads=2, make_id=noted):
        pass
    assert readers == {threading.current_thread().name}
    readers.clear()
    with without_gil():
        for _ in parse_many([CALL % "x"] * 600, "hermes", threads=2, make_id=noted):
            pass
    assert readers
    assert threading.current_thread().name not in readers


FAULTS = """
import resource, sys
from toolweir import parse_many

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

text = '<tool_call>{"name": "f", "arguments": {"a": "' + "x" * 1_000_000 + '"}}</tool_call>'
messages = parse_many([text] * 120, "hermes", threads=int(sys.argv[1]), confirm="never")
for _ in range(20):
    next(messages)
before = faults()
rest = sum(1 for _ in messages)
print((faults() - before) / rest)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc" or "asan" in os.environ.get("LD_PRELOAD", ""), reason="of glibc")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_memory_of_long_texts_is_used_again(threads: str) -> None:
    """A text of a megabyte has 244 pages; to ask the system for them anew costs as much as to read it."""
    done = subprocess.run([sys.executable, "-c", FAULTS, threads], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 60


# Long stretches

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


# The command


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def written(tmp_path: Path, content: str | bytes, name: str = "texts.jsonl") -> str:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "toolweir", "parse-many", *arguments], capture_output=True, **options)


def without_ids(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for message in messages:
        for call in message["message"].get("tool_calls", ()):
            assert call.pop("id").startswith("call_")
    return messages


def test_a_line_gives_what_parse_prints_for_its_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = ["plain é", CALL % "x", "<tool_call>\n{", CALL[:40], "a STOP b", "", "\ud800"]
    expected = []
    for text in texts:
        whole = written(tmp_path, text.encode("utf-8", "replace"), "whole.txt")
        assert main(["parse", "-f", "hermes", "--stop", "STOP", whole]) == 0
        expected.append(json.loads(capsys.readouterr().out))
    expected[-1]["message"]["content"] = "\N{REPLACEMENT CHARACTER}"
    without_ids(expected)
    for texts_as in (texts, [{"id": 1, "text": text} for text in texts]):
        file = written(tmp_path, "".join(json.dumps(text) + "\n" for text in texts_as))
        assert main(["parse-many", "-f", "hermes", "--stop", "STOP", file]) == 0
        assert without_ids(lines(capsys.readouterr().out)) == expected


def test_blank_lines_line_ends_and_a_last_line_without_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, b'\n"a"\r\n   \n{"text": "b"}\n\n"c"')
    assert main(["parse-many", "-f", "hermes", file]) == 0
    assert [line["message"]["content"] for line in lines(capsys.readouterr().out)] == ["a", "b", "c"]
    assert main(["parse-many", "-f", "hermes", written(tmp_path, b"")]) == 0
    assert capsys.readouterr().out == ""


def test_fields_and_tools_of_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"said": CALL % "x", "with": tools} for tools in ([{"name": "f"}], [{"name": "g"}], None)]
    file = written(tmp_path, "\n".join(map(json.dumps, [*rows, CALL % "x"])))
    tools = written(tmp_path, '[{"name": "h"}]', "tools.json")
    command = ["parse-many", "-f", "hermes", "--field", "said", "--unknown-tools", "drop", "-t", tools, file]
    assert main([*command, "--tools-field", "with"]) == 0
    assert ["skipped" in line for line in lines(capsys.readouterr().out)] == [False, True, True, True]
    assert main(command) == 0
    assert ["skipped" in line for line in lines(capsys.readouterr().out)] == [True] * 4


def test_broken_utf8_is_named_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, b'"a"\n"caf\xe9"\n')
    assert main(["parse-many", "-f", "hermes", file]) == 2
    out, err = capsys.readouterr()
    assert out.count("\n") == 1
    assert err.startswith(f"toolweir: {file}, line 2: not UTF-8: ")


def test_texts_ended_by_nul_are_no_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, b'"a"\nb\0\0caf\xe9\0' + (CALL % "x").encode())
    assert main(["parse-many", "-f", "hermes", "-0", "--replace", file]) == 0
    *texts, call = lines(capsys.readouterr().out)
    assert [line["message"]["content"] for line in texts] == ['"a"\nb', None, "caf\N{REPLACEMENT CHARACTER}"]
    assert call["message"]["tool_calls"][0]["function"]["arguments"] == '{"a": "x"}'


def test_special_tokens_are_fed_as_such(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, json.dumps(CALL % "x"))
    assert main(["parse-many", "-f", "hermes", "--special", file]) == 0
    assert lines(capsys.readouterr().out)[0]["finish_reason"] == "tool_calls"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not JSON: "),
        ("[" * 100_000, "not JSON: "),
        ("7", "expected a JSON string, or an object with one in `text`"),
        ('{"txt": "a"}', "expected a JSON string, or an object with one in `text`"),
        ('{"text": ["a"]}', "expected a JSON string, or an object with one in `text`"),
        ('{"text": "a", "tools": 3}', "tools: expected a list of definitions, got "),
        ('{"text": "a", "tools": [{"function": 7}]}', "tools[0]"),
    ],
)
def test_a_line_that_is_no_generation_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, problem: str
) -> None:
    long = json.dumps("x" * 100_000)
    file = written(tmp_path, f'"a"\n\n{long}\n{long}\n{line}\n"b"\n')
    assert main(["parse-many", "-f", "hermes", "--tools-field", "tools", file]) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 3
    assert err.startswith(f"toolweir: {file}, line 5: {problem}")
    assert len(err.splitlines()) == 1


def test_options_that_do_not_fit_the_tools_of_a_line_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"text": "a", "tools": [{"name": name}]} for name in "ffg"]
    file = written(tmp_path, "\n".join(map(json.dumps, rows)))
    command = ["parse-many", "-f", "hermes", "--tools-field", "tools", "--tool-choice", "f", file]
    assert main(command) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2
    assert err.startswith(f"toolweir: {file}, line 3: tool_choice: 'f' is not among the declared tools")


def test_processes_write_what_one_writes(tmp_path: Path) -> None:
    texts = [f"{number} " + "x" * random.Random(number).randrange(2000) for number in range(900)]
    texts[7] = "y" * 300_000
    good = "".join(json.dumps(text) + "\n" for text in texts)
    done = run("-f", "hermes", "-j", "2", input=good.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert [line["message"]["content"] for line in lines(done.stdout.decode())] == texts
    done = run("-f", "hermes", "-j", "3", input=f"{good}7\n{good}".encode())
    assert done.returncode == 2
    assert done.stderr.startswith(b"toolweir: standard input, line 901: expected a JSON string")
    assert [line["message"]["content"] for line in lines(done.stdout.decode())] == texts


def test_the_batches_of_a_file_are_small_and_lose_nothing(tmp_path: Path) -> None:
    records = [b"x" * random.Random(number).randrange(700) + b"\n" for number in range(3000)]
    records[500] = b"y" * 200_000 + b"\n"
    file = written(tmp_path, b"".join(records))
    batches = list(record_batches(file, b"\n"))
    assert b"".join(batch for _, batch in batches) == b"".join(records)
    assert [first for first, _ in batches] == [
        1 + sum(batch.count(b"\n") for _, batch in batches[:at]) for at in range(len(batches))
    ]
    assert max(len(batch) for _, batch in batches) <= 200_000 + 2 * 64 * 1024
    assert sorted(len(batch) for _, batch in batches)[-2] <= 2 * 64 * 1024


def test_what_cannot_run_says_so_before_it_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse-many", "-f", "hermes", str(tmp_path / "nothing")]) == 2
    assert "No such file" in capsys.readouterr().err
    assert main(["parse-many", "-f", "herms", "-"]) == 2
    assert "hermes" in capsys.readouterr().err
    assert main(["parse-many", "-f", "hermes", "--tool-choice", "g", "-t", written(tmp_path, "[]"), "-"]) == 2
    assert "tool_choice" in capsys.readouterr().err
    for jobs in ("0", "1.5", "two"):
        with pytest.raises(SystemExit) as stop:
            main(["parse-many", "-f", "hermes", "-j", jobs, "-"])
        assert stop.value.code == 2
        assert "expected a number of processes" in capsys.readouterr().err


def test_the_bar_knows_that_lines_are_printed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = []

    @contextmanager
    def progress(what: str, total: int, *, printing: bool) -> Iterator[Any]:
        asked.append((total, printing))
        yield lambda done: None

    monkeypatch.setattr(recording, "progress", progress)
    assert main(["parse-many", "-f", "hermes", written(tmp_path, b'"a"\n')]) == 0
    assert asked == [(4, True)]
