"""toolweir streams tool calls out of what a language model writes, while it writes them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .builder import MessageBuilder
from .errors import OptionError, ParserStateError, ToolDefinitionError, ToolweirError, UnknownFormatError
from .events import (
    ArgumentsDelta,
    ContentDelta,
    Event,
    MalformedCall,
    ReasoningDelta,
    ToolCallEnd,
    ToolCallSkipped,
    ToolCallStart,
)
from .formats import Format, FormatInfo, Opener, format_for, format_info, formats
from .limits import Limits
from .many import feed_many
from .message import Message, Result, Stats, ToolCall
from .outcomes import CallStatus, Hold, Reason, SkipReason
from .parser import StreamParser
from .scan.json_scanner import JsonScanner
from .scan.marker_matcher import MarkerMatcher
from .tools import Tool, Tools
from .whole import parse

if TYPE_CHECKING:
    from .bulk import parse_many
    from .detection import Detection, detect
    from .dispatch.aggregator import ChatAggregator
    from .dispatch.calls import CompletedCall
    from .dispatch.dispatcher import ToolCallDispatcher
    from .dispatch.reconcile import reconcile, verify
    from .dispatch.snapshots import SnapshotDiffer
    from .dispatch.stream import adispatch_sse, dispatch_sse
    from .response_template import format_from_response_template
    from .tokens import TokenTable

__all__ = [
    "ArgumentsDelta",
    "CallStatus",
    "ChatAggregator",
    "CompletedCall",
    "ContentDelta",
    "Detection",
    "Event",
    "Format",
    "FormatInfo",
    "Hold",
    "JsonScanner",
    "Limits",
    "MalformedCall",
    "MarkerMatcher",
    "Message",
    "MessageBuilder",
    "Opener",
    "OptionError",
    "ParserStateError",
    "Reason",
    "ReasoningDelta",
    "Result",
    "SkipReason",
    "SnapshotDiffer",
    "Stats",
    "StreamParser",
    "TokenTable",
    "Tool",
    "ToolCall",
    "ToolCallDispatcher",
    "ToolCallEnd",
    "ToolCallSkipped",
    "ToolCallStart",
    "ToolDefinitionError",
    "Tools",
    "ToolweirError",
    "UnknownFormatError",
    "adispatch_sse",
    "detect",
    "dispatch_sse",
    "feed_many",
    "format_for",
    "format_from_response_template",
    "format_info",
    "formats",
    "get_include",
    "parse",
    "parse_many",
    "reconcile",
    "verify",
]

__version__: str


_LATER = {
    "ChatAggregator": ".dispatch.aggregator",
    "CompletedCall": ".dispatch.calls",
    "Detection": ".detection",
    "SnapshotDiffer": ".dispatch.snapshots",
    "TokenTable": ".tokens",
    "ToolCallDispatcher": ".dispatch.dispatcher",
    "adispatch_sse": ".dispatch.stream",
    "detect": ".detection",
    "dispatch_sse": ".dispatch.stream",
    "format_from_response_template": ".response_template",
    "parse_many": ".bulk",
    "reconcile": ".dispatch.reconcile",
    "verify": ".dispatch.reconcile",
}
"""Names that a server which only parses has no need of: it does not pay for their import."""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        # The distribution knows the version. Asking it takes longer than all other imports, so only who asks pays.
        from importlib.metadata import version

        value: Any = version(__name__)
    elif name in _LATER:
        value = getattr(import_module(_LATER[name], __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def get_include() -> str:
    """The folder of the C headers, for a compiler's -I; the .pxd files lie in the package itself."""
    from pathlib import Path

    package = Path(__file__).parent
    inside = package / "include"
    return str(inside if inside.is_dir() else package.parent.parent / "include")
