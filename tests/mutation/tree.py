"""A copy of the checkout in which every mutation is built in, each with its switch."""

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import c_source
import python_source
from catalogue import ROOT, language
from spots import Mutation, Spot

SWITCH = Path(__file__).parent / "switch"
IMPORTS = {
    ".py": "from toolweir.mutant_py import tw_mutant\n",
    ".pyx": "from toolweir.mutant cimport tw_mutant\n",
    ".pxd": "from toolweir.mutant cimport tw_mutant\n",
    ".h": '#include "toolweir/mutant.h"\n',
}
LEFT = ("build", "dist")
"""Folders that are not copied, nor are those whose name begins with a dot."""
FAILED = re.compile(r"((?:src|include)/[\w/]+\.(?:pyx|pxd|h)):(\d+)")


class BuildFailed(Exception):
    """The copy does not compile, and no mutation is to blame."""


class Tree:
    """The copy."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines: dict[tuple[str, int], set[int]] = {}
        """The numbers of the mutations that stand on a line of the copy."""

    @property
    def source(self) -> Path:
        return self.folder / "src"

    def build(self, mutations: dict[int, Mutation]) -> set[int]:
        """Writes and compiles the copy; returns the numbers of the mutations that the compiler did not accept."""
        refused: set[int] = set()
        while True:
            self.write({number: each for number, each in mutations.items() if number not in refused})
            told = self.compile()
            if told is None:
                return refused
            found = {
                number for file, line in FAILED.findall(told) for number in self.lines.get((file, int(line)), ())
            } - refused
            if not found:
                raise BuildFailed(told[-4000:])
            refused |= found

    def write(self, mutations: dict[int, Mutation]) -> None:
        self.lines.clear()
        by_file: defaultdict[str, dict[int, Mutation]] = defaultdict(dict)
        for number, mutation in mutations.items():
            by_file[mutation.file][number] = mutation
        kept = {self.folder / "build"}
        for top in sorted(ROOT.iterdir()):
            if top.name.startswith(".") or top.name in LEFT:
                continue
            for path in sorted([top] if top.is_file() else top.rglob("*")):
                name = path.relative_to(ROOT).as_posix()
                if path.is_dir() or path.suffix in (".so", ".pyc"):
                    continue
                target = self.folder / name
                kept.add(target)
                if name in by_file:
                    text, lines = switched(name, path.read_text("utf-8"), by_file[name])
                    put(target, text.encode())
                    self.lines.update({(name, line): numbers for line, numbers in lines.items()})
                else:
                    put(target, path.read_bytes())
        for path, target in (
            (SWITCH / "mutant.h", self.folder / "include" / "toolweir" / "mutant.h"),
            (SWITCH / "mutant.pxd", self.source / "toolweir" / "mutant.pxd"),
            (SWITCH / "mutant_py.py", self.source / "toolweir" / "mutant_py.py"),
        ):
            put(target, path.read_bytes())
            kept.add(target)
        for path in self.folder.rglob("*"):  # what the checkout no longer has
            gone = path.is_file() and path not in kept and self.folder / "build" not in path.parents
            if gone and path.suffix in (".py", ".pyx", ".pxd", ".pyi", ".h", ".md"):
                path.unlink()

    def compile(self) -> str | None:
        """What the compiler says if it fails."""
        command = [sys.executable, "setup.py", "-q", "build_ext", "-i"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        return None if done.returncode == 0 else done.stdout + done.stderr

    def environment(self, **more: str) -> dict[str, str]:
        """For a process that uses the copy."""
        path = os.pathsep.join([str(self.source), str(Path(__file__).parent)])
        own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "TOOLWEIR"))}
        return {**own, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **more}


def switched(file: str, source: str, mutations: dict[int, Mutation]) -> tuple[str, dict[int, set[int]]]:
    """The source with a switch at each spot that is mutated, and which mutations stand on which of its lines."""
    of = language(file)
    spots: defaultdict[Spot, list[tuple[int, str]]] = defaultdict(list)
    for number, mutation in mutations.items():
        spots[mutation.spot].append((number, mutation.changed(source)))
    at = 0 if of is c_source else python_source.after_docstring(source)
    text = source[:at] + IMPORTS[Path(file).suffix]
    lines: defaultdict[int, set[int]] = defaultdict(set)
    for spot, variants in sorted(spots.items(), key=lambda item: item[0].start):
        text += source[at : spot.start]
        first = text.count("\n") + 1
        text += of.woven(source, spot, variants)
        for line in range(first, text.count("\n") + 2):
            lines[line].update(number for number, _ in variants)
        at = spot.end
    return text + source[at:], lines


def put(target: Path, data: bytes) -> None:
    """Writes what is new, so that what is not need not be compiled again."""
    if not (target.exists() and target.read_bytes() == data):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
