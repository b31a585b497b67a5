"""Imports run one way: each module may import those of the layers below its own, and of its own layer.

Read from the sources, `import` and `cimport`, those inside functions too.
"""

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "toolweir"

LAYERS = [
    # what everything may use
    ["outcomes", "errors", "ids", "limits", "confirm", "references", "events", "scan", "finish"],
    # typed values: a library of its own
    ["transcode", "schema", "values", "words", "tools"],
    # formats are data: only their own shape and errors
    ["formats", "detection", "response_template"],
    ["readers"],
    ["message", "builder", "options", "plans", "text", "broken", "reading", "ending", "intake", "gates", "state"],
    ["parser"],
    # many at once, and tokens for text
    ["many", "vocabularies", "tokens"],
    ["whole", "bulk", "_testing"],
    ["dispatch"],
    ["wire"],
    ["passages", "live", "commands", "cli", "__main__"],
]
"""From below to above; a name stands for the module or the package."""

ONLY = {
    "scan": {"scan", "errors"},
    "outcomes": set(),
    "errors": set(),
    "ids": set(),
    "events": {"outcomes", "references"},
    "references": set(),
    "limits": {"errors"},
    "confirm": set(),
    "formats": {"formats", "errors"},
    "detection": {"formats", "errors"},
    "response_template": {"response_template", "formats", "errors"},
    "vocabularies": {"formats", "errors"},
    "dispatch": {"dispatch", "scan", "confirm", "limits", "errors", "outcomes", "events"},
}
"""Those that may use less than their place allows."""

RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}

SOURCES = sorted(path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".pyx", ".pxd"))


def imported(path: Path) -> Iterator[str]:
    """The modules of this package that a source imports, as dotted names below the package."""
    package = list(path.relative_to(PACKAGE).parent.parts)
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.level:
                base = package[: len(package) - node.level + 1]
                names = [node.module] if node.module else [alias.name for alias in node.names]
                yield from (".".join([*base, name]) for name in names)
            elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "toolweir":
                yield from [(node.module or "").partition(".")[2]] if "." in (node.module or "") else []
        return
    for dots, module, names in re.findall(r"^\s*from (\.+)([\w.]*) c?import ([\w.]+|\()", text, re.MULTILINE):
        base = package[: len(package) - len(dots) + 1]
        yield ".".join([*base, module or names])


def part(name: str) -> str:
    return name.split(".")[0]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way(path: Path) -> None:
    own = part(".".join(path.relative_to(PACKAGE).with_suffix("").parts))
    if own == "__init__":  # gathers the public names of all
        return
    assert own in RANK, f"{own} has no layer: give it one in this file"
    for name in imported(path):
        other = part(name)
        assert other in RANK, f"{own} imports {name}, which has no layer"
        if own in ONLY:
            assert other in ONLY[own], f"{own} imports {name}"
        else:
            assert RANK[other] <= RANK[own], f"{own} imports {name}, from a layer above it"


def test_no_modules_import_one_another() -> None:
    modules: dict[str, set[str]] = {}
    for path in SOURCES:
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        if name != "__init__":
            modules.setdefault(name, set()).update(imported(path))
    modules = {name: used - {name} for name, used in modules.items()}
    assert list(TopologicalSorter(modules).static_order())  # raises CycleError, which names the cycle


def test_imports_are_seen() -> None:
    """This file would pass if it saw no import at all."""
    assert set(imported(PACKAGE / "gates.pyx")) >= {"readers.turn", "scan.json_scanner", "text"}
    assert set(imported(PACKAGE / "message.py")) == {"events", "outcomes"}
    assert "scan.marker_matcher" in set(imported(PACKAGE / "readers" / "plan.pyx"))


def test_no_format_knows_a_reader() -> None:
    for path in (PACKAGE / "formats").glob("*.py"):
        assert not [name for name in imported(path) if part(name) == "readers"]
