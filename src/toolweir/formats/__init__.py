"""The registry of formats: one module of this package each, others by the entry point group `toolweir.formats`.

A name finds its format if exactly one format has it, as its name or an alias. A name that servers give to several
formats finds none: it raises and lists the candidates, since a silent guess would lose calls.
"""

import difflib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from ..errors import UnknownFormatError
from .spec import Format, Opener

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["Format", "FormatInfo", "Opener", "find", "format_for", "format_info", "formats"]

logger = logging.getLogger("toolweir")

AMBIGUOUS = {
    "qwen3": ("hermes", "qwen3_coder"),
    "qwen": ("hermes", "qwen3_coder"),
    "deepseek": ("deepseek_v3", "deepseek_v31", "deepseek_v32", "deepseek_v4"),
    "llama": ("llama3_json", "pythonic", "llama4_pythonic"),
    "json": ("hermes", "llama3_json"),
}
"""Names that several formats may claim; Qwen3 models write Hermes calls, Qwen3-Coder and Qwen3.5 tagged ones."""


@dataclass(frozen=True, slots=True)
class FormatInfo:
    """What a host needs to know of a format (`format_info`)."""

    name: str
    summary: str
    aliases: tuple[str, ...]
    models: tuple[str, ...]
    markers: tuple[str, ...]
    """Texts that open or close a call."""
    reasoning_markers: tuple[tuple[str, str], ...]
    """Pairs of texts around a thought."""
    special_tokens: tuple[str, ...]
    """Markers that are tokens of their own; a host that feeds them apart uses `feed_special`."""
    end_of_turn: tuple[str, ...]
    keep_special_tokens: bool
    """Whether the engine must keep special tokens in its text."""
    calls_in_reasoning: bool
    example: str


@cache
def registry() -> dict[str, Format]:
    """All formats by their name: this package's, then those of other distributions."""
    # Slow to import, and only needed once a parser is made.
    import pkgutil
    from importlib.metadata import entry_points

    found: dict[str, Format] = {}
    for module in pkgutil.iter_modules(__path__):
        format = getattr(import_module(f"{__name__}.{module.name}"), "FORMAT", None)
        if format is not None:
            found[format.name] = format
    for entry in entry_points(group="toolweir.formats"):
        try:
            format = _load(entry, found)
        except Exception as error:
            # Whatever another distribution does wrong costs its own format only: this is not the caller's mistake.
            source = entry.dist.name if entry.dist else "an unknown distribution"
            told = f"{type(error).__name__}: {error}"
            logger.error("entry point %r of %s gives no format, it is left out: %s", entry.name, source, told)
        else:
            found[format.name] = format
    return dict(sorted(found.items()))


def _load(entry: "EntryPoint", known: Mapping[str, Format]) -> Format:
    """The format of an entry point. Raises what its module raises, and UnknownFormatError if it gives none."""
    format = entry.load()
    if not isinstance(format, Format):
        raise UnknownFormatError(f"expected a toolweir Format, got {format!r}")
    if format.name in known:
        raise UnknownFormatError(f"the name {format.name!r} is taken")
    return format


@cache
def names() -> dict[str, Format]:
    """Every name and unique alias."""
    claims: dict[str, set[str]] = {}
    for format in registry().values():
        for alias in (format.name, *format.aliases):
            claims.setdefault(alias, set()).add(format.name)
    found = {}
    for alias, owners in claims.items():
        if len(owners) == 1 or alias in registry():
            found[alias] = registry()[alias if alias in registry() else next(iter(owners))]
    return {alias: format for alias, format in found.items() if alias in registry() or alias not in AMBIGUOUS}


def find(name: str) -> Format:
    """The format of this name or alias. Raises UnknownFormatError, naming the nearest or the candidates."""
    format = names().get(name)
    if format is not None:
        return format
    if not isinstance(name, str):
        raise UnknownFormatError(f"format: expected a name, got {name!r}")
    plain = name.strip().lower().replace("-", "_")
    format = names().get(plain)
    if format is not None:
        return format
    candidates = _candidates(plain)
    if candidates:
        meant = " or ".join(candidates)
        raise UnknownFormatError(f"format {name!r} is ambiguous: it may mean {meant}; name one of them")
    near = difflib.get_close_matches(plain, names(), n=3, cutoff=0.5)
    hint = f" did you mean {' or '.join(map(repr, near))}?" if near else ""
    raise UnknownFormatError(f"unknown format {name!r};{hint} toolweir.formats() lists all")


def _candidates(name: str) -> list[str]:
    known = registry()
    claims = [format.name for format in known.values() if name in format.aliases]
    return list(dict.fromkeys([*AMBIGUOUS.get(name, ()), *claims]))


def formats() -> tuple[str, ...]:
    """The names of all known formats, sorted."""
    return tuple(registry())


def format_info(name: str) -> FormatInfo:
    """What a host needs to know of a format. Raises UnknownFormatError."""
    format = find(name)
    markers = [text for opener in format.openers for text in (opener.marker, *opener.closers) if text]
    return FormatInfo(
        name=format.name,
        summary=format.summary,
        aliases=format.aliases,
        models=format.models,
        markers=tuple(dict.fromkeys(markers)),
        reasoning_markers=format.reasoning,
        special_tokens=format.special_tokens,
        end_of_turn=format.end_of_turn,
        keep_special_tokens=format.keep_special_tokens,
        calls_in_reasoning=format.calls_in_reasoning,
        example=format.example,
    )


def format_for(*, server: str, name: str) -> str:
    """The format that a server means by one of its own parser names.

    >>> format_for(server="sglang", name="qwen25")
    'hermes'

    Raises UnknownFormatError for a server or a name that is not known.
    """
    servers = sorted({server for format in registry().values() for server in format.server_names})
    if server not in servers:
        raise UnknownFormatError(f"unknown server {server!r}: expected one of {', '.join(servers)}")
    known = {own: format.name for format in registry().values() for own in format.server_names.get(server, ())}
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"; the nearest is {near[0]!r}" if near else ""
        raise UnknownFormatError(f"{server} has no parser {name!r} that is known here{hint}")
    return known[name]
