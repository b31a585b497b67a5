"""Waits that the oracle finds and that stay: each with the reason, and with a text in which it has to be found."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import toolweir
from toolweir.options import read_format

__all__ = ["EXPLAINED", "Explained", "Wait", "explanation"]


@dataclass(frozen=True, slots=True)
class Wait:
    """Held beyond the oracle: behind this prefix every continuation agrees on what is held."""

    format: str
    scene: str
    prefix: str
    held: str
    size: int
    """Characters and other events."""
    way: str = "characters"
    """In which the text is fed."""

    def __str__(self) -> str:
        return f"{self.format} [{self.scene}, {self.way}] {self.prefix!r} holds {self.held}"


@dataclass(frozen=True, slots=True)
class Explained:
    """A kind of wait that stays."""

    title: str
    reason: str
    example: tuple[str, dict[str, Any], str]
    """Format, options and a prefix behind which it is found."""
    formats: tuple[str, ...] = ()
    """Only in these; empty: in any."""
    scenes: tuple[str, ...] = ()
    """Only in scenes, or case files, that begin so; empty: in any."""
    way: str = ""
    """Only where the text is fed so; empty: however it is."""
    prefix: str = ""
    """A pattern that is found in the prefix, and"""
    held: str = ""
    """one that is found in what is held; in both OPENER stands for any opener of the format."""
    most: int = 1 << 30
    """Characters and events held at most."""
    near_only: bool = False
    """No far continuation is looked for: there may be fewer of these waits than are counted."""

    def fits(self, wait: Wait) -> bool:
        return (
            (not self.formats or wait.format in self.formats)
            and (not self.scenes or wait.scene.startswith(self.scenes))
            and self.way in ("", wait.way)
            and wait.size <= self.most
            and found(self.prefix, wait.prefix, wait.format)
            and found(self.held, wait.held, wait.format)
        )


def found(pattern: str, text: str, format: str) -> bool:
    if "OPENER" in pattern:
        pattern = pattern.replace("OPENER", openers(format))
    return re.search(pattern, text, re.DOTALL) is not None


@cache
def openers(format: str) -> str:
    """A pattern of them, as they are and as they are told."""
    markers = [opener.marker for opener in read_format(format).openers if opener.marker]
    return "(?:" + "|".join(map(re.escape, [*markers, *(repr(marker)[1:-1] for marker in markers)])) + ")"


OBJECT = [{"name": "f", "parameters": {"properties": {"n": {"type": "object"}}}}]
UNDECLARED = {"tools": [{"name": "f"}], "unknown_tools": "drop"}
AS_TEXT = {"tools": [{"name": "f"}], "unknown_tools": "text"}
GUIDED = {"tools": [{"name": "f"}], "output": "guided"}

EXPLAINED = (
    Explained(
        "the head of a marker inside a call that is text",
        "Should the call break here, what follows is read as text, where the marker counts. A reader that holds nothing"
        " back for its own grammar could tell that it cannot break here; only values between tags do.",
        ("gemma4", AS_TEXT, '<|tool_call>call:g{a:<|"|>x<'),
        scenes=("text",),
        held="^content '[^' ]{1,24}'$",
    ),
    Explained(
        "near the limit of a quoted call",
        "No text that is short enough gets to the quote that would make text of the call. What still fits into a limit"
        " is not worked out.",
        ("hermes", {"limits": toolweir.Limits(quoted_hold=40)}, '`<tool_call>{"name": "f", "arguments"'),
        formats=("hermes",),
        scenes=("quotes: The call is longer than the hold", "limits: A quoted hold past its limit"),
        held="^start ",
    ),
    Explained(
        "a header in a thought",
        "A name is looked up when its header is whole, and only then is all of it text. Before that it might break, and"
        " its tags would be stray ones; that they stand in a line of text, where stray tags stay, is not foreseen. Nor"
        " is it of parameters without a function.",
        ("dots", UNDECLARED, '<think>a <dots_function_call><invoke name="g"'),
        held=r"""^reasoning ['"](\s|\\n)*OPENER""",
    ),
    Explained(
        "a header that names no tool and is text",
        "As in a thought: what may still break is text that stays, or text of a call that is text.",
        ("deepseek_v3", AS_TEXT, "`<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n`"),
        scenes=("text",),
        held=r"""^content ['"]OPENER""",
    ),
    Explained(
        "a name behind a word that opens a call only with a declared one",
        "It is looked up when whitespace ends it, and whitespace may begin what separates it from its arguments. That no"
        " tool has a name that begins so is not foreseen: `functions.` may stand before any.",
        ("command_r", {"tools": [{"name": "f"}]}, "Action: 1.5"),
        formats=("command_r", "functionary_v32"),
        held=r"""^content ['"]OPENER""",
    ),
    Explained(
        "a name or a key with an escape",
        "It is looked at when the escape in it is whole.",
        ("generic", {"tools": [{"name": "f"}]}, '{"na\\u00e'),
        prefix=r"\\(u[0-9a-f]{0,3})?$",
        held="^(content|reasoning) '",
    ),
    Explained(
        "the name in an object that nothing else says to be a call",
        "It is looked up when it is whole.",
        ("xlam", {"tools": [{"name": "f"}]}, '[{"name": "g1.5'),
        prefix=r'"[a-z_]*name": "[^"]*$',
        held="^(content|reasoning) '",
    ),
    Explained(
        "a header and the head of a marker that breaks it",
        "The header breaks when the marker is whole.",
        ("muse_glimmer", {"tools": [{"name": "get"}]}, " to=get<|s"),
        formats=("harmony", "muse_glimmer"),
        prefix=r"<[|\w]*$",
        held="^(content|reasoning) '",
    ),
    Explained(
        "the end of a quoted call",
        "Whatever follows is the end of the call or breaks it, and is a call in both cases. That no quote can come any"
        " more is not foreseen.",
        (
            "minimax_m3",
            {},
            '`]<]minimax[>[<tool_call>]<]minimax[>[<invoke name="f">]<]minimax[>[<a>x]<]minimax[>[</a>]<]minimax[>[</i',
        ),
        prefix=r"[\"'`]OPENER.*(</[\w:]*|: ?nu?l?)$",
        held="^(start|skipped) ",
    ),
    Explained(
        "a marker that is the head of another, or overlaps with itself",
        "The first that is whole counts, so the other never comes; the search does not know that.",
        ("functionary_v32", GUIDED, "`>>"),
        formats=("functionary_v32", "harmony", "muse_glimmer"),
        scenes=("guided",),
        held="^(content|reasoning) '[<>|][^' ]{0,15}'$",
    ),
    Explained(
        "a streamed object that its closer cuts",
        "It breaks where it is known whether this is the closer; that it breaks in both cases is not foreseen.",
        ("qwen3_coder", {"tools": OBJECT, "stream_values": True}, '<function=f><parameter=n>{"x": 1<'),
        scenes=("streamed object", "values: "),
        prefix=r">\s*[\[{][^<]*<[^>]*(>[^>]*)?$",
        held="^end '0 invalid json'",
    ),
    Explained(
        "what begins like a literal of Python",
        "Where no string is admitted, only the whole text tells whether Python could read it.",
        ("qwen3_coder", {"tools": OBJECT}, "<function=f><parameter=n>{'a': 1} b"),
        held=r"""^arguments ['"]"[{\[(]""",
    ),
    Explained(
        "an escape that is being rewritten",
        "It goes out when it is whole, though its first character may be known.",
        ("pythonic", {}, '[f(a="\\x1'),
        prefix=r"\\[x0-7u][0-9a-f]*$",
        held=r"^arguments '\\\\'$",
        most=1,
    ),
    Explained(
        "a quote that may end a string",
        "What stands behind it tells; a comma that belongs to the string in both readings waits with it.",
        ("lfm2", {}, "<|tool_call_start|>[f(a=['x)]<|tool_call_end|><|tool_call_start|>[g()]<|tool_call_end|>', b"),
        formats=("lfm2", "pythonic", "olmo3", "llama4_pythonic"),
        held="^arguments ','$",
        most=1,
    ),
    Explained(
        "what stands before a half of a character",
        "Bytes are read when the character is whole that they belong to. That no marker goes on with such a character,"
        " and that it is none of whitespace, its first byte may tell before.",
        ("hermes", {}, "<\udce2"),
        way="bytes",
        near_only=True,
        prefix=r"\\x[c-f][0-9a-f](\\x[89ab][0-9a-f]){0,2}$",
    ),
)


def explanation(wait: Wait) -> Explained | None:
    """The kind that a wait is of, None if it should not be."""
    return next((kind for kind in EXPLAINED if kind.fits(wait)), None)
