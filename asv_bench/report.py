"""Measures what README.md, docs/performance.md, docs/many.md and docs/bulk.md show, and writes it: `make bench`.

    python asv_bench/report.py [--quick] [--only SECTION ...]

The figures go into docs/performance.json under the interpreter's version, beside those of other versions; the tables of
the pages are then written anew from that file (tables.py), and `make plots` draws it. With --quick each loop repeats
less and nothing is written; with --only the other sections stay as they were. A whole run takes about two minutes.
"""

import argparse
import os
import platform
import time
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import figures
import tables
from benchmarks import bulk, lines, many, memory, peers, pieces, sglang_alone, start, wire
from benchmarks.measure import REPEATS
from benchmarks.paths import PATHS, format_path

from toolweir import formats

COMPARED = ("jiter", "ijson", "openai", "partial-json-parser", "orjson")

repeats, seconds = REPEATS, 0.25
"""How often a loop of pieces runs, and how long a peer is repeated."""


def measured_pieces() -> dict[str, Any]:
    """Row, text: the cost of feeding a piece, and of feeding it and reading what comes out."""
    found: dict[str, Any] = {}
    for name, path in PATHS.items():
        found[name] = {kind: path.ratio(kind, repeats=repeats) for kind in path.kinds}
        if path.reading:
            found[f"{name}, read"] = {kind: path.ratio(kind, reading=True, repeats=repeats) for kind in path.kinds}
    found["at 100 KB against at 1 KB"] = {"code": pieces.growth_ratio(repeats=repeats)}
    return found


def measured_steps() -> dict[str, dict[str, float]]:
    """Row, sequences: the cost of a sequence in a step of so many."""
    return {
        name: {str(sequences): step.ratio(sequences, repeats) for sequences in many.SEQUENCES}
        for name, step in many.STEPS.items()
    }


def measured_bulk() -> dict[str, float]:
    """Row: GB/s."""
    found = {}
    for shape in bulk.SHAPES:
        bench = bulk.Bulk()
        bench.setup(shape)
        found[f"scanner, {shape}"] = bench.track_scanner(shape)
        found[f"boundary scanner, {shape}"] = bench.track_boundary_scanner(shape)
        found[f"parse, confirmed, {shape}"] = bench.track_parse(shape)
        found[f"the same in a young process, {shape}"] = bench.track_parse_in_a_young_process(shape)
    prose = bulk.BulkProse()
    prose.setup()
    return found | {"marker matcher, prose": prose.track_markers(), "parse, prose": prose.track_parse()}


def measured_texts() -> dict[str, dict[str, list[float]]]:
    """Row, length: bytes of a text, and seconds that parse_many() takes for one."""
    return {
        name: {length: list(bulk.many_cost(name, size, repeats // 2)) for length, size in bulk.LENGTHS.items()}
        for name in bulk.MANY_TEXTS
    }


def measured_threads() -> dict[str, dict[str, list[float]]]:
    """Row, length: seconds that parse_many() takes for a text on one thread and on two."""
    return {
        name: {
            length: [bulk.threads_cost_alone(size, confirm, threads) for threads in (1, 2)]
            for length, size in bulk.THREADED.items()
        }
        for name, confirm in (("confirmed", "auto"), ('`confirm="never"`', "never"))
    }


def measured_lines() -> dict[str, list[float]]:
    """Row: bytes of a line, and MB/s of the command."""
    return {name: [len(make().encode()), lines.lines_speed(name)] for name, make in lines.LINES.items()}


def measured_start() -> dict[str, float]:
    """Row: microseconds, milliseconds, bytes or blocks, as the table says."""
    construction, objects, growth = start.Construction(), memory.Objects(), memory.Growth()
    return {
        "a parser, prepared tools": construction.track_prepared_tools(),
        "a parser, 128 raw tools": construction.track_128_raw_tools(),
        "memory of a parser": objects.track_parser_resident(),
        "of it the object": objects.track_parser_object(),
        "memory of an event": objects.track_event_object(),
        "import toolweir, processor time": start.Import().track_import(),
        "100 MB of prose: growth of resident memory": growth.track_growth("resident"),
        "100 MB of prose: growth of what malloc gave out": growth.track_growth("allocated"),
        "100 MB of prose: growth of Python's blocks": growth.track_growth("blocks"),
    }


def measured_formats() -> dict[str, dict[str, float]]:
    """Format: cost of a piece of a string, fed and read; parse() of 64 KB in GB/s, of the format's example in us."""
    found = {}
    for name in formats():
        path, whole = format_path(name), bulk.WholeCalls()
        whole.setup(name)
        found[name] = {
            "feed": path.ratio("code", repeats=repeats),
            "read": path.ratio("code", reading=True, repeats=repeats),
            "parse": whole.track_parse(name),
            "example": whole.track_example(name),
        }
    return found


def installed(costs: Iterable[tuple[str, Callable[[], Any]]]) -> dict[str, Any]:
    """The costs of what is installed."""
    found = {}
    for name, cost in costs:
        try:
            found[name] = cost()
        except ImportError as error:
            print(f"left out: {name} ({error})")
    return found


def measured_peers() -> dict[str, dict[str, float]]:
    """Peer, characters so far: microseconds for a piece."""

    def costs(name: str) -> dict[str, float]:
        return {str(size): peers.peer_cost(name, size, seconds) for size in peers.SIZES}

    return installed((name, lambda name=name: costs(name)) for name in peers.PEERS)  # type: ignore[misc]


def measured_detectors() -> dict[str, dict[str, Any]]:
    """Format: toolweir and SGLang's detector in microseconds for a piece at 1 and 10 KB; how often SGLang's gives."""

    def costs(format: str) -> dict[str, Any]:
        at_1, at_10 = (peers.detector_costs(format, size * peers.KB, seconds) for size in (1, 10))
        return {"toolweir": [at_1[0], at_10[0]], "sglang": [at_1[1], at_10[1]], "streams": peers.streams(format)}

    return installed((format, lambda format=format: costs(format)) for format in sglang_alone.DETECTORS)  # type: ignore[misc]


def measured_encoders() -> dict[str, float]:
    """Encoder: the cost of a Chat delta from text that is parsed already."""
    return installed((name, lambda name=name: wire.other_ratio(name)) for name in wire.OTHERS)  # type: ignore[misc]


SECTIONS: dict[str, Callable[[], dict[str, Any]]] = {
    "pieces": measured_pieces,
    "steps": measured_steps,
    "bulk": measured_bulk,
    "texts": measured_texts,
    "threads": measured_threads,
    "lines": measured_lines,
    "start": measured_start,
    "formats": measured_formats,
    "encoders": measured_encoders,
    "peers": measured_peers,
    "detectors": measured_detectors,
}


def machine() -> dict[str, Any]:
    """What it was measured on."""
    names = {}
    for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines() if Path("/proc/cpuinfo").exists() else []:
        key, _, value = line.partition(":")
        names[key.strip()] = value.strip()
    versions = {"sglang": sglang_alone.version()} if sglang_alone.version() else {}
    for name in COMPARED:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return {
        "python": platform.python_version(),
        "processor": names.get("model name", platform.processor() or platform.machine()),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "compared": versions,
    }


def main() -> None:
    """Measure, write, print."""
    global repeats, seconds
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--quick", action="store_true", help="repeat less, write nothing")
    options.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS), metavar="SECTION")
    chosen = options.parse_args()
    if chosen.quick:
        repeats, seconds = 8, 0.0
    found: dict[str, Any] = {"machine": machine()}
    for name in chosen.only:
        begun = time.perf_counter()
        found[name] = SECTIONS[name]()
        print(f"{name}: {time.perf_counter() - begun:.0f} s")
    everything = figures.merged(figures.read(), found)
    print("\n\n".join(tables.shown(everything, figures.here(), chosen.only)))
    if not chosen.quick:
        figures.write(everything)
        tables.rewrite(figures.read())  # as rounded


if __name__ == "__main__":
    main()
