"""Parses a whole text and prints the message as JSON, in the shape of OpenAI's chat completions."""

import json
from argparse import Namespace
from typing import Any

from ..builder import MessageBuilder
from ..formats import format_info
from ..message import Message
from ..parser import StreamParser
from ..whole import read_whole
from .reading import add_parser_arguments, make_parser, split_special, steps
from .recording import Token, read_text

__all__ = ["HELP", "NAME", "add_arguments", "as_dict", "read_message", "run"]

NAME = "parse"
HELP = "the whole message of a text, as JSON"

add_arguments = add_parser_arguments


def run(arguments: Namespace) -> int:
    """Print the message; the calls that did not complete stand in a list of their own."""
    parser = make_parser(arguments)
    special = format_info(arguments.format).special_tokens if arguments.special else ()
    message = read_message(parser, read_text(arguments.file, replace=arguments.replace), special, arguments.finish)
    print(json.dumps(as_dict(message), ensure_ascii=False, indent=2))
    return 0


def read_message(parser: StreamParser, text: str, special: tuple[str, ...], finish: str) -> Message:
    """The message of a text, of which the `special` texts are tokens of their own."""
    if not special:
        return read_whole(parser, text, finish)
    builder = MessageBuilder()
    for events in steps(parser, split_special(iter([Token(text)]), special), finish):
        builder.extend(events)
    return builder.finish(parser.result)


def as_dict(message: Message) -> dict[str, Any]:
    """The message as the commands print it; what it does not have is left out."""
    whole = {"message": message.to_dict(), "finish_reason": message.finish_reason}
    broken = [
        {"name": call.name, "arguments": call.arguments, "status": str(call.status), "reason": str(call.reason)}
        for call in message.tool_calls
        if call.reason is not None
    ]
    others = {
        "stop_sequence": message.stop_sequence,
        "broken_calls": broken,
        "malformed": [event.to_dict() for event in message.malformed],
        "skipped": [event.to_dict() for event in message.skipped],
        "warnings": list(message.warnings),
    }
    return {**whole, **{key: value for key, value in others.items() if value}}
