"""The items of a response: what they look like while they grow and when they are done.

An item is added empty, grows by deltas and is done; text items hold their text in a part, which is added and done
inside of that. Names and places differ from kind to kind, so they stand in one table.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from .options import mint

__all__ = ["SHAPES", "Item", "Shape"]

Frame = dict[str, Any]

STATUSES = {"complete": "completed", "incomplete": "incomplete", "invalid": "incomplete"}


@dataclass(frozen=True, slots=True)
class Shape:
    """How the items of one kind are written."""

    prefix: str
    """Of their ids."""
    type: str
    grows: str
    """The event of their deltas, without `.delta`."""
    holds: str
    """Where the item holds its text, or the list of its parts."""
    part: Frame | None = None
    """The empty part, for text."""
    part_event: str = ""
    part_index: str = ""
    extra: Frame = field(default_factory=dict)
    """What the events of the text have besides."""


SHAPES = {
    "message": Shape(
        "msg_", "message", "response.output_text", "content",
        {"type": "output_text", "text": "", "annotations": [], "logprobs": []},
        "response.content_part", "content_index", {"logprobs": []},
    ),
    "summary": Shape(
        "rs_", "reasoning", "response.reasoning_summary_text", "summary",
        {"type": "summary_text", "text": ""}, "response.reasoning_summary_part", "summary_index",
    ),
    "raw": Shape(
        "rs_", "reasoning", "response.reasoning_text", "content",
        {"type": "reasoning_text", "text": ""}, "response.content_part", "content_index",
    ),
    "function": Shape("fc_", "function_call", "response.function_call_arguments", "arguments"),
    "custom": Shape("ctc_", "custom_tool_call", "response.custom_tool_call_input", "input"),
}  # fmt: skip


class Item:
    """One item of a response. `whole` is the item as it stands in the response's output, once it is done."""

    def __init__(self, shape: Shape, output_index: int, **fields: str) -> None:
        self._shape = shape
        self.whole: Frame = {"id": mint(shape.prefix, 8), "type": shape.type, "status": "in_progress", **fields}
        if shape.type == "message":
            self.whole["role"] = "assistant"
        if shape.type == "reasoning":
            self.whole["summary"] = []
        self.whole[shape.holds] = "" if shape.part is None else []
        self._place: Frame = {"item_id": self.whole["id"], "output_index": output_index}
        if shape.part is not None:
            self._place[shape.part_index] = 0

    def opening(self) -> Iterator[Frame]:
        """The events before its text."""
        index = self._place["output_index"]
        yield {"type": "response.output_item.added", "output_index": index, "item": dict(self.whole)}
        if self._shape.part is not None:
            yield {"type": f"{self._shape.part_event}.added", **self._place, "part": self._part("")}

    def delta(self, text: str) -> Frame:
        """The event of more text."""
        return {"type": f"{self._shape.grows}.delta", **self._place, "delta": text, **self._shape.extra}

    def closing(self, text: str, status: str) -> Iterator[Frame]:
        """The events after its text."""
        shape, whole = self._shape, self.whole
        whole["status"] = STATUSES[status]
        if shape.part is None:
            whole[shape.holds] = text
            name = {"name": whole["name"]} if whole["type"] == "function_call" else {}
            yield {"type": f"{shape.grows}.done", **self._place, shape.holds: text, **name}
        else:
            part = self._part(text)
            whole[shape.holds] = [part]
            yield {"type": f"{shape.grows}.done", **self._place, "text": text, **shape.extra}
            yield {"type": f"{shape.part_event}.done", **self._place, "part": part}
        yield {"type": "response.output_item.done", "output_index": self._place["output_index"], "item": whole}

    def _part(self, text: str) -> Frame:
        return {**deepcopy(self._shape.part or {}), "text": text}
