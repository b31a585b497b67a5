from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Self

from typing_extensions import Buffer

from .events import Event
from .formats import Format
from .limits import Limits
from .state import ParserState
from .tools import Tools

__all__ = ["StreamParser"]

class StreamParser(ParserState):
    def __init__(
        self,
        format: str | Format,
        *,
        tools: Tools | Iterable[object] | None = None,
        tool_choice: str | Mapping[str, Any] | None = "auto",
        parallel_tool_calls: bool = True,
        max_tool_calls: int | None = None,
        output: Literal["native", "guided"] = "native",
        reasoning: Literal["auto", "started", "off"] = "auto",
        calls_in_reasoning: bool | None = None,
        unknown_tools: Literal["forward", "drop", "text"] = "forward",
        stop: str | Iterable[str] | None = (),
        ids: Literal["auto", "minted", "native"] = "auto",
        make_id: Callable[[int, str], str] | None = None,
        malformed_as_text: bool = False,
        on_broken_call: Literal["length", "error", "tool_calls"] = "length",
        value_whitespace: Literal["one_newline", "keep", "trim"] | None = None,
        argument_style: Literal["compact", "spaced"] = "compact",
        stream_values: bool = False,
        trim: bool = False,
        confirm: Literal["auto", "always", "never"] = "auto",
        strict: bool = False,
        limits: Limits | None = None,
    ) -> None: ...
    def feed(self, piece: str | Buffer, /) -> tuple[Event, ...]: ...
    def feed_special(self, text: str, /) -> tuple[Event, ...]: ...
    def prime(self, text: str | Buffer, /) -> None: ...
    def flush_held(self) -> tuple[Event, ...]: ...
    def finish(self, reason: str | None = None, /) -> tuple[Event, ...]: ...
    def reset(self) -> None: ...
    def copy(self) -> Self: ...
    def __copy__(self) -> Self: ...
