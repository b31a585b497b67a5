"""What a parser tells about itself: channel, offset, what is held, its result."""

import pytest
from support import read_rest, steps, without_spans
from texts import ALL_STATES, STATE_OPTIONS
from texts import QUOTING_CALL as CALL

from toolweir import StreamParser
from toolweir.errors import ParserStateError


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


@pytest.mark.parametrize("options", STATE_OPTIONS, ids=str)
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
    first = read_rest(parser, ALL_STATES)
    with pytest.raises(ParserStateError):
        parser.feed("x")
    parser.reset()
    assert (parser.offset, parser.held, parser.channel, parser.may_stop) == (0, "", "content", False)
    assert read_rest(parser, ALL_STATES) == first
    for at in range(0, len(ALL_STATES), 7):
        parser.reset()
        parser.feed(ALL_STATES[:at])
    parser.reset()
    assert read_rest(parser, ALL_STATES) == first
