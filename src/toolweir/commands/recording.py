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
from contextlib import contextmanager
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


def title_of(path: str) -> str:
    """What a recording is called in a message."""
    return "standard input" if path == "-" else path


class Source(FileIO):
    """The bytes of a file or of standard input; Problem, with the name, where they cannot be read."""

    def __init__(self, path: str) -> None:
        self.title = title_of(path)
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


def blocks(path: str, *, printing: bool = False) -> Generator[bytes, None, None]:
    """A file in blocks, with the bar of bar_of(). Raises Problem if it cannot be read."""
    with open_recording(path) as file, bar_of(file, printing=printing):
        while block := file.read1(READ):
            yield block


def read_text(path: str, *, replace: bool = False) -> str:
    """All of a recording as one text. Raises Problem if it cannot be read."""
    if path.endswith(RECORDED):
        return "".join(token.text for token in read_tokens(path, replace=replace))
    decode = Decoder(path, replace)
    return "".join([*map(decode, blocks(path)), decode(b"", final=True)])


def read_tokens(
    path: str, rate: float | None = None, wait: Callable[[], None] = lambda: None, *, replace: bool = False
) -> Iterator[Token]:
    """The tokens of a recording, `-` being the standard input, `rate` of them a second (None: as fast as they come).

    `wait` is called before there may be nothing to read for a while. Raises Problem if the file cannot be read; bytes
    that are not UTF-8 are a Problem too, or with `replace` read as U+FFFD.
    """
    file = open_recording(path)
    source_of(file).wait = wait
    decode = Decoder(path, replace)
    tokens = _recorded_tokens(file, path, decode) if path.endswith(RECORDED) else _text_tokens(file, decode)
    return tokens if rate is None else _paced(tokens, rate, wait)


def not_utf8(error: UnicodeDecodeError, before: int = 0) -> str:
    """What is wrong with the bytes, of which `before` stood in front of those that the error knows."""
    byte = error.object[error.start]
    return f"not UTF-8: {error.reason} at byte {before + error.start}, 0x{byte:02x} (--replace reads it as U+FFFD)"


class Decoder:
    """Bytes of UTF-8, cut anywhere, to text."""

    def __init__(self, path: str, replace: bool) -> None:
        self._title = title_of(path)
        self._replace = replace
        self._read = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace" if replace else "strict")

    def __call__(self, data: bytes, final: bool = False) -> str:
        """More of the text; a character that is cut waits for its rest, unless this is `final`. Raises Problem."""
        waiting = len(self._decoder.getstate()[0])
        try:
            text = self._decoder.decode(data, final)
        except UnicodeDecodeError as error:
            raise Problem(f"{self._title}: {not_utf8(error, self._read - waiting)}") from error
        self._read += len(data)
        return text


def _text_tokens(file: BufferedReader, decode: Decoder) -> Iterator[Token]:
    with file, bar_of(file, printing=True):
        # read1 gives what a pipe has, at once; read would wait until there is as much as was asked for.
        while block := file.read1(READ):
            yield from tokens_of(decode(block))
    yield from tokens_of(decode(b"", final=True))


def _recorded_tokens(file: BufferedReader, path: str, decode: Decoder) -> Iterator[Token]:
    with file, bar_of(file, printing=True):
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            text = decode(line, final=True)
            try:
                match json.loads(text):
                    case str(token):
                        yield Token(token)
                        continue
                    case {"special": str(token)}:
                        yield Token(token, special=True)
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
