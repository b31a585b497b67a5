"""Literals in calls: what each becomes as JSON, held against Python's own reading of them, and what a call is."""

import ast
import json
import random
from typing import Any

import pytest
from support import Piece, check_every_cut, random_cut, steps, stream, without_spans

import toolweir
from toolweir.words import word_to_json

PYTHONIC = ("[", "]", "pythonic")
LFM2 = ("<|tool_call_start|>[", "]<|tool_call_end|>", "lfm2")
OLMO3 = ("<function_calls>\n", "\n</function_calls>", "olmo3")


def arguments(text: str, format: str = "pythonic", **options: Any) -> tuple[str, str]:
    """The arguments of the only call of a text, and how it ended; the same under every cut."""
    ends = [step for step in without_spans(check_every_cut(text, format, **options)) if step[0] == "end"]
    assert len(ends) == 1
    return ends[0][3], ends[0][2]


WORDS = [
    ("1", "1"),
    ("-1.50", "-1.50"),
    ("1e5", "1e5"),
    ("1E+5", "1E+5"),
    ("-0", "-0"),
    ("12345678901234567890123", "12345678901234567890123"),
    ("+5", "5"),
    ("007", "7"),
    ("-007", "-7"),
    ("000", "0"),
    ("1_000", "1000"),
    ("0_1", "1"),
    (".5", "0.5"),
    ("-.5e-3", "-0.5e-3"),
    ("5.", "5.0"),
    ("01.5", "1.5"),
    ("1_0.0_5e1_0", "10.05e10"),
    ("0x1f", "31"),
    ("-0XFF", "-255"),
    ("0o17", "15"),
    ("0b101", "5"),
    ("0x_1", "1"),
    ("0x" + "f" * 2000, json.dumps("0x" + "f" * 2000)),
    ("True", "true"),
    ("False", "false"),
    ("None", "null"),
    ("true", "true"),
    ("false", "false"),
    ("null", "null"),
    ("inf", '"inf"'),
    ("nan", '"nan"'),
    ("1e999", '"1e999"'),
    ("1+2j", '"1+2j"'),
    ("2j", '"2j"'),
    ("1__0", '"1__0"'),
    ("_1", '"_1"'),
    ("0x", '"0x"'),
    (".", '"."'),
    ("-", '"-"'),
    ("e5", '"e5"'),
    ("new york", '"new york"'),
    ("http://x/?a=b", '"http://x/?a=b"'),
    ("Zürich", '"Zürich"'),
    ("TRUE", '"TRUE"'),
]


@pytest.mark.parametrize(("word", "expected"), WORDS)
def test_a_word(word: str, expected: str):
    assert word_to_json(word) == expected
    assert arguments(f"[f(a={word})]") == (f'{{"a":{expected}}}', "complete")


STRINGS = [
    (r"'x'", "x"),
    (r'"x"', "x"),
    ("''", ""),
    ("''''''", ""),
    ("'''a'b\"c'''", "a'b\"c"),
    ('"""a"b""""', 'a"b"'),
    ("'''it''s'''", "it''s"),
    (r"'it\'s'", "it's"),
    (r"'\n\t\r\a\b\f\v\\\"'", '\n\t\r\a\b\f\v\\"'),
    (r"'\x41\u00e9\U0001f389'", "Aé🎉"),
    (r"'\0\7\101\1012\8'", "\0\7AA2\\8"),
    (r"'\N{BULLET}\N{no such name}\N\N{'", "•\\N{no such name}\\N\\N{"),
    (r"'\ud83d\ude00'", "😀"),
    (r"'\ud83d'", "\ud83d"),
    (r"'\ud83d\u0041\ude00'", "\ud83dA\ude00"),
    (r"'\q\/\x4\u12\U0011ffff'", "\\q\\/\\x4\\u12\\U0011ffff"),
    ("'a\\\nb'", "ab"),
    ("'a\nb'", "a\nb"),
    ("r'\\n\\'x'", "\\n\\'x"),
    ("R'a\\\\'", "a\\\\"),
    (r"b'\x41'", "A"),
    (r"u'é'", "é"),
    (r"f'{x}'", "{x}"),
    (r"rb'\d'", "\\d"),
    (r"'a' 'b'", "ab"),
    ("'a'\n r'\\b' \"c\"", "a\\bc"),
    ("('a'\n 'b')", "ab"),
    (r"'say 'hi''", "say 'hi'"),
    (r"'a''b'", "a''b"),
    ("'}, ])'", "}, ])"),
    ("'\x00\x1f\x7f'", "\x00\x1f\x7f"),
]


@pytest.mark.parametrize(("literal", "expected"), STRINGS)
@pytest.mark.parametrize("frame", [PYTHONIC, LFM2, OLMO3])
def test_a_string(literal: str, expected: str, frame: tuple[str, str, str]):
    before, after, format = frame
    sent, status = arguments(f"{before}f(a={literal}){after}", format)
    assert status == "complete"
    assert json.loads(sent) == {"a": expected}


@pytest.mark.parametrize(
    ("literal", "expected"),
    [
        ("[]", "[]"),
        ("()", "[]"),
        ("{}", "{}"),
        ("[1,]", "[1]"),
        ("(1,)", "[1]"),
        ("(1)", "1"),
        ("(None, 'x')", '[null,"x"]'),
        ("([1])", "[[1]]"),
        ("{1}", "[1]"),
        ("{'a', 'b'}", '["a","b"]'),
        ("{(1, 2)}", "[[1,2]]"),
        ("{'a': 1,}", '{"a":1}'),
        ("{1: 'a', None: 2, +1.5: {}, x: 3}", '{"1":"a","null":2,"1.5":{},"x":3}'),
        ("{'a': {'b': {'c': []}}}", '{"a":{"b":{"c":[]}}}'),
        ("{b'k': 1, r'\\d': 2, 'x' 'y': 3}", '{"k":1,"\\\\d":2,"xy":3}'),
        ("[ 'a' , # ]\n 'b' ]", '["a","b"]'),
        ("{None # c\n: 1}", '{"null":1}'),
        ("{x y: 1}", '{"x y":1}'),
        ("{ # {\n'a' # :\n: 1}", '{"a":1}'),
    ],
)
def test_a_container(literal: str, expected: str):
    assert arguments(f"[f(a={literal}, b=1)]") == (f'{{"a":{expected},"b":1}}', "complete")


@pytest.mark.parametrize(
    ("text", "sent", "reason"),
    [
        ("f('x')", "", "not_an_object"),
        ("f(x)", "", "not_an_object"),
        ("f({'a': 1})", "", "not_an_object"),
        ("f(**{'a': 1})", "", "not_an_object"),
        ("f(a=1, 'x')", '{"a":1', "json"),
        ("f(a=)", '{"a":', "json"),
        ("f(a=,b=1)", '{"a":', "json"),
        ("f(,)", "", "not_an_object"),
        ("f(a==1)", '{"a":', "json"),
        ("f(a=g(1))", '{"a":', "json"),
        ("f(a=x[0])", '{"a":', "json"),
        ("f(a=[1}, 2])", '{"a":[1', "json"),
        ("f(a={'b': 1, 'c'})", """{"a":{"b":1,"c'})]""", None),
        ("f(a={[1]: 2})", '{"a":[[1]', "json"),
        ("f(a='x'.y)", '{"a":"x\'.y)]', None),
        ("f(a=1 < 2)", '{"a":', "json"),
    ],
)
def test_what_is_no_literal_ends_the_call_before_it_is_sent(text: str, sent: str, reason: str | None):
    joined = without_spans(check_every_cut(f"[{text}]", "pythonic"))
    (end,) = [step for step in joined if step[0] == "end"]
    if reason is None:  # a quote that nothing closed
        assert end[2] == "incomplete"
        assert end[3].startswith(sent)
    else:
        assert end[2:] == ("invalid", sent, reason)
        assert joined[-1][0] == "malformed"


def test_nested_quotes_of_code():
    code = 'def f(x):\n    """doc \'q\'"""\n    return {"a": [1, 2.5, None], \'é\': "日本語"}\n# </tool_call> end\n'
    for quote in "'\"":
        sent, status = arguments(f"[f(path='a.py', content={quote}{code}{quote})]")
        assert (json.loads(sent), status) == ({"path": "a.py", "content": code}, "complete")


def test_styles():
    text = "[f(a=[1, {'b': 2, 'c': (3, 4)}], d='x')]"
    assert arguments(text)[0] == '{"a":[1,{"b":2,"c":[3,4]}],"d":"x"}'
    assert arguments(text, argument_style="spaced")[0] == '{"a": [1, {"b": 2, "c": [3, 4]}], "d": "x"}'


def test_limits():
    def of(text: str, **limits: int) -> Any:
        joined = without_spans(check_every_cut(text, "pythonic", limits=toolweir.Limits(**limits)))
        return [step[2:] for step in joined if step[0] == "end"]

    assert of("[f(a=[[1]])]", depth=3) == [("complete", '{"a":[[1]]}', None)]
    assert of("[f(a=[[1]])]", depth=2) == [("invalid", '{"a":[', "depth")]
    assert of("[f(a=1, b=2)]", parameters=2) == [("complete", '{"a":1,"b":2}', None)]
    assert of("[f(a=1, b=2)]", parameters=1) == [("invalid", '{"a":1', "limit")]
    assert of("[f(a=12345)]", value=5) == [("complete", '{"a":12345}', None)]
    assert of("[f(a=123456)]", value=5) == [("invalid", '{"a":', "limit")]
    assert of("[f(abcd=1)]", header=4) == [("complete", '{"abcd":1}', None)]
    assert of("[f(abcde=1)]", header=4) == [("invalid", "", "limit")]
    assert of("[abcd(a=1)]", header=4) == [("complete", '{"a":1}', None)]
    assert of("[abcde(a=1)]", header=4) == []


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("pythonic", "[f(a={'k': [1, {2, 3}], r'x': (4,)}, b='''it's''' 'so'), g(c={'m'})]"),
        ("lfm2", '<|tool_call_start|>[{"name": "f", "arguments": {"a": 1}}]<|tool_call_end|>'),
        ("gemma4", '<|tool_call>call:f{a:[<|"|>x<|"|>,{k:null}],<|"|>b<|"|>:1}<tool_call|>'),
    ],
)
def test_a_copy_reads_on(format: str, text: str):
    expected = without_spans(steps(stream([text], format)[0]))
    for at in range(len(text)):
        parser = toolweir.StreamParser(format)
        events = list(parser.feed(text[:at]))
        copy = parser.copy()
        parser.feed("])}, read by the first parser only")
        events += [*copy.feed(text[at:]), *copy.finish("stop")]
        assert without_spans(steps(events)) == expected


def test_a_link_is_text_as_soon_as_its_name_is_none():
    parser = toolweir.StreamParser("pythonic", tools=[{"name": "get_weather"}])
    assert [steps(list(parser.feed(char))) for char in "[get_x"] == [[]] * 5 + [[("content", "[get_x", (0, 6))]]


# Whole calls, held against what Python makes of them

ALPHABET = [*"abc '\"\\,()[]{}:=#<|>\n\té日😀", "'", "\\", "\u2028", "', ", "')]"]


def some_value(rng: random.Random, depth: int = 0) -> Any:
    text = "".join(rng.choice(ALPHABET) for _ in range(rng.randrange(9)))
    match rng.randrange(9 if depth < 3 else 6):
        case 0 | 1 | 2:
            return text
        case 3:
            return rng.choice([0, -1, 10**20, 1.5, -2e-7, 1e300])
        case 4 | 5:
            return rng.choice([True, False, None, ""])
        case 6:
            return [some_value(rng, depth + 1) for _ in range(rng.randrange(3))]
        case 7:
            return tuple(some_value(rng, depth + 1) for _ in range(rng.choice([0, 2, 3])))
        case _:
            return {rng.choice([text, f"k{i}"]): some_value(rng, depth + 1) for i in range(rng.randrange(3))}


def space(rng: random.Random) -> str:
    return rng.choice(["", "", "", " ", "\n  ", "  # c'\"]\n"])


def python(rng: random.Random, value: Any) -> str:
    """A literal of the value, one of the many."""

    def items(values: Any) -> str:
        return ",".join(space(rng) + python(rng, item) + space(rng) for item in values)

    match value:
        case str():
            quote = rng.choice("'\"")
            long = value.replace("\\", "\\\\").replace(quote, "\\" + quote)
            return rng.choice(
                [repr(value), ascii(value), json.dumps(value, ensure_ascii=False), quote * 3 + long + quote * 3]
            )
        case list():
            return f"[{items(value)}]"
        case tuple():
            return f"({items(value)})"
        case dict():
            pairs = (
                space(rng) + python(rng, key) + space(rng) + ":" + space(rng) + python(rng, item) + space(rng)
                for key, item in value.items()
            )
            return "{" + ",".join(pairs) + "}"
    return repr(value)


@pytest.mark.parametrize("seed", range(150))
def test_calls_come_back(seed: int):
    rng = random.Random(seed)
    before, after, format = rng.choice([PYTHONIC, LFM2, OLMO3])
    calls = [
        (rng.choice("fg"), {f"k{i}": some_value(rng) for i in range(rng.randrange(4))})
        for _ in range(rng.randrange(1, 4))
    ]
    written = []
    for name, values in calls:
        pairs = [f"{space(rng)}{key}={python(rng, value)}{space(rng)}" for key, value in values.items()]
        written.append(f"{name}({','.join(pairs)})")
    text = before + ("\n" if format == "olmo3" else ", ").join(written) + after
    ways: list[list[Piece]] = [[text], list(text), random_cut(text, rng)]
    for pieces in ways:
        events, result = stream(pieces, format)
        joined = steps(events)
        assert [step[2] for step in joined if step[0] == "start"] == [name for name, _ in calls]
        ends = [step for step in joined if step[0] == "end"]
        for (_, values), end in zip(calls, ends, strict=True):
            assert end[2] == "complete", text
            assert json.loads(end[3]) == json.loads(json.dumps(values))
        assert result.finish_reason == "tool_calls"
        assert not [step for step in joined if step[0] in ("content", "malformed")]
    if format == "pythonic":  # the renderer itself
        tree = ast.parse(text.strip(), mode="eval").body
        assert isinstance(tree, ast.List)
        for (_, values), call in zip(calls, tree.elts, strict=True):
            assert isinstance(call, ast.Call)
            assert {word.arg: ast.literal_eval(word.value) for word in call.keywords} == values


def braces(value: Any, mark: str) -> str:
    """A value in Gemma's notation."""
    match value:
        case str():
            return f"{mark}{value}{mark}"
        case list() | tuple():
            return "[" + ",".join(braces(item, mark) for item in value) + "]"
        case dict():
            return "{" + ",".join(f"{key}:{braces(item, mark)}" for key, item in value.items()) + "}"
    return json.dumps(value)


@pytest.mark.parametrize(
    ("format", "opener", "mark", "closer"),
    [
        ("gemma4", "<|tool_call>", '<|"|>', "<tool_call|>"),
        ("functiongemma", "<start_function_call>", "<escape>", "<end_function_call>"),
    ],
)
@pytest.mark.parametrize("seed", range(60))
def test_calls_in_braces_come_back(format: str, opener: str, mark: str, closer: str, seed: int):
    rng = random.Random(seed)
    values = {f"k{i}": plain_keys(some_value(rng)) for i in range(rng.randrange(5))}
    text = f"{opener}call:f{braces(values, mark)}{closer}"
    ways: list[list[Piece]] = [[text], list(text), random_cut(text, rng)]
    for pieces in ways:
        message = toolweir.MessageBuilder()
        for event in stream(pieces, format)[0]:
            message.add(event)
        (call,) = message.message.tool_calls
        assert (call.name, call.status) == ("f", "complete"), text
        assert json.loads(call.arguments) == json.loads(json.dumps(values)), text


def plain_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {f"k{i}": plain_keys(item) for i, item in enumerate(value.values())}
    if isinstance(value, list | tuple):
        return [plain_keys(item) for item in value]
    return value
