"""Reads server-sent events back: frames out of bytes, and the message that each API's frames add up to.

Written from the APIs' own rules and strict about them: what a client might forgive fails here.
"""

import json
from collections.abc import Iterable
from typing import Any

import toolweir

Frame = dict[str, Any]

TOOLS = [
    {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {}}}},
    {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}},
    {"type": "function", "function": {"name": "g", "parameters": {"type": "object", "properties": {}}}},
]

TURN = (
    '<think>Let me "think".\nOnce.</think>I look é it up 🎉\n'
    '<tool_call>{"name": "get_weather", "arguments": {"city": "Zürich\\n\\ud83c\\udf89", "days": [1, 2.50]}}'
    "</tool_call>"
    'And\u2028 then:\n<tool_call>{"name": "g", "arguments": {}}</tool_call>'
    '<tool_call>{"name": "f"}</tool_call>Done.'
)
CUT_TURN = TURN[: TURN.index("\\n\\ud83c")]  # ends in the middle of the first call's arguments
BARE_START = TURN[: TURN.index(' {"city')]  # ends before the first byte of the arguments


def frames(data: bytes) -> list[Frame]:
    """All frames of a stream of bytes; each must be whole, and its `event:` line must repeat its type."""
    read = []
    assert data == b"" or data.endswith(b"\n\n")
    for block in data.split(b"\n\n")[:-1]:
        lines = block.split(b"\n")
        if block == b"data: [DONE]" or block.startswith(b":"):
            continue
        assert lines[-1].startswith(b"data: ")
        frame = json.loads(lines[-1][len(b"data: ") :])
        assert len(lines) == (2 if "type" in frame else 1), block
        if len(lines) == 2:
            assert lines[0] == b"event: " + frame["type"].encode()
        read.append(frame)
    return read


def calls(message: toolweir.Message) -> list[tuple[str, str]]:
    return [(call.name, call.arguments) for call in message.tool_calls]


def add_up_chat(read: Iterable[Frame]) -> Frame:
    """The body that the chunks of one completion add up to."""
    body: Frame = {}
    choices: dict[int, Frame] = {}
    for frame in read:
        assert frame["object"] == "chat.completion.chunk"
        head = {key: frame[key] for key in ("id", "created", "model")}
        assert body.setdefault("head", head) == head
        if "usage" in frame:
            assert frame["choices"] == []
            body["usage"] = frame["usage"]
        for part in frame["choices"]:
            choice = choices.setdefault(
                part["index"], {"index": part["index"], "message": {}, "finish_reason": None, "logprobs": None}
            )
            assert choice["finish_reason"] is None, "a frame after the finish reason"
            choice["finish_reason"] = part["finish_reason"]
            if part.get("logprobs"):
                choice["logprobs"] = choice["logprobs"] or {"content": [], "refusal": None}
                choice["logprobs"]["content"] += part["logprobs"]["content"]
            _add_delta(choice["message"], part["delta"])
    for choice in choices.values():
        message = choice["message"]
        if message["content"] == "" and "tool_calls" in message:
            message["content"] = None
        message["refusal"] = None
    whole: Frame = {**body["head"], "object": "chat.completion", "choices": [choices[i] for i in sorted(choices)]}
    return whole | ({"usage": body["usage"]} if "usage" in body else {})


def _add_delta(message: Frame, delta: Frame) -> None:
    for key, value in delta.items():
        if key == "role":
            assert "role" not in message, "the role came twice"
            message["role"] = value
        elif key != "tool_calls":
            message[key] = message.get(key, "") + value
    for part in delta.get("tool_calls", ()):
        known = message.setdefault("tool_calls", [])
        if part["index"] == len(known):
            assert set(part) == {"index", "id", "type", "function"}
            assert part["function"]["arguments"] == ""
            known.append({"id": part["id"], "type": part["type"], "function": dict(part["function"])})
        else:
            assert part["index"] == len(known) - 1, "two calls are open at once"
            assert set(part) == {"index", "function"}
            assert set(part["function"]) == {"arguments"}
            known[-1]["function"]["arguments"] += part["function"]["arguments"]
