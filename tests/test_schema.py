"""Which types a schema admits."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toolweir.schema import ARRAY, BOOLEAN, INTEGER, NULL, NUMBER, OBJECT, STRING, UNTYPED, ValueTypes, property_types

NUMERIC = INTEGER | NUMBER
ANY = UNTYPED.mask


def types_of(schema, **root):
    return property_types({"type": "object", "properties": {"value": schema}, **root}, "value")


def mask_of(schema, **root):
    return types_of(schema, **root).mask


TYPED = [
    # type, also as a list
    ({"type": "string"}, STRING),
    ({"type": "integer"}, INTEGER),
    ({"type": "number"}, NUMERIC),
    ({"type": "boolean"}, BOOLEAN),
    ({"type": "null"}, NULL),
    ({"type": "object"}, OBJECT),
    ({"type": "array", "items": {"type": "string"}}, ARRAY),
    ({"type": ["string", "null"]}, STRING | NULL),
    ({"type": ["integer", "number"]}, NUMERIC),
    # nullable widens a type, and only a type
    ({"type": "integer", "nullable": True}, INTEGER | NULL),
    ({"type": "integer", "nullable": False}, INTEGER),
    ({"nullable": True}, ANY),
    ({"enum": ["a"], "nullable": True}, STRING),
    # const and enum
    ({"const": "a"}, STRING),
    ({"const": True}, BOOLEAN),
    ({"const": 1}, INTEGER),
    ({"const": 1.0}, INTEGER),
    ({"const": 1.5}, NUMBER),
    ({"const": None}, NULL),
    ({"const": {"a": 1}}, OBJECT),
    ({"const": [1]}, ARRAY),
    ({"enum": ["a", 1, None]}, STRING | INTEGER | NULL),
    ({"enum": [1, 2], "type": "number"}, INTEGER),
    # unions
    ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, STRING | INTEGER),
    ({"oneOf": [{"type": "array"}, {"const": "auto"}]}, ARRAY | STRING),
    ({"anyOf": [{"anyOf": [{"type": "null"}]}, {"type": "object"}]}, NULL | OBJECT),
    ({"anyOf": []}, ANY),
    # keywords side by side intersect
    ({"type": "string", "anyOf": [{"type": "string"}, {"type": "null"}]}, STRING),
    ({"type": ["string", "null"], "oneOf": [{"type": "string"}, {"type": "integer"}]}, STRING),
    ({"type": "string", "enum": ["null", None]}, STRING),
    ({"allOf": [{"type": ["string", "integer"]}, {"type": ["integer", "null"]}]}, INTEGER),
    ({"allOf": [{"type": "integer"}, {"anyOf": [{"const": "auto"}, {"type": "integer"}]}]}, INTEGER),
    ({"enum": ["a", 1], "allOf": [{"enum": ["b", 1]}]}, INTEGER),
    ({"type": "integer", "allOf": [{"type": "number"}]}, INTEGER),
    ({"anyOf": [{"type": "string"}, {"type": "null"}], "oneOf": [{"type": "null"}, {"type": "array"}]}, NULL),
    # a branch without a type adds nothing against a required type
    ({"type": "string", "anyOf": [{"minLength": 1}, {"type": "null"}]}, STRING),
    ({"anyOf": [{"minLength": 1}, {"type": "null"}]}, ANY),
    # boolean schemas
    (True, ANY),
    ({"anyOf": [False, {"type": "integer"}]}, INTEGER),
    ({"anyOf": [True, {"type": "integer"}]}, ANY),
    ({"allOf": [True, {"type": "integer"}]}, INTEGER),
    # what nothing can satisfy is written as a string
    (False, STRING),
    ({"type": "integer", "const": "a"}, STRING),
    ({"enum": []}, STRING),
    ({"const": "a", "enum": ["b", 1]}, STRING),
    # unknown keywords, and ids, change nothing
    ({"type": "integer", "$id": "https://example.com/count", "format": "int32", "x-note": 1}, INTEGER),
    ({"description": "free"}, ANY),
    ({}, ANY),
    ({"not": {"type": "null"}}, ANY),
]


@pytest.mark.parametrize(("schema", "mask"), TYPED)
def test_types(schema, mask):
    assert mask_of(schema) == mask


STRANGE = [
    None,
    "string",
    7,
    [],
    {"type": None},
    {"type": 7},
    {"type": "text"},
    {"type": []},
    {"type": ["text", "string"]},
    {"type": [["string"]]},
    {"type": {"string": 1}},
    {"enum": "abc"},
    {"anyOf": {"type": "string"}},
    {"anyOf": [7, None]},
    {"allOf": "x"},
    {"nullable": "yes"},
    {"$ref": 7},
    {"const": object()},
]


@pytest.mark.parametrize("schema", STRANGE)
def test_a_strange_schema_is_no_schema(schema):
    assert types_of(schema) == UNTYPED


DEFINITIONS = {
    "Integer": {"type": "integer"},
    "Alias": {"$ref": "#/$defs/Choice"},
    "Choice": {"anyOf": [{"const": "auto"}, {"type": "integer"}]},
    "Null": {"type": "string", "const": "null"},
    "postal code": {"type": "integer"},
    "café+": {"type": "integer"},
    "a/b~c": {"type": "integer"},
    "~1": {"type": "integer"},
    "list": [{"type": "null"}, {"type": "boolean"}],
}
REFERENCES = [
    ({"$ref": "#/$defs/Integer"}, INTEGER),
    ({"$ref": "#/$defs/Alias"}, STRING | INTEGER),
    ({"$ref": "#/$defs/Alias", "type": "integer"}, INTEGER),
    ({"$ref": "#/$defs/Null", "nullable": True}, STRING),
    ({"$ref": "#/$defs/postal%20code"}, INTEGER),
    ({"$ref": "#/$defs/caf%c3%a9+"}, INTEGER),
    ({"$ref": "#/$defs/a%7E1b%7E0c"}, INTEGER),
    ({"$ref": "#/$defs/a~1b~0c"}, INTEGER),
    ({"$ref": "#/$defs/~01"}, INTEGER),
    ({"$ref": "#/$defs/list/1"}, BOOLEAN),
    ({"$ref": "#/properties/other"}, ARRAY),
    ({"$ref": "#"}, OBJECT),
    ({"allOf": [{"$ref": "#/$defs/Choice"}, {"type": ["integer", "null"]}]}, INTEGER),
    ({"anyOf": [{"$ref": "#/$defs/Integer"}, {"type": "null"}]}, INTEGER | NULL),
    # those that lead nowhere say nothing
    ({"$ref": "#/$defs/Missing"}, ANY),
    ({"$ref": "#/$defs/Missing", "type": "integer"}, INTEGER),
    ({"$ref": "#/$defs/list/2"}, ANY),
    ({"$ref": "#/$defs/list/" + "9" * 5000}, ANY),
    ({"$ref": "#/$defs/list/-1"}, ANY),
    ({"$ref": "#/$defs/list/²"}, ANY),
    ({"anyOf": [{"$ref": "#/$defs/Missing"}, {"type": "null"}]}, ANY),
    ({"$ref": "#Integer"}, ANY),
    ({"$ref": "https://example.com/schema#/$defs/Integer"}, ANY),
    ({"$ref": ""}, ANY),
    ({"$ref": "#/$defs/%ff"}, ANY),
]


@pytest.mark.parametrize(("schema", "mask"), REFERENCES)
def test_references(schema, mask):
    root = {"type": "object", "properties": {"value": schema, "other": {"type": "array"}}, "$defs": DEFINITIONS}
    assert property_types(root, "value").mask == mask


CYCLES = [
    ({"A": {"$ref": "#/$defs/A"}}, ANY),
    ({"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}, ANY),
    ({"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "integer"}]}}, INTEGER),
    ({"A": {"allOf": [{"$ref": "#/$defs/A"}, {"type": "integer"}]}}, INTEGER),
    (
        {
            "A": {"anyOf": [{"$ref": "#/$defs/B"}, {"type": "null"}]},
            "B": {"oneOf": [{"$ref": "#/$defs/A"}, {"const": 1}]},
        },
        INTEGER | NULL,
    ),
    ({"A": {"type": "object", "properties": {"next": {"$ref": "#/$defs/A"}}}}, OBJECT),
]


@pytest.mark.parametrize(("definitions", "mask"), CYCLES)
def test_cycles(definitions, mask):
    assert mask_of({"$ref": "#/$defs/A"}, **{"$defs": definitions}) == mask


def test_a_schema_that_holds_itself():
    schema = {"type": "object"}
    schema["anyOf"] = [schema, {"type": "object"}]
    assert mask_of(schema) == OBJECT


def test_a_wide_graph_of_references_is_read_once_a_schema():
    reads = 0

    class Counted(dict):
        def get(self, key, default=None):
            nonlocal reads
            reads += key == "$ref"
            return super().get(key, default)

    levels = 40
    definitions = {f"N{i}": Counted(allOf=[{"$ref": f"#/$defs/N{i + 1}"}] * 4) for i in range(levels)}
    definitions[f"N{levels}"] = Counted(type="integer")
    assert mask_of({"$ref": "#/$defs/N0"}, **{"$defs": definitions}) == INTEGER
    assert reads == levels + 1


def test_a_wide_cycle_is_read_once():
    reads = 0

    class Counted(dict):
        def get(self, key, default=None):
            nonlocal reads
            reads += key == "$ref"
            assert reads < 10
            return super().get(key, default)

    definitions = {"A": Counted(anyOf=[*({"$ref": "#/$defs/A"} for _ in range(4)), {"type": "integer"}])}
    assert mask_of({"$ref": "#/$defs/A"}, **{"$defs": definitions}) == INTEGER


def test_a_long_chain_of_aliases():
    definitions = {f"N{i}": {"$ref": f"#/$defs/N{i + 1}"} for i in range(150)} | {"N150": {"type": "integer"}}
    assert mask_of({"$ref": "#/$defs/N0"}, **{"$defs": definitions}) == INTEGER


def test_what_nests_deeper_than_any_schema_says_nothing():
    schema = {"type": "integer"}
    for _ in range(5000):
        schema = {"anyOf": [schema]}
    assert types_of(schema) == UNTYPED


STRINGS = [
    ({"type": "string"}, None),
    ({"type": "string", "const": "a"}, {"a"}),
    ({"enum": ["a", "b", 1]}, {"a", "b"}),
    ({"enum": ["a", "b"], "allOf": [{"enum": ["b", "c"]}]}, {"b"}),
    ({"anyOf": [{"const": "a"}, {"const": "b"}, {"type": "integer"}]}, {"a", "b"}),
    ({"anyOf": [{"const": "a"}, {"type": "string"}]}, None),
    ({"anyOf": [{"const": "a"}, {"minLength": 1}]}, None),
    ({"type": "integer", "enum": ["a", 1]}, None),
    ({"type": "string", "anyOf": [{"const": "a"}, {"minLength": 1}]}, None),
]


@pytest.mark.parametrize(("schema", "strings"), STRINGS)
def test_the_strings_that_a_schema_lists(schema, strings):
    assert types_of(schema).strings == strings


PROPERTIES = [
    # declared by what the parameters refer to, require or offer
    ({"$ref": "#/$defs/P", "$defs": {"P": {"properties": {"value": {"type": "integer"}}}}}, INTEGER),
    ({"allOf": [{"properties": {"value": {"type": "integer"}}}, {"properties": {"other": {}}}]}, INTEGER),
    (
        {
            "properties": {"value": {"type": ["integer", "null"]}},
            "allOf": [{"properties": {"value": {"type": "null"}}}],
        },
        NULL,
    ),
    (
        {
            "anyOf": [
                {"properties": {"value": {"type": "integer"}}},
                {"properties": {"value": {"type": "null"}}},
                {"properties": {"other": {"type": "string"}}},
            ]
        },
        INTEGER | NULL,
    ),
    # a schema for keys that are not declared
    ({"additionalProperties": {"type": "integer"}}, INTEGER),
    ({"properties": {"value": {"type": "null"}}, "additionalProperties": {"type": "integer"}}, NULL),
    ({"additionalProperties": {"$ref": "#/$defs/N"}, "$defs": {"N": {"type": "null"}}}, NULL),
    ({"additionalProperties": False}, ANY),
    ({"additionalProperties": True}, ANY),
    ({"patternProperties": {"^val": {"type": "integer"}, "x": {"type": "null"}}}, INTEGER),
    ({"patternProperties": {"^v": {"type": ["integer", "null"]}}, "properties": {"value": {"type": "null"}}}, NULL),
    ({"patternProperties": {"^[a-z]+$": {"type": "integer"}}, "additionalProperties": {"type": "null"}}, INTEGER),
    # broken patterns, and those that could take for ever, match nothing
    ({"patternProperties": {"[": {"type": "integer"}}}, ANY),
    ({"patternProperties": {"(v|a|l|u|e)+": {"type": "integer"}}}, ANY),
    ({"patternProperties": {7: {"type": "integer"}}}, ANY),
    # parameters that declare nothing
    ({"properties": []}, ANY),
    ({"properties": {"Value": {"type": "integer"}}}, ANY),
    ({"patternProperties": [], "additionalProperties": "no"}, ANY),
    ({}, ANY),
    (None, ANY),
]


@pytest.mark.parametrize(("parameters", "mask"), PROPERTIES)
def test_where_a_property_is_declared(parameters, mask):
    assert property_types(parameters, "value").mask == mask


def test_a_pattern_is_not_tried_on_keys_that_no_name_is_as_long_as():
    parameters = {"patternProperties": {"^x": {"type": "integer"}}}
    assert property_types(parameters, "x" * 256).mask == INTEGER
    assert property_types(parameters, "x" * 257).no_schema


def test_the_words_for_a_mask():
    assert types_of({"type": ["string", "null"]}).admits == {"string", "null"}
    assert types_of({"type": "number"}).admits == {"integer", "number"}
    assert types_of({"const": 1.5}).admits == {"number"}
    assert UNTYPED.admits == {"string", "integer", "number", "boolean", "null", "object", "array"}
    assert types_of({"type": "string"}).only_string
    assert not types_of({"type": ["string", "null"]}).only_string
    assert types_of({"type": ["string", "null"]}).admits_string
    assert not types_of({"type": "null"}).admits_string
    assert not UNTYPED.only_string


def test_all_types_named_is_not_the_same_as_no_schema():
    types = types_of({"type": ["string", "number", "boolean", "null", "object", "array"]})
    assert types.admits == UNTYPED.admits
    assert not types.no_schema


def test_value_types_are_frozen_and_hashable():
    assert {ValueTypes(STRING): 1}[types_of({"type": "string"})] == 1
    with pytest.raises(AttributeError):
        UNTYPED.mask = 1


NAMES = st.sampled_from(["string", "integer", "number", "boolean", "null", "object", "array", "text"])
VALUES = st.sampled_from(["a", "b", 1, 1.5, True, None, {}, []])
SCHEMAS = st.recursive(
    st.one_of(
        st.booleans(),
        st.fixed_dictionaries({}, optional={"type": NAMES | st.lists(NAMES), "nullable": st.booleans()}),
        st.fixed_dictionaries({}, optional={"const": VALUES, "enum": st.lists(VALUES)}),
        st.builds(lambda name: {"$ref": f"#/$defs/{name}"}, st.sampled_from("ABC")),
    ),
    lambda inner: st.fixed_dictionaries(
        {}, optional={keyword: st.lists(inner, max_size=3) for keyword in ("anyOf", "oneOf", "allOf")}
    ),
    max_leaves=8,
)


def mirrored(schema):
    """The same schema with every list of branches turned round."""
    if isinstance(schema, dict):
        return {key: mirrored(value) for key, value in reversed(schema.items())}
    return [mirrored(item) for item in reversed(schema)] if isinstance(schema, list) else schema


@example({"const": 1.5}, {})
@given(SCHEMAS, st.fixed_dictionaries(dict.fromkeys("ABC", SCHEMAS)))
def test_any_graph_of_schemas_is_read_to_its_end(schema, definitions):
    types = types_of(schema, **{"$defs": definitions})
    assert types.admits
    assert types.strings is None or types.admits_string


@given(SCHEMAS)
def test_the_order_of_branches_never_matters(schema):
    assert types_of(schema) == types_of(mirrored(schema))


KEYWORDS = ["type", "enum", "const", "anyOf", "allOf", "$ref", "properties", "patternProperties", "value"]
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYWORDS), inner),
)


@given(JUNK)
def test_no_schema_raises(schema):
    assert property_types(schema, "value").admits
    assert types_of(schema).admits
