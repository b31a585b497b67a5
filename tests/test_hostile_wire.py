"""Texts that are made to hurt, to the streams of the three APIs: what a model may write is what a server must encode.

Work is counted, never timed: bytes of memory that are asked for, since what is copied, gathered or sent needs room first.
It grows with the text and not faster, whatever the pieces. What the parser looks at is counted by test_hostile.py.
"""

from collections.abc import Callable
from typing import Any

import pytest
from allocations import check_linear, needs_compiler
from wire_reading import add_up_chat, add_up_messages, add_up_response, frames

from toolweir import Limits, StreamParser, Tools
from toolweir.wire import ChatCompletionStream, MessageStream, ResponseStream

pytestmark = needs_compiler

MEGABYTE = 1 << 20
MANY = 100_000
WIDE = Limits(calls=1 << 20, value=1 << 12, arguments_before_name=1 << 12, resync_hold=1 << 12)
"""Room for every call; what parsers hold is small, so that a text is more than what is held of it."""

APIS = {"chat": ChatCompletionStream, "responses": ResponseStream, "messages": MessageStream}
api = pytest.mark.parametrize("api", APIS.values(), ids=APIS)

TOOLS = Tools([{"type": "custom", "name": "shell"}, {"name": "f", "parameters": {"properties": {"a": {}}}}])
CALL = '<tool_call>{"name": "f", "arguments": '
SHELL = '<tool_call>{"name": "shell", "arguments": '

TEXTS = {
    "prose": ("", "x"),
    "quotes": ("", '"'),
    "controls": ("", "\x00"),
    "three bytes": ("", "日"),
    "surrogates": ("", "\ud800"),
    "angle brackets": ("", "<"),
    "half openers": ("", "<tool_"),
    "openers": ("", "<tool_call>"),
    "thoughts": ("", "<think>x</think>x"),
    "a thought": ("<think>", "\\"),
    "calls": ("", CALL + "{}}</tool_call>"),
    "calls and text": ("", "x" + CALL + '{"a": 1}}</tool_call>\n'),
    "broken calls": ("", CALL + '{"a": ]</tool_call>'),
    "calls without arguments": ("", '<tool_call>{"name": "f"}</tool_call>'),
    "an open string": (CALL + '{"a": "', "x"),
    "escapes": (CALL + '{"a": "', "\\n"),
    "deep arguments": (CALL + '{"a": ', "["),
    "numbers": (CALL + '{"a": [1', ",1"),
    "a custom tool's text": (SHELL + '{"input": "', "x"),
    "a custom tool's escapes": (SHELL + '{"input": "', "\\ud83c\\udf89\\n"),
    "a custom tool's lone surrogates": (SHELL + '{"input": "', "\\ud83c"),
    "a custom tool's endless key": (SHELL + '{"', "k"),
    "a custom tool's escaped key": (SHELL + '{"', '\\"'),
    "whitespace before a custom tool's key": (SHELL + "{", " "),
    "whitespace before a custom tool's value": (SHELL + '{"input"', " "),
    "more behind a custom tool's text": (SHELL + '{"input": "ls", "more": "', "x"),
}


def cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@api
@pytest.mark.parametrize("coalesce", [None, 64])
@pytest.mark.parametrize("name", TEXTS)
def test_texts(name: str, api: Any, coalesce: Any) -> None:
    head, unit = TEXTS[name]
    long = MEGABYTE if len(unit) == 1 else MEGABYTE // 8
    for size, most in ((MEGABYTE, long), (997, long), (4, MEGABYTE // 16), (1, MEGABYTE // 32)):

        def work(count: int, size: int = size) -> Callable[[], object]:
            pieces = [head, *cut(unit * (count // len(unit)), size)]

            def run() -> None:
                stream = api(StreamParser("hermes", tools=TOOLS, limits=WIDE), coalesce=coalesce)
                for piece in pieces:
                    stream.feed(piece)
                stream.finish("stop")
                assert stream.body()

            return run

        check_linear(work, most)


ADDED_UP = {"chat": add_up_chat, "responses": add_up_response, "messages": add_up_messages}


@pytest.mark.parametrize("name", APIS)
@pytest.mark.parametrize("text", [each for each in TEXTS if TEXTS[each][1] != "\ud800"])
def test_what_is_sent_adds_up(text: str, name: str) -> None:
    head, unit = TEXTS[text]
    stream: Any = APIS[name](StreamParser("hermes", tools=TOOLS, limits=WIDE))
    data = [stream.feed(piece) for piece in cut(head + unit * 2000, 7)]
    read = frames(b"".join([*data, stream.finish("stop")]))
    added: Callable[..., Any] = ADDED_UP[name]
    assert added(read) == stream.body()


@pytest.mark.parametrize("name", APIS)
def test_ids_that_clash(name: str) -> None:
    """Ids of the model that are the same when only letters and digits are left, and those that would tell them apart."""

    def work(count: int) -> Callable[[], object]:
        written = [
            *(f"a__{at}" for at in range(count // 2)),
            *(f"a{'.-:_'[at % 4]}{at // 4:0x}" for at in range(count // 2)),
        ]
        written += [f"a{'.:'[at % 2]}" for at in range(2)] * 2
        calls = [
            f"<|tool_call_begin|>{id}<|tool_call_argument_begin|>{{}}<|tool_call_end|>" for id in dict.fromkeys(written)
        ]

        def run() -> None:
            stream: Any = APIS[name](StreamParser("kimi_k2", limits=WIDE))
            for piece in ["<|tool_calls_section_begin|>", *calls]:
                stream.feed(piece)
            stream.finish("stop")

        return run

    check_linear(work, MANY // 8)


def test_log_probabilities() -> None:
    for head, unit in (TEXTS["prose"], TEXTS["an open string"], TEXTS["half openers"], TEXTS["thoughts"]):

        def work(count: int, head: str = head, unit: str = unit) -> Callable[[], object]:
            pieces = [head, *cut(unit * (count // len(unit)), 2)]
            scores = [{"token": "xx", "logprob": -1.0, "bytes": None, "top_logprobs": []}]

            def run() -> None:
                stream = ChatCompletionStream(StreamParser("hermes", limits=WIDE))
                for piece in pieces:
                    stream.feed_with_logprobs(piece, scores)
                stream.finish("stop")
                assert stream.body()

            return run

        check_linear(work, MANY // 4)
