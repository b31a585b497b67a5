"""Writes the tables of README.md and of the pages in docs anew from docs/performance.json.

    python asv_bench/tables.py [--check]

A table stands between `<!-- figures: NAME -->` and `<!-- end -->`. With --check nothing is written; the exit status is
1 if a page says something else than the file.
"""

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import figures
from figures import Figures

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in ("performance", "many", "bulk")))
SHOWN = "3.11"
"""The version whose figures the pages show; one table has all of them."""

KINDS = ("english", "markdown", "code", "cjk", "values")

AIMS = {
    "prose to a ContentDelta": 4,
    "prose to a ContentDelta, read": 7,
    "JSON arguments inside a string": 5,
    "JSON arguments inside a string, read": 8,
    "structure-dense JSON arguments": 7,
    "structure-dense JSON arguments, read": 10,
    "tagged string value, escaped": 6,
    "tagged string value, escaped, read": 9,
    **{
        f"{what} to {api} SSE bytes": 12 for what in ("prose", "arguments") for api in ("Chat", "Responses", "Messages")
    },
    "observe, a reused chunk": 15,
    "observe, a chunk fresh from json.loads": 25,
    "at 100 KB against at 1 KB": 1.1,
}
"""What a piece may cost at most."""

STEP_AIMS = {
    "a piece without text": 2,
    "prose": 2,
    "JSON arguments inside a string": 2,
    "tagged string value, escaped": 2,
    "prose, with events": 4,
    "JSON arguments, with events": 4,
    "arguments held for a late name": 2,
}
"""What a sequence of a step may cost at most, in a step of many."""

BULK_AIMS = {
    "scanner, strings": 2.0,
    "scanner, dense": 0.25,
    "parse, confirmed, strings": 0.7,
    "parse, confirmed, dense": 0.12,
    "the same in a young process, strings": 0.7,
    "the same in a young process, dense": 0.12,
    "marker matcher, prose": 8,
    "parse, prose": 4,
}
"""GB/s, at least."""

START = {
    "a parser, prepared tools": ("us", 1.5),
    "a parser, 128 raw tools": ("us", 50),
    "memory of a parser": ("bytes", 1536),
    "of it the object": ("bytes", None),
    "memory of an event": ("bytes", None),
    "import toolweir, processor time": ("ms", 50),
    "100 MB of prose: growth of resident memory": ("bytes", 0),
    "100 MB of prose: growth of what malloc gave out": ("bytes", 0),
    "100 MB of prose: growth of Python's blocks": ("blocks", 0),
}
"""Unit, and what it may be at most."""

Rows = list[list[str]]


def markdown(heads: list[str], rows: Rows) -> str:
    """A table with its columns aligned; everything but the first column to the right."""
    widths = [max(len(row[at]) for row in [heads, *rows]) for at in range(len(heads))]

    def line(cells: list[str]) -> str:
        padded = [
            cells[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)),
        ]
        return f"| {' | '.join(padded)} |"

    ruler = [f"|{'-' * (widths[0] + 2)}|", *(f"{'-' * (width + 1)}:|" for width in widths[1:])]
    return "\n".join([line(heads), "".join(ruler), *map(line, rows)])


def held(text: str, holds: bool) -> str:
    """A figure; in bold if it misses its aim."""
    return text if holds else f"**{text}**"


def times(value: float | None, aim: float | None = None) -> str:
    """A ratio."""
    if value is None:
        return ""
    text = f"{value:.2f}x" if aim == AIMS["at 100 KB against at 1 KB"] else f"{value:.1f}x"
    return held(text, aim is None or float(text[:-1]) <= aim)


def microseconds(value: float) -> str:
    """A duration, to two digits below a hundred."""
    return f"{value:,.2f} us" if value < 1 else f"{value:,.1f} us" if value < 100 else f"{value:,.0f} us"


def speed(value: float, aim: float | None = None) -> str:
    """GB/s."""
    text = f"{value:.2f}" if value < 10 else f"{value:.1f}"
    return f"{held(text, aim is None or float(text) >= aim)} GB/s"


def length(size: float) -> str:
    """A number of bytes, to two digits below ten."""
    value, unit = (size / 1e6, "MB") if size >= 1e6 else (size / 1e3, "KB")
    return f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"


def amount(value: float, unit: str, aim: float | None = None) -> str:
    """What a row of START says."""
    text = f"{value:,.2f}" if unit == "us" and value < 10 else f"{value:,.0f}"
    return f"{held(text, aim is None or float(text.replace(',', '')) <= aim)} {unit}"


def pieces(all_figures: Figures, version: str) -> str:
    """The cost of a piece on every path."""
    rows = []
    for name, costs in all_figures[version]["pieces"].items():
        aim = AIMS.get(name)
        rows.append([name, *(times(costs.get(kind), aim) for kind in KINDS), f"{aim}x" if aim else ""])
    return markdown(["", *KINDS, "aim"], rows)


def steps(all_figures: Figures, version: str) -> str:
    """The cost of a sequence in a step of one, some and many."""
    rows = []
    for name, costs in all_figures[version]["steps"].items():
        alone, *together = costs.values()
        rows.append([name, times(alone), *(times(cost, STEP_AIMS[name]) for cost in together), f"{STEP_AIMS[name]}x"])
    return markdown(["", "1 sequence", "32 sequences", "256 sequences", "aim"], rows)


def bulk(all_figures: Figures, version: str) -> str:
    """Whole texts."""
    rows = []
    for name, value in all_figures[version]["bulk"].items():
        aim = BULK_AIMS.get(name)
        rows.append([name, speed(value, aim), f"{aim} GB/s" if aim else ""])
    return markdown(["", "speed", "aim"], rows)


def texts(all_figures: Figures, version: str) -> str:
    """parse_many() by the length of the texts."""
    rows = []
    for name, costs in all_figures[version]["texts"].items():
        for at, (size, seconds) in enumerate(costs.values()):
            rows.append(
                [name if at == 0 else "", length(size), microseconds(seconds * 1e6), speed(size / seconds / 1e9)]
            )
    return markdown(["", "length", "`parse_many`, a text", "speed"], rows)


def threads(all_figures: Figures, version: str) -> str:
    """parse_many() on two threads."""
    rows = []
    for name, costs in all_figures[version]["threads"].items():
        for at, (size, (one, two)) in enumerate(costs.items()):
            row = [microseconds(one * 1e6), microseconds(two * 1e6), f"{one / two:.2f}x"]
            rows.append([name if at == 0 else "", size, *row])
    return markdown(["", "length", "one thread, a text", "two threads", "gain"], rows)


def lines(all_figures: Figures, version: str) -> str:
    """The command on a file of lines."""
    found = all_figures[version]["lines"].items()
    rows = [[name, length(size), f"{rate:.0f} MB/s"] for name, (size, rate) in found]
    return markdown(["lines", "length", "one process"], rows)


def start(all_figures: Figures, version: str) -> str:
    """What comes before the first piece, and memory."""
    rows = []
    for name, (unit, aim) in START.items():
        value = all_figures[version]["start"][name]
        rows.append([name, amount(value, unit, aim), "" if aim is None else f"{aim:,} {unit}"])
    return markdown(["", "measured", "aim"], rows)


def formats(all_figures: Figures, version: str) -> str:
    """Every format."""
    rows = [
        [f"`{name}`", times(found["feed"]), times(found["read"]), speed(found["parse"]), microseconds(found["example"])]
        for name, found in all_figures[version]["formats"].items()
    ]
    return markdown(["", "feed", "feed and read", "`parse`, 64 KB", "`parse`, the example"], rows)


def encoders(all_figures: Figures, version: str) -> str:
    """Chat deltas, encoded in other ways."""
    ours = all_figures[version]["pieces"]["prose to Chat SSE bytes"]["english"]
    rows = [["toolweir, parser included", times(ours)]]
    rows += [[f"{name}, no parser", times(value)] for name, value in all_figures[version]["encoders"].items()]
    return markdown(["a delta of prose to Chat SSE bytes", "a piece"], rows)


def peers(all_figures: Figures, version: str) -> str:
    """The cost of a piece against the length of the call so far."""
    found = all_figures[version]["peers"]
    sizes = ("1024", "10240", "102400")
    own = [found["toolweir"][size] for size in sizes]
    rows = [["**toolweir**: fragment, validated and accumulated", *(f"**{cost:.2f} us**" for cost in own), ""]]
    for name in sorted(found, key=lambda name: found[name][sizes[-1]]):
        if name != "toolweir":
            costs = [found[name][size] for size in sizes]
            rows.append([name, *map(microseconds, costs), f"{costs[-1] / own[-1]:,.0f}x"])
    return markdown(["to follow a call's arguments", "a piece at 1 KB", "at 10 KB", "at 100 KB", ""], rows)


def detectors(all_figures: Figures, version: str) -> str:
    """SGLang's detectors, each in its own format."""
    rows = []
    for name, found in all_figures[version]["detectors"].items():
        (ours, ours_later), (theirs, theirs_later) = found["toolweir"], found["sglang"]
        costs = [f"{ours:.2f} us", f"{ours_later:.2f} us", microseconds(theirs), microseconds(theirs_later)]
        rows.append([f"`{name}`", *costs, f"{found['streams']:.0%}"])
    heads = ["", "toolweir at 1 KB", "at 10 KB", "SGLang at 1 KB", "at 10 KB", "gives something"]
    return markdown(heads, rows)


def versions(all_figures: Figures, version: str) -> str:
    """The rows that have an aim, on every interpreter; of the texts, the worst."""
    found = all_figures.values()
    rows = []
    for name, aim in AIMS.items():
        rows.append([name, *(times(max(each["pieces"][name].values()), aim) for each in found), f"{aim}x"])
    for name, aim in BULK_AIMS.items():
        rows.append([name, *(speed(each["bulk"][name], aim) for each in found), f"{aim} GB/s"])
    for name, (unit, least) in START.items():
        if least is not None:
            rows.append([name, *(amount(each["start"][name], unit, least) for each in found), f"{least:,} {unit}"])
    return markdown(["", *(each["machine"]["python"] for each in found), "aim"], rows)


def instructions(all_figures: Figures, version: str) -> str:
    """Instructions, which no neighbour disturbs."""
    found = {each: all_figures[each]["instructions"] for each in all_figures if "instructions" in all_figures[each]}
    names = [name for counts in found.values() for name in counts]
    rows = [
        [name, *(f"{counts[name]:,}" if name in counts else "" for counts in found.values())]
        for name in dict.fromkeys(names)
    ]
    return markdown(["instructions for a piece, the loop included", *found], rows)


def machine(all_figures: Figures, version: str) -> str:
    """What it was measured on."""
    found = all_figures[version]["machine"]
    compared = ", ".join(f"{name} {number}" for name, number in found["compared"].items())
    place = f"{found['cores']} shared cores of an {found['processor']}, {found['system']}"
    return f"CPython {found['python']} on {place}. Compared with\n{compared}."


TABLES: dict[str, Callable[[Figures, str], str]] = {
    each.__name__: each
    for each in (
        machine,
        pieces,
        steps,
        bulk,
        texts,
        threads,
        lines,
        start,
        formats,
        encoders,
        peers,
        detectors,
        versions,
        instructions,
    )
}


def shown(all_figures: Figures, version: str, names: list[str]) -> list[str]:
    """Tables of one version, to be printed."""
    return [TABLES[name](all_figures, version) for name in ["machine", *names]]


def written(page: str, all_figures: Figures) -> str:
    """The page with every table anew."""

    def fill(found: re.Match[str]) -> str:
        return f"{found[1]}\n{TABLES[found[2]](all_figures, SHOWN)}\n{found[3]}"

    return re.sub(r"(<!-- figures: (\w+) -->)\n.*?(<!-- end -->)", fill, page, flags=re.DOTALL)


def rewrite(all_figures: Figures, *, check: bool = False) -> list[Path]:
    """Writes the pages, or only looks; the pages that said something else."""
    changed = []
    for path in PAGES:
        old = path.read_text("utf-8")
        new = written(old, all_figures)
        if new != old:
            changed.append(path)
            if not check:
                path.write_text(new, "utf-8")
    return changed


def main() -> None:
    """Write, or compare."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--check", action="store_true", help="write nothing, exit with 1 if a page differs")
    chosen: Any = options.parse_args()
    changed = rewrite(figures.read(), check=chosen.check)
    for path in changed:
        print(f"{path.relative_to(ROOT)}: {'differs from docs/performance.json' if chosen.check else 'written anew'}")
    sys.exit(1 if chosen.check and changed else 0)


if __name__ == "__main__":
    main()
