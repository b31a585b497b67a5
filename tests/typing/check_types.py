"""What a type checker knows of the public names; `make lint` reads this file, nobody runs it."""

from typing import assert_type

import toolweir

parser = toolweir.StreamParser("hermes", tools=[{"name": "f"}], reasoning="started")
assert_type(parser.feed("text"), tuple[toolweir.Event, ...])
assert_type(parser.feed(b"bytes"), tuple[toolweir.Event, ...])
assert_type(parser.copy(), toolweir.StreamParser)
assert_type(parser.result.finish_reason, str | None)
assert_type(toolweir.parse("text", "hermes").tool_calls, list[toolweir.ToolCall])
assert_type(toolweir.__version__, str)

parsers = [parser, parser.copy()]
assert_type(toolweir.feed_many(parsers, ["a", b"b"]), list[str | tuple[toolweir.Event, ...]])
assert_type(toolweir.feed_many(tuple(parsers), ["a", "b"], events=True), list[tuple[toolweir.Event, ...]])
table = toolweir.TokenTable([b"a", b"b"], {"<|im_end|>": 2})
assert_type(table.feed_ids(parser, [0, 1]), tuple[toolweir.Event, ...])
assert_type(table.feed_many(parsers, [0, [0, 1]], events=True), list[tuple[toolweir.Event, ...]])
assert_type(toolweir.TokenTable.from_tiktoken(None, special=[1]), toolweir.TokenTable)

for event in parser.finish("stop"):
    match event:
        case toolweir.ContentDelta(text) | toolweir.ReasoningDelta(text):
            assert_type(text, str)
        case toolweir.ToolCallStart(index, id, name, position):
            assert_type((index, id, name, position), tuple[int, str, str, int])
        case toolweir.ArgumentsDelta(index, text):
            assert_type((index, text), tuple[int, str])
        case toolweir.ToolCallEnd(index, status, arguments, reason):
            assert_type(status, toolweir.CallStatus)
            assert_type((arguments, reason), tuple[str | None, toolweir.Reason | None])
        case toolweir.MalformedCall(raw, why):
            assert_type((raw, why), tuple[str, toolweir.Reason])
        case toolweir.ToolCallSkipped(position, name, skipped):
            assert_type((position, name, skipped), tuple[int, str, toolweir.SkipReason])

toolweir.StreamParser("hermes", reasoning="sometimes")  # type: ignore[arg-type]
toolweir.StreamParser("hermes", "tools")  # type: ignore[call-arg]
parser.feed(7)  # type: ignore[arg-type]
