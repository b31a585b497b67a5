"""Waits that the oracle finds and that stay: each with the reason, and with a text in which it has to be found."""

import re
from dataclasses import dataclass
from typing import Any

import toolweir

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

    def __str__(self) -> str:
        return f"{self.format} [{self.scene}] {self.prefix!r} holds {self.held}"


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
    prefix: str = ""
    """A pattern that is found in the prefix, and"""
    held: str = ""
    """one that is found in what is held."""
    most: int = 1 << 30
    """Characters and events held at most."""

    def fits(self, wait: Wait) -> bool:
        return (
            (not self.formats or wait.format in self.formats)
            and (not self.scenes or wait.scene.startswith(self.scenes))
            and wait.size <= self.most
            and re.search(self.prefix, wait.prefix) is not None
            and re.search(self.held, wait.held) is not None
        )


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
        "a header in a thought or behind a word that names no tool",
        "A name is looked up when its header is whole, and only then is all of it text. Before that it might break, and"
        " its tags would be stray ones; that they stand in a line of text, where stray tags stay, is not foreseen.",
        ("dots", UNDECLARED, '<think>a <dots_function_call><invoke name="g"'),
        scenes=("drop", "text", "calls: "),
        held=r"^(content|reasoning) '.*\w",
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
        "an element without a function in a thought",
        "It would break a call or be no call at all, and is text of the thought in both cases.",
        (
            "minimax_m3",
            {"tools": [{"name": "f"}], "reasoning": "started"},
            "]<]minimax[>[<tool_call>]<]minimax[>[<i;",
        ),
        formats=("minimax_m3",),
        held=r"^reasoning '\]<\]",
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
        formats=("minimax_m3",),
        prefix=r"[\"`].*</[a-z]*$",
        held="^(start|skipped) ",
    ),
    Explained(
        "a marker that is the head of another, or overlaps with itself",
        "The first that is whole counts, so the other never comes; the search does not know that.",
        ("functionary_v32", GUIDED, "`>>"),
        formats=("functionary_v32", "harmony", "muse_glimmer"),
        scenes=("guided",),
        held="^(content|reasoning) '",
    ),
    Explained(
        "a streamed object that its closer cuts",
        "It breaks where it is known whether this is the closer; that it breaks in both cases is not foreseen.",
        ("qwen3_coder", {"tools": OBJECT, "stream_values": True}, '<function=f><parameter=n>{"x": 1<'),
        prefix="<[^>]*(>[^>]*)?$",
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
)


def explanation(wait: Wait) -> Explained | None:
    """The kind that a wait is of, None if it should not be."""
    return next((kind for kind in EXPLAINED if kind.fits(wait)), None)
