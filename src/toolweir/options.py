"""Options of a parser: what they may be, and what they mean. All mistakes of the caller end here, as OptionError."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import OptionError
from .formats import Format, find
from .tools import Tools

__all__ = ["AUTO", "DEFAULT_WORDS", "WORDS", "Choice", "check_words", "read_choice", "read_format", "read_stop"]

WORDS: dict[str, tuple[str | None, ...]] = {
    "output": ("native", "guided"),
    "reasoning": ("auto", "started", "off"),
    "unknown_tools": ("forward", "drop", "text"),
    "ids": ("auto", "minted", "native"),
    "on_broken_call": ("length", "error", "tool_calls"),
    "value_whitespace": (None, "one_newline", "keep", "trim"),
    "argument_style": ("compact", "spaced"),
    "confirm": ("auto", "always", "never"),
}
"""The words that options take, the default first; None: as the format has it."""

DEFAULT_WORDS = tuple(words[0] for words in WORDS.values())

MODES = {"auto": "auto", "none": "none", "required": "required", "any": "required", "allowed_tools": "auto"}


@dataclass(frozen=True, slots=True)
class Choice:
    """`mode` is "auto", "none", "required" or "named"; `name` is the chosen function of "named"."""

    mode: str
    name: str | None = None


AUTO = Choice("auto")


def check_words(words: tuple[object, ...]) -> None:
    """Raises OptionError for the first of the options of WORDS, in that order, that has none of its words."""
    for word, (option, known) in zip(words, WORDS.items(), strict=True):
        if word not in known:
            raise OptionError(f"{option}: expected one of {', '.join(map(repr, known))}, got {word!r}")


def read_choice(value: object, tools: Tools | None) -> Choice:
    """A tool choice in any of the three dialects; a function that is not declared raises."""
    if value == "auto" or value is None:
        return AUTO
    if isinstance(value, str):
        if value not in MODES or value == "allowed_tools":
            raise OptionError(f"tool_choice: expected 'auto', 'none', 'required' or a named function, got {value!r}")
        return Choice(MODES[value])
    if not isinstance(value, Mapping):
        raise OptionError(f"tool_choice: expected a word or an object that names a function, got {value!r}")
    kind = value.get("type")
    if kind in MODES and "name" not in value:
        inner: Any = value.get("allowed_tools", value)
        mode = inner.get("mode", kind) if isinstance(inner, Mapping) else kind
        if mode in MODES:
            return Choice(MODES[mode])
    inner = value.get("function", value.get("custom", value))
    name = inner.get("name") if isinstance(inner, Mapping) else None
    if not isinstance(name, str) or not name:
        raise OptionError(f"tool_choice: expected the name of a function in {value!r}")
    if tools is not None and name not in tools:
        raise OptionError(f"tool_choice: {name!r} is not among the declared tools ({', '.join(tools) or 'none'})")
    return Choice("named", name)


def read_format(value: object) -> Format:
    """A format by its name, or a Format itself."""
    if isinstance(value, Format):
        return value
    return find(value)  # type: ignore[arg-type]


def read_stop(value: object) -> tuple[str, ...]:
    """Stop strings: one, or several."""
    stop = (value,) if isinstance(value, str) else tuple(value) if value is not None else ()  # type: ignore[arg-type]
    for text in stop:
        if not isinstance(text, str) or not text:
            raise OptionError(f"stop: expected non-empty strings, got {text!r}")
    if len(stop) > 255:
        raise OptionError(f"stop: expected at most 255 strings, got {len(stop)}")
    if len(stop) > 1:  # one that holds another, and ends behind it, never comes to its end
        return tuple(text for text in stop if not any(other in text[:-1] for other in stop))
    return stop
