"""One grammar: parse() is the stream fed once and finished, for every format and whatever the text."""

import random

import pytest
from texts import parts_of, shrapnel

import toolweir
from toolweir import Message, MessageBuilder, StreamParser

FORMATS = toolweir.formats()


def told(message: Message) -> tuple[object, ...]:
    """All that a message says but its ids."""
    calls = [(call.index, call.name, call.arguments, call.status, call.reason) for call in message.tool_calls]
    kinds = [(kind, part if isinstance(part, str) else kind) for kind, part in message.segments]
    return (
        message.content,
        message.reasoning,
        calls,
        message.malformed,
        message.skipped,
        kinds,
        message.finish_reason,
        message.stop_sequence,
        message.warnings,
    )


def streamed(text: str, format: str, finish: str, **options: object) -> Message:
    parser, builder = StreamParser(format, **options), MessageBuilder()
    for character in text:
        builder.extend(parser.feed(character))
    builder.extend(parser.finish(finish))
    return builder.finish(parser.result)


@pytest.mark.parametrize("format", FORMATS)
def test_parse_says_what_the_stream_said(format: str) -> None:
    example = toolweir.format_info(format).example
    for text in (f"  Hi\n\n{example}\n", f"{example} bye \n", " \n", "", "\n a \n", example[: len(example) * 2 // 3]):
        assert told(toolweir.parse(text, format)) == told(streamed(text, format, "stop"))


@pytest.mark.parametrize("format", FORMATS)
def test_parse_agrees_on_broken_texts(format: str) -> None:
    parts = parts_of(format)
    for seed in range(40):
        text = shrapnel(random.Random(seed), parts) + " "
        for options in ({}, {"trim": True}, {"reasoning": "started", "stop": ["b"]}):
            whole = toolweir.parse(text, format, finish="length", **options)
            assert told(whole) == told(streamed(text, format, "length", **options))


def test_what_is_around_the_text_stays() -> None:
    assert toolweir.parse("  a b \n", "hermes").content == "  a b \n"


def test_bytes_are_read_as_text() -> None:
    assert toolweir.parse("é\n".encode(), "hermes").content == "é\n"
