"""Tagged calls: headers, parameters, closers, typed values, limits, and grammars that are nothing but options."""

import json
import random
from typing import Any

import pytest
from support import check_every_cut, stream, without_spans
from texts import shrapnel

from toolweir import Limits, StreamParser, parse
from toolweir.formats import Format, Opener
from toolweir.formats.qwen3_coder import function_tags

TOOLS = [
    {
        "name": "f",
        "parameters": {
            "type": "object",
            "properties": {
                "s": {"type": "string"},
                "i": {"type": "integer"},
                "o": {"type": "object"},
                "l": {"type": "array"},
                "u": {"type": ["string", "integer", "null"]},
                "b": {"type": "boolean"},
            },
        },
    },
    {"name": "g", "parameters": {"type": "object", "properties": {}}},
]


def log(text: str, format: Any = "qwen3_coder", finish: str = "stop", **options: Any) -> list[tuple[Any, ...]]:
    """The joined events without spans, the same under every cut."""
    options.setdefault("tools", TOOLS)
    return without_spans(check_every_cut(text, format, finish, **options))


def call(name: str, arguments: str, index: int = 0, position: int | None = None) -> list[tuple[Any, ...]]:
    return [
        ("start", index, name, index if position is None else position),
        ("arguments", index, arguments),
        ("end", index, "complete", arguments, None),
    ]


def values(*pairs: tuple[str, str]) -> str:
    tags = "".join(f"<parameter={key}>{value}</parameter>" for key, value in pairs)
    return f"<tool_call><function=f>{tags}</function></tool_call>"


def broken(arguments: str, status: str, reason: str) -> list[tuple[Any, ...]]:
    sent = [("arguments", 0, arguments)] if arguments else []
    return [("start", 0, "f", 0), *sent, ("end", 0, status, arguments, reason)]


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>\n<function=f>\n<parameter=s>\nx\n</parameter>\n</function>\n</tool_call>",
        "<tool_call><function=f><parameter=s>x</parameter></function></tool_call>",
        "<function=f>\n<parameter=s>\nx\n</parameter>\n</function>",
        "<function=f>\n<parameter=s>\nx\n</parameter>\n</function>\n</tool_call>",
        "<tool_call>\n<function=f>\n<parameter=s>\nx\n</parameter>\n</tool_call>",
        "<tool_call><function=\"f\"><parameter='s'>x</parameter></function></tool_call>",
        '<tool_call><function= f kind="a b" n=1 ><parameter=s type="string">x</parameter></function>',
        "<tool_call></function><function=f></parameter><function=zz><tool_call><parameter=s>x</parameter></function>",
        "<tool_call><parameter=z>q</parameter><function=f><parameter=s>x</parameter></function></tool_call>",
        "<tool_call>\n<function=ns.f>\n<parameter=s>x</parameter>\n</function>",
    ],
)
def test_ways_to_write_the_same_call(text: str):
    assert log(text) == call("f", '{"s":"x"}')


def test_no_parameters_are_an_empty_object():
    assert log("<tool_call>\n<function=g>\n</function>\n</tool_call>") == call("g", "{}")


def test_several_functions_in_one_wrapper():
    text = "<tool_call><function=g></function>\n<function=f><parameter=i>1</parameter></function></tool_call> done"
    assert log(text) == [*call("g", "{}"), *call("f", '{"i":1}', 1), ("content", " done")]


def test_repeated_keys_are_sent_as_they_come():
    assert log(values(("s", "a"), ("i", "1"), ("s", "b"))) == call("f", '{"s":"a","i":1,"s":"b"}')


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Write <function=f> to call it.", "Write <function=f> to call it."),
        ("<function=f> begins it", " begins it"),
        ("Use <tool_call> or <function=> here", "Use <tool_call> or <function=> here"),
        ("a <tool_call><function=two words> b", "a <tool_call><function=two words> b"),
        ("a <function=f(x)> b", "a <function=f(x)> b"),
        ("so </parameter>\n</function>", "so "),
    ],
)
def test_a_header_that_does_not_fit_is_a_stray_tag(text: str, content: str):
    assert log(text) == [("content", content)]


@pytest.mark.parametrize("data", ["</parameter>", "a</parameter>b", "</parameter> and", "</parameter></parameter>x"])
def test_a_closer_inside_a_value_is_data(data: str):
    assert log(values(("s", data + "!"))) == call("f", json.dumps({"s": data + "!"}, separators=(",", ":")))


@pytest.mark.parametrize(
    "data",
    ["</function>", "</tool_call>", "<tool_call>\n<function=g>", "<think>x</think>", "</parameter>\n<parameter=a b>"],
)
def test_only_the_values_own_closer_ends_it(data: str):
    assert log(values(("s", data))) == call("f", json.dumps({"s": data}, separators=(",", ":")))


@pytest.mark.parametrize(
    ("written", "options", "value"),
    [
        ("\nx\n", {}, "x"),
        ("\n\nx\n\n", {}, "\nx\n"),
        (" x ", {}, " x "),
        ("\n", {}, ""),
        ("\n\n", {}, ""),
        ("", {}, ""),
        ("\r\nx\r\n", {}, "\r\nx\r"),
        ("\nx\n", {"value_whitespace": "keep"}, "\nx\n"),
        ("\n x\t\n\n", {"value_whitespace": "trim"}, "x"),
        ("\n a  b \n", {"value_whitespace": "trim"}, "a  b"),
    ],
)
def test_whitespace_at_the_edges(written: str, options: dict[str, Any], value: str):
    assert log(values(("s", written)), **options) == call("f", json.dumps({"s": value}, separators=(",", ":")))


@pytest.mark.parametrize(
    ("key", "written", "json_text"),
    [
        ("s", "5", '"5"'),
        ("i", "5", "5"),
        ("i", "five", '"five"'),
        ("u", "5", "5"),
        ("u", "5 apples", '"5 apples"'),
        ("u", "null", "null"),
        ("u", "nullable", '"nullable"'),
        ("b", "True", "true"),
        ("o", '{"a" : [1, 2],\n "b": "x\ty"}', '{"a":[1,2],"b":"x\\ty"}'),
        ("o", "{'a': None}", '{"a":null}'),
        ("o", '{"a": oops', '"{\\"a\\": oops"'),
        ("unknown", "[1, 2]", "[1,2]"),
        ("unknown", "[1, 2", '"[1, 2"'),
        ("unknown", 'say "hi"\\', '"say \\"hi\\"\\\\"'),
    ],
)
def test_values_have_the_types_of_their_schema(key: str, written: str, json_text: str):
    assert log(values((key, "\n" + written + "\n"))) == call("f", f'{{"{key}":{json_text}}}')


def test_spaced_style():
    assert log(values(("s", "x"), ("l", "[1,2]")), argument_style="spaced") == call("f", '{"s": "x", "l": [1, 2]}')


def test_streamed_values_go_out_as_they_come():
    parser = StreamParser("qwen3_coder", tools=TOOLS, stream_values=True)
    parser.feed('<function=f>\n<parameter=o>\n{"a" : ')
    assert [event.text for event in parser.feed("[1, 2")] == ["[1,2"]
    assert log(values(("l", '[1, "a b", {"x" : 1}]')), stream_values=True) == call("f", '{"l":[1,"a b",{"x":1}]}')


def test_a_streamed_value_that_breaks_makes_the_call_invalid():
    events = log(values(("l", "[1, oops]"), ("s", "x")), stream_values=True)
    assert events[:3] == broken('{"l":[1,', "invalid", "json")
    assert [event[0] for event in events[3:]] == ["malformed"]


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("<tool_call><function=f><parameter=s>New Y", '{"s":"New Y'),
        ("<tool_call><function=f><parameter=s>New\n</para", '{"s":"New'),
        ("<tool_call><function=f><parameter=i>5", '{"i":'),
        ("<tool_call><function=f><parameter=i>5</parameter>", '{"i":5'),
        ("<tool_call><function=f><parameter=i>5</parameter>\n</func", '{"i":5'),
        ("<tool_call><function=f><parameter=", ""),
    ],
)
def test_cut_calls_are_incomplete(text: str, sent: str):
    assert log(text, finish="length") == broken(sent, "incomplete", "text_ended")


def test_a_header_that_the_text_ends_in_is_malformed():
    text = "<tool_call>\n<function=f"
    assert log(text) == [("malformed", text, "text_ended")]


def test_parameters_without_a_function_are_malformed():
    text = "<tool_call>\n<parameter=s>x</parameter>\n</tool_call>"
    assert log("a\n" + text + "b") == [("content", "a\n"), ("malformed", text, "no_name"), ("content", "b")]


def test_text_between_parameters_breaks_the_call():
    events = log("<function=f>\n<tool_call>oops</function> on")
    assert events == [
        *broken("", "invalid", "header"),
        ("malformed", "oops</function>", "after_invalid"),
        ("content", " on"),
    ]


def test_limits_at_and_above():
    name = "n" * 256
    assert log(f"<function={name}>\n</function>", tools=None) == call(name, "{}")
    assert log(f"<function={name}n>\n</function>", tools=None)[0][::2] == ("malformed", "limit")
    limits = Limits(parameters=2)
    assert log(values(("i", "1"), ("i", "2")), limits=limits) == call("f", '{"i":1,"i":2}')
    assert log(values(("i", "1"), ("i", "2"), ("i", "3")), limits=limits)[:3] == broken(
        '{"i":1,"i":2', "invalid", "limit"
    )


def test_past_its_limit_a_held_value_goes_on_as_what_it_may_be():
    limits = Limits(value=6)
    assert log(values(("l", "[1, 2]")), limits=limits) == call("f", '{"l":[1,2]}')
    assert log(values(("l", "[1, 2, 3]")), limits=limits) == call("f", '{"l":[1,2,3]}')
    assert log(values(("l", "[1, 2, oops")), limits=limits)[:3] == broken('{"l":[1,2,', "invalid", "json")
    assert log(values(("l", "['a', 'b']")), limits=limits) == call("f", "{\"l\":\"['a', 'b']\"}")


def test_strings_stream_from_their_first_character():
    parser = StreamParser("qwen3_coder", tools=TOOLS)
    parser.feed("<tool_call>\n<function=f>\n<parameter=s>\n")
    assert [event.text for event in parser.feed("N")] == ["N"]
    assert [event.text for event in parser.feed('ew "Y')] == ['ew \\"Y']
    assert parser.feed("\n") == ()
    assert [event.text for event in parser.feed("é\n<")] == ["\\né"]
    assert parser.held == "\n<"
    assert [event.text for event in parser.feed("b>")] == ["\\n<b>"]


def test_a_value_that_may_be_a_number_is_held_no_longer_than_it_may():
    parser = StreamParser("qwen3_coder", tools=TOOLS)
    parser.feed("<tool_call>\n<function=f>\n<parameter=u>\n12")
    assert parser.held == "12"
    assert [event.text for event in parser.feed("a")] == ['"12a']


def test_calls_in_thoughts_need_a_declared_name():
    text = "<think>Try <tool_call><function={}></function></tool_call> now</think>ok"
    assert log(text.format("g")) == [("reasoning", "Try "), *call("g", "{}"), ("reasoning", " now"), ("content", "ok")]
    assert not [event for event in log(text.format("h")) if event[0] == "start"]


def test_quotes_hold_a_call_until_it_is_whole():
    whole = '"<tool_call><function=f><parameter=s>x</parameter></function></tool_call>"'
    assert log(whole) == [("content", '"'), *call("f", '{"s":"x"}'), ("content", '"')]
    prose = 'Write "<tool_call>\n<function=f>\n<parameter=s>" first'
    assert log(prose) == [("content", prose)]
    named = '"<tool_call><function="f"><parameter="s">x'
    assert log(named) == [("content", '"'), *broken('{"s":"x', "incomplete", "text_ended")]


def test_guided_output_drops_tags_and_names_complete_calls():
    payload = '[{"name":"g","arguments":{}}]'
    native = "<tool_call>\n<function=f>\n<parameter=s>x</parameter>\n</function>"
    assert log("<tool_call><function=" + payload, output="guided") == call("g", "{}")
    assert log(native + "</tool_call>", output="guided") == [("malformed", native, "native_in_guided")]
    assert log("a <function=f b", output="guided") == [("content", "a "), ("content", "f b")]
    assert log("<function=<think>x</think>" + payload, output="guided") == [("reasoning", "x"), *call("g", "{}")]


GLM = Format(
    name="glm_like",
    openers=(
        Opener(
            "<tool_call>",
            "tagged",
            closers=("</tool_call>",),
            options={
                "wrapped": False,
                "function": "",
                "function_end": "",
                "parameter": "<arg_key>",
                "key_end": "</arg_key>",
                "value_opener": "<arg_value>",
                "parameter_end": "</arg_value>",
                "wrapper_ends": ("</tool_call>",),
                "prefer": "glm",
            },
        ),
    ),
)
INVOKE = Format(
    name="invoke_like",
    openers=(
        Opener(
            "<calls>",
            "tagged",
            closers=("</calls>",),
            options={
                "wrapped": True,
                "function": "<invoke name=",
                "function_end": "</invoke>",
                "parameter": "<parameter name=",
                "parameter_end": "</parameter>",
                "wrapper_ends": ("</calls>",),
                "verbatim_attribute": "string",
                "function_closer_needed": True,
            },
        ),
    ),
)


def test_a_grammar_with_bare_names_and_keys_of_their_own():
    first = "<tool_call>f\n<arg_key>u</arg_key>\n<arg_value>5</arg_value>"
    text = first + "<arg_key>i</arg_key><arg_value>5</arg_value></tool_call>"
    assert log(text, GLM) == call("f", '{"u":"5","i":5}')
    assert log("<tool_call>g</tool_call>", GLM) == call("g", "{}")
    assert log(text.removesuffix("</tool_call>"), GLM) == call("f", '{"u":"5","i":5}')


def test_a_grammar_with_attributes_that_tell_the_type():
    first = '<calls><invoke name="f"><parameter name="s" string="false">5</parameter>'
    text = first + '<parameter name="i" string="true">5</parameter>'
    assert log(text + "</invoke></calls>", INVOKE) == call("f", '{"s":5,"i":"5"}')
    assert log(text + "</calls>", INVOKE)[-1][:3] == ("end", 0, "incomplete")


@pytest.mark.parametrize("format", ["qwen3_coder", "seed_oss", "mimo"])
def test_formats_of_this_grammar(format: str):
    wrapper = "seed:tool_call" if format == "seed_oss" else "tool_call"
    edge = "" if format == "mimo" else "\n"
    text = f"<{wrapper}>\n<function=f>\n<parameter=s>{edge} x {edge}</parameter>\n</function>\n</{wrapper}>"
    assert log(text, format) == call("f", '{"s":" x "}')


def test_a_copy_goes_its_own_way():
    parser = StreamParser("qwen3_coder", tools=TOOLS)
    parser.feed("<tool_call><function=f><parameter=s>ab")
    other = parser.copy()
    first = [*parser.feed("c</parameter></function>"), *parser.finish("stop")]
    second = [*other.feed("d</parameter></function>"), *other.finish("stop")]
    assert first[-1].arguments == '{"s":"abc"}'
    assert second[-1].arguments == '{"s":"abd"}'


def test_what_a_string_holds_back_stays_small():
    parser = StreamParser("qwen3_coder", tools=TOOLS)
    for piece in values(("s", "x < y </parameter> and " * 400)):
        parser.feed(piece)
        assert len(parser.held) < 64


def test_one_grammar():
    text = values(("s", 'a "b"\n'), ("i", "7"), ("o", "{}"))
    message = parse(text, "qwen3_coder", tools=TOOLS)
    events, _ = stream(list(text), "qwen3_coder", tools=TOOLS)
    assert message.tool_calls[0].arguments == events[-1].arguments == '{"s":"a \\"b\\"","i":7,"o":{}}'


def test_options_of_the_grammar_are_shared():
    wrapped, bare = function_tags("<a>", "</a>", value_whitespace="trim")
    assert (wrapped.marker, bare.marker) == ("<a>", "<function=")
    assert wrapped.options["value_whitespace"] == bare.options["value_whitespace"] == "trim"


SHRAPNEL = [
    *("<tool_call>", "</tool_call>", "<function=f>", "<function=g>", "<function=", "</function>", "<parameter=s>"),
    *(
        "<parameter=i>",
        "<parameter=u>",
        "<parameter=l>",
        "<parameter=",
        "</parameter>",
        "\n",
        " ",
        "x",
        '"',
        "'",
        "{",
        "}",
    ),
    *("[1, 2]", "5", "true", '{"k": "v"}', "<think>", "</think>", "<|im_end|>", "é", "<", "</", '<function="f" x="y">'),
]


@pytest.mark.parametrize("options", [{}, {"stream_values": True}, {"output": "guided"}, {"value_whitespace": "trim"}])
def test_no_cut_changes_anything(options: dict[str, Any]):
    rng = random.Random(5)
    for _ in range(60):
        inner = [(rng.choice("siul"), shrapnel(rng, SHRAPNEL, 5)) for _ in range(rng.randrange(3))]
        log(values(*inner) + shrapnel(rng, SHRAPNEL, 5) if rng.random() < 0.5 else shrapnel(rng, SHRAPNEL), **options)
