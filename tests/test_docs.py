"""The documentation: its code runs, its tables say what the code says, its links lead somewhere."""

import ast
import logging
import re
import subprocess
import sys
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

GIVEN: dict[str, dict[str, Any]] = {
    "dispatch.md": {
        "stream": [],
        "start": lambda name, arguments: None,
        "parses": [],
        "send": lambda delta: None,
        "last_parse": {"tool_calls": []},
    },
}
"""Names that the code of a page takes for given."""


def blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


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


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: page.name)
def test_code_of_the_page_runs(page: Path) -> None:
    names: dict[str, Any] = {"__name__": "page", **GIVEN.get(page.name, {})}
    for number, block in enumerate(blocks(page), 1):
        exec(compile(block, f"{page.name}, block {number}", "exec"), names)


def test_readme_shows_what_its_code_prints(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    exec(blocks(ROOT / "README.md")[0], {"__name__": "page"})
    shown = re.search(r"```\n\n((?:    .*\n)+)", readme)
    assert shown
    any_id = r"call_[0-9a-f]{24}"
    printed = re.sub(any_id, "ID", capsys.readouterr().out)
    assert re.sub(any_id, "ID", re.sub(r"^    ", "", shown[1], flags=re.MULTILINE)) == printed


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


@pytest.mark.parametrize("script", ["generate_formats.py", "draw_timeline.py"])
def test_what_scripts_made_is_up_to_date(script: str) -> None:
    done = subprocess.run([sys.executable, ROOT / "docs" / script, "--check"], capture_output=True, text=True)
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


def test_readme_names_commands_that_exist() -> None:
    named = re.findall(r"^    toolweir (\w+)", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert named
    assert set(named) <= {command.NAME for command in COMMANDS}
