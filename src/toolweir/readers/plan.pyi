from ..formats import Format
from .turn import Reader

class MarkerTable: ...

class Plan:
    def __init__(
        self,
        format: Format,
        readers: tuple[Reader, ...],
        *,
        calls: bool,
        guided: bool,
        reasoning: str,
        calls_in_reasoning: bool,
        stop: tuple[str, ...],
    ) -> None: ...
    @property
    def format(self) -> Format: ...
    @property
    def readers(self) -> tuple[Reader, ...]: ...
