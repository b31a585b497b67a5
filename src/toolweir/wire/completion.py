"""What a Chat completion remembers of its choices, for the body that says the same at once.

The streams know these records and the records do not know the streams: a stream that is dropped is gone at once.
"""

from dataclasses import dataclass, field
from typing import Any

from ..errors import ParserStateError
from .options import mint
from .scores import Scores
from .usage import Usage

__all__ = ["Choice", "Completion", "Segment"]


@dataclass(slots=True)
class Segment:
    """One part of a choice; `text` is filled in when it ends."""

    kind: str
    """content, reasoning or call."""
    id: str = ""
    name: str = ""
    text: str = ""


@dataclass(slots=True)
class Choice:
    """One choice, as far as it has come."""

    index: int
    reasoning_fields: tuple[str, ...]
    segments: list[Segment] = field(default_factory=list)
    scores: Scores | None = None
    finish_reason: str | None = None
    failure: dict[str, Any] | None = None

    def texts(self, kind: str) -> list[str]:
        """The texts of its segments of one kind."""
        return [segment.text for segment in self.segments if segment.kind == kind]

    def body(self) -> dict[str, Any]:
        """The choice as a body has it."""
        content, thought = self.texts("content"), self.texts("reasoning")
        calls = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.text}}
            for call in self.segments
            if call.kind == "call"
        ]
        message: dict[str, Any] = {
            "role": "assistant",
            "content": "".join(content) if content or not calls else None,
            "refusal": None,
        }
        if thought:
            message.update(dict.fromkeys(self.reasoning_fields, "".join(thought)))
        if calls:
            message["tool_calls"] = calls
        return {
            "index": self.index,
            "message": message,
            "logprobs": None if self.scores is None else {"content": self.scores.sent, "refusal": None},
            "finish_reason": self.finish_reason,
        }


class Completion:
    """What the choices of one completion share."""

    def __init__(self, id: str, model: str, created: int, include_usage: bool) -> None:
        self.include_usage = include_usage
        self.usage: Usage | None = None
        self.choices: list[Choice] = []
        self._head = {"id": id, "object": "chat.completion.chunk", "created": created, "model": model}
        self._call_ids: set[str] = set()

    def new_choice(self, reasoning_fields: tuple[str, ...]) -> Choice:
        """The next choice."""
        choice = Choice(len(self.choices), reasoning_fields)
        self.choices.append(choice)
        return choice

    def call_id(self, id: str) -> str:
        """The call's own id, or a minted one where two choices bring the same."""
        if id in self._call_ids:
            id = mint("call_", 12)
        self._call_ids.add(id)
        return id

    @property
    def finished(self) -> bool:
        """Whether all choices are."""
        return all(choice.finish_reason is not None for choice in self.choices)

    def chunk(self, choices: list[dict[str, Any]]) -> dict[str, Any]:
        """A chunk."""
        return {**self._head, "choices": choices}

    def body(self) -> dict[str, Any]:
        """The whole completion, or the failure of one of its choices."""
        for choice in self.choices:
            if choice.failure is not None:
                return choice.failure
            if choice.finish_reason is None:
                raise ParserStateError(f"body: choice {choice.index} is not finished")
        body = {**self._head, "object": "chat.completion", "choices": [choice.body() for choice in self.choices]}
        if self.usage is not None:
            body["usage"] = self.usage.chat()
        return body
