"""Draws the pictures of docs/performance.md from docs/performance.json: `make plots`.

docs/performance-growth.svg is the cost of a piece against the length of the call so far, for toolweir and for others;
docs/performance-formats.svg the cost of a piece in every format. Nothing is measured here: `make bench` does that.

The pictures are drawn for light paper; a rule for dark paper replaces each colour where the reader's system says so.
"""

import json
import re
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

HERE = Path(__file__).parent
DATA = HERE / "performance.json"
VERSION = "3.11"

INK, DIM, LINE, PAPER = "#1f2328", "#59636e", "#d1d9e0", "#ffffff"
OURS = "#2da44e"
OTHERS = ("#cf222e", "#8250df", "#0969da", "#bf8700", "#bc4c00", "#1b7c83")
SECOND = "#8ec9a0"

DARK = {
    INK: "#f0f6fc",
    DIM: "#9198a1",
    LINE: "#3d444d",
    PAPER: "#0d1117",
    OURS: "#3fb950",
    SECOND: "#1f6f33",
    **dict(zip(OTHERS, ("#f85149", "#a371f7", "#4493f8", "#d29922", "#db6d28", "#39c5cf"), strict=True)),
}
"""What a colour becomes on dark paper."""

MARKS = ("s", "D", "^", "v", "P", "X")

STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "toolweir",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": DIM,
    "axes.edgecolor": LINE,
    "axes.facecolor": PAPER,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "figure.facecolor": PAPER,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": DIM,
    "ytick.labelcolor": DIM,
}


def growth(found: dict[str, dict[str, float]]) -> Figure:
    """Both axes logarithmic; the name of a line stands at its end."""
    figure, axes = pyplot.subplots(figsize=(8.2, 5.0), layout="constrained")
    others = sorted((name for name in found if name != "toolweir"), key=lambda name: -list(found[name].values())[-1])
    looks = {name: {"color": color, "marker": mark} for name, color, mark in zip(others, OTHERS, MARKS, strict=False)}
    looks["toolweir"] = {"color": OURS, "marker": "o", "linewidth": 3}
    ends = {}
    for name, look in looks.items():
        sizes, costs = [int(size) / 1024 for size in found[name]], list(found[name].values())
        axes.plot(sizes, costs, markersize=4, **{"linewidth": 1.6, **look})
        ends[name] = costs[-1]
    heights = spread(ends)
    for name, cost in ends.items():
        weight = "bold" if name == "toolweir" else "normal"
        where = {"xy": (sizes[-1], cost), "xytext": (sizes[-1] * 1.25, heights[name])}
        axes.annotate(f"{name}: {duration(cost)}", **where, color=looks[name]["color"], va="center", weight=weight)
    logarithmic(axes)
    axes.set_xlim(0.9, sizes[-1] * 11)
    axes.set_xticks([1, 10, 100], ["1 KB", "10 KB", "100 KB"])
    axes.set_xlabel("arguments written so far")
    axes.set_ylabel("time for the next piece of four characters")
    axes.set_title("What the next piece of a call costs", loc="left", weight="bold")
    return figure


def spread(ends: dict[str, float], factor: float = 1.75) -> dict[str, float]:
    """Heights for names, in the order of the values and each at least `factor` above the one below."""
    heights: dict[str, float] = {}
    least = 0.0
    for name in sorted(ends, key=lambda name: ends[name]):
        heights[name] = max(ends[name], least)
        least = heights[name] * factor
    return heights


def logarithmic(axes: Axes) -> None:
    """Both axes, with times that people say."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda cost, _: duration(cost)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.minorticks_off()
    axes.grid(True)


def duration(cost: float) -> str:
    """Microseconds, as people say them."""
    number, unit = (cost / 1000, "ms") if cost >= 1000 else (cost, "us")
    return f"{float(f'{number:.2g}'):g} {unit}"


def bars(found: dict[str, dict[str, float]]) -> Figure:
    """The cheapest format on top; the bar ends where reading is included."""
    names = sorted(found, key=lambda name: found[name]["feed"], reverse=True)
    figure, axes = pyplot.subplots(figsize=(8.2, 0.19 * len(names) + 1.1), layout="constrained")
    axes.barh(names, [found[name]["read"] for name in names], color=SECOND, height=0.72, label="feed and read")
    axes.barh(names, [found[name]["feed"] for name in names], color=OURS, height=0.72, label="feed")
    for name in names:
        cost = found[name]["feed"]
        axes.text(cost - 0.08, name, f"{cost:.1f}", color=PAPER, va="center", ha="right", size=8)
    axes.margins(y=0.005)
    axes.tick_params(axis="y", labelsize=8, length=0)
    axes.grid(True, axis="x")
    axes.set_xlabel("multiples of what len() costs on the same piece")
    axes.set_title("A piece of a string argument, code, in every format", loc="left", weight="bold")
    axes.legend(loc="upper right", frameon=False)
    return figure


def save(figure: Figure, name: str) -> None:
    """Writes the picture with its rule for dark paper."""
    path = HERE / name
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    rules = [
        f'[style*="{part}: {light}"] {{ {part}: {dark} !important }}'
        for light, dark in DARK.items()
        for part in ("fill", "stroke")
    ]
    dark = "@media (prefers-color-scheme: dark) {\n" + "\n".join(rules) + "\n}"
    drawn = path.read_text("utf-8")
    drawn = re.sub(r"'DejaVu Sans'[^;\"]*", "system-ui, sans-serif", drawn)
    drawn = drawn.replace("</defs>", f"<style>{dark}</style></defs>", 1)
    path.write_text(re.sub(r"[ \t]+$", "", drawn, flags=re.MULTILINE), "utf-8")


def main() -> None:
    """Draw both."""
    found: dict[str, Any] = json.loads(DATA.read_text("utf-8"))[VERSION]
    with matplotlib.rc_context(STYLE):
        save(growth(found["peers"]), "performance-growth.svg")
        save(bars(found["formats"]), "performance-formats.svg")


if __name__ == "__main__":
    main()
