"""Recordings: what a model wrote, read from a file or a pipe and cut into tokens.

A plain text is cut into tokens of four characters. A file whose name ends in `.jsonl` says itself how it was cut: each
line is a JSON string, one token, or `{"special": "<tool_call>"}`, one special token of the model's vocabulary.
"""

import codecs
import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

from .problem import Problem

__all__ = ["READ", "Token", "open_recording", "read_text", "read_tokens", "tokens_of"]

TOKEN = 4
"""Characters of a token, about what tokenizers make of English and code."""

READ = 64 * 1024


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text as the model's engine hands it out."""

    text: str
    special: bool = False


def tokens_of(text: str) -> Iterator[Token]:
    """A text as tokens of four characters."""
    return (Token(text[at : at + TOKEN]) for at in range(0, len(text), TOKEN))


def read_text(path: str) -> str:
    """All of a recording as one text. Raises Problem if it cannot be read."""
    return "".join(token.text for token in read_tokens(path))


def read_tokens(path: str, rate: float | None = None) -> Iterator[Token]:
    """The tokens of a recording, `-` being the standard input, `rate` of them a second (None: as fast as they come).

    Bytes that are not UTF-8 are read as replacement characters. Raises Problem if the file cannot be read.
    """
    file = open_recording(path)
    tokens = _recorded_tokens(file, path) if path.endswith(".jsonl") else _text_tokens(file)
    return tokens if rate is None else _paced(tokens, rate)


def open_recording(path: str) -> BufferedReader:
    """The bytes of a file, `-` being the standard input. Raises Problem if it cannot be opened."""
    if path == "-":
        return open(sys.stdin.fileno(), "rb", closefd=False)
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise Problem(f"{path}: {error.strerror or error}") from error


def _text_tokens(file: BufferedReader) -> Iterator[Token]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    with file:
        # os.read gives what a pipe has, at once; a file object would wait until its buffer is full.
        while block := os.read(file.fileno(), READ):
            yield from tokens_of(decoder.decode(block))
    yield from tokens_of(decoder.decode(b"", final=True))


def _recorded_tokens(file: BufferedReader, path: str) -> Iterator[Token]:
    with file:
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
            except ValueError:
                pass
            raise Problem(f'{path}, line {number}: expected a JSON string or {{"special": "..."}}')


def _paced(tokens: Iterator[Token], rate: float) -> Iterator[Token]:
    start = time.monotonic()
    for number, token in enumerate(tokens, 1):
        # Against the start, not the last token: a late one does not delay all that follow.
        time.sleep(max(0.0, start + number / rate - time.monotonic()))
        yield token
