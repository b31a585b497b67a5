"""docs/performance.json: what was measured, by version of the interpreter, then by section."""

import json
import platform
from pathlib import Path
from typing import Any

__all__ = ["FILE", "Figures", "here", "merged", "read", "write"]

FILE = Path(__file__).parent.parent / "docs" / "performance.json"

Figures = dict[str, dict[str, Any]]


def here() -> str:
    """The version of this interpreter, as the file names it: "3.11"."""
    return ".".join(platform.python_version_tuple()[:2])


def read() -> Figures:
    """All that the file has; nothing where there is none yet."""
    return json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}


def merged(all_figures: Figures, found: dict[str, Any]) -> Figures:
    """The same figures, with new ones for this interpreter in the place of its old ones."""
    return all_figures | {here(): all_figures.get(here(), {}) | found}


def write(all_figures: Figures) -> None:
    """Versions in order; three digits are more than the noise leaves of a figure."""
    ordered = {version: rounded(all_figures[version]) for version in sorted(all_figures)}
    FILE.write_text(json.dumps(ordered, indent=1) + "\n", "utf-8")


def rounded(value: Any) -> Any:
    """Floats to three significant digits."""
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return float(f"{value:.3g}") if isinstance(value, float) else value
