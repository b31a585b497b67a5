"""feed_special: what a model writes is the same whether its special tokens are fed apart or stand in the text."""

import re
from typing import Any

import pytest
from support import steps, without_spans

import toolweir
from toolweir import StreamParser

FORMATS = toolweir.formats()
DSML_CALL = '<｜DSML｜function_calls>\n<｜DSML｜invoke name="f">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>'


def read(text: str, special: list[str], format: str, **options: Any) -> Any:
    """What a parser makes of a text by characters, whose special tokens are fed apart."""
    parser = StreamParser(format, **options)
    events: list[Any] = []
    pattern = "|".join(re.escape(token) for token in sorted(special, key=len, reverse=True))
    for part in re.split(f"({pattern})", text) if pattern else [text]:
        if part in special:
            events += parser.feed_special(part)
        else:
            for char in part:
                events += parser.feed(char)
    return steps([*events, *parser.finish("stop")])


def texts(format: str) -> list[str]:
    info = toolweir.format_info(format)
    thought = "".join(f"{opener}Let me see.{closer}" for opener, closer in info.reasoning_markers[:1])
    end = info.end_of_turn[0] if info.end_of_turn else ""
    return [info.example + end, f"{thought}{info.example}{end}", f"{thought}Well.\n{info.example}"]


@pytest.mark.parametrize("format", FORMATS)
def test_tokens_apart_or_in_the_text(format: str) -> None:
    special = list(toolweir.format_info(format).special_tokens)
    for text in texts(format):
        assert read(text, special, format) == read(text, [], format)


@pytest.mark.parametrize("format", FORMATS)
def test_tokens_that_the_format_does_not_name(format: str) -> None:
    """Parts of markers that a vocabulary has as special tokens of its own."""
    special = [*toolweir.format_info(format).special_tokens, "｜DSML｜", "]<]minimax[>[", "<|box|>"]
    for text in texts(format):
        text = text.replace("Well.", "Well.<|box|>")
        assert read(text, special, format) == read(text, [], format)


def test_a_marker_that_is_no_token_is_one_however_the_thought_ended() -> None:
    names = [step[0] for step in read("<think>Hm</think>" + DSML_CALL, ["<think>", "</think>"], "deepseek_v32")]
    assert names == ["reasoning", "start", "arguments", "end"]


def test_half_a_marker_goes_on_with_a_token_of_its_middle() -> None:
    parser = StreamParser("deepseek_v32")
    assert parser.feed("Well. <") == StreamParser("deepseek_v32").feed("Well. <")
    events = [
        *parser.feed_special("｜DSML｜"),
        *parser.feed(DSML_CALL.removeprefix("<｜DSML｜")),
        *parser.finish("stop"),
    ]
    assert [step[0] for step in steps(events)] == ["start", "arguments", "end"]


def test_a_token_of_the_format_that_is_spelled_is_prose() -> None:
    text = "<think>I use </think> and <tool_call>{"
    assert without_spans(read(text, ["<think>"], "hermes")) == [("reasoning", text.removeprefix("<think>"))]


def test_a_guided_payload_behind_a_token() -> None:
    text = '<think>Hm</think>{"name": "f", "arguments": {"a": 1}}'
    special = ["<think>", "</think>"]
    assert read(text, special, "hermes", output="guided") == read(text, [], "hermes", output="guided")


# By hand


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
