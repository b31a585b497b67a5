"""What a raw text becomes under a schema."""

import ast
import json
import math

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from toolweir.schema import ONLY_STRING, UNTYPED, ValueTypes, property_types
from toolweir.transcode import JSON, PYTHON, Progress, transcode
from toolweir.values import decide, viable


def types_of(schema):
    return property_types({"properties": {"value": schema}}, "value")


def t(*names):
    return types_of({"type": list(names)})


ANYTHING = ("string", "number", "boolean", "null", "object", "array")

# schema, text, JSON
TYPED = [
    # only strings admitted: the text, verbatim
    ({"type": "string"}, "plain", '"plain"'),
    ({"type": "string"}, "42", '"42"'),
    ({"type": "string"}, "null", '"null"'),
    ({"type": "string"}, "[1,2]", '"[1,2]"'),
    ({"type": "string"}, '"hello"', '"\\"hello\\""'),
    ({"type": "string"}, "  spaced  ", '"  spaced  "'),
    ({"type": "string"}, "", '""'),
    ({"type": "string", "enum": ["auto", "42"]}, "42", '"42"'),
    ({"type": "string", "enum": ["null", None]}, "null", '"null"'),
    ({"const": "true"}, "true", '"true"'),
    (False, "42", '"42"'),
    # JSON of an admitted type
    ({"type": "integer"}, "42", "42"),
    ({"type": "integer"}, " -7\n", "-7"),
    ({"type": "number"}, "3.5", "3.5"),
    ({"type": "boolean"}, "true", "true"),
    ({"type": "boolean"}, "false", "false"),
    ({"type": "null"}, "null", "null"),
    ({"type": "array"}, "[1,2]", "[1,2]"),
    ({"type": "object"}, '{"x":1}', '{"x":1}'),
    ({"type": ["integer", "null"]}, "null", "null"),
    # an integer admits any JSON number
    ({"type": "integer"}, "5.0", "5.0"),
    ({"type": "integer"}, "1e3", "1e3"),
    ({"enum": [7, 42]}, "8", "8"),
    # True, False and None for boolean and null
    ({"type": "boolean"}, "True", "true"),
    ({"type": "boolean"}, "False", "false"),
    ({"type": "null"}, "None", "null"),
    ({"type": ["string", "boolean"]}, "True", "true"),
    ({"type": ["string", "null"]}, "None", "null"),
    ({"type": "boolean"}, "None", '"None"'),
    ({"type": "null"}, "True", '"True"'),
    ({"type": "boolean"}, "TRUE", '"TRUE"'),
    ({"type": "boolean"}, "yes", '"yes"'),
    ({"type": "boolean"}, "1", '"1"'),
    # a Python literal for object and array
    ({"type": "object"}, "{'a': True, 'b': None}", '{"a":true,"b":null}'),
    ({"type": "array"}, "['it\\'s', \"x\", 1.50,]", '["it\'s","x",1.50]'),
    ({"type": "array"}, "[(1, 2), (), ((3,),)]", "[[1,2],[],[[3]]]"),
    ({"type": "array"}, "(1, 2)", "[1,2]"),
    ({"type": "object"}, "{'a': 1, 'a': 2}", '{"a":1,"a":2}'),
    ({"type": "object"}, "{'d': '\\d\\x41\\101\\u00e9\\n\\ud83d\\ude00\\\\'}", '{"d":"\\\\dAAé\\n😀\\\\"}'),
    # what is none is text
    ({"type": "array"}, "(1)", '"(1)"'),
    ({"type": "array"}, "['\\ud800']", "\"['\\\\ud800']\""),
    ({"type": "array"}, "['\\x4']", "\"['\\\\x4']\""),
    ({"type": "array"}, "[nan]", '"[nan]"'),
    ({"type": "array"}, "['a' 'b']", "\"['a' 'b']\""),
    ({"type": "array"}, "[b'a']", "\"[b'a']\""),
    ({"type": "array"}, "[,]", '"[,]"'),
    ({"type": "array"}, "{'a': 1}", "\"{'a': 1}\""),
    ({"type": "object"}, "{1: 2}", '"{1: 2}"'),
    ({"type": "object"}, "{'a'}", "\"{'a'}\""),
    ({"type": "object"}, "{'a': f()}", "\"{'a': f()}\""),
    # a string beside them leaves no room for Python
    ({"type": ["string", "object"]}, "{'a': 1}", "\"{'a': 1}\""),
    ({"type": ["string", "array"]}, "[1, None]", '"[1, None]"'),
    # else the text as a string
    ({"type": "integer"}, "many", '"many"'),
    ({"type": "integer"}, '"42"', '"\\"42\\""'),
    ({"type": "integer"}, "", '""'),
    ({"type": "integer"}, "007", '"007"'),
    ({"type": "integer"}, "+5", '"+5"'),
    ({"type": "integer"}, "5.", '"5."'),
    ({"type": "integer"}, "1 2", '"1 2"'),
    ({"type": "object"}, "[1]", '"[1]"'),
    ({"type": "object"}, '{"x":"unfinished', '"{\\"x\\":\\"unfinished"'),
    ({"type": "array"}, "3", '"3"'),
    ({"type": ["string", "integer"]}, "null", '"null"'),
    # no schema: JSON if it is JSON, else text
    ({}, "42", "42"),
    ({}, '"quoted"', '"quoted"'),
    ({}, '{"a": [1, {}]}', '{"a":[1,{}]}'),
    ({}, "null", "null"),
    ({}, "True", '"True"'),
    ({}, "{'a': 1}", "\"{'a': 1}\""),
    ({}, "plain text", '"plain text"'),
    ({}, "  ", '"  "'),
    # NaN, Infinity, 1e999 and lone surrogate escapes are text
    ({"type": "number"}, "NaN", '"NaN"'),
    ({"type": "number"}, "Infinity", '"Infinity"'),
    ({"type": "number"}, "-Infinity", '"-Infinity"'),
    ({"type": "number"}, "1e999", '"1e999"'),
    ({"type": "number"}, "-1e999", '"-1e999"'),
    ({"type": "array"}, "[1e999]", '"[1e999]"'),
    ({"type": "array"}, "[NaN]", '"[NaN]"'),
    ({}, "1e999", '"1e999"'),
    ({}, '"\\ud800"', '"\\"\\\\ud800\\""'),
    ({}, '"\\udc00\\ud800"', '"\\"\\\\udc00\\\\ud800\\""'),
    ({"type": "array"}, '["\\ud83d\\u0041"]', '"[\\"\\\\ud83d\\\\u0041\\"]"'),
    # compact, with numbers, strings, keys and their order as the model wrote them
    ({"type": "object"}, '{ "b" : 1.50 ,\n"a"\t:\r-0.0e+1 }', '{"b":1.50,"a":-0.0e+1}'),
    ({"type": "object"}, '{"a": 1, "a": 2}', '{"a":1,"a":2}'),
    ({"type": "array"}, '[ "\\u00E9\\/ é \\ud83D\\uDE00 , : " ]', '["\\u00E9\\/ é \\ud83D\\uDE00 , : "]'),
    ({"type": "integer"}, "9" * 5000, "9" * 5000),
    ({"type": "array"}, "[-" + "9" * 5000 + "]", "[-" + "9" * 5000 + "]"),
    # raw control characters in strings are escaped
    ({"type": "array"}, '["a\nb\x01"]', '["a\\nb\\u0001"]'),
    ({"type": "array"}, "['a\nb']", '["a\\nb"]'),
    # strings are escaped as little as can be
    (
        {"type": "string"},
        '\\ " / \b\f\n\r\t \x00\x1f \x7f é\u2028😀',
        '"\\\\ \\" / \\b\\f\\n\\r\\t \\u0000\\u001f \x7f é\u2028😀"',
    ),
]


@pytest.mark.parametrize(("schema", "text", "json_text"), TYPED)
def test_a_text_and_its_json(schema, text, json_text):
    assert decide(text, types_of(schema)) == json_text


UNION = [
    # schema, text, JSON with prefer="typed", JSON with prefer="glm"
    ({"type": ["string", "integer"]}, "42", "42", '"42"'),
    ({"type": ["string", "object"]}, '{"x": 1}', '{"x":1}', '"{\\"x\\": 1}"'),
    ({"type": ["string", "integer"]}, "-42", "-42", '"-42"'),
    ({"type": ["string", "integer"]}, "1e5", '"1e5"', '"1e5"'),
    ({"type": ["string", "integer"]}, "5.0", '"5.0"', '"5.0"'),
    ({"type": ["string", "number"]}, "1e5", "1e5", '"1e5"'),
    ({"anyOf": [{"type": "integer"}, {"const": "auto"}]}, "5.0", '"5.0"', '"5.0"'),
    ({"type": ["string", "boolean"]}, "True", "true", '"True"'),
    ({"type": ["string", "null"]}, "null", "null", "null"),
    ({"type": ["string", "null"]}, "None", "null", "null"),
    ({"type": ["string", "null"]}, "nil", '"nil"', '"nil"'),
    ({"type": ["string", "integer", "null"]}, "null", "null", "null"),
    ({"type": ["string", "integer"]}, "null", '"null"', '"null"'),
    ({"anyOf": [{"const": "42"}, {"type": "integer"}]}, "42", "42", '"42"'),
    ({"anyOf": [{"const": "42"}, {"type": "integer"}]}, "43", "43", "43"),
    ({"anyOf": [{"type": "integer"}, {"const": "auto"}]}, "auto", '"auto"', '"auto"'),
    ({"anyOf": [{"type": "integer"}, {"const": "auto"}]}, "other", '"other"', '"other"'),
    ({"enum": ["a", '{"x":1}', {}]}, '{"x":1}', '{"x":1}', '"{\\"x\\":1}"'),
    ({"enum": ["a", '{"x":1}', {}]}, '{"x": 1}', '{"x":1}', '{"x":1}'),
    ({"anyOf": [{"const": "null"}, {"type": "null"}]}, "null", "null", "null"),
    ({"anyOf": [{"const": "null"}, {"type": "integer"}]}, "null", '"null"', '"null"'),
    ({"type": "string", "nullable": True}, "null", "null", "null"),
    ({"type": "integer"}, "42", "42", "42"),
    ({"type": "object"}, "{'a': 1}", '{"a":1}', '{"a":1}'),
    ({}, "42", "42", "42"),
    ({}, "auto", '"auto"', '"auto"'),
]


@pytest.mark.parametrize(("schema", "text", "typed", "glm"), UNION)
def test_a_string_beside_other_types(schema, text, typed, glm):
    assert decide(text, types_of(schema), prefer="typed") == typed
    assert decide(text, types_of(schema), prefer="glm") == glm


INTEGERS = [
    # schema, text, JSON with integers="plain"
    ({"type": "integer"}, "3.0", "3"),
    ({"type": "integer"}, "-3.000", "-3"),
    ({"type": "integer"}, "3.5", "3.5"),
    ({"type": "integer"}, "30", "30"),
    ({"type": "integer"}, "3.0e1", "3.0e1"),
    ({"type": ["integer", "null"]}, "3.0", "3"),
    ({"type": ["integer", "array"]}, "[3.0]", "[3.0]"),
    ({"type": "number"}, "3.0", "3.0"),
    ({}, "3.0", "3.0"),
]


@pytest.mark.parametrize(("schema", "text", "plain"), INTEGERS)
def test_a_zero_fraction_of_an_integer(schema, text, plain):
    assert decide(text, types_of(schema), integers="plain") == plain
    assert decide(text, types_of(schema)) == text


def test_spaced_as_pythons_json_module():
    text = '{"a":[1,2.50,{},[ ]],\n"b" :  "x , y : z","c":{"d":null}}'
    spaced = '{"a": [1, 2.50, {}, []], "b": "x , y : z", "c": {"d": null}}'
    assert decide(text, t("object"), style="spaced") == spaced
    assert decide(text, UNTYPED, style="spaced") == spaced
    assert decide("{'a': (1, 2,),}", t("object"), style="spaced") == '{"a": [1, 2]}'


@pytest.mark.parametrize("text", ['["a\nb"]', "['a\nb']"])
def test_strict_takes_no_raw_control_characters(text):
    assert decide(text, t("array"), strict=True) == json.dumps(text)
    assert not viable(text, t("string", "array"), strict=True)


def test_depth_at_and_above():
    assert decide("[" * 1022 + "]" * 1022, t("array")) == "[" * 1022 + "]" * 1022
    above = "[" * 1023 + "]" * 1023
    assert decide(above, t("array")) == f'"{above}"'
    assert viable("[" * 1022, t("array"))
    assert not viable("[" * 1023, t("array"))


VIABLE = [
    # schema, what may yet be typed, what is a string from here on
    (("string",), [], ["", "n", "{"]),
    (("string", "null"), ["", " ", "n", "null", "null ", "N", "None"], ["no", "1", "{", "nulll", "null x", "Nu", '"']),
    (("string", "boolean"), ["t", "true", "T", "Tru", "False"], ["tRu", "TRUE", "n", "1", "True!"]),
    (
        ("string", "number"),
        ["-", "4", "42", "4.", "4.5e", "4.5e-", "42 "],
        ["-a", "--", "01", "4..", "4a", "4 2", ".5", "+5"],
    ),
    (("string", "integer"), ["-", "4", "42", "42 "], ["-a", "--", "01", "4.", "4e", "4 2", ".5", "+5"]),
    (
        ("string", "object"),
        ["{", '{"', '{"a\\', '{"a":t', '{"a": {}', '{"a":1}'],
        ["[", "{'", "{a", '{"a":1}}', "{1", "{,"],
    ),
    (
        ("string", "array"),
        ["[", "[1,", '["\\ud83', "[[", "[1]\n"],
        ["{", "(", "[T", "[1,]", "[1 2", "[1 -", '["a" "b', "[tr,", "[}", '["\\x', '["\\ud83d"'],
    ),
    (("array",), ["[T", "('a\\", "[1,]", "(1,", "(1"], ["{", "(1)", "[b'", "[true, T"]),
]


@pytest.mark.parametrize(("names", "open_texts", "closed_texts"), VIABLE)
def test_while_a_text_may_yet_be_typed(names, open_texts, closed_texts):
    assert {text: viable(text, t(*names)) for text in open_texts} == dict.fromkeys(open_texts, True)
    assert {text: viable(text, t(*names)) for text in closed_texts} == dict.fromkeys(closed_texts, False)


def test_glm_waits_only_for_null_where_any_string_is_admitted():
    types = t("string", "integer", "null")
    assert viable("nul", types, prefer="glm")
    assert not viable("4", types, prefer="glm")
    assert viable("4", types_of({"anyOf": [{"const": "4"}, {"type": "integer"}]}), prefer="glm")


def test_no_schema_waits_for_any_json():
    assert all(viable(text, UNTYPED) for text in ["", '"a', "tr", "-", "[{", '"a"'])
    assert not any(viable(text, UNTYPED) for text in ["T", "a", "{'", '"a"b', "None"])


def test_a_number_may_overflow_and_come_back():
    huge = "1" * 400 + ".5"
    assert viable(huge, t("number"))
    assert decide(huge, t("number")) == f'"{huge}"'
    assert decide(huge + "e-390", t("number")) == huge + "e-390"


TYPE_NAMES = ["string", "integer", "number", "boolean", "null", "object", "array"]
TYPES = st.one_of(
    st.just(UNTYPED),
    st.builds(lambda names: t(*names), st.lists(st.sampled_from(TYPE_NAMES), min_size=1, max_size=3)),
    st.just(types_of({"enum": ["a", "1", "null", "[]", 1, None, []]})),
)
PREFERENCES = st.sampled_from(["typed", "glm"])
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)
NEARLY = st.lists(
    st.sampled_from([*"{}[](),:\"'\\ \n-+.0159eEntfNTFux", "true", "None", "\\u", "d83d", "\\n", "é", "\x00"]),
    max_size=12,
).map("".join)
TEXTS = st.one_of(
    st.text(max_size=20),
    NEARLY,
    JSON_VALUES.map(json.dumps),
    JSON_VALUES.map(lambda v: json.dumps(v, indent=1)),
    JSON_VALUES.map(repr),
)


@given(TEXTS, TYPES, PREFERENCES, st.sampled_from(["compact", "spaced"]), st.booleans())
def test_any_text_becomes_valid_json(text, types, prefer, style, strict):
    value = json.loads(decide(text, types, prefer=prefer, style=style, strict=strict), parse_constant=pytest.fail)
    assert not isinstance(value, str) or value == text or types.no_schema


@given(TEXTS, PREFERENCES)
def test_a_string_is_verbatim(text, prefer):
    assert json.loads(decide(text, ONLY_STRING, prefer=prefer)) == text
    assert not viable(text, ONLY_STRING, prefer=prefer)


@given(TEXTS, TYPES, PREFERENCES)
@example("1" * 400 + ".0e-300", t("number", "string"), "typed")
@example('["\\ud83d\\ude00"]', t("array", "string"), "typed")
def test_a_text_that_is_not_viable_any_more_is_a_string(text, types, prefer):
    json_text = decide(text, types, prefer=prefer)
    verdicts = [viable(text[:end], types, prefer=prefer) for end in range(len(text) + 1)]
    assert verdicts == sorted(verdicts, reverse=True)
    if False in verdicts:
        assert json_text == json.dumps(text, ensure_ascii=False)


@given(JSON_VALUES, st.sampled_from([None, 1]))
def test_json_is_rewritten_as_pythons_module_would(value, indent):
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    assert decide(text, UNTYPED) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert decide(text, UNTYPED, style="spaced") == json.dumps(value, ensure_ascii=False)


def is_json(text):
    """Whether Python's module takes it, but for what a double cannot hold."""

    def finite(number):
        value = float(number)
        if math.isinf(value):
            raise ValueError(number)
        return value

    try:
        json.loads(text, parse_float=finite, parse_constant=finite)
    except ValueError:
        return False
    return True


@given(NEARLY | JSON_VALUES.map(json.dumps))
@example("[1e999]")
def test_whole_json_is_what_the_json_module_takes(text):
    assume("\\ud83d" not in text.lower() and "NaN" not in text)
    assert (transcode(text, JSON, strict=True)[0] is Progress.WHOLE) == is_json(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda i: st.lists(i) | st.dictionaries(st.text(), i) | st.lists(i).map(tuple),
    )
)
def test_what_repr_writes_is_read_back(value):
    assume(isinstance(value, (dict, list, tuple)))
    text = repr(value)
    progress, json_text = transcode(text, PYTHON)
    assert progress is Progress.WHOLE
    assert json.loads(json_text) == json.loads(json.dumps(ast.literal_eval(text)))


def test_types_that_no_value_has_leave_the_text():
    assert decide("42", ValueTypes(0)) == '"42"'
    assert not viable("4", ValueTypes(0))
