from collections.abc import Iterable

from .header import HeaderReader

class ChannelsReader(HeaderReader):
    def __init__(
        self,
        *,
        marker: str,
        marks: Iterable[tuple[str, str]],
        due: str = "role",
        role: str = "assistant",
        thoughts: Iterable[str] = (),
        people: Iterable[str] = (),
        json_body: bool = True,
        calls: bool = True,
        thinking: bool = True,
    ) -> None: ...
