"""Token counts, in the words of each API."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import OptionError

__all__ = ["Usage"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one turn. `cached_tokens` are part of the input, `reasoning_tokens` of the output."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0

    @classmethod
    def of(cls, value: "Usage | Mapping[str, Any] | None") -> "Usage | None":
        """What a `usage` argument means: itself, the counts of a mapping in OpenAI's or Anthropic's words, or None."""
        if value is None or isinstance(value, cls):
            return value
        if not isinstance(value, Mapping):
            raise OptionError(f"usage: expected a Usage, a mapping of token counts or None, got {value!r}")
        inside = value.get("prompt_tokens_details") or value.get("input_tokens_details") or {}
        outside = value.get("completion_tokens_details") or value.get("output_tokens_details") or {}
        return cls(
            value.get("input_tokens", value.get("prompt_tokens", 0)),
            value.get("output_tokens", value.get("completion_tokens", 0)),
            value.get("cached_tokens", inside.get("cached_tokens", value.get("cache_read_input_tokens"))) or 0,
            value.get("reasoning_tokens", outside.get("reasoning_tokens")) or 0,
        )

    def chat(self) -> dict[str, Any]:
        """As `usage` of Chat Completions."""
        return {
            "prompt_tokens": self.input_tokens,
            "completion_tokens": self.output_tokens,
            "total_tokens": self.input_tokens + self.output_tokens,
            "prompt_tokens_details": {"cached_tokens": self.cached_tokens},
            "completion_tokens_details": {"reasoning_tokens": self.reasoning_tokens},
        }

    def responses(self) -> dict[str, Any]:
        """As `usage` of Responses."""
        return {
            "input_tokens": self.input_tokens,
            "input_tokens_details": {"cached_tokens": self.cached_tokens, "cache_write_tokens": 0},
            "output_tokens": self.output_tokens,
            "output_tokens_details": {"reasoning_tokens": self.reasoning_tokens},
            "total_tokens": self.input_tokens + self.output_tokens,
        }

    def messages(self) -> dict[str, Any]:
        """As `usage` of Messages, where input that came from a cache is counted apart."""
        return {
            "input_tokens": self.input_tokens - self.cached_tokens,
            "cache_read_input_tokens": self.cached_tokens,
            "output_tokens": self.output_tokens,
        }
