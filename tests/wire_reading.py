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


def add_up_messages(read: list[Frame]) -> Frame:
    """The message that the events of one turn add up to."""
    first, *middle = (frame for frame in read if frame["type"] != "ping")
    assert first["type"] == "message_start"
    message = dict(first["message"], content=[])
    partial: str | None = None
    opened = ended = False
    for frame in middle:
        assert not ended, "a frame after the end"
        kind = frame["type"]
        if "index" in frame:
            assert frame["index"] == len(message["content"]) - (kind != "content_block_start")
        if kind == "content_block_start":
            assert not opened, "two blocks are open at once"
            opened = True
            message["content"].append(dict(frame["content_block"]))
            partial = "" if frame["content_block"]["type"] == "tool_use" else None
        elif kind == "content_block_delta":
            assert opened
            partial = _add_block_delta(message["content"][-1], frame["delta"], partial)
        elif kind == "content_block_stop":
            assert opened
            opened = False
            if partial is not None:
                message["content"][-1]["input"] = _whole_object(partial)
        elif kind == "message_delta":
            assert not opened
            message |= frame["delta"] | {"usage": frame["usage"]}
        else:
            assert kind == "message_stop"
            ended = True
    assert ended
    return message


def _add_block_delta(block: Frame, delta: Frame, partial: str | None) -> str | None:
    field = {
        "text_delta": "text",
        "thinking_delta": "thinking",
        "signature_delta": "signature",
        "input_json_delta": "partial_json",
    }[delta["type"]]
    assert delta[field]
    if field == "partial_json":
        assert partial is not None
        return partial + delta[field]
    assert block.get("signature", "") == "", "the signature is the last delta of its block"
    block[field] += delta[field]
    return None


def _whole_object(text: str) -> Frame:
    """The object, or {} where it is cut; what is no beginning of one fails."""
    scanner = toolweir.JsonScanner()
    assert text.startswith("{")
    assert scanner.feed(text) >= -1
    return json.loads(text) if scanner.complete else {}


def add_up_response(read: list[Frame]) -> Frame:
    """The response that the events of one turn add up to; the terminal event must say the same."""
    assert [frame["sequence_number"] for frame in read] == list(range(len(read)))
    assert [frame["type"] for frame in read[:2]] == ["response.created", "response.in_progress"]
    assert all(frame["response"]["output"] == [] for frame in read[:2])
    output: list[Frame] = []
    text: list[str] | None = None
    for frame in read[2:-1]:
        kind = frame["type"].removeprefix("response.")
        assert frame["output_index"] == len(output) - (kind != "output_item.added")
        if kind == "output_item.added":
            assert text is None, "two items are open at once"
            assert frame["item"]["status"] == "in_progress"
            output.append(frame["item"])
            text = []
            continue
        assert text is not None
        if kind == "output_item.done":
            assert frame["item"]["id"] == output[-1]["id"]
            assert "".join(text) in (text_of(frame["item"]), "")
            output[-1] = frame["item"]
            text = None
            continue
        assert frame["item_id"] == output[-1]["id"]
        if kind.endswith(".delta"):
            assert frame["delta"]
            text.append(frame["delta"])
        elif kind.endswith(".done"):
            part = frame.get("part", frame)
            value = part[next(key for key in ("text", "arguments", "input") if key in part)]
            assert value == "".join(text)
        else:
            assert kind.endswith("part.added")
            assert frame["part"]["text"] == ""
    assert text is None, "an item is open at the end"
    response = read[-1]["response"]
    assert read[-1]["type"] == f"response.{response['status']}"
    assert response["id"] == read[0]["response"]["id"]
    assert response["output"] == output
    assert len({item["id"] for item in output}) == len(output)
    return response


def text_of(item: Frame) -> str:
    """The text of an item that is done."""
    match item["type"]:
        case "function_call":
            return item["arguments"]
        case "custom_tool_call":
            return item["input"]
        case "message":
            parts = item["content"]
        case _:
            parts = item["summary"] or item["content"]
    return "".join(part["text"] for part in parts)
