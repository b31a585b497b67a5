"""Tool definitions: three dialects, mixed, read once."""

import pickle
from types import MappingProxyType

import pytest

from toolweir.errors import ToolDefinitionError
from toolweir.tools import Tools

SCHEMA = {"type": "object", "properties": {"count": {"type": "integer"}}}


class Model:
    """Stands for an object of an SDK."""

    def __init__(self, **fields):
        self._fields = fields

    def model_dump(self):
        return self._fields


DIALECTS = {
    "chat": {"type": "function", "function": {"name": "f", "parameters": SCHEMA}},
    "chat without type": {"function": {"name": "f", "parameters": SCHEMA}},
    "responses": {"type": "function", "name": "f", "parameters": SCHEMA, "strict": True},
    "anthropic": {"name": "f", "input_schema": SCHEMA},
    "anthropic with its type": {"type": "custom", "name": "f", "input_schema": SCHEMA},
    "anthropic mapping": {"type": "custom", "name": "f", "input_schema": MappingProxyType(SCHEMA)},
    "bare": {"name": "f", "parameters": SCHEMA},
    "mapping": MappingProxyType({"name": "f", "parameters": MappingProxyType(SCHEMA)}),
    "model": Model(type="function", function={"name": "f", "parameters": SCHEMA}),
    "model inside a dict": {"type": "function", "function": Model(name="f", parameters=SCHEMA)},
}


@pytest.mark.parametrize("definition", DIALECTS.values(), ids=DIALECTS)
def test_dialects(definition):
    tool = Tools([definition])["f"]
    assert (tool.name, tool.kind, tool.parameters) == ("f", "function", SCHEMA)
    assert tool.properties["count"].admits == {"integer"}


@pytest.mark.parametrize(
    "definition",
    [
        {"type": "custom", "custom": {"name": "f", "format": {"type": "text"}}},
        {"type": "custom", "name": "f", "format": {"type": "text"}},
    ],
    ids=["chat", "responses"],
)
def test_custom_tools(definition):
    tool = Tools([definition])["f"]
    assert (tool.kind, tool.parameters) == ("custom", None)


def test_a_custom_tool_may_tell_its_parameters():
    tool = Tools([{"type": "custom", "name": "f", "parameters": SCHEMA}])["f"]
    assert (tool.kind, tool.parameters) == ("custom", SCHEMA)


@pytest.mark.parametrize("definition", [{"name": "f"}, {"name": "f", "parameters": None}, {"function": {"name": "f"}}])
def test_a_tool_may_have_no_schema(definition):
    tool = Tools([definition])["f"]
    assert tool.parameters is None
    assert tool.properties["anything"].no_schema


def test_dialects_mix_and_keep_their_order():
    tools = Tools([{"name": "b", "input_schema": SCHEMA}, DIALECTS["chat"], {"type": "custom", "name": "a"}])
    assert list(tools.names) == list(tools) == ["b", "f", "a"]


@pytest.mark.parametrize("definition", [{"type": "web_search"}, {"type": "mcp", "server_label": "x"}])
def test_built_in_tools_without_a_name_are_ignored(definition):
    assert list(Tools([definition, DIALECTS["bare"]])) == ["f"]


def test_a_built_in_tool_with_a_name_can_be_called():
    assert "bash" in Tools([{"type": "bash_20250124", "name": "bash"}])


def test_the_later_of_two_tools_with_one_name_holds():
    tools = Tools([{"name": "f", "parameters": {}}, {"name": "f", "parameters": SCHEMA}])
    assert len(tools) == 1
    assert tools["f"].parameters is SCHEMA


@pytest.mark.parametrize(
    ("definitions", "message"),
    [
        ({"name": "f"}, r"tools: expected a list of definitions, got dict"),
        ("f", r"tools: expected a list of definitions, got str"),
        (7, r"tools: expected a list of definitions, got int"),
        ([DIALECTS["bare"], "f"], r"tools\[1\]: expected an object \(a tool definition\), got str"),
        ([None], r"tools\[0\]: expected an object \(a tool definition\), got nothing"),
        ([{}], r"tools\[0\]\.name: expected a non-empty string, got nothing"),
        ([{"type": "function"}], r"tools\[0\]\.name: expected a non-empty string, got nothing"),
        ([{"type": "custom"}], r"tools\[0\]\.name: expected a non-empty string, got nothing"),
        ([{"name": 7}], r"tools\[0\]\.name: expected a non-empty string, got int"),
        ([{"name": ""}], r"tools\[0\]\.name: expected a non-empty string, got an empty one"),
        ([{"type": "function", "function": []}], r"tools\[0\]\.function: expected an object, got list"),
        ([{"function": {"parameters": {}}}], r"tools\[0\]\.function\.name: expected a non-empty string, got nothing"),
        ([{"type": "custom", "custom": "f"}], r"tools\[0\]\.custom: expected an object, got str"),
        ([{"name": "f", "parameters": []}], r"tools\[0\]\.parameters: expected an object \(a JSON Schema\), got list"),
        ([{"name": "f", "input_schema": "{}"}], r"tools\[0\]\.input_schema: expected an object .*, got str"),
        ([{"function": {"name": "f", "parameters": 1}}], r"tools\[0\]\.function\.parameters: expected an object .*int"),
    ],
)
def test_a_broken_definition_names_its_place(definitions, message):
    with pytest.raises(ToolDefinitionError, match=f"^{message}$"):
        Tools(definitions)


def test_of():
    tools = Tools([])
    assert Tools.of(None) is None
    assert Tools.of(tools) is tools
    assert list(Tools.of(definition for definition in [DIALECTS["bare"]])) == ["f"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("f", "f"),
        ("functions.f", "f"),
        ("ns.f", "f"),
        ("a.b", "a.b"),
        ("functions.a.b", "a.b"),
        ("x.y.f", None),
        ("g", None),
        ("f.", None),
        (".f", "f"),
        ("", None),
    ],
)
def test_a_name_resolves_exactly_or_past_its_first_dot(name, meant):
    assert Tools([{"name": "f"}, {"name": "a.b"}]).resolve(name) == meant


def test_an_unknown_name_raises_like_a_dict():
    tools = Tools([DIALECTS["bare"]])
    assert "functions.f" not in tools
    with pytest.raises(KeyError):
        tools["functions.f"]


def test_pickle():
    tools = Tools([DIALECTS["chat"], {"type": "custom", "name": "c"}])
    assert tools["f"].properties["count"].admits == {"integer"}
    copy = pickle.loads(pickle.dumps(tools))
    assert list(copy) == ["f", "c"]
    assert copy["f"] == tools["f"]
    assert copy["c"].kind == "custom"
    assert pickle.loads(pickle.dumps(tools["f"])).properties["count"].admits == {"integer"}


def test_schemas_are_not_looked_at_before_they_are_needed():
    class Watched(dict):
        read = False

        def get(self, *args):
            Watched.read = True
            return super().get(*args)

    tools = Tools([{"name": "f", "parameters": Watched(SCHEMA)}])
    assert not Watched.read
    assert tools["f"].properties["count"].admits == {"integer"}
    assert Watched.read


def test_keys_that_a_model_invents_are_not_kept():
    properties = Tools([DIALECTS["bare"]])["f"].properties
    for number in range(100):
        assert properties[f"invented{number}"].no_schema
    assert properties["count"] is properties["count"]
    assert list(properties) == ["count"]


def test_tools_of_equal_definitions_are_equal():
    one, other = Tools([DIALECTS["chat"]])["f"], Tools([DIALECTS["chat"]])["f"]
    assert one == other
    assert one != Tools([{"name": "f", "parameters": {}}])["f"]


def test_tools_are_equal_whatever_was_asked_of_them():
    one, other = [Tools([DIALECTS["bare"]])["f"] for _ in range(2)]
    assert one.properties["count"]
    assert one == other
