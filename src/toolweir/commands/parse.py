"""Parses a whole text and prints the message as JSON, in the shape of OpenAI's chat completions."""

import json
from argparse import Namespace

from ..builder import MessageBuilder
from ..formats import format_info
from .reading import add_parser_arguments, make_parser, split_special, steps
from .recording import Token, read_text

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "parse"
HELP = "the whole message of a text, as JSON"

add_arguments = add_parser_arguments


def run(arguments: Namespace) -> int:
    """Print the message; the calls that did not complete stand in a list of their own."""
    parser = make_parser(arguments)
    builder = MessageBuilder()
    tokens = iter([Token(read_text(arguments.file))])
    if arguments.special:
        tokens = split_special(tokens, format_info(arguments.format).special_tokens)
    for events in steps(parser, tokens, arguments.finish):
        builder.extend(events)
    message = builder.finish(parser.result)
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
    print(json.dumps({**whole, **{key: value for key, value in others.items() if value}}, ensure_ascii=False, indent=2))
    return 0
