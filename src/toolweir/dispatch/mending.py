"""The calls of one choice out of fragments that may be damaged.

The merge is the dispatcher's. Real streams are damaged in a few known ways; where it can be told what was meant, a
fragment is mended before it is merged, and a note says so:

    no index             the call with that id; else the last call, unless another one begins
    another id           another call at that index, if it comes with another name or after complete arguments; else
                         the first id is kept
    another name         before any arguments it is the rest of a name in pieces, or the whole of a growing one; else
                         the first name is kept
    no string            arguments are written as JSON, a number as id in digits, anything else is left out
    null, said again     left out

The dispatcher mends nothing: it hands calls out before the rest of the stream can prove it wrong.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..limits import Limits
from ..scan.json_scanner import JsonScanner
from .merge import MergedCall
from .strict import is_json

__all__ = ["Budget", "MendedCalls"]


class Budget:
    """What one aggregator may still keep."""

    def __init__(self, limits: Limits) -> None:
        self.calls = limits.dispatch_calls
        self.bytes = limits.dispatch_bytes
        self.arguments = limits.arguments
        self.name = limits.name


@dataclass(slots=True)
class _Fragment:
    """An entry of a `tool_calls` list with every field a string, or None if it says nothing."""

    index: int | None
    id: str | None
    type: str | None
    payload: str | None
    """`function` or `custom`."""
    name: str | None
    text: str | None


class _Call:
    def __init__(self, index: int, limit: int) -> None:
        self.index = index
        self.merged = MergedCall(limit)
        self.payload: str | None = None
        self.has_text = False
        self.end = JsonScanner(boundary=True)
        self.minted: str | None = None


TEXT_OF = {"function": "arguments", "custom": "input"}


class MendedCalls:
    """Takes fragments in order; `to_list()` is what they make up. `note` is told of all that was mended."""

    def __init__(self, budget: Budget, note: Callable[[str], object]) -> None:
        self._budget = budget
        self._note = note
        self._calls: list[_Call] = []
        self._at_index: dict[int, _Call] = {}  # the newest at each index
        self._by_id: dict[str, _Call] = {}
        self._following = 0  # one more than the highest index

    def add(self, entry: object) -> None:
        """Merges one entry of a `tool_calls` list."""
        if not isinstance(entry, Mapping):
            self._note("a tool call that is no object is left out")
            return
        index = entry.get("index")
        call = self._at_index.get(index) if len(entry) == 2 and type(index) is int else None
        function = entry.get("function")
        if call and call.payload == "function" and isinstance(function, Mapping) and len(function) == 1:
            text = function.get("arguments")
            if type(text) is str:  # nothing but more arguments, as nearly all are
                self._merge_text(call, entry, text)
                return
        fragment = self._clean(entry)
        call = self._call_of(fragment)
        if call is not None:
            self._settle(call, fragment)
            self._merge(call, fragment)

    def to_list(self, finish_reason: str | None, note: Callable[[str], object]) -> list[dict[str, Any]]:
        """The calls as a message has them, by index. What depends on the end of the stream is told to `note`.

        A call without a name is left out; without a regular end (tool_calls or stop) so is one that is not complete.
        """
        regular = finish_reason in ("tool_calls", "stop")
        calls = []
        for call in sorted(self._calls, key=lambda call: call.index):
            merged = call.merged
            if not merged.name:
                note(f"call {call.index} has no name and is left out")
            elif not regular and (merged.custom or not is_json(merged.arguments or "")):
                note(f"call {call.index} was not complete when the stream ended ({finish_reason}) and is left out")
            else:
                calls.append(self._to_dict(call, note))
        return calls

    @staticmethod
    def _to_dict(call: _Call, note: Callable[[str], object]) -> dict[str, Any]:
        merged = call.merged
        payload = call.payload or "function"
        if merged.id is None:
            note(f"call {call.index} has no id: one was made")
            call.minted = call.minted or "call_" + secrets.token_hex(12)
        if merged.type is None:
            note(f"call {call.index} has no type: it is {payload}")
        if merged.arguments is None:
            note(f"call {call.index} never had {TEXT_OF[payload]}")
        elif merged.arguments and not merged.custom and not is_json(merged.arguments):
            note(f"the arguments of call {call.index} are not JSON")
        return {
            "id": merged.id or call.minted,
            "type": merged.type or payload,
            payload: {"name": merged.name, TEXT_OF[payload]: merged.arguments or ""},
        }

    def _clean(self, entry: Mapping[str, Any]) -> _Fragment:
        payload = next((key for key in TEXT_OF if isinstance(entry.get(key), Mapping)), None)
        inner = entry[payload] if payload else {}
        for key in ("type", "function"):
            if key in entry and entry[key] is None:
                self._note(f"{key} is null")
        index = entry.get("index")
        if type(index) is not int or index < 0:
            self._note("a tool call without an index")
            index = None
        id = entry.get("id")
        if type(id) is int:
            self._note("an id that is a number")
            id = str(id)
        text = inner.get(TEXT_OF[payload]) if payload else None
        if text is not None and not isinstance(text, str):
            self._note("arguments that are no string were written as JSON")
            text = json.dumps(text, ensure_ascii=False, separators=(",", ":"))
        return _Fragment(
            index, self._string(id), self._string(entry.get("type")), payload, self._string(inner.get("name")), text
        )

    def _string(self, value: object) -> str | None:
        if value is not None and not isinstance(value, str):
            self._note(f"an id, type or name that is a {type(value).__name__} is left out")
            return None
        return value or None

    def _call_of(self, fragment: _Fragment) -> _Call | None:
        """The call that a fragment belongs to; a new one where none is known."""
        call: _Call | None
        if fragment.index is None:
            call = self._by_id.get(fragment.id or "") or (self._calls[-1] if self._calls else None)
            if call is not None and _is_another(call, fragment):
                call = None
        else:
            call = self._at_index.get(fragment.index)
            if call is not None and _is_another(call, fragment):
                self._note(f"two calls at index {fragment.index}")
                call = None
        return call or self._begin(fragment)

    def _begin(self, fragment: _Fragment) -> _Call | None:
        if self._budget.calls <= 0:
            self._note("more calls than Limits.dispatch_calls are left out")
            return None
        self._budget.calls -= 1
        index = self._following if fragment.index is None else fragment.index
        if index > self._following:
            self._note(f"index {index} where {self._following} follows")
        self._following = max(self._following, index + 1)
        call = _Call(index, self._budget.arguments)
        self._calls.append(call)
        self._at_index[index] = call
        return call

    def _settle(self, call: _Call, fragment: _Fragment) -> None:
        """Takes out of the fragment what would be a conflict."""
        known, where = call.merged, f"call {call.index}"
        if fragment.payload and call.payload not in (None, fragment.payload):
            self._note(f"{where}: {fragment.payload} after {call.payload} is left out")
            fragment.name = fragment.text = None
        for field in ("id", "type"):
            said, kept = getattr(fragment, field), getattr(known, field)
            if said and kept:
                if said != kept or field == "id":
                    self._note(
                        f"{where}: " + (f"the {field} was repeated" if said == kept else f"the first {field} is kept")
                    )
                setattr(fragment, field, None)
        if fragment.name and known.name:
            self._settle_name(call, known.name, fragment.name)
            fragment.name = None

    def _settle_name(self, call: _Call, known: str, name: str) -> None:
        where = f"call {call.index}"
        if name == known:
            self._note(f"{where}: the name was repeated")
        elif call.has_text:
            self._note(f"{where}: the first name is kept")
        elif len(name) + len(known) > self._budget.name:  # joined anew for each piece
            self._note(f"{where}: a name in pieces of more than Limits.name is cut")
        else:
            self._note(f"{where}: the name came in pieces")
            call.merged.name = name if name.startswith(known) else known + name
            self._budget.bytes -= len(name)

    def _merge(self, call: _Call, fragment: _Fragment) -> None:
        entry: dict[str, Any] = {"index": call.index, "id": fragment.id, "type": fragment.type}
        if fragment.payload:
            call.payload = call.payload or fragment.payload
            entry[call.payload] = {"name": fragment.name, TEXT_OF[call.payload]: fragment.text}
        if fragment.id:
            self._by_id[fragment.id] = call
        self._merge_text(call, entry, fragment.text or "")

    def _merge_text(self, call: _Call, entry: Mapping[str, Any], text: str) -> None:
        """Merges an entry that holds `text`, if there is room for it."""
        if len(text) > self._budget.bytes:
            self._note("calls of more than Limits.dispatch_bytes are cut")
            return
        size = call.merged.size
        if call.merged.update(entry) == "too_long":
            self._note(f"call {call.index}: arguments of more than Limits.arguments are cut")
        self._budget.bytes -= call.merged.size - size
        if text:
            call.has_text = True
            call.end.feed(text)


def _is_another(call: _Call, fragment: _Fragment) -> bool:
    """Whether a fragment that was given to `call` begins another call."""
    known = call.merged
    renamed = fragment.name is not None and known.name is not None and fragment.name != known.name
    goes_on = call.end.complete and (fragment.name is not None or bool(fragment.text))
    if fragment.id and known.id:
        return fragment.id != known.id and (renamed or goes_on)
    return fragment.index is None and goes_on and fragment.name is not None
