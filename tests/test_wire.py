"""What holds for the streams of all three APIs."""

import gc
import logging
import random
import weakref
from typing import Any

import pytest
from support import cuts, random_cut
from texts import parts_of, random_options, shrapnel
from wire_reading import (
    BARE_START,
    CUT_TURN,
    TOOLS,
    TURN,
    add_up_chat,
    add_up_messages,
    add_up_response,
    calls,
    frames,
)

from toolweir import ContentDelta, MessageBuilder, ParserStateError, ReasoningDelta, StreamParser, formats
from toolweir._testing import fault_after
from toolweir.wire import ChatCompletionStream, MessageStream, ResponseStream
from toolweir.wire.sse import Template

APIS = {
    "chat": (ChatCompletionStream, add_up_chat),
    "messages": (MessageStream, add_up_messages),
    "responses": (ResponseStream, add_up_response),
}


@pytest.fixture(params=list(APIS))
def api(request: pytest.FixtureRequest) -> Any:
    return APIS[request.param]


def make(api: Any, coalesce: Any = None, **options: Any) -> Any:
    parser = StreamParser("hermes", tools=TOOLS, make_id=lambda index, name: f"call_{index}", **options)
    return api[0](parser, id="id", model="m", created=1, coalesce=coalesce)


def without_ids(value: Any) -> Any:
    """The frames with the ids of items numbered, which are made anew for each stream."""
    known: dict[str, str] = {}

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [plain(inner) for inner in value]
        if isinstance(value, str) and value.startswith(("msg_", "fc_", "rs_")):
            return known.setdefault(value, f"item {len(known)}")
        return value

    return plain(value)


@pytest.mark.parametrize("coalesce", [None, "feed", 5])
@pytest.mark.parametrize("text", [TURN, CUT_TURN, BARE_START])
def test_dicts_and_bytes_are_the_same_frames(api: Any, text: str, coalesce: Any) -> None:
    for name, pieces in cuts(text):
        stream = make(api, coalesce)
        data = b"".join(map(stream.feed, pieces)) + stream.finish("stop", {"output_tokens": 3})
        twin = make(api, coalesce)
        parser = twin._parser
        dicts: list[Any] = []
        for piece in pieces:
            dicts += twin.events_of(parser.feed(piece))
        dicts += twin.events_of(parser.finish("stop"), {"output_tokens": 3})
        assert without_ids(dicts) == without_ids(frames(data)), name
        third = make(api, coalesce)
        parser = third._parser
        data = b"".join(third.bytes_of(parser.feed(piece)) for piece in pieces)
        data += third.bytes_of(parser.finish("stop"), {"output_tokens": 3})
        assert without_ids(dicts) == without_ids(frames(data)), name
        assert without_ids(twin.body()) == without_ids(stream.body())


def test_start_is_what_the_first_text_would_begin_with(api: Any) -> None:
    early, late = make(api), make(api)
    begun = early.start()
    assert frames(begun)
    assert without_ids(frames(late.feed("a"))) == without_ids(frames(begun + early.feed("a")))
    with pytest.raises(ParserStateError, match="begun"):
        early.start()


def test_nothing_decided_sends_nothing(api: Any) -> None:
    stream = make(api)
    stream.start()
    assert stream.feed("<tool_") == b""
    assert stream.feed("") == b""


def deltas(read: list[Any]) -> list[str]:
    """The texts of all deltas, in order."""
    texts = []
    for frame in read:
        if frame.get("object") == "chat.completion.chunk":
            delta = frame["choices"][0]["delta"]
            called = delta.get("tool_calls", [{}])
            texts += [
                delta.get("content"),
                delta.get("reasoning_content"),
                called[0].get("function", {}).get("arguments"),
            ]
        elif frame["type"] == "content_block_delta":
            texts += [frame["delta"].get(key) for key in ("text", "thinking", "partial_json")]
        elif frame["type"].endswith(".delta"):
            texts.append(frame["delta"])
    return [text for text in texts if text]


def test_a_frame_for_each_event_by_default(api: Any) -> None:
    stream = make(api)
    stream.start()
    assert deltas(frames(b"".join(map(stream.feed, "some text")))) == list("some text")


def test_coalescing_by_bytes_waits_for_them(api: Any) -> None:
    stream = make(api, 4)
    stream.start()
    sent = [deltas(frames(stream.feed(piece))) for piece in ("ab", "c", "d", "é", "é", "🎉", "x")]
    assert sent == [[], [], ["abcd"], [], ["éé"], ["🎉"], []]
    assert deltas(frames(stream.flush())) == ["x"]
    assert stream.flush() == b""
    stream.feed("y")
    assert deltas(frames(stream.finish("stop"))) == ["y"]


def test_coalescing_never_delays_what_is_no_delta(api: Any) -> None:
    stream = make(api, 1000)
    stream.feed("Hello\n")
    read = frames(stream.feed('<tool_call>{"name": "f", "arguments": {"a": '))
    assert deltas(read) == ["Hello\n"]
    assert any("call_0" in str(frame) for frame in read), "the start of the call is out"
    assert deltas(frames(stream.feed("1}}</tool_call>"))) == ['{"a": 1}'], "the end of a call sends what it waited for"


def test_coalescing_by_feed_joins_what_one_piece_decides(api: Any) -> None:
    events = (ContentDelta("a"), ContentDelta("b"), ReasoningDelta("c"), ReasoningDelta("d"))
    assert deltas(make(api).events_of(events)) == ["a", "b", "c", "d"]
    assert deltas(make(api, "feed").events_of(events)) == ["ab", "cd"]
    assert deltas(make(api, 3).events_of(events)) == ["ab"]


@pytest.mark.parametrize("coalesce", [None, "feed", 1, 16, 4096])
def test_coalescing_changes_no_message(api: Any, coalesce: Any) -> None:
    plain = make(api)
    plain.feed(TURN)
    plain.finish("stop")
    stream = make(api, coalesce)
    data = b"".join(map(stream.feed, random_cut(TURN, random.Random(3)))) + stream.finish("stop")
    assert without_ids(api[1](frames(data))) == without_ids(stream.body()) == without_ids(plain.body())


def test_after_the_end_nothing_goes(api: Any) -> None:
    for end in (lambda stream: stream.finish("stop"), lambda stream: stream.error("broken")):
        stream = make(api)
        stream.feed("a")
        end(stream)
        for more in (
            lambda stream: stream.finish("stop"),
            lambda stream: stream.feed("b"),
            lambda stream: stream.error("again"),
            lambda stream: stream.feed_special("<|im_end|>"),
            lambda stream: stream.events_of(()),
        ):
            with pytest.raises(ParserStateError, match="ended"):
                more(stream)


def test_an_error_tells_the_client(api: Any) -> None:
    stream = make(api)
    stream.feed(CUT_TURN)
    last = frames(stream.error("out of memory"))[-1]
    assert "out of memory" in str(last)
    assert "[DONE]" not in str(last)


def test_an_error_before_any_text(api: Any) -> None:
    data = make(api).error("no slot")
    assert "no slot" in str(frames(data)[-1])


def test_a_client_that_goes_away_leaves_nothing(api: Any) -> None:
    stream = make(api)
    stream.feed(CUT_TURN)
    gone = weakref.ref(stream)
    gc.disable()  # without a cycle, nothing waits for the collector
    try:
        del stream
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("at", [0, 3, TURN.index("Once"), TURN.index("look"), TURN.index("rich"), TURN.index("Done")])
def test_a_fault_inside_stays_inside(api: Any, at: int, caplog: pytest.LogCaptureFixture) -> None:
    stream = make(api)
    with caplog.at_level(logging.ERROR, "toolweir"), fault_after(at) as fault:
        data = b"".join(map(stream.feed, TURN))
        assert not fault.armed
    data += stream.finish("stop")
    assert len(caplog.records) == 1
    assert without_ids(api[1](frames(data))) == without_ids(stream.body())
    if at == TURN.index("rich"):
        assert '{"city": "Zü' in "".join(deltas(frames(data)))
        assert any(word in str(stream.body()) for word in ("'length'", "'max_tokens'", "'incomplete'"))


def test_a_ping_is_no_text(api: Any) -> None:
    stream = make(api)
    data = stream.ping() + stream.feed("a") + stream.ping() + stream.finish("stop")
    assert without_ids(api[1](frames(data))) == without_ids(stream.body())
    assert b"ping" in data


def test_special_tokens_are_read_as_such(api: Any) -> None:
    stream = make(api)
    data = stream.feed_special("<tool_call>") + stream.feed('{"name": "f"}') + stream.feed_special("</tool_call>")
    data += stream.feed("no <tool_call> here") + stream.finish("stop")
    assert "no <tool_call> here" in str(api[1](frames(data)))
    assert "call_0" in str(stream.body())


def test_characters_of_every_width(api: Any) -> None:
    text = 'a\x00\x1f"\\/\x7f\x85é\xff\u2028\u2029\ufeff\uffff中🎉\U0010ffff'
    for pieces in ([text], list(text), [text.encode()]):
        stream = make(api)
        data = b"".join(map(stream.feed, pieces)) + stream.finish("stop")
        assert "".join(deltas(frames(data))) == text


def test_long_pieces_and_what_follows_them(api: Any) -> None:
    text = 'long "piece" ' * 20_000
    stream = make(api)
    data = stream.feed(text) + stream.feed("short") + stream.finish("stop")
    assert "".join(deltas(frames(data))) == text + "short"


def test_only_parsers_are_taken(api: Any) -> None:
    with pytest.raises(TypeError):
        api[0]("hermes")


@pytest.mark.parametrize("format", formats())
def test_whatever_a_model_writes_adds_up(api: Any, format: str) -> None:
    rng = random.Random(f"{format} {api[0].__name__}")
    for _ in range(12):
        text = shrapnel(rng, parts_of(format))
        parser = StreamParser(format, **random_options(rng))
        stream = api[0](parser, coalesce=rng.choice([None, None, "feed", 8]))
        seen = MessageBuilder()
        data = b""
        for piece in random_cut(text, rng):
            events = parser.feed(piece)
            seen.extend(events)
            data += stream.bytes_of(events)
        events = parser.finish(rng.choice(["stop", "length", "unheard of"]))
        seen.extend(events)
        data += stream.bytes_of(events)
        assert without_ids(api[1](frames(data))) == without_ids(stream.body())
        if api[0] is ChatCompletionStream:
            message = stream.body()["choices"][0]["message"]
            assert message["content"] == (seen.message.content or (None if "tool_calls" in message else ""))
            sent = [(call["function"]["name"], call["function"]["arguments"]) for call in message.get("tool_calls", [])]
            assert sent == [(name, arguments or "{") for name, arguments in calls(seen.message)]


def test_a_frame_of_deltas_has_up_to_seven_slots():
    def make(slots):
        return lambda text, number: {"index": number, "texts": [text] * (slots - 1)}

    Template(make(7), False)
    with pytest.raises(ValueError, match="more than 7 slots"):
        Template(make(8), False)
