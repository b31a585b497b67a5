"""parse_many(): many whole texts, in order and in bounded memory.

Theory of operation. One parser is made of the options, which is where their mistakes are found; every worker has copies
of it. With threads, texts go out in batches, for a short text costs less than to hand it to a thread; no more batches
are under way than keep the threads busy. What a batch cannot do, a text that is none or a `make_id` that raises, comes
behind the messages before it.

A parser gives up the GIL where it reads a long stretch of text (readers/stretches.pxd), so threads share the cores over
texts of megabytes. simdjson and the objects of a message need the GIL: threads would only take turns over short texts,
and lose time by it. So where there is a GIL, a batch of short ones is read by who asks for its messages, when he does;
only processes read them faster.
"""

import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import cache
from itertools import islice
from operator import length_hint
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from .errors import OptionError
from .formats import Format
from .message import Message
from .parser import StreamParser
from .whole import read_whole

if TYPE_CHECKING:
    from concurrent.futures import Future

    from typing_extensions import Buffer

    Text = str | Buffer

__all__ = ["AHEAD", "in_order", "parse_many"]

Batch = TypeVar("Batch")
Done = TypeVar("Done", covariant=True)


class Promise(Protocol[Done]):
    """What a Future is."""

    def result(self) -> Done:
        """What was promised; waits for it, and raises what came in between."""


BATCH = 256 * 1024
"""Characters or bytes of a batch; a longer text is a batch of its own."""

BATCH_TEXTS = 256
"""Texts of a batch, if they are short."""

AHEAD = 2
"""Batches under way for each thread: one that it reads, one that waits for it."""

LARGE_BLOCK = 31 * 1024 * 1024
"""Bytes. glibc learns from blocks of up to 32 MiB how large those are that come and go."""


def parse_many(
    texts: Iterable["Text"],
    format: str | Format,
    *,
    threads: int | None = None,
    finish: str | None = "stop",
    **options: Any,
) -> Generator[Message, None, None]:
    """The messages of many texts, in their order; each is what parse() says of its text.

    Texts are taken as messages are asked for. With `threads` above 1, so many threads read ahead, each by two batches:
    texts of a quarter of a megabyte, and where there is no GIL also so much of shorter ones, which with a GIL are read
    in turn, since threads would lose time over them; `make_id` is then called from all of them, and closing the
    generator ends them. `finish` and `options` are parse()'s, for all texts.

    Raises, at once, what StreamParser raises for wrong options, and OptionError for `threads`; while it is read, what
    the iterable raises, and TypeError for a text that is neither str nor bytes, each behind the messages before it.
    """
    if threads is not None and (type(threads) is not int or threads < 1):
        raise OptionError(f"threads: expected None or a number of threads, got {threads!r}")
    parser = StreamParser(format, **options)
    if threads is None or threads == 1:
        return _in_turn(parser, iter(texts), finish)
    return _by_threads(parser, iter(texts), finish, threads)


def _in_turn(parser: StreamParser, texts: Iterator["Text"], finish: str | None) -> Generator[Message, None, None]:
    for text in texts:
        if length_hint(text) >= BATCH:
            _expect_large_blocks()
        yield read_whole(parser, text, finish)
        parser.reset()


def _by_threads(
    parser: StreamParser, texts: Iterator["Text"], finish: str | None, threads: int
) -> Generator[Message, None, None]:
    from concurrent.futures import ThreadPoolExecutor  # who uses one thread does not pay for the import

    def submit(batch: list["Text | Exception"]) -> "Future[list[Message | Exception]] | _Later":
        if length_hint(batch[0]) < BATCH and _threads_take_turns():
            return _Later(parser, batch, finish)
        _expect_large_blocks()
        return pool.submit(_read_batch, parser.copy(), batch, finish)

    pool = ThreadPoolExecutor(threads, "toolweir")
    try:
        for messages in in_order(submit, _batches(texts), threads * AHEAD):
            for message in messages:
                if isinstance(message, Exception):
                    raise message
                yield message
    finally:
        pool.shutdown(cancel_futures=True)


@cache
def _expect_large_blocks() -> None:
    """Memory of long texts is to be used again.

    glibc gives a block of megabytes back to the system when it is freed, and to ask for its pages anew takes as long as
    the reading, until it has seen a larger one come and go. Here is one; no page of it is touched.
    """
    bytes(LARGE_BLOCK)


def in_order(submit: Callable[[Batch], "Promise[Done]"], batches: Iterator[Batch], most: int) -> Iterator[Done]:
    """What comes of each batch, in their order; `submit` has it done elsewhere, and no more than `most` wait for it."""
    waiting: deque[Promise[Done]] = deque()
    while True:
        waiting.extend(map(submit, islice(batches, most - len(waiting))))
        if not waiting:
            return
        yield waiting.popleft().result()


def _batches(texts: Iterator["Text"]) -> Iterator[list["Text | Exception"]]:
    """The texts in batches; if their iterator raises, its error is the last of them."""
    batch: list[Text | Exception] = []
    size = 0
    try:
        for text in texts:
            if batch and length_hint(text) >= BATCH:
                yield batch
                batch, size = [], 0
            batch.append(text)
            size += length_hint(text)
            if size >= BATCH or len(batch) == BATCH_TEXTS:
                yield batch
                batch, size = [], 0
    except Exception as error:
        batch.append(error)
    if batch:
        yield batch


class _Later:
    """The messages of a batch, read when somebody asks for them."""

    def __init__(self, parser: StreamParser, batch: list["Text | Exception"], finish: str | None) -> None:
        self.parser, self.batch, self.finish = parser, batch, finish

    def result(self) -> list[Message | Exception]:
        return _read_batch(self.parser.copy(), self.batch, self.finish)


def _threads_take_turns() -> bool:
    """Whether this interpreter has a GIL."""
    return bool(getattr(sys, "_is_gil_enabled", lambda: True)())


def _read_batch(parser: StreamParser, texts: list["Text | Exception"], finish: str | None) -> list[Message | Exception]:
    """The messages of a batch; the first error ends it and is the last of them."""
    messages: list[Message | Exception] = []
    try:
        for text in texts:
            if isinstance(text, Exception):
                raise text
            messages.append(read_whole(parser, text, finish))
            parser.reset()
    except Exception as error:
        messages.append(error)
    return messages
