"""Which JSON types a tool's schema admits for an argument.

Only what decides between a string and another type is read: `type`, `const`, `enum`, `nullable`, `anyOf`, `oneOf`,
`allOf` and local `$ref`. Every other keyword is ignored. No schema raises, however strange: what cannot be understood
says nothing.

Theory of operation. A set of types is a bit mask, so that keywords side by side intersect with `&` and the branches of
a union join with `|`; neither depends on the order. A bit of its own stands for "no constraint at all": it survives `&`
only when nothing else was said, and `|` always. Strings named by `const` and `enum` travel beside the mask. A schema
that is met again while it is being read (a cycle of references) adds nothing to itself.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any
from urllib.parse import unquote

__all__ = [
    "ARRAY",
    "BOOLEAN",
    "INTEGER",
    "NO_SCHEMA",
    "NULL",
    "NUMBER",
    "OBJECT",
    "ONLY_STRING",
    "STRING",
    "UNTYPED",
    "PropertyTypes",
    "ValueTypes",
    "property_types",
]

STRING, INTEGER, NUMBER, BOOLEAN, NULL, OBJECT, ARRAY = (1 << bit for bit in range(7))
NO_SCHEMA = 128
"""Set in a mask, with all the types, where the schema does not constrain the type."""

_NESTING = 200
"""How deep a schema may nest before the rest of it says nothing: far above any real one, far below Python's limit."""

_NAMES = {
    "string": STRING,
    "integer": INTEGER,
    "number": INTEGER | NUMBER,
    "boolean": BOOLEAN,
    "null": NULL,
    "object": OBJECT,
    "array": ARRAY,
}


@dataclass(frozen=True, slots=True)
class ValueTypes:
    """The JSON types that a value may have.

    `mask` joins the bits of this module (a schema that admits numbers admits integers). `strings` are the only strings
    admitted, where `const` or `enum` lists them; None where any string is, or none.
    """

    mask: int
    strings: frozenset[str] | None = None

    @property
    def no_schema(self) -> bool:
        """The schema says nothing about the type."""
        return bool(self.mask & NO_SCHEMA)

    @property
    def admits_string(self) -> bool:
        return bool(self.mask & STRING)

    @property
    def only_string(self) -> bool:
        """The value is a string, whatever its text."""
        return self.mask == STRING

    @property
    def admits(self) -> frozenset[str]:
        """The admitted types by name; all seven without a schema."""
        bits = (STRING, INTEGER, NUMBER, BOOLEAN, NULL, OBJECT, ARRAY)
        return frozenset(name for name, bit in zip(_NAMES, bits, strict=True) if self.mask & bit)

    def __and__(self, other: "ValueTypes") -> "ValueTypes":
        mask = self.mask & other.mask
        if self.strings is None:
            strings = other.strings
        elif other.strings is None:
            strings = self.strings
        else:
            strings = self.strings & other.strings
        return _normal(mask, strings)

    def __or__(self, other: "ValueTypes") -> "ValueTypes":
        # One side may admit any string (no list) or no string at all (no list either): the bits tell them apart.
        lists = [types.strings for types in (self, other) if types.mask & STRING]
        named = [strings for strings in lists if strings is not None]
        strings = frozenset[str]().union(*named) if named and len(named) == len(lists) else None
        return ValueTypes(self.mask | other.mask, strings)


def _normal(mask: int, strings: frozenset[str] | None) -> ValueTypes:
    if strings is not None and not strings:
        mask &= ~STRING
    return ValueTypes(mask, strings if mask & STRING else None)


UNTYPED = ValueTypes(NO_SCHEMA | STRING | INTEGER | NUMBER | BOOLEAN | NULL | OBJECT | ARRAY)
"""No schema: JSON if it is JSON, else text."""
ONLY_STRING = ValueTypes(STRING)
_NOTHING = ValueTypes(0)


class PropertyTypes(dict[str, ValueTypes]):
    """The types of each argument of one tool: `types[key]` never raises and is resolved when first asked for.

    A model may invent any number of keys, and the tools outlive its turn: only keys that the schema declares are kept.
    """

    __slots__ = ("_schema",)

    def __init__(self, schema: dict[str, Any] | None) -> None:
        self._schema = schema

    def below(self, schemas: Sequence[object] | None, key: str | None) -> list[object]:
        """The schemas of a member: of `key`, or with None of an array's items. `schemas` None: of an argument."""
        seen: set[int] = set()
        around = [self._schema] if schemas is None else schemas
        return [found for schema in around for found in _below(self._schema, schema, key, seen)]

    def admitted(self, schemas: Sequence[object]) -> ValueTypes:
        """The types that one of these schemas, which `below` found, admits; UNTYPED if there are none."""
        if not schemas:
            return UNTYPED
        return _admitted(reduce(or_, [_types(self._schema, schema) for schema in schemas])) or UNTYPED

    def __missing__(self, key: str) -> ValueTypes:
        types = _declared(self._schema, key)
        if types is None:
            return _undeclared(self._schema, key)
        self[key] = types
        return types


def property_types(schema: dict[str, Any] | None, key: str) -> ValueTypes:
    """The types that `schema`, the JSON Schema of a tool's arguments, admits for the argument `key`.

    A key that is declared nowhere has the types of `additionalProperties`, if that is a schema, else `UNTYPED`.
    """
    return PropertyTypes(schema)[key]


def _declared(schema: object, key: str) -> ValueTypes | None:
    def own(node: object) -> ValueTypes | None:
        types = None
        properties = _get(node, "properties")
        if isinstance(properties, dict) and key in properties:
            types = _types(schema, properties[key])
        patterns = _get(node, "patternProperties")
        if isinstance(patterns, dict):
            for pattern, value in patterns.items():
                if _matches(pattern, key):
                    types = _meet(types, _types(schema, value))
        return types

    return _admitted(_Walk(schema, own).read(schema))


def _undeclared(schema: object, key: str) -> ValueTypes:
    def own(node: object) -> ValueTypes | None:
        extra = _get(node, "additionalProperties")
        return _types(schema, extra) if isinstance(extra, dict) else None

    return _admitted(_Walk(schema, own).read(schema)) or UNTYPED


def _below(root: object, schema: object, key: str | None, seen: set[int]) -> Iterator[object]:
    """What a schema, or one that it names, says about its member `key`, or with None about the items of an array."""
    if not isinstance(schema, dict) or id(schema) in seen:
        return
    seen.add(id(schema))
    members = schema.get("properties")
    if key is None and "items" in schema:
        yield schema["items"]
    elif key is not None and isinstance(members, dict) and key in members:
        yield members[key]
    for keyword in ("allOf", "anyOf", "oneOf"):
        for branch in _branches(schema, keyword):
            yield from _below(root, branch, key, seen)
    if isinstance(schema.get("$ref"), str):
        yield from _below(root, _target(root, schema["$ref"]), key, seen)


def _types(root: object, schema: object) -> ValueTypes:
    return _Walk(root, _keywords, silent=UNTYPED).read(schema) or UNTYPED


def _admitted(types: ValueTypes | None) -> ValueTypes | None:
    # What no value can satisfy is still written somehow: as its text.
    return ONLY_STRING if types is not None and types.mask == 0 else types


class _Walk:
    """Combines what `own` finds in a schema with what the schemas find that it refers to, requires or offers.

    None stands for nothing found, and `silent` for what that means where a schema is whole and says nothing.
    """

    __slots__ = ("_own", "_read", "_root", "_silent")

    def __init__(
        self, root: object, own: Callable[[object], ValueTypes | None], silent: ValueTypes | None = None
    ) -> None:
        self._root = root
        self._own = own
        self._silent = silent
        # By identity; None while a schema is being read. It makes wide graphs of references cost one reading a schema.
        self._read: dict[int, ValueTypes | None] = {}

    def read(self, schema: object, depth: int = 0) -> ValueTypes | None:
        """What `schema` says; None also for what is no schema, and for one that is being read."""
        if not isinstance(schema, dict):
            return self._own(schema)
        if id(schema) in self._read or depth == _NESTING:
            return self._read.get(id(schema))
        self._read[id(schema)] = None
        found = [self._own(schema)]
        reference = schema.get("$ref")
        if isinstance(reference, str):
            found.append(self.read(_target(self._root, reference), depth + 1))
        for branch in _branches(schema, "allOf"):
            found.append(self.read(branch, depth + 1))
        for keyword in ("anyOf", "oneOf"):
            if branches := _branches(schema, keyword):
                found.append(reduce(_join, [self.read(branch, depth + 1) for branch in branches]))
        types = reduce(_meet, found)
        if types is None and len(found) == 1:
            types = self._silent
        self._read[id(schema)] = types
        return types


def _meet(left: ValueTypes | None, right: ValueTypes | None) -> ValueTypes | None:
    return left & right if left and right else left or right


def _join(left: ValueTypes | None, right: ValueTypes | None) -> ValueTypes | None:
    return left | right if left and right else left or right


def _keywords(schema: object) -> ValueTypes | None:
    """What a schema's own keywords say."""
    if isinstance(schema, bool):
        return UNTYPED if schema else _NOTHING
    if not isinstance(schema, dict):
        return None
    types = None
    if "type" in schema:
        types = _named(schema["type"], schema.get("nullable") is True)
    if "const" in schema:
        types = _meet(types, _literal(schema["const"]))
    if isinstance(schema.get("enum"), list):
        types = _meet(types, reduce(or_, map(_literal, schema["enum"]), _NOTHING))
    return types


def _named(names: object, nullable: bool) -> ValueTypes:
    # `nullable` widens a `type` beside it and, as in OpenAPI, nothing else.
    mask = NULL if nullable else 0
    listed = names if isinstance(names, list) else [names]
    for name in listed:
        bits = _NAMES.get(name) if isinstance(name, str) else None
        if bits is None:
            return UNTYPED
        mask |= bits
    return ValueTypes(mask) if listed else UNTYPED


def _literal(value: object) -> ValueTypes:
    """The type of a value that a schema names."""
    match value:
        case str():
            return ValueTypes(STRING, frozenset([value]))
        case bool():
            return ValueTypes(BOOLEAN)
        case int():
            return ValueTypes(INTEGER)
        case float():
            return ValueTypes(INTEGER if value.is_integer() else NUMBER)
        case None:
            return ValueTypes(NULL)
        case dict():
            return ValueTypes(OBJECT)
        case list():
            return ValueTypes(ARRAY)
    return UNTYPED


def _get(schema: object, keyword: str) -> object:
    return schema.get(keyword) if isinstance(schema, dict) else None


def _branches(schema: dict[str, Any], keyword: str) -> list[Any]:
    branches = schema.get(keyword)
    return branches if isinstance(branches, list) else []


def _target(root: object, reference: str) -> object:
    """The schema that a JSON Pointer in a URI fragment leads to; nothing is ever fetched.

    A reference that leads nowhere leads to True, the schema of everything.
    """
    fragment = unquote(reference[1:])
    if reference[:1] != "#" or fragment[:1] not in ("", "/"):
        return True
    node = root
    for step in fragment.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict) and step in node:
            node = node[step]
        elif isinstance(node, list) and re.fullmatch("[0-9]{1,7}", step) and int(step) < len(node):
            node = node[int(step)]
        else:
            return True
    return node


def _matches(pattern: object, key: str) -> bool:
    # The pattern is the client's and the key the model's: together they could keep a backtracking matcher busy for
    # years. Without groups and with two repetitions at most it cannot be more than cubic in a key, and keys are short.
    if not isinstance(pattern, str) or len(key) > 256 or "(" in pattern or len(re.findall(r"[*+{?]", pattern)) > 2:
        return False
    try:
        return re.search(pattern, key) is not None
    except (re.error, OverflowError, RecursionError, Warning):
        return False
