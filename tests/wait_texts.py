"""What the oracle of waits reads: scenes (options), texts of a format, and continuations of their prefixes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from wait_ways import Way

import toolweir
from toolweir.options import read_format

# Scenes


def _tools(schema: dict[str, Any] | None) -> list[dict[str, Any]]:
    properties = {} if schema is None else {"properties": {"city": schema}}
    return [{"name": "get_weather", "parameters": {"type": "object", **properties}}, {"name": "f"}]


STRING = _tools({"type": "string"})
SCENES: dict[str, dict[str, Any]] = {
    "no tools known": {},
    "string": {"tools": STRING},
    "integer": {"tools": _tools({"type": "integer"})},
    "boolean": {"tools": _tools({"type": "boolean"})},
    "object": {"tools": _tools({"type": "object"})},
    "array": {"tools": _tools({"type": "array"})},
    "string or null": {"tools": _tools({"type": ["string", "null"]})},
    "enum": {"tools": _tools({"enum": ["Oslo", 1, None]})},
    "untyped": {"tools": _tools(None)},
    "streamed object": {"tools": _tools({"type": ["object", "array"]}), "stream_values": True},
    "value kept": {"tools": STRING, "value_whitespace": "keep"},
    "value trimmed": {"tools": STRING, "value_whitespace": "trim"},
    "value without a newline": {"tools": STRING, "value_whitespace": "one_newline"},
    "spaced": {"tools": STRING, "argument_style": "spaced"},
    "guided": {"tools": STRING, "output": "guided"},
    "guided by name": {"tools": STRING, "output": "guided", "tool_choice": {"name": "get_weather"}},
    "guided, started": {"tools": STRING, "output": "guided", "reasoning": "started"},
    "started": {"tools": STRING, "reasoning": "started"},
    "reasoning off": {"tools": STRING, "reasoning": "off"},
    "calls in thoughts": {"tools": STRING, "reasoning": "started", "calls_in_reasoning": True},
    "no calls in thoughts": {"tools": STRING, "reasoning": "started", "calls_in_reasoning": False},
    "drop": {"tools": [{"name": "f"}], "unknown_tools": "drop"},
    "text": {"tools": [{"name": "f"}], "unknown_tools": "text"},
    "none": {"tools": STRING, "tool_choice": "none"},
    "named": {"tools": STRING, "tool_choice": {"name": "f"}},
    "one call": {"tools": STRING, "parallel_tool_calls": False},
    "stop": {"tools": STRING, "stop": ["STOP", "O\n"]},
    "trim": {"tools": STRING, "trim": True},
    "trim, started": {"tools": STRING, "trim": True, "reasoning": "started"},
    "broken as text": {"tools": STRING, "malformed_as_text": True},
    "strict": {"tools": STRING, "strict": True},
}  # fmt: skip

# Texts

VALUES = (
    "42", "4.0", "true", "None", "null", '"Oslo"', '["a", 1]', '{"a": [true]}', "{'a': 1}", "\nOslo\n", " a ", "Osl", "",
)  # fmt: skip
"""What stands in the place of the value in a format's example."""


def base_texts(format: str) -> list[str]:
    """The format's example alone, in prose, behind a thought and inside one, between quotes, twice."""
    info = toolweir.format_info(format)
    example = info.example
    found = [example, f"So:\n\n{example}\n\nok. ", f'a "{example}" b', f"`{example}", f"{example}\n{example}"]
    for opener, closer in info.reasoning_markers[:1]:
        found += [f"{opener}a{closer}\n{example}", f"{opener}a {example} b{closer} c", f"a{closer}{example}"]
    return found


def value_texts(format: str) -> list[str]:
    """The format's example with other values."""
    example = toolweir.format_info(format).example
    quoted = '"Oslo"' if '"Oslo"' in example else "Oslo"
    return [example.replace(quoted, value) for value in VALUES]


# Continuations

NO_MARKERS = (
    "value_whitespace", "prefer", "integers", "due", "role", "thoughts", "people", "verbatim_value", "marks",
    "separators",
)  # fmt: skip
"""Options of openers whose texts are no markers, or not all of them."""

STRUCTURE = (
    "{", "}", "[", "]", "(", ")", ",", ":", ";", "=", '"', "'", "`", '\\"', "\\", "\n", " ", "x", "0", "<", "</", ">",
    "|",
)  # fmt: skip
PHRASES = (
    "\n\n", "\\n", "\\u00e", "f", "get_weather", "city", "other", '{"', '": ', '"name": "f"', '"arguments": {',
    '"id": "i1"', "1}", '"s"', "{}", "[]", "null", "true", "False", "1.5", "-", "é", "STOP", "assistant", "to=f",
)  # fmt: skip

QUOTES = ("`", "'", '\\"', "`x", "'x", '\\"x')
QUOTED = [
    start + quote
    for start in ('"x": "', ', "x": "', ': "', '": "', ' "', ': {"x": "', '{"x": "', '{\\"x\\": \\"')
    for quote in QUOTES
]  # fmt: skip
"""Quotes that no grammar asks for, wherever in an object a text may stop."""

WORDS = ("\\u00e9", "null", "true", "false", "None", "True", "False", "-1", "1.5", "1e5")
"""What is nothing before it is whole."""

CALLS = (
    '{"name": "NAME", "arguments": {"city": "x"}}',
    '{"arguments": {"city": "x"}, "name": "NAME"}',
    '{"type": "function", "function": {"id": "i1", "name": "NAME"}}',
    '{"function": {"name": "NAME", "arguments": {}}}',
    '{"id": "i1", "name": "NAME", "arguments": {}}',
    '[{"name": "NAME", "arguments": {}}]',
    '.NAME", "arguments": {}}',
)
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{0,3})?$")
CLOSING = {"{": "}", "[": "]"}
WORD = re.compile(r"[^\W\d]\w*")


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _texts_in(part)


def markers_of(format: str) -> tuple[str, ...]:
    """Everything that a format names: openers, closers, tags, separators, markers of thoughts, ends of turn."""
    spec = read_format(format)
    found = [*spec.end_of_turn, *spec.markup, *_texts_in(spec.reasoning)]
    for opener in spec.openers:
        options = opener.options
        found += [opener.marker, *opener.closers]
        found += [text for key, value in options.items() if key not in NO_MARKERS for text in _texts_in(value)]
        found += ["1".join(options["quoted_value"])] if "quoted_value" in options else []
        found += [pair[0] for pair in (*options.get("marks", ()), *options.get("separators", ()))]
    return tuple(dict.fromkeys(text for text in found if text))


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Symbols of a format under some options, and what goes on from a prefix of a text made of them."""

    markers: tuple[str, ...]
    symbols: tuple[str, ...]
    halves: tuple[str, ...]
    """Of markers: they deviate a text, but complete none."""
    names: tuple[str, ...]
    """Of declared tools."""
    whole: tuple[str, ...]
    """Whole calls; the first is in the format's own grammar."""
    spelled: str
    """That one without special tokens."""
    chains: tuple[str, ...]
    """A key and its value between tags, as if two pairs that a format names one after the other were theirs."""

    @classmethod
    def of(cls, format: str, options: dict[str, Any], way: Way) -> "Alphabet":
        """In the units of the way."""
        named = markers_of(format)
        markers = tuple(dict.fromkeys([*map(way.units, named), *map(way.spelled, named)]))
        stop = options.get("stop", ())
        names = tuple(tool["name"] for tool in options.get("tools") or ({"name": "f"},) if "name" in tool) or ("f",)
        example = way.units(toolweir.format_info(format).example)
        keys = [opener.options for opener in read_format(format).openers if opener.reader == "json_object"]
        calls = [
            f'{{"{argument}": {{}}, "{known}": "NAME"}}'
            for option in keys
            for argument in option.get("argument_keys", ("arguments", "parameters"))
            for known in option.get("name_keys", ("name",))
        ]
        return cls(
            markers=markers,
            symbols=tuple(
                dict.fromkeys(
                    [
                        *markers,
                        *way.symbols,
                        *([stop] if isinstance(stop, str) else stop),
                        *STRUCTURE,
                        *map(way.units, PHRASES),
                    ]
                )
            ),
            halves=tuple(dict.fromkeys(marker[: len(marker) // 2] for marker in markers if len(marker) > 3)),
            names=names,
            whole=(
                *(example.replace("get_weather", name) for name in names),
                *(call.replace("NAME", name) for call in (*CALLS, *dict.fromkeys(calls)) for name in names),
            ),
            chains=tuple(
                f"{markers[at]}city{markers[at + 1]}{markers[at + to]}x{markers[at + to + 1]}"
                for at in range(len(markers) - 1)
                for to in (2, -2)
                if 0 <= at + to < len(markers) - 1
            ),
            spelled=way.spelled(toolweir.format_info(format).example),
        )

    def completions(self, prefix: str) -> list[str]:
        """What is left of each symbol that the prefix ends in the head of, longest head first."""
        found = []
        keys = dict.fromkeys(["city", *WORD.findall(prefix)[-6:]])
        ends = [tail.replace("city", key) for tail in (*self.tails(""), *self.chains) for key in keys]
        for symbol in (*self.symbols, *WORDS, *self.whole, *dict.fromkeys(ends)):
            for size in range(min(len(symbol) - 1, len(prefix)), 0, -1):
                if prefix.endswith(symbol[:size]):
                    found.append((-size, symbol[size:]))
        return [rest for _, rest in sorted(found)]

    def tails(self, rest: str) -> list[str]:
        """The rest of a text from each marker in it on: what may follow something else. So for the format's example."""
        found = [""]
        for text in dict.fromkeys((rest, self.whole[0], self.spelled)):
            starts = {at for marker in self.markers for at in range(len(text)) if text.startswith(marker, at)}
            found += [text[at:] for at in sorted(starts)]
        return found

    def late(self, prefix: str, rest: str) -> Iterator[str]:
        """What takes more than a symbol: values, names and calls that end, and declared names in place of others."""
        tails = self.tails(rest)
        for inside, bracket in closings(prefix):
            for name in self.names:
                yield f'{inside}, "name": "{name}"}}'
            for tail in tails:
                yield inside + bracket + tail
        for tail in tails:
            for named in ('="x">', '"x">', 'x">', "x'>", "'>"):
                yield named + tail
        ends = [marker + more for marker in self.markers for more in ("", "{}")]
        for name in self.names:
            for end in ("{}", "\n{}", *ends, *(quote + tail for quote in ("", '"', ">", '">') for tail in tails)):
                yield name + end
                yield "." + name + end
            for word in dict.fromkeys(WORD.findall(rest[:200])):
                yield rest.replace(word, name, 1)
        for call in self.whole:
            for before in ("\n", *self.completions(prefix)):
                yield before + call
                yield f"{before}, {call[1:]}"

    def quoted(self, prefix: str) -> Iterator[str]:
        """Quotes that no grammar asks for, behind something whole and inside of what may follow."""
        completions = self.completions(prefix)
        for tag_end in (">", '">', "x>", '="x">', ' x="x">'):
            for quote in QUOTES:
                yield tag_end + quote
        for completion in completions:
            for quoted in QUOTED:
                yield completion + quoted
        for completion in completions:
            for size in range(len(completion), 0, -1):
                for quote in QUOTES:
                    yield completion[:size] + quote

    def joined(self, prefix: str) -> Iterator[str]:
        """What a prefix has begun, up to the end of one of its tags, and then something else."""
        for completion in self.completions(prefix):
            for tag_end in re.finditer("[>\\]]", completion):
                for tail in self.tails(""):
                    yield completion[: tag_end.end()] + tail

    def pairs(self, prefix: str, rest: str, most: int) -> Iterator[str]:
        """Two symbols, and a symbol before any tail."""
        firsts = [*self.completions(prefix), *self.symbols]
        for tail in (rest, *self.tails(rest)):
            for first in firsts:
                yield first + tail
        for first, second in islice(product(firsts, self.symbols), most):
            yield first + second


def closings(prefix: str) -> list[tuple[str, str]]:
    """Ways to close the JSON that a prefix has begun: up to the last bracket, and that bracket."""
    found = []
    begun = ESCAPE.search(prefix)
    escape = "\\u0041"[len(begun[0]) :] if begun else ""
    for start in {prefix.find("{"), prefix.find("["), prefix.rfind("{")} - {-1}:
        in_string, due = False, ""
        for before, character in zip(prefix[start - 1 :] if start else " " + prefix, prefix[start:], strict=False):
            if character == '"' and before != "\\":
                in_string = not in_string
            elif not in_string and character in CLOSING:
                due = CLOSING[character] + due
            elif not in_string and due.startswith(character):
                due = due[1:]
        values = ('"', '": 1', 'x"', 'x": 1') if in_string else ("", "1", ": 1", '"x": 1', ', "x": 1')
        found += [(escape + value + due[:-1], due[-1:]) for value in values]
    return found
