from typing import final

from ..limits import Limits
from .calls import CallReport, CompletedCall, DispatchStats

@final
class ToolCallDispatcher:
    """Watches the chunks of one response and hands out each tool call when it is complete.

    parallel_tool_calls: False ignores every call but index 0, as a server does that allows one.
    seal: True ignores calls that begin after the finish reason of their choice.
    limits: `arguments`, `dispatch_calls` and `dispatch_bytes` apply; a call past them is invalid.

    One dispatcher serves one response and one thread at a time.
    """

    stats: DispatchStats

    def __init__(
        self, *, parallel_tool_calls: bool = True, seal: bool = False, limits: Limits | None = None
    ) -> None: ...
    def observe(self, chunk: object) -> tuple[CompletedCall, ...]:
        """The calls that this chunk completes, in order; mostly ().

        `chunk` is a dict as json reads it, or an object with the same fields, as the openai SDK has. Raises
        ParserStateError after finish().
        """

    def observe_bytes(self, data: bytes | str) -> tuple[CompletedCall, ...]:
        """The same for one line, or one whole event, of a server-sent stream: `data: {...}`.

        Comments, other fields and `[DONE]` complete nothing; data that is not JSON is a warning.
        """

    def finish(self) -> tuple[CompletedCall, ...]:
        """Ends the stream: what is open will not be dispatched. Returns (): silence completes no call."""

    def report(self, choice_index: int, index: int) -> CallReport | None:
        """The CallReport of one call, or None if it is not known."""

    def reports(self) -> tuple[CallReport, ...]:
        """A CallReport for each call, in order of choice and of first appearance."""
