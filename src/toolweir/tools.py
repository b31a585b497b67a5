"""Tool definitions: the names a model may call and the schema of each tool's arguments.

`Tools` reads OpenAI Chat, OpenAI Responses, Anthropic and bare definitions, mixed. It is built for every request, and
so it looks at the outer shape only; what a schema says is resolved when the first value needs it.
"""

from collections.abc import Iterable, Iterator, KeysView, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .errors import ToolDefinitionError
from .schema import PropertyTypes

__all__ = ["Tool", "Tools"]

Kind = Literal["function", "custom"]
Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """One declared tool.

    `parameters` is the JSON Schema of the arguments as the caller gave it, or None. `properties[key]` tells which types
    the argument `key` admits (a `ValueTypes`).
    """

    name: str
    kind: Kind
    parameters: Schema | None
    properties: PropertyTypes = field(repr=False, compare=False)


class Tools:
    """The declared tools of a request: immutable, free to share between parsers and threads, picklable.

    `definitions` is any iterable of dicts (or of objects with `model_dump()`) in these shapes:

    - OpenAI Chat: `{"type": "function", "function": {"name": ..., "parameters": ...}}`
    - OpenAI Responses: `{"type": "function", "name": ..., "parameters": ...}`
    - Anthropic: `{"name": ..., "input_schema": ...}`, with or without `"type": "custom"`
    - bare: `{"name": ..., "parameters": ...}`
    - OpenAI custom tools: `{"type": "custom", "custom": {"name": ...}}` or `{"type": "custom", "name": ...}`

    A built-in tool without a name (`{"type": "web_search"}`) is ignored: no model calls it by name. Of two tools with
    one name the later holds. Schemas are neither copied nor checked; do not change them afterwards.

    Raises `ToolDefinitionError` when a definition is none of these; the message names the place.
    """

    __slots__ = ("_declared", "_used")

    def __init__(self, definitions: Iterable[object]) -> None:
        if isinstance(definitions, (str, bytes, Mapping)) or not isinstance(definitions, Iterable):
            raise ToolDefinitionError(f"tools: expected a list of definitions, got {_kind_of(definitions)}")
        declared: dict[str, tuple[Kind, Schema | None]] = {}
        for index, definition in enumerate(definitions):
            # A request can bring a hundred tools: the two shapes nearly all of them have are read right here.
            if type(definition) is dict:
                inner = definition.get("function", definition)
                if type(inner) is dict and ("input_schema" in inner or definition.get("type") != "custom"):
                    name = inner.get("name")
                    parameters = inner.get("parameters")
                    if parameters is None:
                        parameters = inner.get("input_schema")
                    if type(name) is str and name and type(parameters) is dict:
                        declared[name] = ("function", parameters)
                        continue
            read = _read(definition, f"tools[{index}]")
            if read is not None:
                declared[read[0]] = read[1]
        self._declared = declared
        self._used: dict[str, Tool] = {}

    @classmethod
    def of(cls, value: "Tools | Iterable[object] | None") -> "Tools | None":
        """What a `tools` argument means: None (tools unknown) stays None, a `Tools` is itself, the rest is read."""
        if value is None or type(value) is cls:
            return value
        return cls(value)

    @property
    def names(self) -> KeysView[str]:
        """The declared names, in the order they were declared."""
        return self._declared.keys()

    def resolve(self, name: str) -> str | None:
        """The declared tool that a model means by `name`, or None.

        It is the tool of exactly this name, else the one named by what follows the first dot (`functions.f`, `ns.f`).
        """
        if name in self._declared:
            return name
        short = name.partition(".")[2]
        return short if short in self._declared else None

    def __getitem__(self, name: str) -> Tool:
        """The tool declared under exactly this name; raises KeyError."""
        tool = self._used.get(name)
        if tool is None:
            kind, parameters = self._declared[name]
            # Two threads may both get here; whichever is kept, the two tools are equal.
            tool = self._used[name] = Tool(name, kind, parameters, PropertyTypes(parameters))
        return tool

    def __contains__(self, name: object) -> bool:
        return name in self._declared

    def __iter__(self) -> Iterator[str]:
        return iter(self._declared)

    def __len__(self) -> int:
        return len(self._declared)

    def __repr__(self) -> str:
        return f"<Tools {', '.join(self._declared) or '(none)'}>"

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self._declared,)


def _restore(declared: dict[str, tuple[Kind, Schema | None]]) -> Tools:
    tools = Tools(())
    tools._declared = declared
    return tools


def _read(definition: object, place: str) -> tuple[str, tuple[Kind, Schema | None]] | None:
    """Name, kind and schema of any definition; None for a built-in tool without a name."""
    outer = _mapping(definition, place, "an object (a tool definition)")
    kind: Kind = "function"
    inner = outer
    if "function" in outer:
        place += ".function"
        inner = _mapping(outer["function"], place, "an object")
    elif "custom" in outer:
        place += ".custom"
        inner = _mapping(outer["custom"], place, "an object")
        kind = "custom"
    elif outer.get("type") == "custom" and "input_schema" not in outer:
        # Anthropic writes "custom" on its ordinary tools; only those have an input_schema.
        kind = "custom"
    name = inner.get("name")
    if name is None and inner is outer and outer.get("type") not in (None, "function", "custom"):
        return None
    if not isinstance(name, str) or not name:
        got = "an empty one" if name == "" else _kind_of(name)
        raise ToolDefinitionError(f"{place}.name: expected a non-empty string, got {got}")
    key = "input_schema" if inner.get("parameters") is None and "input_schema" in inner else "parameters"
    schema = inner.get(key)
    if schema is not None:
        schema = _mapping(schema, f"{place}.{key}", "an object (a JSON Schema)")
    return name, (kind, schema)


def _mapping(value: object, place: str, expected: str) -> Schema:
    if isinstance(value, dict):
        return value
    if isinstance(value, Mapping):
        return dict(value)
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        value = dump()
        if isinstance(value, dict):
            return value
    raise ToolDefinitionError(f"{place}: expected {expected}, got {_kind_of(value)}")


def _kind_of(value: object) -> str:
    return "nothing" if value is None else type(value).__name__
