"""The answer that a non-streaming request would have had, out of the chunks of a stream."""

from collections.abc import Callable, Mapping
from typing import Any

from ..limits import Limits
from .mending import Budget, MendedCalls
from .sse import read_event

__all__ = ["ChatAggregator"]

LAST_COUNTS = frozenset({"usage", "system_fingerprint"})
"""Fields of a chunk that each chunk may say anew; of all others the first counts."""
LEFT_OUT = frozenset({"choices", "object", "obfuscation"})
MOST_NOTES = 1000


class Pieces(list[str]):
    """A string that is still growing."""


DEEPEST = 4
"""How deep fields of a delta are put together; none of any server is deeper. What is deeper is replaced as a whole."""


def accumulate(known: Any, said: Any, depth: int = 0) -> Any:
    """A field after a delta said more: strings and lists grow, objects field by field; of all else the last counts."""
    if said is None or depth == DEEPEST:
        return known if said is None else said
    if isinstance(said, str):
        pieces = known if isinstance(known, Pieces) else Pieces()
        pieces.append(said)
        return pieces
    if isinstance(said, list):
        items: list[Any] = known if isinstance(known, list) and not isinstance(known, Pieces) else []
        items += said
        return items
    if isinstance(said, Mapping):
        fields = known if isinstance(known, dict) else {}
        for key, value in said.items():
            fields[key] = accumulate(fields.get(key), value, depth + 1)
        return fields
    return said


def joined(value: Any) -> Any:
    """The value with its strings put together, as a copy."""
    if isinstance(value, Pieces):
        return "".join(value)
    if isinstance(value, list):
        return value.copy()
    if isinstance(value, dict):
        return {key: joined(inner) for key, inner in value.items()}
    return value


class _Choice:
    def __init__(self, calls: MendedCalls) -> None:
        self.fields: dict[str, Any] = {"finish_reason": None, "logprobs": None}
        self.message: dict[str, Any] = {}
        self.calls = calls


class ChatAggregator:
    """Puts the chunks of one response together. It is as tolerant as can be: `mended` says what was wrong.

    limits: `arguments`, `name`, `dispatch_calls` and `dispatch_bytes` apply; what is past them is left out, and noted.
    """

    def __init__(self, *, limits: Limits | None = None) -> None:
        self._budget = Budget(limits or Limits())
        self._most_choices = self._budget.calls
        self._fields: dict[str, Any] = {}
        self._choices: dict[int, _Choice] = {}
        self._notes: dict[str, None] = {}

    def add(self, chunk: object) -> None:
        """Takes one chunk: a dict as json reads it, or a pydantic object as the openai SDK has. Never raises."""
        fields = chunk.model_dump(exclude_unset=True, warnings=False) if hasattr(chunk, "model_dump") else chunk
        if not isinstance(fields, Mapping):
            self._note("a chunk that is no object is left out")
            return
        if fields.get("error") is not None:
            self._note(f"the server reported an error: {str(fields['error'])[:200]}")
        for key, value in fields.items():
            if key not in LEFT_OUT and (value is not None if key in LAST_COUNTS else self._fields.get(key) is None):
                self._fields[key] = value
        choices = fields.get("choices")
        for position, choice in enumerate(choices if isinstance(choices, list) else ()):
            self._add_choice(position, choice)

    def add_bytes(self, data: bytes) -> None:
        """Takes one line, or one whole event, of a server-sent stream."""
        try:
            chunk = read_event(data)
        except ValueError:
            self._note("an event whose data is not JSON is left out")
        else:
            if chunk is not None:
                self.add(chunk)

    @property
    def mended(self) -> list[str]:
        """What was wrong with the stream and how it was read, a line each."""
        notes = dict(self._notes)
        self._build(lambda note: notes.setdefault(note))
        return list(notes)

    def completion(self) -> dict[str, Any]:
        """The `chat.completion` object of what came so far."""
        return self._build(lambda note: None)

    def message(self, choice_index: int = 0) -> dict[str, Any] | None:
        """The message of one choice, or None if there is none."""
        for choice in self.completion()["choices"]:
            if choice["index"] == choice_index:
                message: dict[str, Any] = choice["message"]
                return message
        return None

    def _note(self, note: str) -> None:
        if len(self._notes) < MOST_NOTES:
            self._notes[note] = None

    def _add_choice(self, position: int, choice: object) -> None:
        if not isinstance(choice, Mapping):
            self._note("a choice that is no object is left out")
            return
        index = choice.get("index")
        if type(index) is not int or index < 0:
            self._note("a choice without an index is taken by its place")
            index = position
        known = self._choices.get(index)
        if known is None:
            if len(self._choices) >= self._most_choices:
                self._note("more choices than Limits.dispatch_calls are left out")
                return
            prefix = f"choice {index}: " if index else ""
            known = _Choice(MendedCalls(self._budget, lambda note: self._note(prefix + note)))
            self._choices[index] = known
        for key, value in choice.items():
            if key == "logprobs":
                known.fields[key] = accumulate(known.fields[key], value)
            elif key not in ("index", "delta") and (value or key not in known.fields):
                known.fields[key] = value
        delta = choice.get("delta")
        if isinstance(delta, Mapping):
            self._add_delta(known, delta)

    def _add_delta(self, choice: _Choice, delta: Mapping[str, Any]) -> None:
        for key, value in delta.items():
            if key == "tool_calls":
                for entry in value if isinstance(value, list) else ():
                    choice.calls.add(entry)
            elif key == "role":
                if choice.message.get(key):
                    self._note("the role was repeated")
                else:
                    choice.message[key] = value
            elif isinstance(value, str) and len(value) > self._budget.bytes:
                self._note("text of more than Limits.dispatch_bytes is cut")
            else:
                self._budget.bytes -= len(value) if isinstance(value, str) else 0
                choice.message[key] = accumulate(choice.message.get(key), value)

    def _build(self, note: Callable[[str], object]) -> dict[str, Any]:
        choices = [self._build_choice(index, self._choices[index], note) for index in sorted(self._choices)]
        return {**self._fields, "object": "chat.completion", "choices": choices}

    @staticmethod
    def _build_choice(index: int, choice: _Choice, note: Callable[[str], object]) -> dict[str, Any]:
        message = {"role": "assistant", "content": None, **joined(choice.message)}
        fields = joined(choice.fields)
        reason = fields["finish_reason"]
        if reason is None:
            note(f"choice {index} has no finish reason")
        if calls := choice.calls.to_list(reason, note):
            message["tool_calls"] = calls
            if reason == "stop":
                note(f"choice {index} has calls and the finish reason stop: it is tool_calls")
                fields["finish_reason"] = "tool_calls"
        return {"index": index, "message": message, **fields}
