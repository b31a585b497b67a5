from collections.abc import Iterable

from .arguments import ArgumentsReader

class JsonObjectReader(ArgumentsReader):
    def __init__(
        self,
        *,
        name_keys: Iterable[str] = ("name",),
        argument_keys: Iterable[str] = ("arguments", "parameters"),
        id_keys: Iterable[str] = ("id",),
        nested_keys: Iterable[str] = ("function",),
        list_keys: Iterable[str] = (),
        keyed: bool = False,
        strict_keys: bool = False,
        lead: str = "",
        headed: bool = False,
        tail: str = "",
        native_ids: bool = False,
        chosen: str | None = None,
    ) -> None: ...
