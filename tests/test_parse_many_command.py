"""The command parse-many: a file of generations, in processes, and what is no generation."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from toolweir.cli import main
from toolweir.commands import recording
from toolweir.commands.parse_many import record_batches

CALL = '<tool_call>\n{"name": "f", "arguments": {"a": "%s"}}\n</tool_call>'


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
