"""The `tool_calls` field of a response template: the texts that open and close a call, and where its parts are."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import UnknownFormatError
from .pattern import Group, Part, Parts, Space, Width0

__all__ = ["CallField", "Shape"]

PLACEHOLDER = re.compile(r"\{(\w+(?:\.\w+)*)\}")
"""What a transform replaces, all of a string."""

BETWEEN_TAGS = re.compile(r"(?<=>)\s*(?=<)")


@dataclass(frozen=True, slots=True)
class Shape:
    """Where a transform finds the call's parts: keys of the JSON or groups; None: the JSON is the call."""

    name: tuple[str, ...] | None = None
    arguments: tuple[str, ...] | None = None
    id: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class CallField:
    """The field, and the alternatives that open and close its region."""

    where: str
    field: Mapping[str, Any]
    opens: list[Parts]
    closes: list[Parts]

    def fail(self, part: str, problem: str) -> UnknownFormatError:
        return UnknownFormatError(f"{self.where}.{part}: {problem}")

    def shape(self) -> Shape:
        """Where the name, the arguments and the id are; in `transform_each` an element's keys stand by themselves."""
        transform = self.field.get("transform")
        each = self.field.get("transform_each", False)
        if not isinstance(each, bool) or (each and transform is None):
            raise self.fail("transform_each", f"expected a boolean beside a transform, got {each!r}")
        function = transform.get("function", transform) if isinstance(transform, Mapping) else transform
        if function is None or function == "{content}":
            return Shape()
        if not isinstance(transform, Mapping) or not isinstance(function, Mapping):
            raise self.fail("transform", f"expected an object with a function, got {transform!r}")
        found = {}
        for key, value in (
            ("name", function.get("name")),
            ("arguments", function.get("arguments")),
            ("id", transform.get("id")),
        ):
            place = PLACEHOLDER.fullmatch(value) if isinstance(value, str) else None
            if place is not None:
                found[key] = tuple(place[1].split("."))
            elif key != "id" or value is not None:
                raise self.fail("transform", f"expected a {{placeholder}} as {key}, got {value!r}")
        return Shape(**found)

    @property
    def groups(self) -> set[str]:
        """The groups of the patterns that open."""
        return {part.name for parts in self.opens for part in parts if isinstance(part, Group)}

    def texts(self, part: str, parts: tuple[Part, ...]) -> tuple[str, ...]:
        """The texts between which only whitespace may stand, tags that touch taken apart."""
        texts: list[str] = []
        for text in parts:
            if isinstance(text, str):
                texts += BETWEEN_TAGS.split(text)
            elif not isinstance(text, Space):
                raise self.fail(part, f"expected texts here, got {text!r}")
        return tuple(text for text in texts if text.strip())

    def opening(self, *groups: str | None) -> list[tuple[tuple[str, ...], ...]]:
        """Each alternative that opens, as the texts before, between and behind these groups."""
        found = []
        for parts in self.opens:
            split: list[tuple[str, ...]] = []
            rest = parts
            for name in groups:
                if name is not None and Group(name) in rest:
                    at = rest.index(Group(name))
                    split.append(self.texts("open_pattern", rest[:at]))
                    rest = rest[at + 1 :]
                elif name is not None and name == groups[0]:
                    raise self.fail("open_pattern", f"expected the group {name} in every alternative")
            split.append(self.texts("open_pattern", rest))
            if not split[0]:
                raise self.fail("open", "expected a text that opens the call")
            found.append(tuple(split))
        return found

    def closing(self) -> list[tuple[str, ...]]:
        """Each alternative that closes, as texts; those without one say nothing, for calls end by themselves."""
        parts = [tuple(part for part in parts if not isinstance(part, Width0)) for parts in self.closes]
        found = [
            tuple(map(str.strip, self.texts("close_pattern", texts)))
            for texts in parts
            if any(isinstance(part, str) for part in texts)
        ]
        if not all(found):
            raise self.fail("close", "expected a text that is more than whitespace")
        return found

    def only(self, texts: tuple[str, ...]) -> str:
        if len(texts) != 1:
            raise self.fail("open_pattern", f"expected one text behind the name, got {texts!r}")
        return texts[0]
