from typing import Any, ClassVar, final

from .outcomes import CallStatus, Reason, SkipReason

__all__ = [
    "ArgumentsDelta",
    "ContentDelta",
    "Event",
    "MalformedCall",
    "ReasoningDelta",
    "ToolCallEnd",
    "ToolCallSkipped",
    "ToolCallStart",
]

_Span = tuple[int, int]

class Event:
    __match_args__ = ()
    kind: ClassVar[str]
    @property
    def span(self) -> _Span: ...
    def to_dict(self) -> dict[str, Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class ContentDelta(Event):
    __match_args__ = ("text",)
    def __init__(self, text: str, span: _Span = (0, 0)) -> None: ...
    @property
    def text(self) -> str: ...

@final
class ReasoningDelta(Event):
    __match_args__ = ("text",)
    def __init__(self, text: str, span: _Span = (0, 0)) -> None: ...
    @property
    def text(self) -> str: ...

@final
class ToolCallStart(Event):
    __match_args__ = ("index", "id", "name", "position")
    def __init__(self, index: int, id: str, name: str, position: int, span: _Span = (0, 0)) -> None: ...
    @property
    def index(self) -> int: ...
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def position(self) -> int: ...

@final
class ArgumentsDelta(Event):
    __match_args__ = ("index", "text")
    def __init__(self, index: int, text: str, span: _Span = (0, 0)) -> None: ...
    @property
    def index(self) -> int: ...
    @property
    def text(self) -> str: ...

@final
class ToolCallEnd(Event):
    __match_args__ = ("index", "status", "arguments", "reason")
    def __init__(
        self,
        index: int,
        status: CallStatus | str,
        arguments: str | None,
        reason: Reason | str | None = None,
        span: _Span = (0, 0),
    ) -> None: ...
    @property
    def index(self) -> int: ...
    @property
    def status(self) -> CallStatus: ...
    @property
    def arguments(self) -> str | None: ...
    @property
    def reason(self) -> Reason | None: ...

@final
class MalformedCall(Event):
    __match_args__ = ("raw", "reason")
    def __init__(self, raw: str, reason: Reason | str, span: _Span = (0, 0)) -> None: ...
    @property
    def raw(self) -> str: ...
    @property
    def reason(self) -> Reason: ...

@final
class ToolCallSkipped(Event):
    __match_args__ = ("position", "name", "reason")
    def __init__(self, position: int, name: str, reason: SkipReason | str, span: _Span = (0, 0)) -> None: ...
    @property
    def position(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def reason(self) -> SkipReason: ...
