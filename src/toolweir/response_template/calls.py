"""The `tool_calls` field of a response template, as the openers of a format.

Theory of operation. Five kinds of calls are told apart: JSON objects that hold their name, JSON behind a header that
has the name, the same with keys or strings that are not JSON's, tags around bare values, and lists in Python's
notation. Each alternative of the opening pattern gives an opener: its first text is the marker, texts behind
whitespace are what the reader expects next. The last text of a closing pattern closes the block; those before it end
the call.
"""

import re
from collections.abc import Mapping
from typing import Any

from ..formats import Opener
from .field import CallField, Shape
from .tags import tagged_openers

__all__ = ["openers_of"]

CONTENT_ARGS = {
    "json": {"unquoted_keys", "string_delims", "allow_non_json"},
    "xml-inline": {"tag_pattern", "value_parser", "merge_duplicates"},
    "python-call-list": set[str](),
}
"""Content parsers that yield calls, and their arguments."""

FIRST_TAG = re.compile(r"(<[^<>\s]+>|\[[^\[\]\s]+\])(.+)", re.DOTALL)
"""A tag, which may be a token of its own, and the text behind it."""


def openers_of(calls: CallField) -> tuple[Opener, ...]:
    """The openers of a field. Raises UnknownFormatError for what no reader can do."""
    kind = calls.field.get("content", "text")
    if not isinstance(kind, str) or kind not in CONTENT_ARGS:
        raise calls.fail("content", f"expected one of {', '.join(CONTENT_ARGS)}, got {kind!r}")
    args = calls.field.get("content_args", {})
    if not isinstance(args, Mapping) or set(args) - CONTENT_ARGS[kind]:
        raise calls.fail("content_args", f"expected only {', '.join(sorted(CONTENT_ARGS[kind]))}, got {args!r}")
    shape = calls.shape()
    named = shape.name is not None and len(shape.name) == 1 and shape.name[0] in calls.groups
    if kind == "python-call-list":
        return _python_openers(calls, shape)
    if kind == "xml-inline":
        if not named or shape.arguments != ("content",):
            raise calls.fail("transform", "expected a name that open_pattern captures, and {content} as arguments")
        return tagged_openers(calls, shape, args)
    if not named:
        if args.get("unquoted_keys") or args.get("string_delims"):
            raise calls.fail("content_args", "keys and strings that are not JSON's need a name in open_pattern")
        return _json_openers(calls, shape)
    if shape.arguments != ("content",):
        raise calls.fail("transform", f"expected {{content}} as arguments, got {shape.arguments!r}")
    if args.get("unquoted_keys") or args.get("string_delims"):
        return _literal_openers(calls, shape, args)
    return _header_openers(calls, shape)


def _json_closing(calls: CallField) -> tuple[str, tuple[str, ...]]:
    """What may stand right behind the JSON, and the texts that close the block."""
    closing = calls.closing()
    tails = {texts[0] for texts in closing if len(texts) > 1}
    if len(tails) > 1 or any(len(texts) > 2 for texts in closing):
        raise calls.fail("close_pattern", "expected one text, or one behind another, behind the JSON")
    return next(iter(tails), ""), tuple(dict.fromkeys(texts[-1] for texts in closing))


def _marked(calls: CallField, texts: tuple[str, ...]) -> tuple[str, str]:
    """The marker, and the text that follows it: one behind whitespace, or behind the tag that the text begins with."""
    texts = tuple(map(str.strip, texts))  # whitespace is no matter of theirs: a reader passes over it
    tag = FIRST_TAG.fullmatch(texts[0])
    if len(texts) == 1 and tag is not None:
        return tag[1], tag[2]
    if len(texts) > 2:
        raise calls.fail("open_pattern", f"expected at most two texts before the call, got {texts!r}")
    return texts[0], texts[1] if len(texts) > 1 else ""


def _json_openers(calls: CallField, shape: Shape) -> tuple[Opener, ...]:
    """JSON objects that hold their name."""
    options: dict[str, Any] = {}
    nested: set[tuple[str, ...]] = set()
    each = calls.field.get("transform_each", False)
    for option, path in (("name_keys", shape.name), ("argument_keys", shape.arguments), ("id_keys", shape.id)):
        if path is None:
            continue
        root, keys = ("content", path) if each else (path[0], path[1:])
        if root != "content" or not 1 <= len(keys) <= 2:
            raise calls.fail("transform", f"expected a key of the content as {option}, got {'.'.join(path)!r}")
        if option != "id_keys":
            nested.add(keys[:-1])
        options[option] = (keys[-1],)
    if len(nested) > 1:
        raise calls.fail("transform", "expected name and arguments in one object")
    if nested:
        options["nested_keys"] = nested.pop()
    tail, closers = _json_closing(calls)
    if tail:
        options["tail"] = tail
    if shape.id is not None:
        options["native_ids"] = True
    openers = []
    for (texts,) in calls.opening():
        marker, lead = _marked(calls, texts)
        openers.append(Opener(marker, "json_object", closers=closers, options={**options, "lead": lead}))
    return tuple(openers)


def _header_openers(calls: CallField, shape: Shape) -> tuple[Opener, ...]:
    """JSON arguments behind a header that has the name, and perhaps the id."""
    assert shape.name is not None
    name, id = shape.name[0], shape.id[0] if shape.id else None
    if id is not None and id not in calls.groups:
        raise calls.fail("transform", f"expected an id that open_pattern captures, got {id!r}")
    tail, closers = _json_closing(calls)
    headers: dict[tuple[str, str], dict[str, Any]] = {}
    for before, *between in calls.opening(name, id):
        marked = _marked(calls, before)
        options = headers.setdefault(marked, {"separators": {}, "bare_body": False})
        if len(between) == 2:
            options["separators"][calls.only(between[0])] = "id"
        if between[-1]:
            options["separators"][calls.only(between[-1])] = "arguments"
        else:
            options["bare_body"] = True
    return tuple(
        Opener(
            marker,
            "header_json",
            closers=closers,
            options={
                "separators": tuple(options["separators"].items()),
                "bare_body": options["bare_body"],
                "lead": lead,
                "tail": tail,
                "native_ids": id is not None,
            },
        )
        for (marker, lead), options in headers.items()
    )


def _literal_openers(calls: CallField, shape: Shape, args: Mapping[str, Any]) -> tuple[Opener, ...]:
    """Arguments in braces whose keys are bare or whose strings stand between texts of their own."""
    assert shape.name is not None
    delimiter = _delimiter(calls, args.get("string_delims", []))
    block_end, closers = _block_end(calls)
    openers = []
    for before, behind in calls.opening(shape.name[0]):
        if behind:
            raise calls.fail("open_pattern", f"expected the arguments right behind the name, got {behind!r}")
        marker, lead = _marked(calls, before)
        options = {"braces": True, "lead": lead, "delimiter": delimiter, "delimiter_text": delimiter}
        openers.append(Opener(marker, "literals", closers=closers, options={**options, "block_end": block_end}))
    return tuple(openers)


def _delimiter(calls: CallField, pairs: object) -> str:
    """The text around strings, beside quotes, which the reader knows."""
    problem = f"expected one text that opens and closes strings, got {pairs!r}"
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise calls.fail("content_args.string_delims", problem)
    others = [pair for pair in pairs if pair not in (['"', '"'], ["'", "'"])]
    match others:
        case []:
            return ""
        case [[str(opener), closer]] if opener and opener == closer:
            return opener
        case _:
            raise calls.fail("content_args.string_delims", problem)


def _python_openers(calls: CallField, shape: Shape) -> tuple[Opener, ...]:
    """A list of calls in Python's notation."""
    each = calls.field.get("transform_each", False)
    if shape != Shape() and (not each or shape != Shape(("name",), ("arguments",))):
        raise calls.fail("transform", "expected {name} and {arguments} of each call")
    block_end, closers = _block_end(calls)
    options = {"bracketed": True, "block_end": block_end}
    return tuple(
        Opener(calls.only(texts).strip(), "literals", closers=closers, options=options) for (texts,) in calls.opening()
    )


def _block_end(calls: CallField) -> tuple[str, tuple[str, ...]]:
    closing = calls.closing()
    if any(len(texts) > 1 for texts in closing):
        raise calls.fail("close_pattern", "expected one text behind the arguments")
    return closing[0][0] if closing else "", tuple(texts[0] for texts in closing)
