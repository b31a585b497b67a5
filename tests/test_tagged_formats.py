"""Round trips: calls written in the form of each tagged format come back as they were, however cut."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from support import check_every_cut

from toolweir.formats import registry

Arguments = dict[str, Any]
Calls = list[tuple[str, Arguments]]

SCHEMA = {
    "type": "object",
    "properties": {
        "s": {"type": "string"},
        "n": {"type": "integer"},
        "x": {"type": "number"},
        "b": {"type": "boolean"},
        "o": {"type": "object", "properties": {"k": {"type": "string"}, "deep": {"type": "array"}}},
        "l": {"type": "array", "items": {"type": ["integer", "null"]}},
        "u": {"type": ["integer", "null"]},
    },
}
TOOLS = [{"name": name, "parameters": SCHEMA} for name in ("f", "get-weather", "ns.search")]

CALLS: list[Calls] = [
    [("f", {"s": "Zürich", "n": 3})],
    [("f", {})],
    [("get-weather", {"s": "a \"b\"\n\\c\t日本 🎉 &amp; 'd'", "x": -1.5, "b": True}), ("f", {"s": "", "u": None})],
    [("ns.search", {"o": {"k": "v", "deep": [1, "x", 2.5]}, "l": [1, None]}), ("ns.search", {"n": 42, "s": "42"})],
    [("f", {"s": "</tool_call></function></invoke></｜DSML｜invoke><|close|>call<|sep|> <b>x</b>"})],
    [("f", {"s": "  null", "b": False, "l": [], "o": {}})],
]


def raw(value: Any) -> str:
    """A value as bare text: strings as they are, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def each(
    call: Callable[[str, str], str], parameter: Callable[[str, Any], str], before: str = "", after: str = ""
) -> Any:
    """Calls one after the other between two texts, their parameters one after the other."""

    def write(calls: Calls) -> str:
        written = (call(name, "".join(parameter(key, value) for key, value in given.items())) for name, given in calls)
        return before + "\n".join(written) + after

    return write


def pairs(opener: str, closer: str, arg: str = "arg", suffix: str = "", before: str = "", after: str = "") -> Any:
    return each(
        lambda name, inside: f"{opener}{name}{inside}{closer}",
        lambda key, value: (
            f"<{arg}_key{suffix}>{key}</{arg}_key{suffix}>\n<{arg}_value{suffix}>{raw(value)}</{arg}_value{suffix}>\n"
        ),
        before,
        after,
    )


def invokes(before: str, after: str, prefix: str = "", around: tuple[str, str] = ("", "")) -> Any:
    return each(
        lambda name, inside: f'{around[0]}<{prefix}invoke name="{name}">\n{inside}</{prefix}invoke>{around[1]}',
        lambda key, value: f'<{prefix}parameter name="{key}">{raw(value)}</{prefix}parameter>\n',
        before,
        after,
    )


def dsml(block: str, gap: str = "") -> Any:
    tag, end = f"<｜DSML｜{gap}", f"</｜DSML｜{gap}"
    return each(
        lambda name, inside: f'{tag}invoke name="{name}">\n{inside}{end}invoke>',
        lambda key, value: (
            f'{tag}parameter name="{key}" string="{json.dumps(isinstance(value, str))}">{raw(value)}{end}parameter>\n'
        ),
        f"{tag}{block}>\n",
        f"\n{end}{block}>",
    )


def cdata(value: Any) -> str:
    return f"<![CDATA[{value}]]>" if isinstance(value, str) and "<" in value else raw(value)


def typed(key: str, value: Any) -> str:
    kind = "string" if isinstance(value, str) else "json"
    return f'<|open|>argument key="{key}" type="{kind}"<|sep|>{raw(value)}<|close|>argument<|sep|>'


TOKEN = "]<]minimax[>["


def element(key: str, value: Any) -> str:
    inside = raw(value)
    if isinstance(value, dict):
        inside = "".join(element(*member) for member in value.items())
    elif isinstance(value, list):
        inside = "".join(element("item", member) for member in value)
    return f"{TOKEN}<{key}>{inside}{TOKEN}</{key}>"


FORMS = {
    "glm47": pairs("<tool_call>", "</tool_call>"),
    "ling3": pairs("<tool_call>", "\n</tool_call>"),
    "iquest": pairs("<iquest_tool_call>", "</iquest_tool_call>"),
    "longcat": pairs("<longcat_tool_call>", "</longcat_tool_call>", "longcat_arg"),
    "hy_v3": pairs("<tool_call>", "</tool_call>", before="<tool_calls>\n", after="\n</tool_calls>"),
    "k2_horizon": pairs("<ifm|tool_call>", "</ifm|tool_call>", "ifm|arg", "", "<ifm|tool_calls>", "</ifm|tool_calls>"),
    "deepseek_v32": dsml("function_calls"),
    "deepseek_v4": dsml("tool_calls"),
    "deepseek_v41": dsml("calls", " "),
    "minimax_m2": invokes("<minimax:tool_call>\n", "\n</minimax:tool_call>"),
    "minimax_m3": each(
        lambda name, inside: f'{TOKEN}<invoke name="{name}">{inside}{TOKEN}</invoke>',
        element,
        f"{TOKEN}<tool_call>\n",
        f"\n{TOKEN}</tool_call>",
    ),
    "atem": invokes("<atem:function_calls>", "</atem:function_calls>", "atem:"),
    "dots": invokes("<dots_function_call>", "</dots_function_call>"),
    "step3": invokes(
        "<｜tool_calls_begin｜>",
        "<｜tool_calls_end｜>",
        "steptml:",
        ("<｜tool_call_begin｜>function<｜tool_sep｜>", "<｜tool_call_end｜>"),
    ),
    "minicpm5": each(
        lambda name, inside: f'<function name="{name}">{inside}</function>',
        lambda key, value: f'<param name="{key}">{cdata(value)}</param>',
    ),
    "kimi_k3": each(
        lambda name, inside: f'<|open|>call tool="{name}" index="1"<|sep|>{inside}<|close|>call<|sep|>',
        typed,
        "<|open|>tools<|sep|>",
        "<|close|>tools<|sep|>",
    ),
    "qwen3_coder": each(
        lambda name, inside: f"<tool_call>\n<function={name}>\n{inside}</function>\n</tool_call>",
        lambda key, value: f"<parameter={key}>\n{raw(value)}\n</parameter>\n",
    ),
}


@pytest.mark.parametrize("calls", CALLS, ids=range(len(CALLS)))
@pytest.mark.parametrize("format", FORMS)
def test_what_is_written_comes_back(format: str, calls: Calls):
    trimmed = format == "step3"
    joined = check_every_cut(FORMS[format](calls), format, tools=TOOLS)
    read = [(step[2], "".join(part[2] for part in joined if part[:2] == ("arguments", step[1]))) for step in joined
            if step[0] == "start"]  # fmt: skip
    assert [(name, json.loads(arguments)) for name, arguments in read] == [
        (name, {key: value.strip() if trimmed and isinstance(value, str) else value for key, value in given.items()})
        for name, given in calls
    ]
    assert {step[2] for step in joined if step[0] == "end"} == {"complete"}
    assert {step[0] for step in joined} == {"start", "arguments", "end"}


def test_each_tagged_format_is_here():
    tagged = {name for name, format in registry().items() if format.openers[0].reader in ("tagged", "elements")}
    assert tagged - set(FORMS) <= {"mimo", "seed_oss"}


def test_a_nested_schema_types_what_stands_inside():
    tools = [{"name": "f", "parameters": {"type": "object", "properties": {
        "l": {"type": "array", "items": {"type": "object", "properties": {"s": {"$ref": "#/$defs/s"}, "e": {"type": "array"}}}},
    }, "$defs": {"s": {"type": "string"}}}}]  # fmt: skip
    text = f'{TOKEN}<invoke name="f">{element("l", [{"s": "5", "e": "", "n": 5}])}{TOKEN}</invoke>'
    arguments = "".join(step[2] for step in check_every_cut(text, "minimax_m3", tools=tools) if step[0] == "arguments")
    assert arguments == '{"l":[{"s":"5","e":[],"n":5}]}'
