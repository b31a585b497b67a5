"""Vocabularies of other libraries, as the bytes of each token.

A tokenizer of the `tokenizers` library keeps tokens as its model writes them and has a decoder that turns them into
text: a chain of steps. The steps that change a token by itself are done here, once a token. Those that only change the
edge of the whole text (the space that a SentencePiece decoder drops in front) have no token to change: what a server
streams is the middle of a text.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from .errors import OptionError
from .formats import format_info, formats

__all__ = ["pack", "read_tiktoken", "read_tokenizers"]

BYTE_TOKEN = re.compile("<0x([0-9A-Fa-f]{2})>")
EDGES = ("Fuse", "Strip")
"""Steps that change no token by itself, when they come last."""


def read_tiktoken(encoding: Any) -> tuple[list[bytes], list[int]]:
    """The tokens of a `tiktoken.Encoding`, and the ids of the special ones."""
    special = {encoding.encode_single_token(text) for text in encoding.special_tokens_set}
    tokens = {}
    for number in range(encoding.n_vocab):
        try:
            tokens[number] = encoding.decode_single_token_bytes(number)
        except KeyError:  # encodings leave gaps
            continue
    return in_order(tokens), sorted(special)


def read_tokenizers(tokenizer: Any) -> tuple[list[bytes], list[int]]:
    """The tokens of a `tokenizers.Tokenizer` or of what holds one, and the ids of the special ones.

    Special are the added tokens that are marked so, and those that a format of this library names: vocabularies often
    mark the end of a turn but not `<tool_call>`.
    """
    tokenizer = getattr(tokenizer, "backend_tokenizer", tokenizer)
    to_bytes = token_reader(json.loads(tokenizer.to_str())["decoder"])
    tokens = {number: to_bytes(token) for token, number in tokenizer.get_vocab(with_added_tokens=True).items()}
    known = {token for name in formats() for token in format_info(name).special_tokens}
    special = []
    for number, added in tokenizer.get_added_tokens_decoder().items():
        tokens[number] = added.content.encode()
        if added.special or added.content in known:
            special.append(number)
    return in_order(tokens), special


def in_order(tokens: Mapping[int, bytes]) -> list[bytes]:
    """By id; an id without a token has no bytes."""
    return [tokens.get(number, b"") for number in range(max(tokens, default=-1) + 1)]


def pack(tokens: Sequence[bytes], special: Iterable[int] | Mapping[str, int]) -> tuple[Any, Any, Any]:
    """The vocabulary as arrays that nobody can write to: all bytes, where each token begins, which are special."""
    try:
        import numpy as np
    except ImportError:
        raise ImportError("TokenTable needs numpy: pip install toolweir[tokens]") from None
    if isinstance(tokens, str | bytes) or not isinstance(tokens, Sequence):
        raise TypeError(f"tokens: expected a sequence of bytes, got {type(tokens).__name__}")
    for number, token in enumerate(tokens):
        if not isinstance(token, bytes):
            raise TypeError(f"tokens[{number}]: expected bytes, got {type(token).__name__}")
    if isinstance(special, Mapping):
        by_id = {**dict(enumerate(tokens)), **{number: text.encode() for text, number in special.items()}}
        tokens = in_order(by_id)
        special = special.values()
    numbers = list(special)
    for number in numbers:
        if not 0 <= number < len(tokens):
            raise OptionError(f"special: id {number} is not in the vocabulary of {len(tokens)} tokens")
    lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    flags = np.zeros(len(tokens), np.bool_)
    flags[numbers] = True
    return (
        np.frombuffer(b"".join(tokens), np.uint8),
        np.frombuffer(offsets.tobytes(), np.int64),
        np.frombuffer(flags.tobytes(), np.bool_),
    )


def token_reader(decoder: Any) -> Callable[[str], bytes]:
    """What a decoder (as tokenizer.json has it) makes of a token: its bytes."""
    steps = list(flat(decoder))
    while steps and steps[-1]["type"] in EDGES:
        steps.pop()
    kinds = [step["type"] for step in steps]
    if kinds == ["ByteLevel"]:
        return byte_level_token
    replacements = []
    for step in steps:
        if step["type"] == "Replace" and "String" in step["pattern"]:
            replacements.append((step["pattern"]["String"], step["content"]))
        elif step["type"] == "Metaspace":
            replacements.append((step["replacement"], " "))
        elif step["type"] != "ByteFallback":
            raise OptionError(f"the tokenizer's decoder: cannot tell what {step['type']} makes of a single token")
    if not steps:
        raise OptionError("the tokenizer has no decoder: its tokens are no text by themselves")
    fallback = "ByteFallback" in kinds

    def read(token: str) -> bytes:
        byte = BYTE_TOKEN.fullmatch(token) if fallback else None
        if byte:
            return bytes.fromhex(byte[1])
        for old, new in replacements:
            token = token.replace(old, new)
        return token.encode()

    return read


def flat(decoder: Any) -> list[Any]:
    """The steps of a decoder, in order."""
    if decoder is None:
        return []
    if decoder["type"] == "Sequence":
        return [step for inner in decoder["decoders"] for step in flat(inner)]
    return [decoder]


def byte_alphabet() -> dict[str, int]:
    """The alphabet of byte-level vocabularies: a printable character for each byte.

    Bytes that Latin-1 prints stand for themselves, the others follow, in order, from U+0100 on.
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(0x100) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(0x100 + n): byte for n, byte in enumerate(others)}


BYTES = byte_alphabet()


def byte_level_token(token: str) -> bytes:
    """The bytes of a token of a byte-level vocabulary."""
    try:
        return bytes([BYTES[char] for char in token])
    except KeyError:  # not written in the alphabet: an added token
        return token.encode()
