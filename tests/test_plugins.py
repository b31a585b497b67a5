"""Formats of other distributions, by the entry point group `toolweir.formats`, each in an interpreter of its own."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

GROUP = "toolweir.formats"
CORVID = Path(__file__).parent / "plugin_dist"

BROKEN = {
    "no_module": ("module_that_is_not_there:FORMAT", "No module named 'module_that_is_not_there'"),
    "no_name": ("corvid_format:MISSING", "MISSING"),
    "no_format": ("corvid_format:Opener", "expected a toolweir Format, got <class"),
    "taken": ("impostor:FORMAT", "the name 'hermes' is taken"),
    "fails": ("failing:FORMAT", "ZeroDivisionError"),
}
"""Entry points that give no format, and what is to be said of each."""


def install(target: Path, entries: dict[str, str]) -> None:
    """Lay the fake distribution out in `target` as an installer would, with these entry points."""
    shutil.copy(CORVID / "corvid_format.py", target)
    info = target / "corvid_format-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: corvid-format\nVersion: 1.0\n")
    lines = [f"{name} = {value}\n" for name, value in entries.items()]
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{''.join(lines)}")


def run(target: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = [str(target), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment)


def declared() -> dict[str, str]:
    """The entry points of the fake distribution's own pyproject.toml."""
    project = tomllib.loads((CORVID / "pyproject.toml").read_text("utf-8"))["project"]
    entries: dict[str, str] = project["entry-points"][GROUP]
    return entries


def test_a_format_of_another_distribution_is_listed_and_parses(tmp_path: Path) -> None:
    install(tmp_path, declared())
    listed = run(tmp_path, "-m", "toolweir", "formats", "corvid", "--json")
    assert listed.returncode == 0, listed.stderr
    (info,) = json.loads(listed.stdout)
    assert info["models"] == ["Corvid 7B"]
    text = tmp_path / "text.txt"
    text.write_text(f"Look.\n{info['example']}")
    parsed = run(tmp_path, "-m", "toolweir", "parse", str(text), "-f", "corvid-7b")  # an alias, as a user types it
    assert parsed.returncode == 0, parsed.stderr
    message = json.loads(parsed.stdout)["message"]
    assert message["content"] == "Look.\n"
    assert message["tool_calls"][0]["function"] == {"name": "get_weather", "arguments": '{"city": "Oslo"}'}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_entry_point_is_named_and_costs_no_other_format(name: str, tmp_path: Path) -> None:
    value, words = BROKEN[name]
    (tmp_path / "failing.py").write_text("1 / 0\n")
    (tmp_path / "impostor.py").write_text("import toolweir\nFORMAT = toolweir.Format('hermes', ())\n")
    install(tmp_path, {name: value, **declared()})
    done = run(tmp_path, "-c", "import toolweir; print(toolweir.formats(), toolweir.format_info('hermes').markers)")
    assert done.returncode == 0, done.stderr
    assert "'corvid'" in done.stdout
    assert "<tool_call>" in done.stdout
    (complaint,) = done.stderr.splitlines()
    assert f"entry point {name!r}" in complaint
    assert "corvid-format" in complaint
    assert words in complaint
