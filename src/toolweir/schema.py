"""Which JSON types a tool's schema admits for an argument."""

from typing import Any

__all__ = ["PropertyTypes"]


class PropertyTypes(dict[str, Any]):
    """The types of each argument of one tool, resolved when first asked for."""

    __slots__ = ("_schema",)

    def __init__(self, schema: dict[str, Any] | None) -> None:
        self._schema = schema
