"""Response templates as formats: what they describe is read as they say, and what no reader can do is refused.

The same texts go through transformers' own parser where that package is there; it has to find what is expected here.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import toolweir
from toolweir import UnknownFormatError, format_from_response_template

Template = dict[str, Any]
Calls = list[tuple[str, dict[str, Any]]]

CAPTURED = {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}
"""The transform of calls whose name the opening pattern captures."""

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "sure": {"type": "boolean"}},
            },
        },
    }
    for name in ("get_weather", "get_news")
]

CALLS: list[Calls] = [
    [],
    [("get_weather", {"city": "Oslo", "days": 3})],
    [("get_weather", {"city": "Tromsø [north]", "sure": True}), ("get_news", {})],
]


def fields(calls: Template, **content: Any) -> Template:
    """A template with thoughts, calls, and content that needs no opener."""
    return {
        "defaults": {"role": "assistant"},
        "start_anchor": "<|bot|>",
        "fields": {
            "reasoning_content": {"open": "<think>", "close": "</think>", "content": "text"},
            "tool_calls": calls,
            "content": content if "close_pattern" in content else {"close": "<|end|>", **content},
        },
    }


def dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def text_of(value: object) -> str:
    """A bare value, as it stands between tags."""
    return value if isinstance(value, str) else dumps(value)


@dataclass
class Model:
    """A template, and how a model that has it writes calls."""

    template: Template
    write: Callable[[Calls], str]
    think: tuple[str, str] = ("<think>", "</think>")
    say: tuple[str, str] = ("", "")
    end: str = "<|end|>"

    def text(self, reasoning: str, content: str, calls: Calls) -> str:
        parts = [self.think[0] + reasoning + self.think[1] if reasoning else ""]
        parts.append(self.say[0] + content + self.say[1] if content else "")
        return "".join(parts) + (self.write(calls) if calls else "") + self.end


def each(write: Callable[[str, dict[str, Any]], str]) -> Callable[[Calls], str]:
    return lambda calls: "".join(write(name, arguments) for name, arguments in calls)


def tags(opener: str, pair: str, closer: str) -> Callable[[Calls], str]:
    """Writes calls as tags; `pair` has places for key and value."""

    def write(name: str, arguments: dict[str, Any]) -> str:
        pairs = "".join(pair.format(key=key, value=text_of(value)) for key, value in arguments.items())
        return opener.format(name=name) + pairs + closer

    return each(write)


def braces(name: str, arguments: dict[str, Any]) -> str:
    pairs = (f"{key}:'''{v}'''" if isinstance(v, str) else f"{key}:{dumps(v)}" for key, v in arguments.items())
    return f"<call>run:{name}{{{','.join(pairs)}}}</call>"


def python_list(calls: Calls) -> str:
    written = (f"{name}({', '.join(f'{k}={v!r}' for k, v in arguments.items())})" for name, arguments in calls)
    return f"<calls>[{', '.join(written)}]</calls>"


MODELS = {
    "json": Model(
        fields(
            {
                "open_pattern": r"\s*<call>",
                "close": "</call>",
                "repeats": True,
                "content": "json",
                "transform": {"type": "function", "function": "{content}"},
            },
            close_pattern=r"\s*(?:<\|end\|>|<\|over\|>)",
        ),
        each(lambda name, arguments: f"\n<call>\n{dumps({'name': name, 'arguments': arguments})}\n</call>"),
        end="<|end|>\n<|over|>",
    ),
    "json with keys of its own": Model(
        fields(
            {
                "open": ["<call>", "[CALL]"],
                "close": ["</call>", "[/CALL]"],
                "repeats": True,
                "content": "json",
                "transform": {"function": {"name": "{content.tool}", "arguments": "{content.args}"}},
            }
        ),
        each(lambda name, arguments: f"[CALL]{dumps({'args': arguments, 'tool': name})}[/CALL]"),
    ),
    "json in a list, all in regions": Model(
        {
            "start_anchor": "<|turn|>bot:",
            "fields": {
                "thinking": {"open": "<t>", "close": "</t>"},
                "content": {"open": "<say>", "close": "</say>"},
                "tool_calls": {
                    "open": "<acts>",
                    "close": "</acts>",
                    "content": "json",
                    "transform_each": True,
                    "transform": {"function": {"name": "{tool_name}", "arguments": "{parameters}"}},
                },
            },
        },
        lambda calls: (
            f"<acts>{dumps([{'n': 1, 'tool_name': name, 'parameters': values} for name, values in calls])}</acts>"
        ),
        think=("<t>", "</t>"),
        say=("<say>", "</say>"),
        end="",
    ),
    "header": Model(
        fields(
            {
                "open_pattern": r"\[CALLS\](?P<name>[^\[]+)\[ARGS\]",
                "close_pattern": r"(?=\[CALLS\]|<\|end\|>)|$",
                "repeats": True,
                "content": "json",
                "transform": CAPTURED,
            }
        ),
        each(lambda name, arguments: f"[CALLS]{name}[ARGS]{dumps(arguments)}"),
    ),
    "header and fence": Model(
        fields(
            {
                "open_pattern": r"(?:<calls>\s*)?<call>function<sep>(?P<name>[^\n]+)\n```json\n",
                "close_pattern": r"\n```</call>(?:\s*</calls>)?",
                "repeats": True,
                "content": "json",
                "transform": CAPTURED,
            }
        ),
        lambda calls: (
            "<calls>"
            + each(lambda name, values: f"<call>function<sep>{name}\n```json\n{dumps(values)}\n```</call>")(calls)
            + "</calls>"
        ),
    ),
    "braces": Model(
        fields(
            {
                "open_pattern": r"<call>run:(?P<name>\w+)",
                "close": "</call>",
                "repeats": True,
                "content": "json",
                "content_args": {"unquoted_keys": True, "string_delims": [["'''", "'''"]]},
                "transform": CAPTURED,
            }
        ),
        each(braces),
    ),
    "tags": Model(
        fields(
            {
                "open_pattern": r"\s*<call>\s*<function=(?P<name>[^>\n]+)>",
                "close_pattern": r"</function>\s*</call>",
                "repeats": True,
                "content": "xml-inline",
                "content_args": {"tag_pattern": r"<parameter=(?P<key>[^>\n]+)>\s*(?P<value>.*?)\s*</parameter>"},
                "transform": CAPTURED,
            }
        ),
        tags("\n<call>\n<function={name}>\n", "<parameter={key}>\n{value}\n</parameter>\n", "</function>\n</call>"),
    ),
    "tags that only the wrapper closes": Model(
        fields(
            {
                "open_pattern": r"<call><function=(?P<name>\w+)>",
                "close": "</call>",
                "repeats": True,
                "content": "xml-inline",
                "content_args": {"tag_pattern": r"<parameter=(?P<key>\w+)>\n?(?P<value>.*?)\n?</parameter>"},
                "transform": CAPTURED,
            }
        ),
        tags("<call><function={name}>", "<parameter={key}>\n{value}\n</parameter>", "</function></call>"),
    ),
    "tags with attributes, in a section": Model(
        fields(
            {
                "open_pattern": r'(?:<calls>\s*)?<invoke name="(?P<name>[^"]+)">',
                "close_pattern": r"</invoke>(?:\s*</calls>)?",
                "repeats": True,
                "content": "xml-inline",
                "content_args": {"tag_pattern": r'<parameter name="(?P<key>[^"]+)">(?P<value>.*?)</parameter>'},
                "transform": CAPTURED,
            }
        ),
        lambda calls: (
            "<calls>\n"
            + tags('<invoke name="{name}">', '<parameter name="{key}">{value}</parameter>', "</invoke>")(calls)
            + "\n</calls>"
        ),
    ),
    "pairs of tags": Model(
        fields(
            {
                "open_pattern": r"\n?<call>(?P<name>[^\n<]+)\s*",
                "close": "</call>",
                "repeats": True,
                "content": "xml-inline",
                "content_args": {"tag_pattern": r"<key>(?P<key>.*?)</key>\s*<value>(?P<value>.*?)</value>"},
                "transform": CAPTURED,
            }
        ),
        tags("\n<call>{name}\n", "<key>{key}</key>\n<value>{value}</value>\n", "</call>"),
    ),
    "python": Model(
        fields(
            {
                "open": "<calls>",
                "close": "</calls>",
                "content": "python-call-list",
                "transform_each": True,
                "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}},
            }
        ),
        python_list,
    ),
}


def turns() -> Iterator[Any]:
    for name, model in MODELS.items():
        for reasoning in ("", "Let me see.\nThe north?"):
            for content in ("", "Two <b> moments, please."):
                for calls in CALLS:
                    label = f"{name}-{'thought' if reasoning else 'no thought'}-{len(content)}-{len(calls)}"
                    yield pytest.param(model, reasoning, content, calls, id=label)


@pytest.mark.parametrize("cut", [False, True], ids=["whole", "by character"])
@pytest.mark.parametrize(("model", "reasoning", "content", "calls"), list(turns()))
def test_a_turn_is_read(model: Model, reasoning: str, content: str, calls: Calls, cut: bool) -> None:
    text = model.text(reasoning, content, calls)
    parser = toolweir.StreamParser(format_from_response_template(model.template), tools=TOOLS)
    builder = toolweir.MessageBuilder()
    for piece in text if cut else [text]:
        builder.extend(parser.feed(piece))
    builder.extend(parser.finish("stop"))
    message = builder.finish(parser.result)
    assert (message.reasoning or "").strip() == reasoning
    assert (message.content or "").strip() == content
    assert [(call.name, json.loads(call.arguments)) for call in message.tool_calls] == calls
    assert all(call.status == toolweir.CallStatus.COMPLETE for call in message.tool_calls)
    assert not message.malformed


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("model", "reasoning", "content", "calls"), list(turns()))
def test_transformers_reads_the_same(model: Model, reasoning: str, content: str, calls: Calls) -> None:
    chat_parsing = pytest.importorskip("transformers.utils.chat_parsing")
    text = model.text(reasoning, content, calls)
    theirs = chat_parsing.parse_response(text, model.template, prefix="", tools=TOOLS)
    assert theirs.get("reasoning_content", theirs.get("thinking", "")) == reasoning
    assert theirs.get("content", "") == content
    found = [call["function"] for call in theirs.get("tool_calls", [])]
    assert [(call["name"], call["arguments"]) for call in found] == calls


def test_the_id_of_a_header_and_one_in_the_json() -> None:
    header = fields(
        {
            "open_pattern": r"\[CALLS\](?P<name>\w+)(?:\[ID\](?P<id>\w+))?\[ARGS\]",
            "content": "json",
            "transform": {**CAPTURED, "id": "{id}"},
        }
    )
    message = toolweir.parse("[CALLS]f[ID]abc[ARGS]{}[CALLS]g[ARGS]{}", format_from_response_template(header))
    assert [call.name for call in message.tool_calls] == ["f", "g"]
    assert message.tool_calls[0].id == "abc"
    keyed = fields(
        {
            "open": "<call>",
            "close": "</call>",
            "content": "json",
            "transform": {
                "id": "{content.nr}",
                "function": {"name": "{content.f.name}", "arguments": "{content.f.with}"},
            },
        }
    )
    text = '<call>{"nr": "n7", "f": {"name": "f", "with": {"a": 1}}}</call>'
    (call,) = toolweir.parse(text, format_from_response_template(keyed)).tool_calls
    assert (call.id, call.name, call.arguments) == ("n7", "f", '{"a": 1}')


def test_newlines_in_the_texts_of_a_call_are_whitespace() -> None:
    json_call = {"open": "<call>\n", "close": "\n</call>", "content": "json", "transform": {"function": "{content}"}}
    text = '<call>\n{"name": "f", "arguments": {}}\n</call>'
    message = toolweir.parse(text, format_from_response_template(fields(json_call)))
    assert [(call.name, call.arguments) for call in message.tool_calls] == [("f", "{}")]
    assert message.content is None
    header = {"open_pattern": r"<call>\n(?P<name>\w+)\n", "close": "</call>", "content": "json", "transform": CAPTURED}
    (call,) = toolweir.parse("<call>\nf\n{}\n</call>", format_from_response_template(fields(header))).tool_calls
    assert (call.name, call.arguments) == ("f", "{}")


def test_a_call_inside_a_thought_is_its_text() -> None:
    text = '<think>or <call>{"name": "f", "arguments": {}}</call>?</think>No.'
    message = toolweir.parse(text, format_from_response_template(MODELS["json"].template))
    assert message.tool_calls == []
    assert message.content == "No."


def test_whitespace_of_values_is_as_the_pattern_has_it() -> None:
    def city(template: Template, text: str) -> str:
        (call,) = toolweir.parse(text, format_from_response_template(template), tools=TOOLS).tool_calls
        value: str = json.loads(call.arguments)["city"]
        return value

    text = "<call><function=get_weather><parameter=city>\n\n Oslo\n</parameter></function></call>"
    assert city(MODELS["tags"].template, text) == "Oslo"
    assert city(MODELS["tags that only the wrapper closes"].template, text) == "\n Oslo"
    text = '<invoke name="get_weather"><parameter name="city"> Oslo\n</parameter></invoke>'
    assert city(MODELS["tags with attributes, in a section"].template, text) == " Oslo\n"


def test_what_the_caller_adds() -> None:
    template = {"start_anchor": "<|bot|>", "fields": {"content": {"open": "<say>", "close": "</say>"}}}
    format = format_from_response_template(template, name="mine", end_of_turn=["</s>"])
    assert format.name == "mine"
    assert toolweir.parse("<|bot|><say>Hi</say></s>", format).content == "Hi"


def test_a_frame_that_the_model_does_not_write_is_text_where_it_says_it() -> None:
    """Only where all content is framed may a model begin with the frame's start again."""
    implicit = {"start_anchor": "<|bot|>", "fields": {"content": {"close": "<|end|>"}}}
    said = "Say <|bot|> now.<|end|>"
    assert toolweir.parse(said, format_from_response_template(implicit)).content == "Say <|bot|> now."


CALL: Template = {"open": "<call>", "close": "</call>", "content": "json"}
TAGGED: Template = {
    "open_pattern": "<call=(?P<name>.+?)>",
    "close": "</call>",
    "content": "xml-inline",
    "content_args": {"tag_pattern": "<p=(?P<key>.+?)>(?P<value>.*?)</p>"},
    "transform": CAPTURED,
}


@pytest.mark.parametrize(
    ("template", "part"),
    [
        ([], "response template: expected an object"),
        ({"version": 2, "fields": {"content": {}}}, "version: expected 1"),
        ({"x-regex": ".*"}, "unknown keys x-regex"),
        ({"start_anchor": "<|bot|>", "fields": {}}, "fields: expected"),
        ({"fields": {"content": {}}}, "start_anchor"),
        (fields(CALL, opens="<say>"), "fields.content: unknown keys opens"),
        (fields(CALL, content="json"), "fields.content.content: expected 'text'"),
        (fields(CALL, repeats=True, join="\n"), "fields.content.join"),
        (fields(CALL, close=[]), "fields.content.close: expected a text"),
        (fields({"close": "</call>", "content": "json"}), "fields.tool_calls: expected 'open'"),
        (fields({**CALL, "content": "kv-lines"}), "fields.tool_calls.content: expected one of"),
        (fields({**CALL, "content_args": {"unquoted_keys": True}}), "fields.tool_calls.content_args: keys and strings"),
        (fields({**CALL, "transform": {"function": {"name": "search"}}}), "expected a {placeholder} as name"),
        (fields({**CALL, "close": "\n"}), "fields.tool_calls.close"),
        (fields({**CALL, "content": ["json"]}), "fields.tool_calls.content: expected one of"),
        (fields({**CALL, "transform_each": True}), "fields.tool_calls.transform_each"),
        (
            fields({"open_pattern": r"<c>(?P<name>\w+)|<d>", "content": "json", "transform": CAPTURED}),
            "fields.tool_calls.open_pattern: expected the group name",
        ),
        (
            fields(
                {
                    "open_pattern": r"<c>(?P<name>\w+)",
                    "content": "json",
                    "content_args": {"string_delims": [["<s>", "</s>"]]},
                    "transform": CAPTURED,
                }
            ),
            "fields.tool_calls.content_args.string_delims",
        ),
        ({"start_anchor": "<|bot|>", "defaults": [], "fields": {"content": {}}}, "defaults: expected an object"),
        (
            fields({"open_pattern": r"<c>(?P<name>\w+).*?<m>", "content": "json", "transform": CAPTURED}),
            r"fields.tool_calls.open_pattern: '.\*\?' in",
        ),
        (
            fields({**TAGGED, "content_args": {"tag_pattern": r"<(?P<key>\w+)>(?P<value>.*?)</(?P=key)>"}}),
            "fields.tool_calls.content_args.tag_pattern",
        ),
        (
            fields({**TAGGED, "content_args": {**TAGGED["content_args"], "merge_duplicates": True}}),
            "merge_duplicates",
        ),
        (
            {"start_anchor": "<|bot|>", "fields": {"thinking": {"open_pattern": "^", "close": "</think>"}}},
            "fields.thinking.open_pattern: .* reasoning='started'",
        ),
        (
            {"start_anchor": "<|bot|>", "fields": {"thinking": {"open": "<think>"}}},
            "fields.thinking: expected 'close'",
        ),
        (
            fields({"open_pattern": r"<c>\d(?P<name>\w+)", "content": "json", "transform": CAPTURED}),
            r"fields.tool_calls.open_pattern: '\\\\d' in",
        ),
        ({"start_anchor": "<|bot|>", "fields": {"sources": {"open": "<s>", "close": "</s>"}}}, "fields.sources"),
    ],
)
def test_what_no_reader_can_do_is_named(template: Any, part: str) -> None:
    with pytest.raises(UnknownFormatError, match=part):
        format_from_response_template(template)
