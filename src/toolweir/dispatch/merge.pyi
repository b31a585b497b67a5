class MergedCall:
    """What is known of one call. `limit`: bytes of UTF-8 that its arguments, or a custom tool's input, may have."""

    id: str | None
    type: str | None
    name: str | None
    size: int
    """Bytes kept."""

    def __init__(self, limit: int = ...) -> None: ...
    @property
    def custom(self) -> bool:
        """Whether the call is one of a custom tool."""

    @property
    def arguments(self) -> str | None:
        """The joined text, or None if no fragment had any."""

    def update(self, fragment: object) -> str | None:
        """Merges one entry of a `tool_calls` list; returns the name of the first conflict, or None.

        Conflicts: `id`, `type` and `name` where another one is known; `not_text` where a field is no string; `too_long`
        where the text would pass the limit.
        """
