"""toolweir streams tool calls out of what a language model writes, while it writes them."""

from pathlib import Path

from .dispatch.aggregator import ChatAggregator
from .dispatch.calls import CompletedCall
from .dispatch.dispatcher import ToolCallDispatcher
from .dispatch.reconcile import reconcile, verify
from .dispatch.snapshots import SnapshotDiffer
from .dispatch.stream import adispatch_sse, dispatch_sse
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
from .message import Message, MessageBuilder, Result, Stats, ToolCall
from .outcomes import CallStatus, Reason, SkipReason
from .parser import StreamParser
from .scan.json_scanner import JsonScanner
from .scan.marker_matcher import MarkerMatcher
from .tools import Tool, Tools
from .whole import parse

__all__ = [
    "ArgumentsDelta",
    "CallStatus",
    "ChatAggregator",
    "CompletedCall",
    "ContentDelta",
    "Event",
    "Format",
    "FormatInfo",
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
    "dispatch_sse",
    "format_for",
    "format_info",
    "formats",
    "get_include",
    "parse",
    "reconcile",
    "verify",
]

__version__: str


def __getattr__(name: str) -> str:
    # The distribution knows the version. Asking it takes longer than all other imports, so only who asks pays.
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import version

    globals()[name] = found = version(__name__)
    return found


def get_include() -> str:
    """The folder of the C headers, for a compiler's -I; the .pxd files lie in the package itself."""
    package = Path(__file__).parent
    inside = package / "include"
    return str(inside if inside.is_dir() else package.parent.parent / "include")
