"""Every mutation there could be, those that are run, and those that a person wrote by name."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import c_source
import python_source
from spots import Edit, Mutation, Spot, make_mutation, one_line, told_apart

ROOT = Path(__file__).parent.parent.parent
NAMED = Path(__file__).parent / "named.toml"
EQUIVALENT = Path(__file__).parent / "equivalent.toml"


@dataclass(frozen=True)
class Named:
    """A mutation that breaks one promise or rule."""

    rule: str
    breaks: str
    mutation: Mutation


def language(file: str) -> ModuleType:
    return c_source if file.endswith(".h") else python_source


def sources() -> list[str]:
    """The library's own source, as paths below the root."""
    found = [path for path in (ROOT / "src").rglob("*") if path.suffix in (".py", ".pyx", ".pxd")]
    found += (ROOT / "include").rglob("*.h")
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


@cache
def read(file: str) -> str:
    return (ROOT / file).read_text("utf-8")


def mutations_of(file: str) -> Iterator[Mutation]:
    """All mutations that the tool knows of one source."""
    source, of = read(file), language(file)
    yield from told_apart(
        make_mutation(file, source, spot, edit) for spot in of.spots(source) for edit in of.edits(source, spot)
    )


def all_mutations() -> Iterator[Mutation]:
    for file in sources():
        yield from mutations_of(file)


def chosen(seed: int, count: int) -> list[Mutation]:
    """`count` random mutations. Each has its own lot, so that a change of one statement changes the choice of few."""

    def lot(mutation: Mutation) -> bytes:
        return sha256(f"{seed} {mutation.key}".encode()).digest()

    return sorted(all_mutations(), key=lot)[:count]


def named() -> list[Named]:
    """The mutations of named.toml. Raises ValueError for one whose text does not stand exactly once in the library."""
    everywhere = [(file, spot) for file in sources() for spot in language(file).spots(read(file))]
    found, lost = [], []
    for entry in tomllib.loads(NAMED.read_text("utf-8"))["mutation"]:
        places = [
            make_mutation(file, read(file), spot, Edit(at, at + len(entry["before"]), entry["after"]))
            for file, spot in everywhere
            if spot.where == entry.get("where", spot.where)
            for at in occurrences(read(file), entry["before"], spot)
        ]
        if len(places) == 1:
            found.append(Named(entry["rule"], entry["breaks"], places[0]))
        else:
            lost.append(f"{entry['before']!r} in {entry.get('where', 'any function')} stands {len(places)} times")
    if lost:
        raise ValueError("\n".join(["named.toml: expected to stand once in the library:", *lost]))
    return found


def occurrences(source: str, text: str, spot: Spot) -> Iterator[int]:
    """Where the text stands in the spot."""
    at = source.find(text, spot.start, spot.end)
    while at >= 0:
        yield at
        at = source.find(text, at + 1, spot.end)


def equivalents() -> dict[str, str]:
    """Key of a mutation that changes nothing: why. Those whose statement is gone are told under `stale`."""
    known = {}
    for entry in tomllib.loads(EQUIVALENT.read_text("utf-8")).get("mutation", []):
        file = entry["file"]
        for mutation in mutations_of(file) if (ROOT / file).exists() else ():
            same = (mutation.spot.where, mutation.before, mutation.after) == (
                entry["where"],
                one_line(entry["before"]),
                one_line(entry["after"]),
            )
            if same and mutation.again == entry.get("again", 0):
                known[mutation.key] = entry["why"]
    return known
