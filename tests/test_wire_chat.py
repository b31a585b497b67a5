"""Chat Completions: the chunks, one by one and added up."""

from typing import Any

import pytest
from support import cuts
from wire_reading import BARE_START, CUT_TURN, TOOLS, TURN, add_up_chat, calls, frames

from toolweir import OptionError, ParserStateError, StreamParser, parse
from toolweir.wire import ChatCompletionStream, Usage

USAGE = {"input_tokens": 10, "output_tokens": 20, "cached_tokens": 3, "reasoning_tokens": 4}


def chat(text: str | list[Any], finish: str = "stop", usage: Any = None, **options: Any) -> tuple[bytes, Any]:
    stream = ChatCompletionStream(StreamParser("hermes", tools=TOOLS), **options)
    data = b"".join(map(stream.feed, [text] if isinstance(text, str) else text))
    return data + stream.finish(finish, usage), stream


def deltas(data: bytes) -> list[dict[str, Any]]:
    return [frame["choices"][0]["delta"] for frame in frames(data) if frame["choices"]]


def test_the_chunks_of_a_small_turn() -> None:
    stream = ChatCompletionStream(
        StreamParser("hermes", make_id=lambda index, name: f"id-{index}"), id="c", model="m", created=7
    )
    text = 'Hi "you"\n<tool_call>{"name":"f","arguments":{"a":1}}</tool_call>'
    data = stream.feed(text) + stream.finish("stop")
    head = b'data: {"id":"c","object":"chat.completion.chunk","created":7,"model":"m","choices":[{"index":0,"delta":'
    tail = b',"finish_reason":null}]}\n\n'
    assert data.split(head) == [
        b"",
        b'{"role":"assistant","content":""}' + tail,
        b'{"content":"Hi \\"you\\"\\n"}' + tail,
        b'{"tool_calls":[{"index":0,"id":"id-0","type":"function","function":{"name":"f","arguments":""}}]}' + tail,
        b'{"tool_calls":[{"index":0,"function":{"arguments":"{\\"a\\":1}"}}]}' + tail,
        b'{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n',
    ]


def test_every_cut_adds_up_to_the_parsed_message() -> None:
    whole = parse(TURN, "hermes", tools=TOOLS)
    assert [name for name, _ in calls(whole)] == ["get_weather", "g", "f"]
    for name, pieces in cuts(TURN):
        data, stream = chat(pieces, usage=USAGE, include_usage=True)
        body = add_up_chat(frames(data))
        assert body == stream.body(), name
        message = body["choices"][0]["message"]
        assert message["content"] == whole.content
        assert message["reasoning_content"] == whole.reasoning
        assert [(call["function"]["name"], call["function"]["arguments"]) for call in message["tool_calls"]] == calls(
            whole
        )
        assert body["choices"][0]["finish_reason"] == "tool_calls"


def test_a_call_without_arguments_has_an_object() -> None:
    data, _ = chat('<tool_call>{"name": "f"}</tool_call>')
    assert {"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]} in deltas(data)


@pytest.mark.parametrize(
    ("field", "keys"),
    [
        ("reasoning_content", {"reasoning_content"}),
        ("reasoning", {"reasoning"}),
        ("both", {"reasoning", "reasoning_content"}),
        ("none", set()),
    ],
)
def test_the_reasoning_field(field: str, keys: set[str]) -> None:
    data, stream = chat(["<think>a", "b</think>c"], reasoning_field=field)
    sent = [delta for delta in deltas(data) if delta and "content" not in delta]
    assert [set(delta) for delta in sent] == ([keys] * len(sent))
    for key in keys:
        assert "".join(delta[key] for delta in sent) == "ab"
    message = stream.body()["choices"][0]["message"]
    assert set(message) - {"role", "content", "refusal"} == keys
    assert add_up_chat(frames(data)) == stream.body()


def test_usage_only_where_asked() -> None:
    quiet, stream = chat("a", usage=USAGE)
    assert all("usage" not in frame for frame in frames(quiet))
    assert stream.body()["usage"]["total_tokens"] == 30
    asked, _ = chat("a", usage=USAGE, include_usage=True)
    assert frames(asked)[-1]["usage"] == {
        "prompt_tokens": 10,
        "completion_tokens": 20,
        "total_tokens": 30,
        "prompt_tokens_details": {"cached_tokens": 3},
        "completion_tokens_details": {"reasoning_tokens": 4},
    }
    assert [frame for frame in frames(asked) if "usage" in frame] == frames(asked)[-1:]


@pytest.mark.parametrize("named_finish", ["tool_calls", "stop"])
def test_the_finish_reason_of_a_named_choice(named_finish: str) -> None:
    choice = {"type": "function", "function": {"name": "f"}}
    stream = ChatCompletionStream(StreamParser("hermes", tools=TOOLS, tool_choice=choice), named_finish=named_finish)
    data = stream.feed('<tool_call>{"name": "f"}</tool_call>') + stream.finish("stop")
    assert frames(data)[-1]["choices"][0]["finish_reason"] == named_finish


@pytest.mark.parametrize(
    ("engine", "sent"),
    [("stop", "stop"), ("eos_token", "stop"), ("length", "length"), ("content_filter", "content_filter"),
     ("abort", "length"), ("out of the ordinary", "stop")],
)  # fmt: skip
def test_finish_reasons_are_words_of_the_api(engine: str, sent: str) -> None:
    data, stream = chat("a", finish=engine)
    assert frames(data)[-1]["choices"][0]["finish_reason"] == sent
    assert stream.body()["choices"][0]["finish_reason"] == sent


@pytest.mark.parametrize("engine", ["stop", "length", "out of the ordinary"])
def test_a_broken_call_gets_no_closing_bytes(engine: str) -> None:
    data, stream = chat(CUT_TURN, finish=engine)
    body = add_up_chat(frames(data))
    assert body == stream.body()
    (call,) = body["choices"][0]["message"]["tool_calls"]
    assert call["function"]["arguments"] == '{"city": "Zürich'
    assert body["choices"][0]["finish_reason"] == "length"


def test_a_call_cut_before_its_arguments_is_not_taken_for_one_without() -> None:
    data, stream = chat(BARE_START)
    (call,) = add_up_chat(frames(data))["choices"][0]["message"]["tool_calls"]
    assert call["function"]["arguments"] == "{"
    assert add_up_chat(frames(data)) == stream.body()


def test_a_broken_call_as_an_error() -> None:
    stream = ChatCompletionStream(StreamParser("hermes", tools=TOOLS, on_broken_call="error"))
    data = stream.feed(CUT_TURN) + stream.finish("stop")
    assert frames(data)[-1]["error"]["type"] == "server_error"
    assert not data.endswith(b"[DONE]\n\n")
    assert stream.body() == frames(data)[-1]


def test_choices_share_one_stream() -> None:
    first = ChatCompletionStream(StreamParser("hermes", tools=TOOLS), include_usage=True, reasoning_field="both")
    second = first.add_choice(StreamParser("hermes", tools=TOOLS))
    data = first.feed("one") + second.feed("<think>two</think>")
    data += second.feed('<tool_call>{"name": "f", "arguments": {"x": 1}}</tool_call>')
    data += first.feed('\n<tool_call>{"name": "g"}</tool_call>')
    ended = first.finish("stop")
    assert b"[DONE]" not in ended
    with pytest.raises(ParserStateError, match="choice 1"):
        first.body()
    last = second.finish("stop", USAGE)
    assert last.endswith(b"data: [DONE]\n\n")
    body = add_up_chat(frames(data + ended + last))
    assert body == first.body() == second.body()
    assert [choice["index"] for choice in body["choices"]] == [0, 1]
    assert body["choices"][1]["message"]["reasoning"] == "two"


def test_call_ids_are_unique_across_choices() -> None:
    def native() -> StreamParser:
        return StreamParser("hermes", make_id=lambda index, name: f"functions.{name}:{index}")

    first = ChatCompletionStream(native())
    second = first.add_choice(native())
    text = '<tool_call>{"name": "f"}</tool_call>'
    data = first.feed(text) + second.feed(text) + first.finish("stop") + second.finish("stop")
    body = add_up_chat(frames(data))
    ids = [choice["message"]["tool_calls"][0]["id"] for choice in body["choices"]]
    assert ids[0] == "functions.f:0"
    assert ids[1] != ids[0]
    assert body == first.body()


def entry(token: str) -> dict[str, Any]:
    return {"token": token, "logprob": -0.5, "bytes": list(token.encode()), "top_logprobs": []}


@pytest.mark.parametrize("coalesce", [None, "feed", 6])
def test_logprobs_go_with_the_content_of_their_piece(coalesce: Any) -> None:
    pieces = ["<think>", "no", "</think>", "Hello", " <", "b> ", "wor", "ld\n", "<tool", "_call>", '{"name": "f"}',
              "</tool_call>", "bye"]  # fmt: skip
    stream = ChatCompletionStream(StreamParser("hermes", tools=TOOLS), coalesce=coalesce)
    data = b"".join(stream.feed_with_logprobs(piece, [entry(piece)]) for piece in pieces) + stream.finish("stop")
    seen: list[str] = []
    content = ""
    for frame in frames(data):
        (choice,) = frame["choices"]
        before = len(content)
        content += choice["delta"].get("content", "")
        for part in (choice.get("logprobs") or {"content": []})["content"]:
            assert before <= len("".join(seen)) < len(content), "not in the frame that the piece begins in"
            seen.append(part["token"])
    assert seen == ["Hello", " <", "b> ", "wor", "ld\n", "bye"]
    assert add_up_chat(frames(data)) == stream.body()


def test_logprobs_of_bytes_cut_inside_a_character() -> None:
    raw = "aé🎉".encode()
    stream = ChatCompletionStream(StreamParser("hermes"))
    pieces = [raw[i : i + 1] for i in range(len(raw))]
    data = b"".join(
        stream.feed_with_logprobs(piece, [{"token": str(i), "logprob": 0.0, "bytes": list(piece), "top_logprobs": []}])
        for i, piece in enumerate(pieces)
    ) + stream.finish("stop")
    scores = []
    for frame in frames(data):
        (choice,) = frame["choices"]
        if choice.get("logprobs"):
            scores.append((choice["delta"]["content"], [part["token"] for part in choice["logprobs"]["content"]]))
    assert scores == [("a", ["0"]), ("é", ["1", "2"]), ("🎉", ["3", "4", "5", "6"])]


def test_options_are_checked() -> None:
    parser = StreamParser("hermes")
    for options in ({"reasoning_field": "thoughts"}, {"named_finish": "length"}, {"coalesce": 0}, {"coalesce": "line"}):
        with pytest.raises(OptionError, match=next(iter(options))):
            ChatCompletionStream(parser, **options)
    with pytest.raises(OptionError, match="usage"):
        Usage.of(3)  # type: ignore[arg-type]
