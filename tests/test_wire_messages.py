"""Anthropic Messages: the blocks, one by one and added up."""

import json
import re
from typing import Any

import pytest
from support import cuts
from wire_reading import BARE_START, CUT_TURN, TOOLS, TURN, add_up_messages, frames

from toolweir import JsonScanner, ParserStateError, StreamParser, parse
from toolweir.wire import MessageStream

USAGE = {"input_tokens": 10, "output_tokens": 20, "cache_read_input_tokens": 3}


def messages(text: str | list[Any], finish: str = "stop", usage: Any = None, **options: Any) -> tuple[bytes, Any]:
    stream = MessageStream(StreamParser("hermes", tools=TOOLS), **options)
    data = b"".join(map(stream.feed, [text] if isinstance(text, str) else text))
    return data + stream.finish(finish, usage), stream


def partial_json(data: bytes) -> list[str]:
    return [frame["delta"]["partial_json"] for frame in frames(data) if "partial_json" in frame.get("delta", {})]


def test_the_events_of_a_small_turn() -> None:
    parser = StreamParser("hermes", make_id=lambda index, name: f"functions.{name}:{index}")
    stream = MessageStream(parser, id="msg_1", model="m", usage={"input_tokens": 5})
    text = 'Hi "you"\n<tool_call>{"name":"f","arguments":{"a":1}}</tool_call>'
    data = stream.feed(text) + stream.finish("stop", {"input_tokens": 5, "output_tokens": 9})
    assert (
        b'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi \\"you\\"\\n"}}' in data
    )
    assert frames(data) == [
        {
            "type": "message_start",
            "message": {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": "m",
                "content": [],
                "stop_reason": None,
                "stop_sequence": None,
                "usage": {"input_tokens": 5, "cache_read_input_tokens": 0, "output_tokens": 0},
            },
        },
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": 'Hi "you"\n'}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "content_block_start",
            "index": 1,
            "content_block": {"type": "tool_use", "id": "functions_f_0", "name": "f", "input": {}},
        },
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"a":1}'}},
        {"type": "content_block_stop", "index": 1},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "tool_use", "stop_sequence": None},
            "usage": {"input_tokens": 5, "cache_read_input_tokens": 0, "output_tokens": 9},
        },
        {"type": "message_stop"},
    ]


def test_every_cut_adds_up_to_the_parsed_message() -> None:
    whole = parse(TURN, "hermes", tools=TOOLS)
    expected: list[Any] = []
    for kind, value in whole.segments:
        if kind == "tool_call":
            expected.append((value.name, json.loads(value.arguments)))
        else:
            expected.append((kind, value))
    assert len(expected) == 7
    for name, pieces in cuts(TURN):
        data, stream = messages(pieces, usage=USAGE)
        message = add_up_messages(frames(data))
        assert message == stream.body(), name
        blocks: list[Any] = []
        for block in message["content"]:
            match block["type"]:
                case "text":
                    blocks.append(("content", block["text"]))
                case "thinking":
                    blocks.append(("reasoning", block["thinking"]))
                case "tool_use":
                    blocks.append((block["name"], block["input"]))
        assert blocks == expected
        assert message["stop_reason"] == "tool_use"
        assert message["usage"] == {"input_tokens": 7, "cache_read_input_tokens": 3, "output_tokens": 20}


def test_what_grows_is_always_the_beginning_of_an_object() -> None:
    scanner = JsonScanner()
    data, _ = messages(list(TURN[: TURN.index("And")]))
    assert len(partial_json(data)) > 20
    assert all(scanner.feed(part) >= -1 for part in partial_json(data))
    assert scanner.complete
    assert json.loads("".join(partial_json(data)))["city"] == "Zürich\n🎉"


def test_a_call_without_arguments_sends_an_object() -> None:
    data, stream = messages('<tool_call>{"name": "f"}</tool_call>')
    assert [frame["delta"]["partial_json"] for frame in frames(data) if "partial_json" in frame.get("delta", {})] == [
        "{}"
    ]
    assert stream.body()["content"][0]["input"] == {}


@pytest.mark.parametrize("signature", ["sig", lambda thought: f"sig of {thought}"])
def test_a_signature_ends_its_thought(signature: Any) -> None:
    data, stream = messages(["<think>a", "b</think>c"], signature=signature)
    expected = "sig" if signature == "sig" else "sig of ab"
    block = [frame for frame in frames(data) if frame.get("index") == 0]
    assert block[-2]["delta"] == {"type": "signature_delta", "signature": expected}
    assert block[-1] == {"type": "content_block_stop", "index": 0}
    assert add_up_messages(frames(data)) == stream.body()


def test_no_signature_is_an_empty_one() -> None:
    data, stream = messages("<think>a</think>b")
    assert b"signature_delta" not in data
    assert stream.body()["content"][0] == {"type": "thinking", "thinking": "a", "signature": ""}


def test_thoughts_can_be_left_out() -> None:
    data, stream = messages('<think>a</think>b\n<tool_call>{"name": "f"}</tool_call>', thinking=False)
    assert [block["type"] for block in add_up_messages(frames(data))["content"]] == ["text", "tool_use"]
    assert add_up_messages(frames(data)) == stream.body()
    assert b"thinking" not in data


def test_ids_are_what_the_api_takes_and_stay_apart() -> None:
    names = iter(["a.b:0", "a:b.0", "a_b_0"])
    stream = MessageStream(StreamParser("hermes", make_id=lambda index, name: next(names)))
    data = stream.feed('<tool_call>{"name": "f"}</tool_call>' * 3) + stream.finish("stop")
    ids = [block["id"] for block in add_up_messages(frames(data))["content"]]
    assert ids[0] == "a_b_0"
    assert len(set(ids)) == 3
    assert all(re.fullmatch("[a-zA-Z0-9_-]+", id) for id in ids)
    assert [block["id"] for block in stream.body()["content"]] == ids


@pytest.mark.parametrize("written", [["a__2", "a_", "a."], ["a__1", "a_", "a.", "a:", "a__3", "a.."]])
def test_an_id_of_the_model_may_be_one_that_would_tell_others_apart(written: list[str]) -> None:
    names = iter(written)
    stream = MessageStream(StreamParser("hermes", make_id=lambda index, name: next(names)))
    data = stream.feed('<tool_call>{"name": "f"}</tool_call>' * len(written)) + stream.finish("stop")
    ids = [block["id"] for block in add_up_messages(frames(data))["content"]]
    assert len(set(ids)) == len(written)


@pytest.mark.parametrize(
    ("engine", "sent"),
    [("stop", "end_turn"), ("length", "max_tokens"), ("content_filter", "refusal"), ("unheard of", "end_turn")],
)
def test_stop_reasons_are_words_of_the_api(engine: str, sent: str) -> None:
    data, stream = messages("a", finish=engine)
    assert frames(data)[-2]["delta"] == {"stop_reason": sent, "stop_sequence": None}
    assert stream.body()["stop_reason"] == sent


def test_a_stop_string_of_the_parser_is_told() -> None:
    stream = MessageStream(StreamParser("hermes", stop=["END"]))
    data = stream.feed("one END two") + stream.finish("stop")
    assert frames(data)[-2]["delta"] == {"stop_reason": "stop_sequence", "stop_sequence": "END"}
    assert stream.body()["content"] == [{"type": "text", "text": "one "}]


def test_a_stop_string_of_the_engine_is_told() -> None:
    stream = MessageStream(StreamParser("hermes"))
    data = stream.feed("one ") + stream.finish("stop_sequence", stop_sequence="END")
    assert frames(data)[-2]["delta"] == {"stop_reason": "stop_sequence", "stop_sequence": "END"}


@pytest.mark.parametrize(("text", "sent"), [(CUT_TURN, '{"city": "Zürich'), (BARE_START, "{")])
@pytest.mark.parametrize("engine", ["stop", "length", "out of the ordinary"])
def test_a_broken_call_closes_its_block_and_ends_with_max_tokens(text: str, sent: str, engine: str) -> None:
    data, stream = messages(text, finish=engine)
    message = add_up_messages(frames(data))
    assert message == stream.body()
    assert message["stop_reason"] == "max_tokens"
    assert message["content"][-1]["input"] == {}
    assert "".join(partial_json(data)) == sent


def test_a_broken_call_as_an_error() -> None:
    stream = MessageStream(StreamParser("hermes", tools=TOOLS, on_broken_call="error"))
    data = stream.feed(CUT_TURN) + stream.finish("stop")
    assert frames(data)[-1]["type"] == "error"
    assert stream.body() == frames(data)[-1]


def test_what_python_cannot_hold_is_text_in_the_body() -> None:
    digits = "9" * 5000
    text = f'<tool_call>{{"name": "f", "arguments": {{"a": 1e999, "b": {digits}, "c": 1.5, "d": 3}}}}</tool_call>'
    _, stream = messages(text)
    assert stream.body()["content"][0]["input"] == {"a": "1e999", "b": digits, "c": 1.5, "d": 3}
    deep = "[" * 1000 + "]" * 1000
    _, stream = messages(f'<tool_call>{{"name": "f", "arguments": {{"a": {deep}}}}}</tool_call>')
    assert stream.body()["stop_reason"] == "tool_use"


def test_the_body_waits_for_the_end() -> None:
    stream = MessageStream(StreamParser("hermes"))
    stream.feed("a")
    with pytest.raises(ParserStateError, match="not finished"):
        stream.body()
