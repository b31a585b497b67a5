from collections.abc import Iterable

from .header import HeaderReader

class HeaderJsonReader(HeaderReader):
    def __init__(
        self,
        *,
        separators: Iterable[tuple[str, str]] = (),
        lead: str = "",
        tail: str = "",
        bare_body: bool = False,
        bare_header: bool = False,
        counted: bool = False,
        one_tag: bool = False,
        text_names: Iterable[str] = (),
        native_ids: bool = False,
    ) -> None: ...
