"""OpenAI deltas out of cumulative parses: each parse shows everything so far, each delta only what is new.

A snapshot that does not extend what was sent is not repaired: nothing is sent for it, and a later one that does extend
it goes on. Whether the sent deltas add up to the last parse is decided at the end, and only then is the finish reason
tool_calls.
"""

import secrets
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["SnapshotDiffer", "new_text"]

Delta = dict[str, Any]


def new_text(sent: str, current: str) -> str:
    """What `current` has after `sent`; '' if it has nothing more, or does not begin with it."""
    return current[len(sent) :] if current.startswith(sent) else ""


class _SentCall:
    __slots__ = ("arguments", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.arguments = ""


class SnapshotDiffer:
    """Turns the growing parses of one choice into deltas.

    `update` and `finish` take the whole `tool_calls` array of a parse, as OpenAI messages have it, and return entries
    for `delta.tool_calls`: the index always, id, type and name in the first one of a call, and only calls that changed.
    `update_message` does it for a whole message, content and reasoning too. Time is linear in the size of a snapshot.
    """

    def __init__(self, *, reasoning_field: str = "reasoning_content") -> None:
        self._calls: list[_SentCall] = []
        self._texts = {reasoning_field: "", "content": ""}

    def update(self, tool_calls: Iterable[Any] | None) -> list[Delta]:
        """The deltas that bring the receiver from what was sent to this snapshot.

        A call without a name holds up those after it, since indices follow their order.
        """
        deltas = []
        for index, call in enumerate(tool_calls or ()):
            delta = self._extend(index, call) if index < len(self._calls) else self._begin(index, call)
            if delta is None:
                break
            if delta:
                deltas.append(delta)
        return deltas

    def update_message(self, message: Mapping[str, Any]) -> list[Delta]:
        """The `delta` objects for one parsed message, one a chunk: reasoning, then content, then tool calls."""
        deltas: list[Delta] = []
        for field, sent in self._texts.items():
            current = _text(message.get(field))
            if tail := new_text(sent, current):
                self._texts[field] = current
                deltas.append({field: tail})
        if calls := self.update(message.get("tool_calls")):
            deltas.append({"tool_calls": calls})
        return deltas

    def finish(
        self, tool_calls: Iterable[Any] | None, engine_reason: str | None = "stop"
    ) -> tuple[list[Delta], str | None]:
        """The last deltas and the finish reason.

        tool_calls: the terminal parse; None if there is none, as after a cut.
        The reason is tool_calls if there is a call and what was sent is exactly the terminal parse: as many calls, the
        same names, the same arguments. Otherwise it is the engine's.
        """
        if tool_calls is None:
            return [], engine_reason
        final = list(tool_calls)
        deltas = self.update(final)
        complete = len(final) == len(self._calls) > 0 and all(map(self._agrees, self._calls, final))
        return deltas, "tool_calls" if complete else engine_reason

    def _begin(self, index: int, call: Any) -> Delta | None:
        function = _mapping(_mapping(call).get("function"))
        name = _text(function.get("name"))
        if not name:
            return None
        sent = _SentCall(name)
        self._calls.append(sent)
        sent.arguments = _text(function.get("arguments"))
        header = {"name": name} | ({"arguments": sent.arguments} if sent.arguments else {})
        # Parsers may mint an id in every parse, so the first one is the only one that is read.
        id = _text(_mapping(call).get("id")).strip() or "call_" + secrets.token_hex(12)
        return {"index": index, "id": id, "type": "function", "function": header}

    def _extend(self, index: int, call: Any) -> Delta:
        sent = self._calls[index]
        current = _text(_mapping(_mapping(call).get("function")).get("arguments"))
        tail = new_text(sent.arguments, current)
        if not tail:
            return {}
        sent.arguments = current
        return {"index": index, "function": {"arguments": tail}}

    @staticmethod
    def _agrees(sent: _SentCall, call: Any) -> bool:
        function = _mapping(_mapping(call).get("function"))
        return sent.name == function.get("name") and sent.arguments == _text(function.get("arguments"))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
