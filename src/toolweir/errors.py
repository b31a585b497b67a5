"""Errors: only the caller's mistakes raise. What a model writes never does; it becomes an event."""

__all__ = ["OptionError", "ParserStateError", "ToolDefinitionError", "ToolweirError", "UnknownFormatError"]


class ToolweirError(Exception):
    """Base of every error of this library."""


class UnknownFormatError(ToolweirError, ValueError):
    """No format has this name, or several might be meant."""


class ToolDefinitionError(ToolweirError, ValueError):
    """A tool definition is not one of the three dialects; the message names the place, as `tools[3].parameters`."""


class OptionError(ToolweirError, ValueError):
    """An option has a value that it cannot have."""


class ParserStateError(ToolweirError, RuntimeError):
    """The object was used in a state that does not allow it: after its end, or by two threads at once."""
