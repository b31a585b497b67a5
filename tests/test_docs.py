"""The documentation: its code runs, its tables say what the code says, its links lead somewhere."""

import ast
import logging
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import toolweir
from toolweir.commands import COMMANDS
from toolweir.finish import ENGINE_WORDS

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

KIB = 1024
UNITS = {"KiB": KIB, "MiB": KIB * KIB}


def blocks(page: Path, language: str = "python") -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def pages_with(language: str) -> Any:
    pages = [page for page in PAGES if blocks(page, language)]
    return pytest.mark.parametrize("page", pages, ids=lambda page: page.name)


def table_after(page: str, heading: str) -> list[list[str]]:
    """The rows of the first table behind a text."""
    text = (ROOT / "docs" / page).read_text("utf-8").split(heading, 1)[1]
    found = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert found, f"no table behind {heading!r}"
    rows = [re.split(r"(?<!\\)\|", line.strip("|\n")) for line in found[0].splitlines()]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def first_words(rows: list[list[str]]) -> list[str]:
    return [row[0].strip("`") for row in rows]


@pytest.fixture(autouse=True)
def _quiet_pages_stay_quiet_alone() -> Iterator[None]:
    """A page may silence the library's logger; the tests behind it listen to it."""
    logger = logging.getLogger("toolweir")
    level = logger.level
    yield
    logger.setLevel(level)


@pages_with("python")
def test_code_of_the_page_runs(page: Path) -> None:
    names: dict[str, Any] = {"__name__": "page"}
    for number, block in enumerate(blocks(page), 1):
        exec(compile(block, f"{page.name}, block {number}", "exec"), names)


def test_readme_shows_what_its_code_prints(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    exec(blocks(ROOT / "README.md")[0], {"__name__": "page"})
    shown = re.search(r"```\n\n```text\n(.*?)```", readme, re.DOTALL)
    assert shown
    any_id = r"call_[0-9a-f]{24}"
    assert re.sub(any_id, "ID", shown[1]) == re.sub(any_id, "ID", capsys.readouterr().out)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target.split("#")[0]).exists(), target


def test_options_are_all_there_with_their_defaults() -> None:
    stub = ast.parse((ROOT / "src/toolweir/parser.pyi").read_text("utf-8"))
    (init,) = (node for node in ast.walk(stub) if isinstance(node, ast.FunctionDef) and node.name == "__init__")
    expected = {
        argument.arg: ast.literal_eval(default)
        for argument, default in zip(init.args.kwonlyargs, init.args.kw_defaults, strict=True)
        if default is not None
    }
    rows = table_after("options.md", "# Options")
    assert {row[0].strip("`"): ast.literal_eval(row[1].strip("`")) for row in rows} == expected


def test_limits_are_all_there_with_their_defaults() -> None:
    found = {}
    for name, default, *_ in table_after("limits.md", "# Limits"):
        number, _, unit = default.partition(" ")
        found[name.strip("`")] = int(number) * UNITS.get(unit, 1)
    limits = toolweir.Limits()
    assert found == {field.name: getattr(limits, field.name) for field in fields(limits)}


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("## How a call ends", toolweir.CallStatus),
        ("`toolweir.Reason`", toolweir.Reason),
        ("`toolweir.SkipReason`", toolweir.SkipReason),
    ],
)
def test_events_page_has_every_word(heading: str, words: type[StrEnum]) -> None:
    assert first_words(table_after("events.md", heading)) == [str(word) for word in words]


def test_quickstart_has_every_command() -> None:
    assert first_words(table_after("index.md", "On a terminal")) == [command.NAME for command in COMMANDS]


def test_embedding_page_has_every_reason_to_hold() -> None:
    assert first_words(table_after("embedding.md", "**State.**")) == [str(why) for why in toolweir.Hold]


def test_events_page_has_every_event_and_its_fields() -> None:
    rows = {row[0].strip("`"): re.findall(r"\w+", row[1]) for row in table_after("events.md", "# Events")}
    events = {name: event for name, event in vars(toolweir).items() if isinstance(event, type)}
    expected = {
        name: list(event.__match_args__)
        for name, event in events.items()
        if issubclass(event, toolweir.Event) and event is not toolweir.Event
    }
    assert rows == expected


def test_events_page_has_every_warning() -> None:
    sources = [
        path.read_text("utf-8") for path in (ROOT / "src/toolweir").rglob("*.py*") if path.suffix in (".py", ".pyx")
    ]
    expected = {word for source in sources for word in re.findall(r'^\w+_WARNING = "(\w+)"', source, re.MULTILINE)}
    assert expected
    assert set(first_words(table_after("events.md", "## Result"))) == expected


def test_events_page_has_every_finish_reason() -> None:
    found = {}
    for words, reason in table_after("events.md", "### Finish reason"):
        for word in re.findall(r"`([^`]*)`", words):
            found[word.strip('"')] = reason.strip("`")
    assert found == ENGINE_WORDS


@pytest.mark.parametrize("script", ["docs/generate_formats.py", "docs/draw_timeline.py", "asv_bench/tables.py"])
def test_what_scripts_made_is_up_to_date(script: str) -> None:
    done = subprocess.run([sys.executable, ROOT / script, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_picture_shows_arguments_that_grow_and_arguments_that_come_at_once() -> None:
    picture = ElementTree.parse(ROOT / "docs" / "timeline.svg")
    streamed, waited = (
        [tuple(map(float, point.split(","))) for point in shape.attrib["points"].split()]
        for shape in picture.iter("{http://www.w3.org/2000/svg}polygon")
    )
    corners = streamed[1:-2]
    assert len(corners) > 500
    assert all(left[0] < right[0] and left[1] >= right[1] for left, right in pairwise(corners))
    assert corners[-1][0] == waited[1][0]  # both have all of it when the model has written it
    assert len(waited) == 4


@pages_with("sh")
@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
def test_commands_of_the_page_run(page: Path) -> None:
    """Those of `toolweir` do; of `make` the target is there, and what else is named is known here."""
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    shell = f"set -e; toolweir() {{ '{sys.executable}' -m toolweir \"$@\"; }}\n"
    for line in "".join(blocks(page, "sh")).splitlines():
        command = line.split("#")[0].strip()
        match command.split():
            case ["make", target]:
                assert target in targets
            case ["pip", "install", "."] | [".ci/run"]:
                pass
            case _:
                assert "toolweir" in command
                hurried = re.sub(r"--rate \d+", "--rate 100000", command)
                done = subprocess.run(["sh", "-c", shell + hurried], cwd=ROOT, capture_output=True, text=True)
                assert (done.returncode, done.stderr) == (0, ""), command
                assert done.stdout, command


@pages_with("c")
def test_c_of_the_page_compiles(page: Path, tmp_path: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler")
    for number, block in enumerate(blocks(page, "c")):
        include, _, body = block.partition("\n\n")
        source = tmp_path / f"block_{number}.c"
        head = "ptrdiff_t page(const unsigned char *piece, size_t length);\n"
        head += "ptrdiff_t page(const unsigned char *piece, size_t length)"
        source.write_text(f"#include <stddef.h>\n{include}\n{head} {{\n{body}return end;\n}}\n")
        flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{ROOT / 'include'}"]
        done = subprocess.run([compiler, *flags, source], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


@pages_with("cython")
def test_cython_of_the_page_compiles(page: Path, tmp_path: Path) -> None:
    pytest.importorskip("Cython")
    for number, block in enumerate(blocks(page, "cython")):
        source = tmp_path / f"block_{number}.pyx"
        source.write_text(block)
        command = [sys.executable, "-m", "cython", "-3", f"-I{ROOT / 'src'}", source]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


@pages_with("toml")
def test_toml_of_the_page_is_what_is_read(page: Path) -> None:
    for block in blocks(page, "toml"):
        assert list(tomllib.loads(block)["project"]["entry-points"]) == ["toolweir.formats"]
        assert 'entry_points(group="toolweir.formats")' in (ROOT / "src/toolweir/formats/__init__.py").read_text(
            "utf-8"
        )


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name != "formats"], ids=lambda page: page.name)
def test_every_block_is_of_a_kind_that_is_tested(page: Path) -> None:
    """Text is what a program writes or reads; blocks without a fence would be of no kind. Pages of formats are made."""
    text = page.read_text("utf-8")
    opened = re.findall(r"^```(\w*)\n.*?^```$", text, re.DOTALL | re.MULTILINE)
    assert set(opened) <= {"python", "sh", "c", "cython", "toml", "text"}
    prose = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.DOTALL | re.MULTILINE)
    assert not re.findall(r"\n\n(    \S.*)", prose)
