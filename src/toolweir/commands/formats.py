"""Lists the formats that are known, or tells all about one, as JSON with --json."""

import json
from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from ..formats import format_info
from ..formats import formats as known

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "formats"
HELP = "the formats that are known"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="a format or one of its other names")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: Namespace) -> int:
    """Print the list, or one format."""
    infos = [format_info(name) for name in ([arguments.name] if arguments.name is not None else known())]
    if arguments.json:
        print(json.dumps([asdict(info) for info in infos], ensure_ascii=False, indent=2))
    elif arguments.name is not None:
        for field, value in asdict(infos[0]).items():
            if field != "example":
                print(f"{field.replace('_', ' ') + ':':21} {_words(value)}")
        print(f"example:\n{infos[0].example}")
    else:
        width = max(len(info.name) for info in infos)
        for info in infos:
            print(f"{info.name:{width}}  {info.summary}")
    return 0


def _words(value: object) -> str:
    match value:
        case bool(yes):
            return "yes" if yes else "no"
        case str(text):
            return text
        case tuple(parts):
            return ", ".join(" ... ".join(part) if isinstance(part, tuple) else str(part) for part in parts) or "none"
    raise AssertionError(f"a field of FormatInfo holds {value!r}")
