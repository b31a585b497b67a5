"""Harmony beside its case files: calls written in its forms come back, and the reference library reads the same."""

import itertools
import json
import random
from typing import Any

import pytest
from support import check_every_cut, random_cut, stream

import toolweir

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("get_weather", {"city": "Zürich", "days": 3}),
    ("list_all", {}),
    ("write", {"path": "a.py", "text": 'say("<|channel|>final<|message|>")\n\t# <|call|> \\ 日本 🎉'}),
    ("deep", {"a": [1, -2.5e3, None, True, {"b": {}}], "to=functions.x": "<|start|>assistant to=f"}),
]

HEADERS = (
    "<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>",
    "<|channel|>commentary to=functions.{name}<|constrain|>json<|message|>",
    "<|channel|>commentary to=functions.{name}<|message|>",
    "<|channel|>analysis to={name} code<|message|>",
    " to=functions.{name}<|channel|>commentary json<|message|>",
    " to={name}<|message|>",
)
"""How models and templates begin a call where the prompt ends in `<|start|>assistant`."""


def text_of(calls: list[tuple[str, dict[str, Any]]], header: str) -> str:
    messages = [
        header.format(name=name) + json.dumps(arguments, ensure_ascii=False) + "<|call|>" for name, arguments in calls
    ]
    return "<|start|>assistant".join(messages)


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("count", [1, len(CALLS)])
def test_calls_come_back(header: str, count: int) -> None:
    for calls in itertools.combinations(CALLS, count):
        text = text_of(list(calls), header)
        check_every_cut(text, "harmony")
        message = toolweir.parse(text, "harmony")
        assert [(call.name, json.loads(call.arguments)) for call in message.tool_calls] == list(calls)
        assert message.content is None
        assert message.finish_reason == "tool_calls"


def test_a_header_waits_for_nothing_but_its_end() -> None:
    parser = toolweir.StreamParser("harmony")
    assert parser.feed("<|channel|>analysis<|message|>") == ()
    assert parser.channel == "reasoning"
    assert [event.text for event in parser.feed("H")] == ["H"]
    assert [event.text for event in parser.feed("m<|end|>")] == ["m"]
    assert parser.feed("<|start|>assistant<|channel|>final<|message|>") == ()
    assert parser.channel == "content"
    assert [event.text for event in parser.feed("A")] == ["A"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<|start|>assistant to=functions.f<|channel|>commentary<|sta<|call|>", "header"),
        ("<|start|>assistant to=functions.f<|message|><|sta<|call|>", "json"),
        ("<|start|>assistant to=functions.f<|message|><{}<|call|>", "json"),
        ("<|start|>assistant to=functions.f<|message|><|sta{}<|call|>", "json"),
    ],
)
def test_a_marker_that_breaks_off_is_no_call_and_hides_no_marker(text: str, reason: str) -> None:
    check_every_cut(text + "Hm", "harmony")
    message = toolweir.parse(text + "Hm", "harmony")
    assert [(block.raw, block.reason) for block in message.malformed] == [(text, reason)]
    assert (message.tool_calls, message.content) == ([], "Hm")


def test_a_copy_in_the_middle_of_a_header_goes_on_alone() -> None:
    parser = toolweir.StreamParser("harmony")
    parser.feed("<|channel|>commentary to=functions.f <|con")
    other = parser.copy()
    other.feed("strain|>json<|message|>{}")
    [start, *_] = parser.feed("strain|>json<|message|>{")
    assert (start.name, parser.channel, other.channel) == ("f", "call", "call")


def test_special_tokens_fed_apart() -> None:
    parser = toolweir.StreamParser("harmony")
    events: list[Any] = []
    special = ("<|channel|>", "<|message|>", "<|end|>", "<|start|>", "<|return|>")
    first = ["<|channel|>", "analysis", "<|message|>", "a <|end|> b", "<|end|>"]
    second = ["<|start|>", "assistant", "<|channel|>", "final", "<|message|>", "<|channel|>", "x", "<|message|>", "y"]
    for piece in [*first, *second, "<|return|>"]:
        events += parser.feed_special(piece) if piece in special else parser.feed(piece)
    events += parser.finish("stop")
    reasoning = "".join(event.text for event in events if isinstance(event, toolweir.ReasoningDelta))
    assert reasoning == "a <|end|> b", "a marker that the model spelled is text"
    assert "".join(event.text for event in events if isinstance(event, toolweir.ContentDelta)) == "y"


# The reference library


@pytest.fixture(scope="module")
def reference() -> Any:
    harmony = pytest.importorskip("openai_harmony")
    try:
        return harmony.load_harmony_encoding("HarmonyGptOss")
    except Exception as error:  # its vocabulary is a download; TIKTOKEN_ENCODINGS_BASE names a folder that has it
        pytest.skip(f"openai-harmony has no vocabulary: {error}")


def random_turn(rng: random.Random) -> str:
    """Messages as gpt-oss writes them, behind `<|start|>assistant`."""
    words = ["Hello", " world", "\n", '"', "é", " 日本", "{", "to=x", " 1"]
    messages = []
    for _ in range(rng.randrange(1, 5)):
        said = "x" + "".join(rng.choices(words, k=rng.randrange(6))) + "."
        name, arguments = rng.choice(CALLS[:2])  # it takes a marker inside a string for a token
        call = rng.choice(HEADERS[:5]).format(name=name) + json.dumps(arguments)
        messages.append(
            rng.choice(
                (
                    f"<|channel|>analysis<|message|>{said}<|end|>",
                    f"<|channel|>commentary<|message|>{said}<|end|>",
                    f"<|channel|>final<|message|>{said}<|end|>",
                    f"{call}<|call|>",
                )
            )
        )
    return "<|start|>assistant".join(messages)


def as_reference(reference: Any, text: str) -> list[tuple[str, ...]]:
    """The messages that the reference library finds."""
    tokens = reference.encode(text, allowed_special="all")
    found: list[tuple[str, ...]] = []
    role = pytest.importorskip("openai_harmony").Role.ASSISTANT
    for message in reference.parse_messages_from_completion_tokens(tokens, role=role):
        said = "".join(part.text for part in message.content)
        if message.recipient:
            found.append(("call", message.recipient.removeprefix("functions."), said))
        else:
            found.append(("reasoning" if message.channel == "analysis" else "content", said))
    return found


def segments(events: list[Any]) -> list[tuple[str, ...]]:
    """Events as the messages they stand for; neighbouring messages of one channel cannot be told apart."""
    found: list[tuple[str, ...]] = []
    name = ""
    for event in events:
        match event:
            case toolweir.ToolCallStart():
                name = event.name
            case toolweir.ToolCallEnd(_, "complete", arguments):
                found.append(("call", name, arguments or ""))
            case toolweir.ContentDelta(text) | toolweir.ReasoningDelta(text):
                kind = "content" if isinstance(event, toolweir.ContentDelta) else "reasoning"
                if found and found[-1][0] == kind:
                    found[-1] = (kind, found[-1][1] + text)
                else:
                    found.append((kind, text))
    return found


def merged(messages: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for message in messages:
        if found and message[0] != "call" and found[-1][0] == message[0]:
            found[-1] = (message[0], found[-1][1] + message[1])
        else:
            found.append(message)
    return found


def test_the_reference_library_reads_the_same(reference: Any) -> None:
    for seed in range(200):
        rng = random.Random(seed)
        text = random_turn(rng)
        expected = merged(as_reference(reference, text))
        for pieces in ([text], list(text), random_cut(text, rng)):
            events, _ = stream(pieces, "harmony")
            assert segments(events) == expected, text
