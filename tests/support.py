"""What the tests share: ways to cut a text, events in a form that no cut changes, the contract every stream keeps."""

import random
import re
import signal
from collections import Counter
from collections.abc import Iterator
from typing import Any

import toolweir
from toolweir import (
    ArgumentsDelta,
    ContentDelta,
    JsonScanner,
    MalformedCall,
    ReasoningDelta,
    StreamParser,
    ToolCallEnd,
    ToolCallSkipped,
    ToolCallStart,
)
from toolweir.options import read_format

Piece = str | bytes
Steps = list[tuple[Any, ...]]


def cuts(text: str, seeds: int = 2) -> Iterator[tuple[str, list[Piece]]]:
    """Named ways to cut a text: whole, by character, by byte, at random."""
    yield "whole", [text]
    yield "characters", list(text)
    raw = text.encode("utf-8", "replace")
    yield "bytes", [raw[i : i + 1] for i in range(len(raw))]
    for seed in range(seeds):
        yield f"random {seed}", random_cut(text, random.Random(seed))


def splits(text: str, longest: int = 200) -> Iterator[tuple[str, list[Piece]]]:
    """Every way to cut a short text into two pieces."""
    if len(text) <= longest:
        for at in range(1, len(text)):
            yield f"split at {at}", [text[:at], text[at:]]


def random_cut(text: str, rng: random.Random) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    while at < len(text):
        step = rng.choice((1, 1, 2, 3, 4, 7, 16, 40))
        pieces.append(text[at : at + step])
        at += step
    return pieces


def stream(pieces: list[Piece], format: str, finish: str | None = "stop", **options: Any) -> tuple[list[Any], Any]:
    """All events of a stream and its result."""
    parser = StreamParser(format, **options)
    events: list[Any] = []
    for piece in pieces:
        events += parser.feed(piece)
    events += parser.finish(finish)
    return events, parser.result


def steps(events: list[Any]) -> Steps:
    """Events with neighbouring deltas joined and ids left out: what must not depend on the cut. Spans too."""
    joined: Steps = []
    for event in events:
        match event:
            case ContentDelta(text) | ReasoningDelta(text):
                kind = "content" if isinstance(event, ContentDelta) else "reasoning"
                last = joined[-1] if joined else None
                if last and last[0] == kind and last[2][1] == event.span[0]:
                    joined[-1] = (kind, last[1] + text, (last[2][0], event.span[1]))
                else:
                    joined.append((kind, text, event.span))
            case ArgumentsDelta(index, text):
                last = joined[-1] if joined else None
                if last and last[0] == "arguments" and last[1] == index:
                    joined[-1] = ("arguments", index, last[2] + text, (last[3][0], event.span[1]))
                else:
                    joined.append(("arguments", index, text, event.span))
            case ToolCallStart(index, _, name, position):
                joined.append(("start", index, name, position, event.span))
            case ToolCallEnd(index, status, arguments, reason):
                joined.append(("end", index, str(status), arguments, reason and str(reason), event.span))
            case MalformedCall(raw, reason):
                joined.append(("malformed", raw, str(reason), event.span))
            case ToolCallSkipped(position, name, reason):
                joined.append(("skipped", position, name, str(reason), event.span))
            case _:
                raise AssertionError(f"unknown event {event!r}")
    return joined


def text_of(step: tuple[Any, ...]) -> str | None:
    """The text of a delta, None of any other step."""
    return step[-2] if step[0] in ("content", "reasoning", "arguments") else None


def without_spans(joined: Steps) -> Steps:
    return [step[:-1] for step in joined]


def check_contract(events: list[Any], text: str | None = None, limits: toolweir.Limits | None = None) -> None:
    """What DESIGN calls the contract, as far as one stream can show it."""
    started: dict[int, list[str]] = {}
    ended: set[int] = set()
    ids: set[str] = set()
    for event in events:
        match event:
            case ContentDelta(part) | ReasoningDelta(part):
                assert part, "an empty delta"
                if text is not None:
                    assert text[slice(*event.span)] == part, "a span that is not where the text stands"
            case MalformedCall(raw, _):
                if text is not None:
                    assert text[slice(*event.span)] == raw
            case ToolCallStart(index, id, name, _):
                assert index == len(started), "indices have a hole"
                assert name
                assert id
                assert id not in ids
                assert len(started) == len(ended), "a call starts before the last one ended"
                ids.add(id)
                started[index] = []
            case ArgumentsDelta(index, part):
                assert index in started
                assert index not in ended
                assert part, "an empty delta"
                started[index].append(part)
            case ToolCallEnd(index, status, arguments, reason):
                assert index in started
                assert index not in ended
                ended.add(index)
                sent = "".join(started[index])
                if arguments is not None:
                    assert arguments == sent
                check_prefix(sent, whole=status == "complete")
                assert (reason is None) == (status == "complete")
    assert len(started) == len(ended), "a call never ended"


def check_counts(events: list[Any], result: Any) -> None:
    """The result counts what the events say."""
    kinds = Counter(type(event) for event in events)
    ends = Counter(event.status for event in events if isinstance(event, ToolCallEnd))
    assert (result.complete, result.incomplete, result.invalid) == (
        ends["complete"],
        ends["incomplete"],
        ends["invalid"],
    )
    assert (result.calls, result.malformed, result.skipped) == (
        kinds[ToolCallStart],
        kinds[MalformedCall],
        kinds[ToolCallSkipped],
    )


def check_prefix(sent: str, *, whole: bool) -> None:
    """What was sent can be completed to a JSON object, and is one if the call is complete."""
    scanner = JsonScanner()
    result = scanner.feed(sent)
    assert result >= -1, f"not a prefix of JSON: {sent!r}"
    assert sent == "" or sent[0] == "{"
    assert scanner.complete or not whole


def headers(opener: str, inside: str) -> str:
    """Headers of messages as a pattern: whole, cut off by another marker or by the end, or their last marker alone."""
    word = r"[^<>{}\[\]()]"
    return (
        rf"(?:<\|{opener}\|>|(?:^|(?<=[>=]))\s*(?=assistant|to=))(?:<\|{inside}\|>|{word})*"
        rf"(?:<\|message\|>|<?[|\w]*$|(?=<\|))"
        rf"|<\|(?:message|{inside})\|>"
    )


HEADERS = {
    "harmony": headers("(?:start|channel)", "(?:channel|constrain)"),
    "muse_glimmer": headers("start", "start"),
}


def markup_of(format: str) -> re.Pattern[str]:
    """Every text that the format names as markup; a tag with a name in it goes to its bracket."""
    spec = read_format(format)
    markup = {*spec.end_of_turn, *spec.markup, *(marker for pair in spec.reasoning for marker in pair)}
    for opener in spec.openers:
        markup |= {opener.marker, *opener.closers, opener.marker + opener.options.get("guided_prefix", "")}
        markup |= {*opener.options.get("stray_tags", ()), *opener.options.get("guided_tags", ())}
        markup |= {f"{name}\n" for name in opener.options.get("text_names", ())}  # a header that says: text
    longest_first = sorted(markup - {""}, key=len, reverse=True)
    ends = "|".join({re.escape(opener.options.get("tag_end", ">")) for opener in spec.openers})
    tags = [re.escape(tag) + f"(?:[^<>]*(?:{ends}))?" * tag.endswith(("=", '"')) for tag in longest_first]
    return re.compile("|".join([*([HEADERS[spec.name]] if spec.name in HEADERS else []), *tags]) or "(?!)")


def check_coverage(text: str, events: list[Any], format: str, stopped: bool = False) -> None:
    """Nothing is lost or told twice: what no span covers is whitespace, a marker, or the envelope of a call.

    Only a call that begins inside a string of a broken one stands where other events stand. `stopped`: the text behind
    the last span was dropped by a stop string or an end of turn.
    """
    markup = markup_of(format)
    told = 0
    named = (0, 0)
    in_call = False
    for event in events:
        start, end = event.span
        if isinstance(event, ToolCallStart | ToolCallSkipped):
            in_call = in_call and start >= told  # else reading was resumed inside a string
            told = min(told, start)
            named = event.span
        early = isinstance(event, ArgumentsDelta) and end <= named[1]  # written before the name
        assert start >= (named[0] if early else told), f"{event!r} tells {text[start:told]!r} again"
        if not in_call:
            gap = markup.sub("", text[told:start])
            assert not gap.strip(), f"{gap!r} before {event!r} is lost"
        told = max(told, end)
        in_call = isinstance(event, ToolCallStart | ToolCallSkipped | ArgumentsDelta | ToolCallEnd)
    gap = markup.sub("", text[told:])
    assert in_call or stopped or not gap.strip(), f"{gap!r} at the end is lost"


def check_every_cut(text: str, format: str, finish: str | None = "stop", seeds: int = 2, **options: Any) -> Steps:
    """Runs the text under every cut, checks the contract and that all agree; returns the joined events."""
    first: Steps | None = None
    first_result = None
    plain = text.encode("utf-8", "replace").decode() if any(0xD800 <= ord(c) <= 0xDFFF for c in text) else text
    for name, pieces in cuts(plain, seeds):
        events, result = stream(pieces, format, finish, **options)
        check_contract(events, plain)
        check_counts(events, result)
        stopped = result.stop_sequence is not None or "text_after_end_of_turn" in result.warnings
        check_coverage(plain, events, format, stopped)
        joined = steps(events)
        if first is None:
            first, first_result = joined, result
        assert joined == first, f"cut by {name}"
        assert result == first_result, f"cut by {name}"
    assert first is not None
    return first


def heed_interrupts() -> None:
    """For a child process on POSIX, as its preexec_fn: a job in the background inherits that interrupts are ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def read_rest(parser: StreamParser, text: str) -> tuple[list[Any], Any]:
    """What a parser says about the rest of a text, and its result."""
    events = [event for character in text for event in parser.feed(character)]
    return [*events, *parser.finish("stop")], parser.result
