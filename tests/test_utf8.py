"""The UTF-8 gate, against Python's own decoder."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolweir.scan.text import Utf8Decoder

# Both sides of every border that the encoding knows.
EDGES = bytes.fromhex("00 41 7f 80 8f 90 9f a0 bf c0 c1 c2 df e0 e1 ec ed ee ef f0 f1 f3 f4 f5 f8 ff")


def decode(pieces):
    decoder = Utf8Decoder()
    text = "".join([decoder.feed(piece) for piece in pieces])
    return text + decoder.finish()


def test_every_byte_and_every_pair():
    for length in (1, 2):
        for parts in itertools.product(range(256), repeat=length):
            data = bytes(parts)
            assert decode([data]) == data.decode("utf-8", "replace")
            assert decode([data[i : i + 1] for i in range(length)]) == data.decode("utf-8", "replace")


@pytest.mark.parametrize("first", EDGES)
def test_every_border_in_four_bytes_under_every_cut(first):
    for rest in itertools.product(EDGES, repeat=3):
        data = bytes((first, *rest))
        expected = data.decode("utf-8", "replace")
        for cut in range(8):
            pieces, start = [], 0
            for at in range(1, 4):
                if cut >> (at - 1) & 1:
                    pieces.append(data[start:at])
                    start = at
            assert decode([*pieces, data[start:]]) == expected


def test_a_character_goes_out_with_its_last_byte():
    for character in "aé€\U0001f600":
        decoder, data = Utf8Decoder(), character.encode()
        assert [decoder.feed(data[i : i + 1]) for i in range(len(data))] == [""] * (len(data) - 1) + [character]


def test_what_cannot_begin_a_character_is_not_held():
    decoder = Utf8Decoder()
    assert decoder.feed(b"\xe2\x82") == ""
    assert decoder.feed(b"A") == "\ufffdA"
    assert decoder.feed(b"\xf5") == "\ufffd"
    assert decoder.feed(b"\xe0\x80") == "\ufffd\ufffd"
    assert decoder.finish() == ""


def test_the_end_tells_of_an_unfinished_character_and_starts_anew():
    decoder = Utf8Decoder()
    assert decoder.feed(b"a\xf0\x9f\x98") == "a"
    assert decoder.finish() == "\ufffd"
    assert decoder.finish() == ""
    assert decoder.feed("é".encode()) == "é"


@pytest.mark.parametrize("filler", ["a", "é", "€", "\U0001f600"])
@pytest.mark.parametrize("bad", [b"\x80", b"\xff", b"\xe2\x82", b"\xed\xa0\x80", b"\xf0\x9f\x98"])
def test_a_fault_anywhere_in_a_long_piece(filler, bad):
    for before in range(40):
        data = filler.encode() * before + bad + b"tail" + filler.encode() * 20
        assert decode([data]) == data.decode("utf-8", "replace")


def test_all_characters_pass():
    text = "".join([chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000])
    assert decode([text.encode()]) == text


@given(st.lists(st.binary(max_size=9), max_size=6))
def test_agrees_with_the_decoder_of_python(pieces):
    assert decode(pieces) == b"".join(pieces).decode("utf-8", "replace")


@given(st.text(), st.data())
def test_agrees_on_text_with_a_byte_replaced(text, data):
    encoded = bytearray(text.encode("utf-8", "surrogatepass"))
    if encoded:
        encoded[data.draw(st.integers(0, len(encoded) - 1))] = data.draw(st.integers(0, 255))
    at = data.draw(st.integers(0, len(encoded)))
    assert decode([encoded[:at], encoded[at:]]) == encoded.decode("utf-8", "replace")


def test_str_raises():
    with pytest.raises(TypeError, match="bytes-like"):
        Utf8Decoder().feed("text")


def test_a_decoder_whose_memory_runs_out_has_read_nothing_of_the_piece():
    memory = pytest.importorskip("_testcapi")
    data = b"\xac" + b"x" * 1000
    refused = 0
    for allocation in range(1, 30):
        decoder = Utf8Decoder()
        assert decoder.feed(b"\xe2\x82") == ""
        memory.set_nomemory(allocation, allocation + 1)
        try:
            decoder.feed(data)
        except MemoryError:
            memory.remove_mem_hooks()
            refused += 1
            assert decoder.feed(data) == "\u20ac" + "x" * 1000
        finally:
            memory.remove_mem_hooks()
    assert 0 < refused < 29
