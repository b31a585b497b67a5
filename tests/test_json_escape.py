"""Escaping for JSON strings and back, against the json module."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolweir.scan.text import escape, unescape


def test_every_ascii_character():
    short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    for code in range(0x80):
        character = chr(code)
        expected = short.get(character, f"\\u{code:04x}" if code < 0x20 else character)
        assert escape(character) == expected
        assert escape(character.encode()) == expected
        assert unescape(expected) == character


@pytest.mark.parametrize("text", ["", "plain", "é€\U0001f600", "\x7f\x80\u2028"])
def test_nothing_else_is_escaped(text):
    assert escape(text) == text
    assert escape(text.encode()) == text


def test_plain_ascii_is_handed_back_itself():
    text = "".join(["plain ", "text"])
    assert escape(text) is text


def test_a_surrogate_becomes_a_replacement_character():
    assert escape("a\ud800\n") == "a\ufffd\\n"


@pytest.mark.parametrize("special", ['"', "\\", "\n", "\x00", "\x1f"])
@pytest.mark.parametrize("length", [0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 127, 130])
def test_a_special_character_anywhere_in_a_long_piece(special, length):
    for at in range(length + 1):
        text = "x" * at + special + "ÿ" * (length - at)
        assert escape(text) == json.dumps(text, ensure_ascii=False)[1:-1]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_agrees_with_json(text):
    assert escape(text) == json.dumps(text, ensure_ascii=False)[1:-1]
    assert unescape(json.dumps(text, ensure_ascii=False)[1:-1]) == text
    assert unescape(json.dumps(text)[1:-1]) == text


@pytest.mark.parametrize(
    ("inside", "replaced", "kept"),
    [
        ("\\ud800", "\ufffd", "\\ud800"),
        ("\\uDFFF", "\ufffd", "\\udfff"),
        ("\\uD83D\\uDE00", "\U0001f600", "\U0001f600"),
        ("\\ud83d\\ud83d\\ude00", "\ufffd\U0001f600", "\\ud83d\U0001f600"),
        ("\\ude00\\ud83d", "\ufffd\ufffd", "\\ude00\\ud83d"),
        ("\\ud83dx", "\ufffdx", "\\ud83dx"),
        ("\\ud83d\\n", "\ufffd\n", "\\ud83d\n"),
        ("\\ud83d\\u0041", "\ufffdA", "\\ud83dA"),
        ("\\ud83d\\u20ac", "\ufffd€", "\\ud83d€"),
        ("\\ud83d€", "\ufffd€", "\\ud83d€"),
        ("\\uDBFF\\uDFFF", "\U0010ffff", "\U0010ffff"),
        ("\\uD800\\uDC00", "\U00010000", "\U00010000"),
    ],
)
def test_surrogates(inside, replaced, kept):
    assert unescape(inside) == replaced
    assert unescape(inside, keep_lone=True) == kept


@pytest.mark.parametrize("unit", [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF])
def test_every_length_of_character(unit):
    assert unescape(f"\\u{unit:04x}") == unescape(f"\\u{unit:04X}") == chr(unit)


def test_every_byte_after_a_backslash():
    good = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True))
    for byte in range(256):
        character = chr(byte)
        if character in good:
            assert unescape(b"\\" + bytes([byte])) == good[character]
        elif character != "u":
            with pytest.raises(ValueError, match=f"0x{byte:02x} at byte 1"):
                unescape(b"\\" + bytes([byte]))


def test_every_byte_as_a_digit():
    for byte in range(256):
        for at in range(4):
            digits = bytearray(b"0041")
            digits[at] = byte
            if chr(byte) in "0123456789abcdefABCDEF":
                assert len(unescape(b"\\u" + digits)) == 1
            else:
                with pytest.raises(ValueError, match=f"0x{byte:02x} at byte {at + 2}"):
                    unescape(b"\\u" + digits)


@pytest.mark.parametrize("inside", ["\\", "\\u", "\\u004", "ok\\ud83d\\"])
def test_a_cut_escape_raises(inside):
    with pytest.raises(ValueError, match=f"cut short at byte {len(inside)}"):
        unescape(inside)


def test_other_bytes_pass():
    assert unescape(b'a\x00\n"\xc3\xa9') == 'a\x00\n"é'
