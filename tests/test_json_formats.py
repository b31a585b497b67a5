"""Round trips: calls written in the form of each format whose calls carry JSON come back as they were, however cut."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from support import check_every_cut, without_spans

import toolweir
from toolweir.formats import registry
from toolweir.formats.spec import Format

Call = tuple[str, str]
"""A name and arguments as JSON text."""

TOOLS = [{"name": name} for name in ("get_weather", "write-file", "ns.search", "f")]
CALLS: list[list[Call]] = [
    [("get_weather", '{"city": "Zürich", "days": 3}')],
    [("f", "{}")],
    [("f", '{"a": {"b": [1, 2.50, null, true, "x"]}}'), ("ns.search", '{"q": "a\\"b\\\\c\\n\\u00e9 日本 🎉"}')],
    [("write-file", '{"text": "```json\\n{}\\n``` [1] {x} ] } >>>f\\n</function> </tool_call>"}'), ("f", '{"a": ""}')],
    [
        ("f", '{"a":"<|tool_call_end|>"}'),
        ("f", '{ "b" : "<｜tool▁call▁end｜>" }'),
        ("get_weather", '{"c": "[TOOL_CALLS]"}'),
    ],
]


def objects(calls: list[Call], name: str = "name", arguments: str = "arguments") -> list[str]:
    return [f'{{"{name}": {json.dumps(called)}, "{arguments}": {written}}}' for called, written in calls]


def array(calls: list[Call], name: str = "name", arguments: str = "arguments") -> str:
    return f"[{', '.join(objects(calls, name, arguments))}]"


def each(before: str, after: str, between: str = "", arguments: str = "arguments") -> Callable[[list[Call]], str]:
    return lambda calls: between.join(before + written + after for written in objects(calls, arguments=arguments))


def headed(header: str, after: str, between: str = "") -> Callable[[list[Call]], str]:
    """A header with the name (and the number) in it, then the arguments."""
    return lambda calls: between.join(
        header.format(name=called, number=number) + written + after for number, (called, written) in enumerate(calls)
    )


def section(opener: str, body: Callable[[list[Call]], str], closer: str) -> Callable[[list[Call]], str]:
    return lambda calls: opener + body(calls) + closer


def keyed(call: Call) -> str:
    return f'{{"{call[0]}": {call[1]}}}'


def inkling(calls: list[Call]) -> str:
    return "".join(
        f"<|message_model|>{called}<|content_invoke_tool_json|>{written}<|end_message|>"
        for (called, _), written in zip(calls, objects(calls, arguments="args"), strict=True)
    )


DEEPSEEK = "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"
PLAMO = (
    "<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>{name}<|plamo:end_tool_name:plamo|>"
    "<|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>",
    "<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>",
)
TAG = each("<tool_call>\n", "\n</tool_call>", "\n")
LIST_TAGS = section("<tool_calls>", array, "</tool_calls>")

WRITTEN: dict[str, Callable[[list[Call]], str]] = {
    "apertus": lambda calls: "<|tools_prefix|>[" + ", ".join(map(keyed, calls)) + "]<|tools_suffix|>",
    "apriel": LIST_TAGS,
    "command_a": lambda calls: f"<|START_ACTION|>{array(calls, 'tool_name', 'parameters')}<|END_ACTION|>",
    "command_r": lambda calls: f"Action: ```json\n{array(calls, 'tool_name', 'parameters')}\n```",
    "deepseek_v3": section(
        DEEPSEEK[0],
        headed("<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n", "\n```<｜tool▁call▁end｜>", "\n"),
        DEEPSEEK[1],
    ),
    "deepseek_v31": section(
        DEEPSEEK[0], headed("<｜tool▁call▁begin｜>{name}<｜tool▁sep｜>", "<｜tool▁call▁end｜>"), DEEPSEEK[1]
    ),
    "emulated": each("TOOL_CALL: ", "", "\n"),
    "ernie45": TAG,
    "firefunction_v2": lambda calls: " functools" + array(calls),
    "functionary_v31": headed("<function={name}>", "</function>"),
    "functionary_v32": headed(">>>{name}\n", "\n"),
    "generic": lambda calls: f'{{"tool_calls": {array(calls)}}}',
    "gigachat3": each("<|message_sep|>\n\nfunction call<|role_sep|>\n", ""),
    "granite": lambda calls: "<|tool_call|>" + array(calls),
    "granite4": TAG,
    "granite_20b_fc": each("<function_call> ", "", "\n"),
    "hermes": TAG,
    "hunyuan_a13b": LIST_TAGS,
    "inkling": inkling,
    "internlm2": each("<|action_start|><|plugin|>\n", "<|action_end|>", arguments="parameters"),
    "jamba": LIST_TAGS,
    "kimi_k2": section(
        "<|tool_calls_section_begin|>",
        headed("<|tool_call_begin|>functions.{name}:{number}<|tool_call_argument_begin|>", "<|tool_call_end|>"),
        "<|tool_calls_section_end|>",
    ),
    "llama3_json": section("<|python_tag|>", each("", "", "; ", arguments="parameters"), ""),
    "longcat": each("<longcat_tool_call>\n", "\n</longcat_tool_call>", "\n"),
    "minimax_m1": section("<tool_calls>\n", each("", "\n"), "</tool_calls>"),
    "mistral": headed("[TOOL_CALLS]{name}[ARGS]", ""),
    "nemotron_deci": section("<TOOLCALL>", array, "</TOOLCALL>"),
    "phi4_mini_json": lambda calls: "functools" + array(calls),
    "plamo3": section("<|plamo:begin_tool_requests:plamo|>", headed(*PLAMO), "<|plamo:end_tool_requests:plamo|>"),
    "xlam": array,
}
"""How a model of each format writes calls."""

FORMATS = {name: registry()[name] for name in WRITTEN}

AT_THE_START = ("generic", "xlam")
"""Formats whose calls are bare: text before them makes them text."""


def calls_of(steps: list[tuple[Any, ...]]) -> list[tuple[str, str, str]]:
    names = [step[2] for step in steps if step[0] == "start"]
    ends = [step[2:4] for step in steps if step[0] == "end"]
    return [(name, status, arguments) for name, (status, arguments) in zip(names, ends, strict=True)]


def test_every_format_is_written():
    families = {"json_object", "header_json"}
    assert {name for name, format in registry().items() if {o.reader for o in format.openers} <= families} <= set(
        WRITTEN
    )


@pytest.mark.parametrize("calls", CALLS, ids=range(len(CALLS)))
@pytest.mark.parametrize("name", WRITTEN)
def test_round_trip(name: str, calls: list[Call]):
    steps = check_every_cut(WRITTEN[name](calls), name, tools=TOOLS, seeds=1)
    assert calls_of(steps) == [(called, "complete", arguments) for called, arguments in calls]
    assert {step[0] for step in steps} == {"start", "arguments", "end"}, "markup that was not dropped"


@pytest.mark.parametrize("name", [name for name in WRITTEN if name not in AT_THE_START])
def test_text_around_calls(name: str):
    format, calls = FORMATS[name], CALLS[2]
    end = format.end_of_turn[0] if format.end_of_turn else ""
    text = f"I look.\n{WRITTEN[name](calls)}" + ("" if name == "functionary_v32" else "\nDone.") + end
    steps = without_spans(check_every_cut(text, name, tools=TOOLS, seeds=1))
    assert [step[2] for step in steps if step[0] == "start"] == [called for called, _ in calls]
    content = "".join(step[1] for step in steps if step[0] == "content")
    assert content.split() == ["I", "look."] + ([] if name == "functionary_v32" else ["Done."])


@pytest.mark.parametrize("name", WRITTEN)
def test_a_call_may_be_cut_anywhere(name: str):
    """No prefix of a call gives a broken event: a name is whole or missing, arguments are a prefix."""
    called, arguments = CALLS[0][0]
    text = WRITTEN[name](CALLS[0])
    for length in range(len(text)):
        steps = without_spans(check_every_cut(text[:length], name, "length", tools=TOOLS, seeds=0))
        for step in steps:
            if step[0] == "start":
                assert step[2] == called
            elif step[0] == "arguments":
                assert arguments.startswith(step[2])
            elif step[0] == "malformed":
                assert step[2] == "text_ended"


@pytest.mark.parametrize("name", FORMATS)
def test_example(name: str):
    message = toolweir.parse(FORMATS[name].example, name, tools=TOOLS)
    assert [(call.name, call.arguments) for call in message.tool_calls] == [("get_weather", '{"city": "Oslo"}')]
    assert message.content in (None, "I look.")


@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
def test_names_are_found(format: Format):
    for alias in (format.name, *format.aliases):
        assert toolweir.format_info(alias).name == format.name
    for server, names in format.server_names.items():
        for own in names:
            assert toolweir.format_for(server=server, name=own) == format.name


@pytest.mark.parametrize("name", WRITTEN)
def test_guided_output(name: str):
    """The engine writes JSON, whatever the format is."""
    steps = check_every_cut(array(CALLS[2], arguments="parameters"), name, tools=TOOLS, output="guided", seeds=1)
    assert calls_of(steps) == [(called, "complete", arguments) for called, arguments in CALLS[2]]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_value_in_its_own_markup_is_data(name: str):
    """A call about this very format: its markers inside a string are none."""
    call = ("f", json.dumps({"text": WRITTEN[name](CALLS[0])}, ensure_ascii=False))
    steps = check_every_cut(WRITTEN[name]([call]), name, tools=TOOLS, seeds=1)
    assert calls_of(steps) == [("f", "complete", call[1])]


def test_kimi_ids_are_the_headers():
    """The template writes them back into the next prompt, so that they must be the model's own."""
    message = toolweir.parse(WRITTEN["kimi_k2"](CALLS[2]), "kimi_k2", tools=TOOLS)
    assert [call.id for call in message.tool_calls] == ["functions.f:0", "functions.ns.search:1"]


def test_kimi_ids_come_once():
    """A number that comes again is no id."""
    header = "<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{}<|tool_call_end|>"
    first, second = toolweir.parse(header * 2, "kimi_k2").tool_calls
    assert first.id == "functions.f:0"
    assert second.id.startswith("call_")
