"""The options of a StreamParser on the command line."""

import json
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..errors import ToolDefinitionError
from ..events import Event
from ..options import WORDS
from ..parser import StreamParser
from ..tools import Tools
from .problem import Problem
from .recording import Token

__all__ = ["add_parser_arguments", "feed", "make_parser", "parser_options", "read_tools", "split_special", "steps"]

MEANINGS = {
    "output": "the engine's output: native, or JSON that a grammar forced",
    "reasoning": "where thoughts begin: at their markers, with the text, nowhere",
    "unknown_tools": "calls of tools that are not declared",
    "ids": "the ids of calls",
    "on_broken_call": "the finish reason of a turn with a broken call",
    "value_whitespace": "whitespace at the edges of tagged values",
    "argument_style": "how values that are written anew look",
    "confirm": "when simdjson is asked",
}
"""Options that take one of a few words (WORDS has the words)."""

SWITCHES = {
    "parallel_tool_calls": "send more than one call",
    "calls_in_reasoning": "a call inside a thought is a call",
    "malformed_as_text": "text of calls that are none becomes content",
    "stream_values": "send objects and arrays of tagged calls as they come",
    "trim": "drop whitespace at the edges of content and reasoning",
    "strict": "raw control characters break a call",
}


def add_parser_arguments(parser: ArgumentParser) -> None:
    """Declare FILE, the format, the tools, and every option of StreamParser that a text can give."""
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="what the model wrote; -: standard input")
    parser.add_argument("-f", "--format", required=True, help="how the model writes calls (see `toolweir formats`)")
    parser.add_argument("-t", "--tools", metavar="FILE", help="the tools of the request, as JSON")
    parser.add_argument("--finish", default="stop", metavar="REASON", help="the engine's finish reason (default: stop)")
    parser.add_argument("--special", action="store_true", help="feed the format's special tokens as such")
    parser.add_argument("--replace", action="store_true", help="read bytes that are not UTF-8 as U+FFFD")
    more = parser.add_argument_group("options of the parser")
    more.add_argument("--tool-choice", metavar="CHOICE", help="auto, none, required, or the name of a function")
    more.add_argument("--max-tool-calls", type=int, metavar="N", help="send at most so many calls")
    more.add_argument("--stop", action="append", metavar="TEXT", help="ends the content; may be given again")
    for option, words in WORDS.items():
        given = [word for word in words if word is not None]
        more.add_argument(_flag(option), choices=given, help=MEANINGS[option])
    for option, help in SWITCHES.items():
        more.add_argument(_flag(option), action=BooleanOptionalAction, default=None, help=help)


def parser_options(arguments: Namespace) -> dict[str, Any]:
    """The options that were given, as StreamParser takes them. Raises Problem for tools that cannot be read."""
    names = [*WORDS, *SWITCHES, "max_tool_calls", "stop"]
    options = {name: value for name in names if (value := getattr(arguments, name)) is not None}
    if arguments.tools is not None:
        options["tools"] = read_tools(arguments.tools)
    if arguments.tool_choice is not None:
        options["tool_choice"] = _choice(arguments.tool_choice)
    return options


def make_parser(arguments: Namespace) -> StreamParser:
    """The parser that the arguments describe."""
    return StreamParser(arguments.format, **parser_options(arguments))


def read_tools(path: str) -> Tools:
    """The tools in a JSON file: a list of them, or a request that has one. Raises Problem, which names the file."""
    try:
        value = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise Problem(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise Problem(f"{path}: not JSON: {error}") from error
    tools = value.get("tools") if isinstance(value, dict) else value
    if not isinstance(tools, list):
        raise Problem(f"{path}: expected a list of tool definitions, or an object with such a list in `tools`")
    try:
        return Tools(tools)
    except ToolDefinitionError as error:
        raise Problem(f"{path}: {error}") from error


def split_special(tokens: Iterator[Token], special: tuple[str, ...]) -> Iterator[Token]:
    """Tokens in which every one of the `special` texts is a token of its own, as a vocabulary has them."""
    longest = max(map(len, special), default=0)
    waiting = ""
    for token in tokens:
        if token.special:
            yield from (Token(waiting),) if waiting else ()
            yield token
            waiting = ""
            continue
        waiting += token.text
        while found := _first(waiting, special):
            at, text = found
            yield from (Token(waiting[:at]),) if at else ()
            yield Token(text, special=True)
            waiting = waiting[at + len(text) :]
        keep = _begun(waiting, special, longest)
        if keep < len(waiting):
            yield Token(waiting[: len(waiting) - keep])
            waiting = waiting[len(waiting) - keep :]
    if waiting:
        yield Token(waiting)


def feed(parser: StreamParser, token: Token) -> tuple[Event, ...]:
    """The events of one token."""
    return parser.feed_special(token.text) if token.special else parser.feed(token.text)


def steps(parser: StreamParser, tokens: Iterator[Token], finish: str) -> Iterator[tuple[Event, ...]]:
    """The events of each token, then those of the end."""
    for token in tokens:
        yield feed(parser, token)
    yield parser.finish(finish)


def _flag(option: str) -> str:
    return "--" + option.replace("_", "-")


def _choice(text: str) -> Any:
    if text in ("auto", "none", "required"):
        return text
    return {"type": "function", "function": {"name": text}}


def _first(text: str, special: tuple[str, ...]) -> tuple[int, str] | None:
    found = [(at, -len(marker), marker) for marker in special if (at := text.find(marker)) >= 0]
    return (min(found)[0], min(found)[2]) if found else None


def _begun(text: str, special: tuple[str, ...], longest: int) -> int:
    """How many characters at the end of `text` may be the head of a special text."""
    for count in range(min(longest - 1, len(text)), 0, -1):
        if text.endswith(tuple(marker[:count] for marker in special if len(marker) > count)):
            return count
    return 0
