"""Many texts at once: what parse() says of each, in order, in bounded memory, on threads or in processes."""

import os
import platform
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from texts import OPTIONS, parts_of, shrapnel

import toolweir
from toolweir import OptionError, bulk, parse, parse_many
from toolweir.bulk import AHEAD, BATCH, BATCH_TEXTS

FORMATS = toolweir.formats()

CALL = '<tool_call>\n{"name": "f", "arguments": {"a": "%s"}}\n</tool_call>'


def numbered(index: int, name: str) -> str:
    return f"id_{index}"


@contextmanager
def without_gil() -> Iterator[None]:
    """As if threads did not take turns."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bulk, "_threads_take_turns", lambda: False)
        yield


def generations(format: str, count: int = 30) -> list[str | bytes]:
    parts = parts_of(format)
    texts: list[str | bytes] = [shrapnel(random.Random(seed), parts) for seed in range(count)]
    return [toolweir.format_info(format).example, "", *texts, str(texts[0]).encode(), b"caf\xe9", "plain"]


@pytest.mark.parametrize("format", FORMATS)
def test_the_messages_are_those_of_parse(format: str) -> None:
    texts = generations(format)
    for options in OPTIONS[:3]:
        options = {**options, "make_id": numbered}
        expected = [parse(text, format, finish="length", **options) for text in texts]
        for threads in (None, 1, 3):
            assert list(parse_many(iter(texts), format, threads=threads, finish="length", **options)) == expected
        with without_gil():
            assert list(parse_many(iter(texts), format, threads=3, finish="length", **options)) == expected


def test_no_text_leaves_a_trace_in_the_next() -> None:
    broken = [
        "<think>a",
        "<tool_call>\n{",
        CALL % "x" + "\n<|im_end|> b",
        "<tool_call>\n" + '{"name": "f", "arguments": {"a": 1',
        "x",
    ]
    for text in broken:
        assert [message.content for message in parse_many([text, "plain"], "hermes")][1] == "plain"
        with without_gil():
            assert [message.warnings for message in parse_many([text, "plain"], "hermes", threads=2)][1] == ()


def test_long_and_short_texts_keep_their_order() -> None:
    texts = ["x" * length for length in (1, BATCH, 2, 3 * BATCH, *[5] * (BATCH_TEXTS + 1), BATCH - 1, 7)]
    assert [message.content for message in parse_many(texts, "hermes", threads=2)] == texts
    with without_gil():
        assert [message.content for message in parse_many(texts, "hermes", threads=2)] == texts


@pytest.mark.parametrize("length", [1, BATCH])
def test_texts_are_taken_as_messages_are_asked_for(length: int) -> None:
    taken = 0

    def texts() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "x" * length

    messages = parse_many(texts(), "hermes")
    next(messages)
    assert taken == 1
    taken = 0
    messages = parse_many(texts(), "hermes", threads=2)
    assert taken == 0
    for number in range(1, 3 * BATCH_TEXTS, 100):
        next(messages)
        assert taken <= number + (2 * AHEAD + 1) * (BATCH_TEXTS if length == 1 else 1)
    messages.close()


@pytest.mark.parametrize(("threads", "gil"), [(1, True), (2, True), (2, False)])
def test_what_raises_comes_behind_the_messages_before_it(
    threads: int, gil: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "_threads_take_turns", lambda: gil)

    def texts() -> Iterator[str]:
        yield from "ab"
        raise LookupError("no more")

    messages = parse_many(texts(), "hermes", threads=threads)
    assert [next(messages).content for _ in "ab"] == ["a", "b"]
    with pytest.raises(LookupError, match="no more"):
        next(messages)

    messages = parse_many(["a", "b", 3, "c"], "hermes", threads=threads)  # type: ignore[list-item]
    assert [next(messages).content for _ in "ab"] == ["a", "b"]
    with pytest.raises(TypeError, match="expected str or UTF-8 bytes, got int"):
        next(messages)

    with pytest.raises(OptionError, match="make_id"):
        list(parse_many([CALL % "x"], "hermes", threads=threads, make_id=lambda index, name: ""))


def test_wrong_options_raise_at_once() -> None:
    with pytest.raises(toolweir.UnknownFormatError):
        parse_many([], "herms")
    with pytest.raises(OptionError, match="reasoning"):
        parse_many([], "hermes", reasoning="maybe")
    for threads in (0, -1, True, 2.0, "2"):
        with pytest.raises(OptionError, match="threads: expected None or a number of threads"):
            parse_many([], "hermes", threads=threads)  # type: ignore[arg-type]


def test_options_that_can_be_read_once_hold_for_all_texts() -> None:
    for threads in (1, 2):
        messages = list(parse_many(["a STOP b"] * 3, "hermes", threads=threads, stop=iter(["STOP"])))
        assert [message.stop_sequence for message in messages] == ["STOP"] * 3


def test_the_threads_end_with_the_iterator() -> None:
    before = threading.active_count()
    messages = parse_many(iter(lambda: "x" * BATCH, None), "hermes", threads=2)
    next(messages)
    assert threading.active_count() > before
    messages.close()
    assert threading.active_count() == before


def test_no_thread_waits_for_another_over_short_texts() -> None:
    """Where there is a GIL, who asks for the messages reads such texts; where there is none, threads do."""
    readers: set[str] = set()

    def noted(index: int, name: str) -> str:
        readers.add(threading.current_thread().name)
        return "id"

    for _ in parse_many([CALL % "x"] * 600, "hermes", threads=2, make_id=noted):
        pass
    assert readers == {threading.current_thread().name}
    readers.clear()
    for _ in parse_many([CALL % "x", CALL % ("x" * BATCH)] * 3, "hermes", threads=2, make_id=noted):
        pass
    assert len(readers - {threading.current_thread().name}) in (1, 2)  # a long text behind a short one is no short one
    readers.clear()
    with without_gil():
        for _ in parse_many([CALL % "x"] * 600, "hermes", threads=2, make_id=noted):
            pass
    assert readers
    assert threading.current_thread().name not in readers


FAULTS = """
import resource, sys
from toolweir import parse_many

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

text = '<tool_call>{"name": "f", "arguments": {"a": "' + "x" * 1_000_000 + '"}}</tool_call>'
messages = parse_many([text] * 120, "hermes", threads=int(sys.argv[1]), confirm="never")
for _ in range(20):
    next(messages)
before = faults()
rest = sum(1 for _ in messages)
print((faults() - before) / rest)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc" or "asan" in os.environ.get("LD_PRELOAD", ""), reason="of glibc")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_memory_of_long_texts_is_used_again(threads: str) -> None:
    """A text of a megabyte has 244 pages; to ask the system for them anew costs as much as to read it."""
    done = subprocess.run([sys.executable, "-c", FAULTS, threads], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 60
