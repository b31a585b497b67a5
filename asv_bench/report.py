"""Prints the figures of README.md and docs/performance.md: `make bench`, or `python asv_bench/report.py [--quick]`.

Costs of a piece are multiples of len() on the same piece, measured alternately; peers run on the same arguments in the
same run. It takes a minute or two, with --quick less. --markdown prints what docs/performance.md shows.
"""

import json
import platform
import sys
from collections.abc import Iterator
from importlib import import_module

from benchmarks import bulk, dispatch, measure, peers, start, texts
from rich import box
from rich.console import Console
from rich.table import Table

QUICK = "--quick" in sys.argv
MARKDOWN = "--markdown" in sys.argv
REPEATS = 10 if QUICK else measure.REPEATS

PATHS = {
    "prose to a ContentDelta": ("prose", ("english", "markdown", "code", "cjk"), 4, 7),
    "JSON arguments inside a string": ("arguments", ("english", "markdown", "code", "cjk"), 5, 8),
    "structure-dense JSON arguments": ("dense", ("values",), 7, 10),
    "tagged string value, escaped": ("tagged", ("english", "markdown", "code", "cjk"), 6, 9),
}
"""Row, path, texts, and the aims for feed alone and with a reading loop (DESIGN: the speed table)."""


def rows_of_pieces() -> Iterator[tuple[str, ...]]:
    """The cost of a piece on every path."""
    for row, (path, kinds, aim, aim_reading) in PATHS.items():
        for kind in kinds:
            alone = measure.feed_ratio(path, kind, reading=False, repeats=REPEATS)
            reading = measure.feed_ratio(path, kind, reading=True, repeats=REPEATS)
            yield row, kind, f"{alone:.1f}x", f"{aim}x", f"{reading:.1f}x", f"{aim_reading}x"
    for path in ("prose", "arguments"):
        ratio = measure.wire_ratio(path, "code", REPEATS)
        yield f"{path} to Chat SSE bytes", "code", f"{ratio:.1f}x", "12x", "", ""
    chunks = list(dispatch.make_chunks())
    reused = measure.over_len(chunks, lambda: dispatch.observe, REPEATS // 4)
    yield "observe, a reused chunk", "code", f"{reused:.1f}x", "15x", "", ""

    def parsed() -> object:
        return json.loads(json.dumps(chunks))

    fresh = dispatch.best(dispatch.observe, parsed) / dispatch.best(dispatch.lengths, parsed)
    yield "observe, a chunk fresh from json.loads", "code", f"{fresh:.1f}x", "25x", "", ""
    yield "at 100 KB against at 1 KB", "code", f"{measure.growth_ratio(repeats=REPEATS):.2f}x", "1.1x", "", ""


def rows_of_bulk() -> Iterator[tuple[str, ...]]:
    """Whole texts, in GB/s."""
    aims = {"scanner": (2.0, 0.25), "boundary_scanner": (None, None), "parse": (0.7, 0.12)}
    for name, aim in aims.items():
        for shape, least in zip(bulk.SHAPES, aim, strict=True):
            bench = bulk.Bulk()
            bench.setup(shape)
            speed = getattr(bench, f"track_{name}")(shape)
            label = "parse, confirmed" if name == "parse" else name.replace("_", " ")
            yield f"{label}, {shape}", f"{speed:.2f} GB/s", f"{least} GB/s" if least else ""
    prose = bulk.BulkProse()
    prose.setup()
    yield "marker matcher, prose", f"{prose.track_markers():.2f} GB/s", "8 GB/s"
    yield "parse, prose", f"{prose.track_parse():.2f} GB/s", "4 GB/s"


def rows_of_start() -> Iterator[tuple[str, ...]]:
    """What comes before the first piece."""
    construction, memory = start.Construction(), start.Memory()
    yield "a parser, prepared tools", f"{construction.track_prepared_tools():.2f} us", "1.5 us"
    yield "a parser, 128 raw tools", f"{construction.track_128_raw_tools():.1f} us", "50 us"
    yield "memory of a parser", f"{memory.track_parser():,.0f} bytes", "1,536 bytes"
    yield "growth in 100 MB of prose", f"{memory.track_growth_in_100_mb_of_prose():,.0f} bytes", "0 bytes"
    yield "import toolweir, processor time", f"{start.Import().track_import():.0f} ms", "50 ms"


def rows_of_peers() -> Iterator[tuple[str, ...]]:
    """The cost of a piece while arguments grow; what re-reads everything grows with them."""
    sizes = (1024, 10 * 1024)
    ours = [peers.microseconds_per_piece(peers.PEERS["toolweir"][0], size, 20) for size in sizes]
    for name, (follow, module) in peers.PEERS.items():
        try:
            import_module(module)
        except ImportError:
            continue
        costs = [peers.microseconds_per_piece(follow, size, 1 if QUICK else 3) for size in sizes]
        cells = [f"{cost:,.2f} us ({cost / own:,.0f}x)" for cost, own in zip(costs, ours, strict=True)]
        yield name, *(cells if name != "toolweir" else [f"{own:.3f} us" for own in ours])


def table(title: str, heads: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> Table:
    """Rows as a table; everything but words to the right."""
    made = Table(title=f"\n## {title}\n" if MARKDOWN else title, title_justify="left", title_style="none")
    made.box = box.MARKDOWN if MARKDOWN else made.box
    for head in heads:
        made.add_column(head, justify="left" if head in ("", "text") else "right", no_wrap=True)
    for row in rows:
        made.add_row(*row)
    return made


def main() -> None:
    """Measure and print."""
    console = Console(width=110)
    console.print(f"Python {platform.python_version()}, {platform.machine()}; pieces of {texts.PIECE} characters")
    heads = ("", "text", "feed", "aim", "feed and read", "aim")
    console.print(table("A piece, as a multiple of len()", heads, rows_of_pieces()))
    console.print(table("Whole texts", ("", "speed", "aim"), rows_of_bulk()))
    console.print(table("Before the first piece", ("", "measured", "aim"), rows_of_start()))
    console.print(table("Peers: a piece of growing arguments", ("", "up to 1 KB", "up to 10 KB"), rows_of_peers()))


if __name__ == "__main__":
    main()
