"""The JSON scanners, against the json module, simdjson and a table of their own."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolweir.scan.json_scanner import INVALID, NEED_DATA, TOO_DEEP, JsonScanner

VALID = [
    "{}",
    "[]",
    '{"a":1}',
    '{"a":{"b":[1,2,{"c":null}]},"d":"e"}',
    "[[],[[]],{},[{}]]",
    "[0,-0,1,-1,10,0.5,1e5,1E+5,1e-5,-0.0e0,123456789012345678901234567890,1e999]",
    "[true,false,null]",
    '["",  "a", "\\"\\\\\\/\\b\\f\\n\\r\\t", "\\u0041\\uD83D\\ude00", "\\ud800"]',
    '{"": "", "a\\u0000": [ ] , "b" : { } }',
    ' \t\n\r{ "a" : [ 1 , 2 ] } ',
    '["é€\U0001f600\x7f"]',
    "true",
    "null",
    '"text"',
    "[1e0]",
]
BROKEN = [
    "}",
    "]",
    "[}",
    "{]",
    "[1,]",
    "[,1]",
    "[1 2]",
    "{,}",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{"a" 1}',
    "{a:1}",
    "{1:2}",
    "{'a':1}",
    '{"a":1 "b":2}',
    "[01]",
    "[00]",
    "[-]",
    "[+1]",
    "[.5]",
    "[1.]",
    "[1.e5]",
    "[1e]",
    "[1e+]",
    "[0x10]",
    "[1_0]",
    "[--1]",
    "[NaN]",
    "[Infinity]",
    "[-Infinity]",
    "[tru]",
    "[truee]",
    "[True]",
    "[nul]",
    '["\\x41"]',
    '["\\u12"]',
    '["\\u12G4"]',
    '["\\U00000041"]',
    '["a\nb"]',
    '["a\tb"]',
    '["a\0b"]',
    '["\x1f"]',
    "[\f1]",
    "[\v1]",
    "[\xa01]",
    "\ufeff[]",
    "/**/[]",
    "[1,/**/2]",
    '{"a":1}'.replace(":", "="),
]


def strict(text):
    """What the json module says about a text without numbers that it would round: True where it is JSON."""

    def refuse(word):
        raise ValueError(word)

    try:
        json.loads(text, parse_constant=refuse, parse_int=str, parse_float=str)
    except ValueError:
        return False
    return True


def scan(pieces):
    """Feeds pieces until the value ends or breaks. Returns the result, relative to the start, and the scanner."""
    scanner, start = JsonScanner(), 0
    for piece in pieces:
        result = scanner.feed(piece)
        if result >= 0:
            return start + result, scanner
        if result != NEED_DATA:
            return result, scanner
        assert scanner.taken == len(piece)
        start += len(piece)
    return NEED_DATA, scanner


def accepts(text, pieces=None):
    """Whether the scanner takes the whole text as one value with whitespace around it."""
    result, scanner = scan([text] if pieces is None else pieces)
    if result == NEED_DATA:
        return scanner.end()
    rest = text[result:]
    blank = b" \t\n\r" if isinstance(text, bytes) else " \t\n\r"
    return result >= 0 and not rest.strip(blank)


def cuts(text, most=80):
    yield [text]
    yield [text[i : i + 1] for i in range(len(text))]
    for i in range(min(len(text), most)):
        yield [text[:i], text[i:]]


@pytest.mark.parametrize("text", VALID)
def test_takes_what_is_json(text):
    assert strict(text)
    for form in (text, text.encode()):
        for pieces in cuts(form):
            assert accepts(form, pieces)


@pytest.mark.parametrize("text", BROKEN)
def test_refuses_what_is_not(text):
    assert not strict(text)
    for form in (text, text.encode()):
        for pieces in cuts(form):
            assert not accepts(form, pieces)


@pytest.mark.parametrize("text", [t.strip() for t in VALID if t.strip()[0] in "[{"])
def test_a_prefix_is_open_and_what_follows_is_left(text):
    for i in range(len(text)):
        result, scanner = scan([text[:i]])
        assert (result, scanner.complete, scanner.end()) == (NEED_DATA, False, False)
    for pieces in cuts(text + "tail"):
        result, scanner = scan(pieces)
        assert (result, scanner.complete, scanner.end(), scanner.depth) == (len(text), True, True, 0)
        assert scanner.feed("more") == 0
        assert scanner.taken == 0


@pytest.mark.parametrize("number", ["0", "-0", "12", "1.5", "1e5", "1E+50", "-2.25e-3"])
@pytest.mark.parametrize("tail", [" ", ",", "]", "x", "\n1"])
def test_a_number_at_the_root_ends_before_what_follows(number, tail):
    for pieces in cuts(number + tail):
        assert scan(pieces)[0] == len(number)
    result, scanner = scan([number])
    assert (result, scanner.complete, scanner.end()) == (NEED_DATA, False, True)


@pytest.mark.parametrize("number", ["-", "1.", "1e", "1e+", "2.5E-"])
def test_a_number_may_look_whole_before_its_end(number):
    result, scanner = scan([number])
    assert (result, scanner.end()) == (NEED_DATA, False)
    assert scanner.feed(" ") == INVALID
    assert scanner.feed("7") == NEED_DATA
    assert scanner.end()


@pytest.mark.parametrize("text", VALID)
def test_a_refused_byte_leaves_no_trace(text):
    """Before every byte, each byte that is refused there is skipped, and the text still reads as it did."""
    scanner = JsonScanner()
    for byte in text.rstrip().encode():
        for other in range(256):
            probe = scanner.copy()
            result = probe.feed(bytes([other]))
            if result == INVALID:
                assert probe.taken == 0
                assert (probe.depth, probe.in_string, probe.end()) == (scanner.depth, scanner.in_string, scanner.end())
                follow = (probe.feed(bytes([byte])), probe.depth, probe.in_string, probe.complete)
                plain = scanner.copy()
                assert follow == (plain.feed(bytes([byte])), plain.depth, plain.in_string, plain.complete)
        assert scanner.feed(bytes([byte])) != INVALID
    assert scanner.end()


def test_resumes_in_the_middle_of_a_piece():
    text = b'{"a": [1, \x00 2, "b\x01c"], \xff "d": tr\xaaue}'
    scanner, start, refused = JsonScanner(), 0, []
    while (result := scanner.feed(text[start:])) == INVALID:
        start += scanner.taken
        refused.append(text[start])
        start += 1
    assert refused == [0x00, 0x01, 0xFF, 0xAA]
    assert start + result == len(text)


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_depth_at_below_and_above_the_limit(opening):
    scanner = JsonScanner()
    for depth in range(1023):
        assert scanner.depth == depth
        assert scanner.feed(opening) == NEED_DATA
    probe = scanner.copy()
    assert probe.feed("  [") == TOO_DEEP
    assert (probe.taken, probe.depth) == (2, 1023)
    assert probe.feed("{") == TOO_DEEP
    assert probe.feed("0") == NEED_DATA
    closing = "]" if opening == "[" else "}"
    assert probe.feed(closing * 1022) == NEED_DATA
    assert probe.feed(closing) == 1
    assert scanner.feed("[" if closing == "}" else "0}") in (TOO_DEEP, INVALID)


def test_containers_are_told_apart_at_every_depth():
    chooser = random.Random(5)
    opened = [chooser.random() < 0.5 for _ in range(1023)]
    scanner = JsonScanner()
    for is_object in opened:
        scanner.feed('{"":' if is_object else "[")
    scanner.feed("1")
    for is_object in reversed(opened):
        assert scanner.feed("]" if is_object else "}") == INVALID
        assert scanner.feed("}" if is_object else "]") != INVALID
    assert scanner.complete


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ('{"a":"b"}', "..##..##."),
        ('["\\u0041\\"",1]', "..#########..."),
        ('""', ".#"),
    ],
)
def test_in_string_tells_where_the_next_character_stands(text, inside):
    for boundary in (False, True)[: 2 if text[0] in "[{" else 1]:
        scanner, seen = JsonScanner(boundary), ""
        for character in text:
            seen += "#" if scanner.in_string else "."
            scanner.feed(character)
        assert seen == inside


def test_offsets_count_characters_of_a_str_and_bytes_of_bytes():
    text = '["é", "€", "\U0001f600"] tail'
    assert JsonScanner().feed(text) == len(text) - 5
    assert JsonScanner().feed(text.encode()) == len(text.encode()) - 5
    latin = '["é"] tail'
    assert JsonScanner().feed(latin) == 5
    assert JsonScanner().feed('["\ud800"]x') == 5
    for form in (bytearray, memoryview):
        assert JsonScanner().feed(form(text.encode())) == len(text.encode()) - 5


@pytest.mark.parametrize("data", [None, 1, ["["], object()])
def test_other_types_raise(data):
    with pytest.raises(TypeError):
        JsonScanner().feed(data)


def test_reset_and_copy():
    scanner = JsonScanner()
    scanner.feed('[{"a": "')
    other = scanner.copy()
    assert other.feed('"}]') == 3
    assert (scanner.depth, scanner.in_string, scanner.complete) == (2, True, False)
    scanner.reset()
    assert scanner.feed("[]") == 2


# Every state against every byte: a state is reached by a prefix, and what it takes is told by the grammar.

STRING_BYTES = set(range(0x20, 0x100))
DIGITS = set(b"0123456789")
HEX = DIGITS | set(b"abcdefABCDEF")
SPACE = set(b" \t\n\r")
START = set(b'"[{-tfn') | DIGITS
STATES = {
    "": SPACE | START,
    " ": SPACE | START,
    '"': STRING_BYTES,
    '"\\': set(b'"\\/bfnrtu'),
    '"\\u': HEX,
    '"\\u0': HEX,
    '"\\u00': HEX,
    '"\\u00a': HEX,
    "[": SPACE | START | set(b"]"),
    "[ ": SPACE | START | set(b"]"),
    "[1,": SPACE | START,
    "[ [] ": SPACE | set(b",]"),
    "[-": DIGITS,
    "[0": SPACE | set(b".eE,]"),
    "[7": SPACE | DIGITS | set(b".eE,]"),
    "[7.": DIGITS,
    "[7.5": SPACE | DIGITS | set(b"eE,]"),
    "[7e": DIGITS | set(b"+-"),
    "[7e+": DIGITS,
    "[7e+5": SPACE | DIGITS | set(b",]"),
    "[t": set(b"r"),
    "[tr": set(b"u"),
    "[tru": set(b"e"),
    "[true": SPACE | set(b",]"),
    "[f": set(b"a"),
    "[fa": set(b"l"),
    "[fal": set(b"s"),
    "[fals": set(b"e"),
    "[n": set(b"u"),
    "[nu": set(b"l"),
    "[nul": set(b"l"),
    '["a"': SPACE | set(b",]"),
    "{": SPACE | set(b'"}'),
    '{"a': STRING_BYTES,
    '{"a\\': set(b'"\\/bfnrtu'),
    '{"a\\u00': HEX,
    '{"a"': SPACE | set(b":"),
    '{"a":': SPACE | START,
    '{"a":0': SPACE | set(b".eE,}"),
    '{"a":12': SPACE | DIGITS | set(b".eE,}"),
    '{"a":1.5': SPACE | DIGITS | set(b"eE,}"),
    '{"a":1e5': SPACE | DIGITS | set(b",}"),
    '{"a":"': STRING_BYTES,
    '{"a":"b"': SPACE | set(b",}"),
    '{"a":{}': SPACE | set(b",}"),
    '{"a":1,': SPACE | set(b'"'),
    '{"a":null': SPACE | set(b",}"),
    '[{"a":[]}': SPACE | set(b",]"),
}


@pytest.mark.parametrize("prefix", STATES)
def test_every_state_takes_exactly_its_bytes(prefix):
    scanner = JsonScanner()
    assert scanner.feed(prefix) == NEED_DATA
    taken = {byte for byte in range(256) if scanner.copy().feed(bytes([byte])) != INVALID}
    assert taken == STATES[prefix]


@given(st.binary(max_size=24), st.lists(st.integers(0, 24), max_size=4))
def test_cuts_never_matter(data, at):
    at = sorted(set(at))
    pieces = [data[a:b] for a, b in zip([0, *at], [*at, len(data)], strict=True)]
    whole, left = scan([data])
    cut, right = scan(pieces)
    assert (whole, left.depth, left.in_string, left.end()) == (cut, right.depth, right.in_string, right.end())


documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(documents, st.booleans(), st.data())
def test_agrees_with_json_on_documents_and_their_mutations(value, ascii_only, data):
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert accepts(text)
    assert accepts(text, list(text))
    at = data.draw(st.integers(0, len(text) - 1))
    mutated = text[:at] + data.draw(st.sampled_from('"\\{}[],:0 1e-tu\n')) + text[at + data.draw(st.integers(0, 1)) :]
    assert accepts(mutated) == strict(mutated)


@given(st.text('[]{}",:\\u0aeE+-.1 tfnrlsu\n', max_size=12))
def test_agrees_with_json_on_garbage(text):
    assert accepts(text) == strict(text)


@given(st.text('[]{}",:\\u0ae+-.1 tfn', max_size=10))
def test_agrees_with_simdjson(text):
    """But for numbers out of range; lone surrogates and a byte order mark cannot be written in this alphabet."""
    simdjson = pytest.importorskip("simdjson")
    try:
        simdjson.Parser().parse(text.encode())
        theirs = True
    except ValueError as error:
        if "NUMBER_ERROR" in str(error) and strict(text):
            return
        theirs = False
    except RuntimeError:
        return
    assert accepts(text) == theirs


# The scanner of boundaries.


@pytest.mark.parametrize("text", [t.strip() for t in VALID if t.strip()[0] in "[{"])
def test_boundary_agrees_with_strict_on_json(text):
    for form in (text, text.encode()):
        for i in range(len(form)):
            scanner, reference = JsonScanner(boundary=True), JsonScanner()
            assert (scanner.feed(form[:i]), reference.feed(form[:i])) == (NEED_DATA, NEED_DATA)
            assert (scanner.depth, scanner.in_string) == (reference.depth, reference.in_string)
            assert scanner.feed(form[i:] + form) == len(form) - i
            assert scanner.taken == len(form) - i
            assert (scanner.complete, scanner.end(), scanner.feed(form)) == (True, True, 0)


@pytest.mark.parametrize("text", ["{,}", '{"a":1]', "[1,]", '{"a":"\n"}', "{{}}", '["\\x"]', "[}"])
def test_boundary_proves_nothing(text):
    assert JsonScanner(boundary=True).feed(text + " ") == len(text)


def test_boundary_leaves_scalars_open_and_refuses_closing_brackets():
    for scalar in ('"a"', "12", "true", "junk {}"):
        scanner = JsonScanner(boundary=True)
        assert scanner.feed(scalar) == NEED_DATA
        assert not scanner.complete
    scanner = JsonScanner(boundary=True)
    assert (scanner.feed(" }"), scanner.taken) == (INVALID, 1)
    assert scanner.feed("{}") == 2
