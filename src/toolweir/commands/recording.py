"""Recordings: what a model wrote, read from a file or a pipe and cut into tokens.

A plain text is cut into tokens of four characters. A file whose name ends in `.jsonl` says itself how it was cut: each
line is a JSON string, one token, or `{"special": "<tool_call>"}`, one special token of the model's vocabulary.
"""

import codecs
import json
import os
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from io import BufferedReader, FileIO
from typing import TYPE_CHECKING

from .problem import Problem
from .progress import progress

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["Token", "bar_of", "blocks", "open_recording", "read_text", "read_tokens", "tokens_of"]

TOKEN = 4
"""Characters of a token, about what tokenizers make of English and code."""

READ = 64 * 1024

RECORDED = ".jsonl"


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text as the model's engine hands it out."""

    text: str
    special: bool = False


def tokens_of(text: str) -> Iterator[Token]:
    """A text as tokens of four characters."""
    return (Token(text[at : at + TOKEN]) for at in range(0, len(text), TOKEN))


class Source(FileIO):
    """The bytes of a file or of standard input; Problem, with the name, where they cannot be read."""

    def __init__(self, path: str) -> None:
        self.title = "standard input" if path == "-" else path
        self.advance: Callable[[int], None] = lambda count: None
        self.wait: Callable[[], None] = lambda: None
        if path == "-" and sys.stdin is None:
            raise Problem(f"{self.title}: closed")
        try:
            super().__init__(sys.stdin.fileno() if path == "-" else path, closefd=path != "-")
        except OSError as error:
            raise Problem(f"{self.title}: {error.strerror or error}") from error

    def readinto(self, buffer: "WriteableBuffer", /) -> int | None:
        """Read what is there, up to the size of the buffer."""
        self.wait()
        try:
            count = super().readinto(buffer)
        except OSError as error:
            raise Problem(f"{self.title}: {error.strerror or error}") from error
        self.advance(count or 0)
        return count


def open_recording(path: str) -> BufferedReader:
    """The bytes of a file, `-` being the standard input. Raises Problem, when it is read too."""
    return BufferedReader(Source(path), READ)


def source_of(file: BufferedReader) -> Source:
    """Where a recording comes from."""
    assert isinstance(file.raw, Source)
    return file.raw


@contextmanager
def bar_of(file: BufferedReader, *, printing: bool = False) -> Iterator[None]:
    """A bar that shows how far the recording was read; `printing` while the command prints."""
    source = source_of(file)
    with progress(source.title, os.fstat(source.fileno()).st_size, printing=printing) as source.advance:
        yield


def blocks(path: str, size: int = READ, *, quiet: bool = False) -> Generator[bytes, None, None]:
    """A file in blocks, unless `quiet` with a bar that shows how far it was read. Raises Problem if it is unreadable."""
    with open_recording(path) as file, nullcontext() if quiet else bar_of(file):
        while block := file.read1(size):
            yield block


def read_text(path: str) -> str:
    """All of a recording as one text. Raises Problem if it cannot be read."""
    if path.endswith(RECORDED):
        return "".join(token.text for token in read_tokens(path))
    return b"".join(blocks(path)).decode("utf-8", "replace")


def read_tokens(path: str, rate: float | None = None, wait: Callable[[], None] = lambda: None) -> Iterator[Token]:
    """The tokens of a recording, `-` being the standard input, `rate` of them a second (None: as fast as they come).

    `wait` is called before there may be nothing to read for a while. Bytes that are not UTF-8 are read as replacement
    characters. Raises Problem if the file cannot be read.
    """
    file = open_recording(path)
    source_of(file).wait = wait
    tokens = _recorded_tokens(file, path) if path.endswith(RECORDED) else _text_tokens(file)
    return tokens if rate is None else _paced(tokens, rate, wait)


def _text_tokens(file: BufferedReader) -> Iterator[Token]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    with file, bar_of(file, printing=True):
        # read1 gives what a pipe has, at once; read would wait until there is as much as was asked for.
        while block := file.read1(READ):
            yield from tokens_of(decoder.decode(block))
    yield from tokens_of(decoder.decode(b"", final=True))


def _recorded_tokens(file: BufferedReader, path: str) -> Iterator[Token]:
    with file, bar_of(file, printing=True):
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                match json.loads(line.decode("utf-8", "replace")):
                    case str(text):
                        yield Token(text)
                        continue
                    case {"special": str(text)}:
                        yield Token(text, special=True)
                        continue
            except (ValueError, RecursionError):
                pass
            raise Problem(f'{path}, line {number}: expected a JSON string or {{"special": "..."}}')


def _paced(tokens: Iterator[Token], rate: float, wait: Callable[[], None]) -> Iterator[Token]:
    start = time.monotonic()
    for number, token in enumerate(tokens, 1):
        wait()
        # Against the start, not the last token: a late one does not delay all that follow.
        time.sleep(max(0.0, start + number / rate - time.monotonic()))
        yield token
