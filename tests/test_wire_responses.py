"""OpenAI Responses: the events, one by one and added up."""

import json
from typing import Any

import pytest
from support import cuts
from wire_reading import BARE_START, CUT_TURN, TOOLS, TURN, add_up_response, frames, text_of

from toolweir import ParserStateError, StreamParser, parse
from toolweir.wire import ResponseStream

USAGE = {"prompt_tokens": 10, "completion_tokens": 20, "completion_tokens_details": {"reasoning_tokens": 4}}
CUSTOM = {"type": "custom", "name": "shell"}
ONLY_CODE = {
    "type": "custom",
    "custom": {"name": "code", "parameters": {"type": "object", "properties": {"source": {"type": "string"}}}},
}
SEVERAL = {
    "type": "custom",
    "custom": {"name": "patch", "parameters": {"type": "object", "properties": {"file": {}, "text": {}}}},
}


def responses(
    text: str | list[Any], finish: str = "stop", usage: Any = None, tools: Any = TOOLS, **options: Any
) -> tuple[bytes, Any]:
    stream = ResponseStream(StreamParser("hermes", tools=tools), **options)
    data = b"".join(map(stream.feed, [text] if isinstance(text, str) else text))
    return data + stream.finish(finish, usage), stream


def test_the_events_of_a_small_turn() -> None:
    parser = StreamParser("hermes", make_id=lambda index, name: "call-1")
    stream = ResponseStream(parser, id="resp_1", model="m", created=7, request={"temperature": 0.5, "stream": True})
    text = 'Hi "you"\n<tool_call>{"name":"f","arguments":{"a":1}}</tool_call>'
    read = frames(stream.feed(text) + stream.finish("stop", USAGE))
    message, call = read[-1]["response"]["output"]
    assert read[0]["response"] == {
        "id": "resp_1",
        "object": "response",
        "created_at": 7,
        "status": "in_progress",
        "error": None,
        "incomplete_details": None,
        "model": "m",
        "output": [],
        "usage": None,
        "instructions": None,
        "metadata": {},
        "parallel_tool_calls": True,
        "temperature": 0.5,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
    }
    part = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
    whole = part | {"text": 'Hi "you"\n'}
    at = {"item_id": message["id"], "output_index": 0, "content_index": 0}
    called = {"item_id": call["id"], "output_index": 1}
    expected = [
        ("output_item.added", {"output_index": 0, "item": message | {"status": "in_progress", "content": []}}),
        ("content_part.added", {**at, "part": part}),
        ("output_text.delta", {**at, "delta": whole["text"], "logprobs": []}),
        ("output_text.done", {**at, "text": whole["text"], "logprobs": []}),
        ("content_part.done", {**at, "part": whole}),
        ("output_item.done", {"output_index": 0, "item": message}),
        ("output_item.added", {"output_index": 1, "item": call | {"status": "in_progress", "arguments": ""}}),
        ("function_call_arguments.delta", {**called, "delta": '{"a":1}'}),
        ("function_call_arguments.done", {**called, "arguments": '{"a":1}', "name": "f"}),
        ("output_item.done", {"output_index": 1, "item": call}),
    ]
    assert read[2:-1] == [
        {"type": f"response.{kind}", **fields, "sequence_number": number}
        for number, (kind, fields) in enumerate(expected, start=2)
    ]
    assert message == {
        "id": message["id"], "type": "message", "status": "completed", "role": "assistant", "content": [whole],
    }  # fmt: skip
    assert call == {
        "id": call["id"], "type": "function_call", "status": "completed", "call_id": "call-1", "name": "f",
        "arguments": '{"a":1}',
    }  # fmt: skip
    assert read[-1]["response"]["usage"] == {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": 20,
        "output_tokens_details": {"reasoning_tokens": 4},
        "total_tokens": 30,
    }


@pytest.mark.parametrize("reasoning", ["summary", "raw", "off"])
def test_every_cut_adds_up_to_the_parsed_message(reasoning: str) -> None:
    whole = parse(TURN, "hermes", tools=TOOLS)
    expected = []
    for kind, value in whole.segments:
        if kind == "tool_call":
            expected.append((value.name, value.arguments))
        elif kind == "content":
            expected.append(("message", value))
        elif reasoning != "off":
            expected.append(("reasoning", value))
    assert len(expected) == 6 + (reasoning != "off")
    for name, pieces in cuts(TURN):
        data, stream = responses(pieces, reasoning=reasoning)
        response = add_up_response(frames(data))
        assert response == stream.body(), name
        assert [(item.get("name", item["type"]), text_of(item)) for item in response["output"]] == expected
        assert response["status"] == "completed"


def test_raw_reasoning_is_content_of_its_item() -> None:
    data, stream = responses("<think>a</think>b", reasoning="raw")
    item = stream.body()["output"][0]
    assert item["content"] == [{"type": "reasoning_text", "text": "a"}]
    assert item["summary"] == []
    assert b"event: response.reasoning_text.delta\n" in data


def test_max_tool_calls_binds_stream_and_response_alike() -> None:
    stream = ResponseStream(StreamParser("hermes", tools=TOOLS, max_tool_calls=1), request={"max_tool_calls": 1})
    data = stream.feed(TURN) + stream.finish("stop")
    response = add_up_response(frames(data))
    assert [item["name"] for item in response["output"] if item["type"] == "function_call"] == ["get_weather"]
    assert response["max_tool_calls"] == 1
    assert response == stream.body()


@pytest.mark.parametrize(("text", "sent"), [(CUT_TURN, '{"city": "Zürich'), (BARE_START, "{")])
@pytest.mark.parametrize("on_broken_call", ["length", "tool_calls"])
def test_a_broken_call_is_an_incomplete_item_of_an_incomplete_response(
    text: str, sent: str, on_broken_call: Any
) -> None:
    stream = ResponseStream(StreamParser("hermes", tools=TOOLS, on_broken_call=on_broken_call))
    data = stream.feed(text) + stream.finish("stop")
    response = add_up_response(frames(data))
    assert response["status"] == "incomplete"
    assert response["incomplete_details"] == {"reason": "max_output_tokens"}
    assert response["output"][-1]["status"] == "incomplete"
    assert response["output"][-1]["arguments"] == sent
    assert [item["status"] for item in response["output"][:-1]] == ["completed", "completed"]


def test_text_that_is_cut_is_an_incomplete_item() -> None:
    data, _ = responses("Hello wor", finish="length")
    response = add_up_response(frames(data))
    assert response["status"] == "incomplete"
    assert response["output"][0]["status"] == "incomplete"


def test_filtered_content_says_so() -> None:
    data, _ = responses("Hello wor", finish="content_filter")
    assert add_up_response(frames(data))["incomplete_details"] == {"reason": "content_filter"}


@pytest.mark.parametrize("way", ["error", "finish"])
def test_a_failed_response_lists_what_was_streamed(way: str) -> None:
    stream = ResponseStream(StreamParser("hermes", tools=TOOLS))
    data = stream.feed(CUT_TURN)
    data += stream.error("out of memory", "server_error") if way == "error" else stream.finish("error")
    response = add_up_response(frames(data))
    assert response["status"] == "failed"
    assert response["error"]["code"] == "server_error"
    assert [item["status"] for item in response["output"]] == ["completed", "completed", "incomplete"]
    assert response == stream.body()


CUSTOM_INPUTS = [
    ("shell", {"input": 'ls -l\n"é" 🎉 \\'}, 'ls -l\n"é" 🎉 \\'),
    ("shell", {"command": ""}, ""),
    ("shell", {"n": 1}, '{"n": 1}'),
    ("shell", {}, "{}"),
    ("shell", {"k" * 1018: "x"}, "x"),
    ("shell", {"k" * 1019: "x"}, '{"' + "k" * 1019 + '": "x"}'),
    ("shell", {"input": "ls", "more": ["x", "y"]}, "ls"),
    ("code", {"source": "x = 1"}, "x = 1"),
    ("code", {"sauce": "x"}, '{"sauce": "x"}'),
    ("patch", {"file": "a", "text": "b"}, '{"file": "a", "text": "b"}'),
]


@pytest.mark.parametrize(("name", "arguments", "expected"), CUSTOM_INPUTS)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_the_input_of_a_custom_tool(name: str, arguments: Any, expected: str, ascii_only: bool) -> None:
    text = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=ascii_only)
    for cut, pieces in cuts(f"<tool_call>{text}</tool_call>"):
        data, stream = responses(pieces, tools=[CUSTOM, ONLY_CODE, SEVERAL])
        response = add_up_response(frames(data))
        (item,) = response["output"]
        assert item["type"] == "custom_tool_call", cut
        assert item["input"] == expected, cut
        assert item["status"] == "completed"
        assert response == stream.body()


def test_the_input_of_a_custom_tool_streams() -> None:
    text = '<tool_call>{"name": "shell", "arguments": {"input": "echo \\u00e9 \\ud83c\\udf89 \\ud83c!"}}</tool_call>'
    data, _ = responses(list(text), tools=[CUSTOM])
    deltas = [frame["delta"] for frame in frames(data) if frame["type"].endswith("input.delta")]
    assert deltas == [*"echo é ", "🎉", " ", "\ufffd!"]


def test_a_custom_call_that_is_cut_is_incomplete() -> None:
    data, _ = responses('<tool_call>{"name": "shell", "arguments": {"input": "echo \\u00', tools=[CUSTOM])
    response = add_up_response(frames(data))
    assert response["output"][0]["status"] == "incomplete"
    assert response["output"][0]["input"] == "echo "
    assert response["status"] == "incomplete"


def test_the_body_waits_for_the_end() -> None:
    stream = ResponseStream(StreamParser("hermes"))
    stream.feed("a")
    with pytest.raises(ParserStateError, match="not finished"):
        stream.body()
