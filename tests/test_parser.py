"""StreamParser beside its events: state, copies, primed and special text, ids, faults, and the caller's mistakes."""

import copy
import pickle
import re
import threading

import pytest
from support import check_contract, check_every_cut, cuts, steps, stream, without_spans

import toolweir
from toolweir import Limits, StreamParser, ToolCallStart
from toolweir._testing import fault_after
from toolweir.errors import OptionError, ParserStateError, ToolDefinitionError, ToolweirError, UnknownFormatError

CALL = '<tool_call>{"name": "f", "arguments": {"a": "x<tool_call>y"}}</tool_call>'
ALL_STATES = (
    "Hi <tool_bar> </tool_call> there.\n<think>\nHm `</think>` or.</think>\n"
    + CALL + ' `<tool_call>{"id": "n1", "name": "g", "arguments": "{\\"b\\": \\"\\u00e9\\"}"}</tool_call>` '
    + '<tool_call>{x}</tool_call><tool_call>[{"arguments": {"é": 1}, "name": "h"}, 7]</tool_call>\n'
    + '<tool_call>{"name": "i", "arguments": {"a": "never closed\n' + CALL + " bye 日本 🎉 <|im_end|> more"
)  # fmt: skip
"""A text that takes the parser through all its states."""

OPTIONS = [
    {},
    {"tools": [{"name": "f"}], "unknown_tools": "text"},
    {"tools": [{"name": "f"}, {"name": "h"}], "unknown_tools": "drop"},
    {"calls_in_reasoning": True, "reasoning": "started", "trim": True},
    {"malformed_as_text": True, "stop": ["bye"]},
    {"output": "guided"},
    {"ids": "native", "max_tool_calls": 1},
]


def rest(parser, text):
    """What a parser says about the rest of a text."""
    events = [event for character in text for event in parser.feed(character)]
    return [*events, *parser.finish("stop")], parser.result


# State


def test_channel_in_every_state():
    parser = StreamParser("hermes")
    seen = []
    for text in (
        "a",
        "<think>",
        "b",
        "</think>",
        '<tool_call>{"na',
        'me": "f"',
        "}",
        "</tool_call>",
        "<tool_call>{x",
        "</tool_call>c",
    ):
        parser.feed(text)
        seen.append(parser.channel)
    assert seen == [
        "content", "reasoning", "reasoning", "content", "call", "call", "call", "content", "call", "content",
    ]  # fmt: skip


def test_channel_starts_in_the_thought_that_the_prompt_opened():
    assert StreamParser("hermes", reasoning="started").channel == "reasoning"


def test_a_quoted_call_is_content_until_it_is_settled():
    parser = StreamParser("hermes")
    parser.feed('`<tool_call>{"name": "f", "arguments": {')
    assert parser.channel == "content"
    assert parser.held == '<tool_call>{"name": "f", "arguments": {'
    parser.feed("}")
    assert (parser.channel, parser.held) == ("call", "")


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_offset_counts_code_points(options):
    parser = StreamParser("hermes", **options)
    for at, character in enumerate(ALL_STATES, 1):
        parser.feed(character)
        assert parser.offset == at
        assert parser.stats.characters == at


def test_offset_counts_whole_characters_of_bytes():
    parser = StreamParser("hermes")
    offsets = []
    for byte in "aé🎉".encode():
        parser.feed(bytes([byte]))
        offsets.append(parser.offset)
    assert offsets == [1, 1, 2, 2, 2, 2, 3]


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("a", ""),
        ("a <tool_c", "<tool_c"),
        (" ", " "),
        ("a </tool_call> ", "</tool_call> "),
        ("a <tool_call>", "<tool_call>"),
        ('a <tool_call>{"name": "f', '<tool_call>{"name": "f'),
        ('<tool_call>{"name": "f"', ""),
        ('<tool_call>{"name": "f", "arguments": {"a": 1', ""),
        ('<tool_call>{"name": "f", "arguments": "{\\"a\\": \\"\\u00', "\\u00"),
        ("<tool_call>{x y", "<tool_call>{x y"),
    ],
)
def test_held_is_what_is_not_decided(text, held):
    parser = StreamParser("hermes")
    parser.feed(text)
    assert parser.held == held


def test_what_is_held_went_out_nowhere():
    parser = StreamParser("hermes")
    sent = 0
    for character in "a <tool_bar> b </tool_call> c <thin":
        sent += sum(len(event.text) for event in parser.feed(character))
        assert sent + len(parser.held) == parser.offset


def test_flush_held_sends_it_and_stays_open():
    parser = StreamParser("hermes")
    assert steps(parser.feed("a <tool")) == [("content", "a ", (0, 2))]
    assert steps(parser.flush_held()) == [("content", "<tool", (2, 7))]
    assert parser.held == ""
    assert steps(parser.feed("_call>b")) == [("content", "_call>b", (7, 14))]


def test_flush_held_ends_a_call_without_name_and_spares_one_with():
    parser = StreamParser("hermes")
    parser.feed('<tool_call>{"name": "f')
    assert without_spans(steps(parser.flush_held())) == [("malformed", '<tool_call>{"name": "f', "text_ended")]
    parser = StreamParser("hermes")
    parser.feed('<tool_call>{"name": "f", "arguments": {"a": ')
    assert parser.flush_held() == ()
    assert without_spans(steps(parser.feed("1}")))[-1] == ("end", 0, "complete", '{"a": 1}', None)


def test_may_stop_after_an_end_of_turn_or_a_stop_string():
    for text in ("a<|im_end|>", "aSTOP"):
        parser = StreamParser("hermes", stop="STOP")
        parser.feed(text[:-1])
        assert not parser.may_stop
        parser.feed(text[-1])
        assert parser.may_stop
        assert parser.feed(" more " + CALL) == ()


def test_may_stop_after_finish():
    parser = StreamParser("hermes")
    parser.finish()
    assert parser.may_stop


def test_result_counts_and_has_a_finish_reason_only_after_finish():
    parser = StreamParser("hermes", max_tool_calls=2)
    parser.feed(CALL + '<tool_call>{x}</tool_call><tool_call>{"name": "f", "arguments": [1]}</tool_call>' + CALL + CALL)
    result = parser.result
    assert result.finish_reason is None
    parser.feed('<tool_call>{"name": "f", "arguments": {"a')
    parser.finish()
    result = parser.result
    assert (result.calls, result.complete, result.incomplete, result.invalid) == (3, 2, 0, 1)
    assert (result.malformed, result.skipped) == (2, 2)
    assert result.finish_reason == "length"


def test_repr_tells_where_it_is():
    parser = StreamParser("hermes")
    parser.feed("<think>abc")
    assert repr(parser) == "<StreamParser hermes at 10, in reasoning>"


def test_reset_forgets_everything():
    parser = StreamParser("hermes", make_id=lambda index, name: f"{name}{index}", stop="bye")
    first = rest(parser, ALL_STATES)
    with pytest.raises(ParserStateError):
        parser.feed("x")
    parser.reset()
    assert (parser.offset, parser.held, parser.channel, parser.may_stop) == (0, "", "content", False)
    assert rest(parser, ALL_STATES) == first
    for at in range(0, len(ALL_STATES), 7):
        parser.reset()
        parser.feed(ALL_STATES[:at])
    parser.reset()
    assert rest(parser, ALL_STATES) == first


# Copies


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_copy_in_every_state_goes_on_equally(options):
    made = iter(range(1000))
    options = options | {"make_id": lambda index, name: f"{name}{index}"}
    for at in range(len(ALL_STATES) + 1):
        parser = StreamParser("hermes", **options)
        for character in ALL_STATES[:at]:
            parser.feed(character)
        other = parser.copy()
        assert (other.offset, other.held, other.channel) == (parser.offset, parser.held, parser.channel)
        expected = rest(parser, ALL_STATES[at:])
        assert rest(other, ALL_STATES[at:]) == expected, f"copied at {at}"
    assert next(made) == 0


def test_a_copy_is_independent():
    parser = StreamParser("hermes")
    parser.feed('<tool_call>{"name": "f", "arguments": {"a": "')
    other = copy.copy(parser)
    other.feed('other"}')
    assert without_spans(steps(parser.feed('x"}')))[-1] == ("end", 0, "complete", '{"a": "x"}', None)
    assert other.result.calls == 1


def test_a_copy_knows_what_its_original_has_done():
    parser = StreamParser("hermes")
    parser.copy().prime("so far")
    parser.feed("a")
    with pytest.raises(ParserStateError, match="read text already"):
        parser.copy().prime("so far")
    (event,) = parser.copy().feed(piece := "plain words")
    assert event.text is piece
    parser.finish()
    assert parser.copy().may_stop
    with pytest.raises(ParserStateError, match="is finished"):
        parser.copy().feed("a")


def test_a_parser_that_make_id_interrupted_is_not_copied():
    def interrupt(index, name):
        raise KeyboardInterrupt

    parser = StreamParser("hermes", make_id=interrupt)
    with pytest.raises(KeyboardInterrupt):
        parser.feed(CALL)
    for use in (parser.copy, parser.finish):
        with pytest.raises(ParserStateError, match="stopped in the middle of a piece"):
            use()
    parser.reset()
    assert parser.copy().feed("a")


def test_a_copy_remembers_ids_and_warnings():
    parser = StreamParser("hermes", ids="native")
    parser.feed('<tool_call>{"id": "a", "name": "f", "name": "f"}</tool_call>')
    other = parser.copy()
    events = other.feed('<tool_call>{"id": "a", "name": "f"}</tool_call>')
    assert events[0].id != "a"
    assert other.result.warnings == ("second_name",)


# Primed


def test_prime_moves_the_state_and_sends_nothing():
    parser = StreamParser("hermes")
    assert parser.prime("<think>Well") is None
    assert parser.channel == "reasoning"
    events = parser.feed(" so</think>Hi")
    assert [(type(event).__name__, event.text, event.span) for event in events] == [
        ("ReasoningDelta", " so", (11, 14)),
        ("ContentDelta", "Hi", (22, 24)),
    ]


def test_primed_whitespace_is_not_sent():
    parser = StreamParser("hermes")
    parser.prime("<think>\n")
    assert steps(parser.feed("Hm")) == [("reasoning", "Hm", (8, 10))]


def test_prime_inside_a_marker():
    parser = StreamParser("hermes")
    parser.prime("a <tool_")
    assert steps(parser.feed('call>{"name": "f"'))[0][:3] == ("start", 0, "f")
    parser = StreamParser("hermes")
    parser.prime("a <tool_")
    assert steps(parser.feed("box>")) == [("content", "box>", (8, 12))]


def test_prime_inside_a_call_before_its_name():
    parser = StreamParser("hermes")
    parser.prime('<tool_call>{"name": "')
    assert without_spans(steps([*parser.feed('f", "arguments": {}}'), *parser.finish()])) == [
        ("start", 0, "f", 0),
        ("arguments", 0, "{}"),
        ("end", 0, "complete", "{}", None),
    ]


def test_prime_inside_a_call_after_its_name():
    parser = StreamParser("hermes")
    parser.prime(CALL + '<tool_call>{"name": "g", "arguments": {"a": ')
    events = [*parser.feed(""), *parser.feed("1}}"), *parser.finish()]
    check_contract(events)
    assert without_spans(steps(events)) == [
        ("start", 0, "g", 0),
        ("arguments", 0, '{"a": 1}'),
        ("end", 0, "complete", '{"a": 1}', None),
    ]
    assert parser.result.finish_reason == "tool_calls"


def test_primed_calls_are_not_counted():
    parser = StreamParser("hermes", max_tool_calls=1)
    parser.prime(CALL)
    events = parser.feed(CALL)
    assert isinstance(events[0], ToolCallStart)
    assert (events[0].index, events[0].position) == (0, 0)


def test_prime_comes_first():
    parser = StreamParser("hermes")
    parser.feed("")
    with pytest.raises(ParserStateError, match="before the first feed"):
        parser.prime("a")


@pytest.mark.parametrize("at", range(0, len(ALL_STATES), 3))
def test_primed_and_fed_is_never_more_than_fed(at):
    parser = StreamParser("hermes")
    parser.prime(ALL_STATES[:at])
    events, _ = rest(parser, ALL_STATES[at:])
    check_contract(events, ALL_STATES)
    for event in events:
        if hasattr(event, "text") and not hasattr(event, "index"):
            assert event.span[0] >= at


# Special tokens


def special(*pieces):
    """Events of pieces; a special token is a list of one string."""
    parser = StreamParser("hermes")
    events = []
    for piece in pieces:
        events += parser.feed_special(piece[0]) if isinstance(piece, list) else parser.feed(piece)
    return without_spans(steps([*events, *parser.finish()]))


def test_special_tokens_are_markers():
    assert special(
        ["<think>"], "Hm", ["</think>"], ["<tool_call>"], '{"name": "f"}', ["</tool_call>"], "x", ["<|im_end|>"]
    ) == [
        ("reasoning", "Hm"),
        ("start", 0, "f", 0),
        ("arguments", 0, "{}"),
        ("end", 0, "complete", "{}", None),
        ("content", "x"),
    ]


def test_a_marker_that_the_model_spelled_is_prose():
    assert special(["<think>"], "I use </think> and <tool_call>{", ["</think>"], "<tool_", 'call>{"name": "f"}') == [
        ("reasoning", "I use </think> and <tool_call>{"),
        ("content", '<tool_call>{"name": "f"}'),
    ]


def test_a_special_token_that_is_no_marker_is_text():
    assert special("a", ["<|box|>"], "b") == [("content", "a<|box|>b")]


def test_half_a_marker_before_a_special_token_is_text():
    assert special("a <tool_", ["<tool_call>"], '{"name": "f"}')[0] == ("content", "a <tool_")


def test_a_special_token_inside_arguments_is_no_text_of_theirs():
    events = special(["<tool_call>"], '{"name": "f", "arguments": {"a": "', ["</tool_call>"], '"}}', ["</tool_call>"])
    assert events[-1][2] in ("complete", "invalid")
    assert events[0] == ("start", 0, "f", 0)


# Ids


def test_minted_ids_are_unique_and_look_like_ids():
    events, _ = stream([CALL * 50], "hermes")
    ids = [event.id for event in events if isinstance(event, ToolCallStart)]
    assert len(set(ids)) == 50
    assert all(re.fullmatch("call_[0-9a-f]{24}", id) for id in ids)


@pytest.mark.parametrize(
    ("written", "used"),
    [
        ('"a"', True),
        ('"call_Az.09:x-y_"', True),
        ('"' + "x" * 128 + '"', True),
        ('"' + "x" * 129 + '"', False),
        ('""', False),
        ('"a b"', False),
        ('"é"', False),
        ('"a\\n"', False),
        ("7", False),
        ("null", False),
    ],
)
def test_native_ids(written, used):
    text = f'<tool_call>{{"id": {written}, "name": "f"}}</tool_call>'
    for _, pieces in cuts(text):
        events, _ = stream(pieces, "hermes", ids="native")
        assert (events[0].id == written.strip('"')) is used
        assert used or re.fullmatch("call_[0-9a-f]{24}", events[0].id)
    assert stream([text], "hermes")[0][0].id != written.strip('"')


def test_a_native_id_counts_before_the_name_only_and_once():
    text = '<tool_call>{"name": "f", "id": "late"}</tool_call>' + '<tool_call>{"id": "a", "name": "f"}</tool_call>' * 2
    ids = [event.id for event in stream([text], "hermes", ids="native")[0] if isinstance(event, ToolCallStart)]
    assert ids[0] != "late"
    assert ids[1] == "a" != ids[2]


def test_limit_of_native_ids():
    text = '<tool_call>{"id": "abc", "name": "f"}</tool_call>'
    assert stream([text], "hermes", ids="native", limits=Limits(id=3))[0][0].id == "abc"
    assert stream([text], "hermes", ids="native", limits=Limits(id=2))[0][0].id != "abc"


def test_make_id():
    events, _ = stream([CALL * 2], "hermes", make_id=lambda index, name: f"{name}-{index}")
    assert [event.id for event in events if isinstance(event, ToolCallStart)] == ["f-0", "f-1"]


@pytest.mark.parametrize("made", [None, "", 7, b"x"])
def test_make_id_makes_strings(made):
    with pytest.raises(OptionError, match=r"make_id\(0, 'f'\): expected a new non-empty str"):
        stream([CALL], "hermes", make_id=lambda index, name: made)


def test_make_id_makes_new_ids():
    with pytest.raises(OptionError, match=r"make_id\(1, 'f'\)"):
        stream([CALL * 2], "hermes", make_id=lambda index, name: "same")


def test_make_id_that_raises_is_named():
    def broken(index, name):
        raise KeyError("no ids left")

    with pytest.raises(OptionError, match="no ids left") as error:
        stream([CALL], "hermes", make_id=broken)
    assert isinstance(error.value.__cause__, KeyError)


def test_make_id_cannot_feed_the_parser():
    def reentrant(index, name):
        parser.feed("x")

    parser = StreamParser("hermes", make_id=reentrant)
    with pytest.raises(OptionError) as error:
        parser.feed(CALL)
    assert isinstance(error.value.__cause__, ParserStateError)


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


# Faults inside


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_fault_anywhere_costs_no_text_and_shows_no_call_as_runnable(options, caplog):
    whole = StreamParser("hermes", **options)
    before, _ = rest(whole, ALL_STATES)
    for at in range(len(ALL_STATES)):
        for pieces in ([ALL_STATES], list(ALL_STATES)):
            caplog.clear()
            with fault_after(at) as fault:
                events, _ = stream(pieces, "hermes", **options)
                struck = not fault.armed
            check_contract(events, ALL_STATES)
            assert len(caplog.records) == struck
            if struck:
                for end in [event for event in events if type(event).__name__ == "ToolCallEnd"]:
                    assert end.status == "complete" or end.reason
                assert events == before or any(event.span[1] == len(ALL_STATES) for event in events)


def test_a_fault_at_the_end_of_the_text_stays_inside(caplog):
    """Half a character becomes U+FFFD when the text ends: the one code point that only finish() reads."""
    with fault_after(2):
        events, result = stream([b"ab\xe2"], "hermes")
    assert without_spans(steps(events)) == [("content", "ab\ufffd")]
    assert result.finish_reason == "stop"
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_a_fault_ends_the_open_call_as_invalid(caplog):
    with fault_after(50):
        events, result = stream([CALL + " bye"], "hermes")
    assert without_spans(steps(events)) == [
        ("start", 0, "f", 0),
        ("arguments", 0, '{"a": "x<too'),
        ("end", 0, "invalid", '{"a": "x<too', "fault"),
        ("content", 'l_call>y"}}</tool_call> bye'),
    ]
    assert result.finish_reason == "length"
    assert [record.levelname for record in caplog.records] == ["ERROR"]


# Mistakes of the caller


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


# Pieces


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


def test_a_piece_of_plain_text_goes_out_as_itself():
    parser = StreamParser("hermes")
    parser.feed("so")
    for piece in ("plain words", "日本 plain", "\n\n", "a\u00e9"):
        (event,) = parser.feed(piece)
        assert event.text is piece


def test_a_piece_of_arguments_goes_out_as_itself():
    parser = StreamParser("hermes")
    parser.feed('<tool_call>{"name": "f", "arguments": {"a": "so')
    for piece in ("plain words", "日本 plain", '", "b": [1, {"c": "', "\\n"):
        (event,) = parser.feed(piece)
        assert event.text is piece


def test_a_piece_of_a_value_goes_out_as_itself_if_nothing_in_it_is_escaped():
    parser = StreamParser("qwen3_coder", tools=[{"name": "f", "parameters": {"properties": {"a": {"type": "string"}}}}])
    parser.feed("<tool_call><function=f><parameter=a>so")
    for piece in ("plain words", "日本 plain"):
        (event,) = parser.feed(piece)
        assert event.text is piece
    assert [event.text for event in parser.feed('a "word"')] == ['a \\"word\\"']


# Limits that no log shows


def test_arguments_past_their_limit_go_out_and_are_not_kept():
    text = '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'
    assert check_every_cut(text, "hermes", limits=Limits(arguments=8))[-1][3] == '{"a": 1}'
    joined = check_every_cut(text, "hermes", limits=Limits(arguments=7))
    assert joined[1][2] == '{"a": 1}'
    assert joined[2][:5] == ("end", 0, "complete", None, None)


@pytest.mark.parametrize("value", [0, 1, 2, 3, 5, 8, 13, 21, 34, 55])
@pytest.mark.parametrize(
    "field",
    [
        "name",
        "id",
        "arguments_before_name",
        "quoted_hold",
        "resync_hold",
        "malformed",
        "whitespace",
        "calls",
        "arguments",
    ],
)
def test_every_limit_under_every_cut(field, value):
    limits = Limits(**{field: value})
    check_every_cut(ALL_STATES, "hermes", ids="native", limits=limits)
    check_every_cut(ALL_STATES, "hermes", calls_in_reasoning=True, trim=True, malformed_as_text=True, limits=limits)


@pytest.mark.parametrize("depth", [1, 2, 3, 1022, 1023])
def test_depth_at_below_and_above(depth):
    for deep, status in ((depth - 1, "complete"), (depth, "complete"), (depth + 1, "invalid")):
        if deep:
            text = '<tool_call>{"name": "f", "arguments": {"a":' + "[" * (deep - 1) + "]" * (deep - 1) + "}}"
            if deep == 1:
                text = '<tool_call>{"name": "f", "arguments": {}}'
            events, _ = stream([text], "hermes", limits=Limits(depth=depth))
            end = next(event for event in events if type(event).__name__ == "ToolCallEnd")
            assert end.status == status
            assert status == "complete" or end.reason == "depth"


# The whole message


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
