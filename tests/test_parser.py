"""StreamParser and its caller: pieces of all kinds, mistakes, threads, and parse()."""

import pickle
import re
import threading

import pytest
from support import steps, stream, without_spans
from texts import ALL_STATES
from texts import QUOTING_CALL as CALL

import toolweir
from toolweir import StreamParser
from toolweir.errors import OptionError, ParserStateError, ToolDefinitionError, ToolweirError, UnknownFormatError


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_any_buffer_is_a_piece(kind):
    events, _ = stream([kind(b"a "), kind(CALL.encode())], "hermes")
    assert without_spans(steps(events))[:2] == [("content", "a "), ("start", 0, "f", 0)]


class Text(str):
    """Not exactly str."""


def test_a_subclass_of_str_is_text():
    events, _ = stream([Text("ab"), Text("é"), Text(CALL)], "hermes")
    assert [type(event.text) for event in events[:2]] == [str, str]
    assert without_spans(steps(events))[0] == ("content", "abé")


def test_bytes_that_are_no_utf8_are_replaced():
    events, _ = stream([b"a\xff", b"\xe2\x82", "b", b"\xf0\x9f"], "hermes")
    assert without_spans(steps(events)) == [("content", "a\ufffd\ufffdb\ufffd")]


def test_lone_surrogates_are_replaced():
    for text in ("a\ud83db", "\ud83d", "é\udc00日"):
        events, _ = stream([text], "hermes")
        assert without_spans(steps(events)) == [("content", re.sub("[\ud800-\udfff]", "\ufffd", text))]


def test_an_empty_piece_says_nothing():
    parser = StreamParser("hermes")
    for text in ("", b"", "a<tool_call>", "", b"", '{"name": "f", "arguments": {', ""):
        events = parser.feed(text)
        assert text or events == ()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"output": "json"}, OptionError, "output: expected one of 'native', 'guided', got 'json'"),
        ({"reasoning": None}, OptionError, "reasoning: expected one of"),
        ({"unknown_tools": "raise"}, OptionError, "unknown_tools: expected one of"),
        ({"ids": "random"}, OptionError, "ids: expected one of"),
        ({"on_broken_call": "stop"}, OptionError, "on_broken_call: expected one of"),
        ({"value_whitespace": "none"}, OptionError, "value_whitespace: expected one of"),
        ({"argument_style": "pretty"}, OptionError, "argument_style: expected one of"),
        ({"confirm": True}, OptionError, "confirm: expected one of"),
        ({"max_tool_calls": -1}, OptionError, "max_tool_calls: expected None or a number of calls, got -1"),
        ({"max_tool_calls": True}, OptionError, "max_tool_calls"),
        ({"make_id": "uuid"}, OptionError, "make_id: expected a function"),
        ({"limits": {"name": 4}}, OptionError, "limits: expected a toolweir.Limits"),
        ({"stop": ["a", ""]}, OptionError, "stop: expected non-empty strings, got ''"),
        ({"stop": [7]}, OptionError, "stop: expected non-empty strings, got 7"),
        ({"stop": [str(n) for n in range(256)]}, OptionError, "stop: expected at most 255 strings"),
        ({"tool_choice": "sometimes"}, OptionError, "tool_choice: expected 'auto', 'none', 'required'"),
        ({"tool_choice": 7}, OptionError, "tool_choice: expected a word or an object"),
        ({"tool_choice": {"type": "function"}}, OptionError, "tool_choice: expected the name of a function"),
        ({"tool_choice": {"name": "g"}, "tools": [{"name": "f"}]}, OptionError, "'g' is not among the declared tools"),
        ({"tools": [{"name": "f"}, {"name": 7}]}, ToolDefinitionError, r"tools\[1\].name"),
    ],
    ids=str,
)
def test_options_that_are_none(options, error, message):
    with pytest.raises(error, match=message):
        StreamParser("hermes", **options)


def test_an_unknown_format_names_the_nearest():
    with pytest.raises(UnknownFormatError, match="did you mean 'hermes'"):
        StreamParser("hermess")
    with pytest.raises(UnknownFormatError, match="expected a name"):
        StreamParser(7)


def test_all_errors_are_toolweir_errors():
    assert issubclass(OptionError, ToolweirError)
    assert issubclass(UnknownFormatError, (ToolweirError, ValueError))
    assert issubclass(ParserStateError, ToolweirError)


@pytest.mark.parametrize("piece", [None, 7, ["a"], object()])
def test_pieces_are_text(piece):
    parser = StreamParser("hermes")
    with pytest.raises(TypeError, match="feed: expected str or UTF-8 bytes"):
        parser.feed(piece)
    assert steps(parser.feed("a")) == [("content", "a", (0, 1))]


def test_special_pieces_are_str():
    parser = StreamParser("hermes")
    for piece in (b"<tool_call>", None):
        with pytest.raises(TypeError):
            parser.feed_special(piece)


def test_finish_comes_once():
    parser = StreamParser("hermes")
    parser.finish()
    for method in (parser.finish, parser.flush_held, lambda: parser.feed("a"), lambda: parser.feed_special("a")):
        with pytest.raises(ParserStateError, match="finished"):
            method()


def test_a_parser_cannot_be_pickled():
    with pytest.raises(TypeError, match="copy"):
        pickle.dumps(StreamParser("hermes"))


def test_events_can():
    events, _ = stream([ALL_STATES], "hermes", max_tool_calls=2)
    assert {type(event).__name__ for event in events} == {
        "ContentDelta", "ReasoningDelta", "ToolCallStart", "ArgumentsDelta", "ToolCallEnd", "MalformedCall", "ToolCallSkipped",
    }  # fmt: skip
    for event in events:
        again = pickle.loads(pickle.dumps(event))
        assert again == event
        assert again.span == event.span
        assert type(event).__name__ in repr(event)
        assert event.to_dict()["type"] in repr(event.to_dict())


def test_a_second_thread_is_refused():
    inside, leave = threading.Event(), threading.Event()

    def wait(index, name):
        inside.set()
        leave.wait(30)
        return "id"

    parser = StreamParser("hermes", make_id=wait)
    thread = threading.Thread(target=parser.feed, args=(CALL,))
    thread.start()
    assert inside.wait(30)
    try:
        for method in (lambda: parser.feed("x"), parser.finish, parser.flush_held, parser.copy):
            with pytest.raises(ParserStateError, match="in use"):
                method()
    finally:
        leave.set()
        thread.join()
    assert parser.result.complete == 1


def test_parse_is_the_stream_fed_once():
    events, result = stream([ALL_STATES], "hermes", make_id=lambda index, name: f"{name}{index}")
    builder = toolweir.MessageBuilder()
    builder.extend(events)
    message = toolweir.parse(ALL_STATES, "hermes", make_id=lambda index, name: f"{name}{index}")
    assert message == builder.finish(result)
    assert message.finish_reason == "length"
    assert [call.name for call in message.tool_calls] == ["f", "g", "h", "i", "f"]
    assert "".join(part for kind, part in message.segments if kind == "content") == message.content
    assert [call["function"]["name"] for call in message.to_dict()["tool_calls"]] == ["f", "g", "h", "f"]


@pytest.mark.parametrize(
    "word", ["stop", "eos", "eos_token", "stop_sequence", "tool_calls", None, "", "end_turn", " STOP "]
)
def test_words_for_stop(word):
    assert stream([CALL], "hermes", word)[1].finish_reason == "tool_calls"
    assert stream(["a"], "hermes", word)[1].finish_reason == "stop"
    assert stream([CALL[:-30]], "hermes", word)[1].finish_reason == "length"
    assert stream([CALL[:-30]], "hermes", word, on_broken_call="error")[1].finish_reason == "error"


@pytest.mark.parametrize(
    ("word", "reason"),
    [("length", "length"), ("max_tokens", "length"), ("abort", "length"), ("content_filter", "content_filter"),
     ("error", "error"), ("sunset", "sunset")],
)  # fmt: skip
def test_words_that_stay(word, reason):
    for text in (CALL, "a", CALL[:-30]):
        assert stream([text], "hermes", word)[1].finish_reason == reason
