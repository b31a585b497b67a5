"""Calls of a response template whose arguments are tags around bare values."""

import re
from collections.abc import Mapping
from typing import Any

from ..formats import Opener
from .field import CallField, Shape
from .pattern import Group, Space, read_pattern

__all__ = ["tagged_openers"]


def tagged_openers(calls: CallField, shape: Shape, args: Mapping[str, Any]) -> tuple[Opener, ...]:
    """Tags around bare values; the last tag before the name is the function's, those before it wrap it."""
    assert shape.name is not None
    grammar = _parameter_tags(calls, args)
    closing = calls.closing()
    opening = calls.opening(shape.name[0])
    wrappers = tuple(before[0].strip() for before, _ in opening if len(before) > 1)
    openers = []
    for before, behind in opening:
        wrapped = len(before) > 1
        function, tag_end = _unquoted(before[-1], calls.only(behind) if behind else "")
        marker = before[0].strip() if wrapped else function
        if not tag_end:
            if wrapped:
                raise calls.fail("open_pattern", f"expected a text that ends the tag {function!r}")
            function = ""
        elif not grammar["key_end"] and tag_end.strip() != grammar["tag_end"]:
            raise calls.fail("content_args.tag_pattern", f"expected tags that end in {tag_end!r}, as the function's")
        function_end, wrapper_ends = _function_ends(calls, closing, function, wrapped)
        options = {
            **grammar,
            "wrapped": wrapped,
            "function": function,
            "function_end": function_end,
            "wrapper_ends": wrapper_ends,
            "tag_end": tag_end.strip() or grammar["tag_end"],
            "markup": (*map(str.strip, before[1:-1]), *wrappers),
        }
        closers = tuple(text for text in (function_end, *wrapper_ends) if text)
        openers.append(Opener(marker, "tagged", closers=closers, options=options))
    return tuple(openers)


def _function_ends(
    calls: CallField, closing: list[tuple[str, ...]], function: str, wrapped: bool
) -> tuple[str, tuple[str, ...]]:
    """What closes the function, and what closes the wrapper, or the function where nothing else does.

    A region may end with the wrapper alone; the function's tag then ends as tags do, and text may follow it.
    """
    tag = re.match(r"<([\w:.-]+)", function)
    derived = f"</{tag[1]}>" if tag else ""
    inner = [texts[0] for texts in closing if len(texts) > 1 or (function and not wrapped) or texts[0] == derived]
    outer = [text for texts in closing for text in texts if text not in inner]
    if not inner and not outer and not derived:
        raise calls.fail("close", "expected a text that closes the call")
    return inner[0] if inner else derived, tuple(dict.fromkeys([*inner[1:], *outer]))


def _parameter_tags(calls: CallField, args: Mapping[str, Any]) -> dict[str, Any]:
    """The options that `tag_pattern` and `value_parser` give."""
    pattern = args.get("tag_pattern")
    where = "content_args.tag_pattern"
    if not isinstance(pattern, str):
        raise calls.fail(where, f"expected a pattern, got {pattern!r}")
    if args.get("merge_duplicates"):
        raise calls.fail("content_args.merge_duplicates", "arguments go out as they come: repeated keys stay apart")
    match read_pattern(f"{calls.where}.{where}", pattern):
        case [parts] if [part.name for part in parts if isinstance(part, Group)] == ["key", "value"]:
            key, value = parts.index(Group("key")), parts.index(Group("value"))
        case _:
            raise calls.fail(where, "expected one way to write a parameter, with the groups key and value")
    head, middle, tail = parts[:key], parts[key + 1 : value], parts[value + 1 :]
    openers, between, closers = (calls.texts(where, texts) for texts in (head, middle, tail))
    if len(openers) != 1 or len(closers) != 1 or not between or len(between) > 2:
        raise calls.fail(where, "expected a text before the key, one or two before the value, and one behind it")
    edges = [part for part in (middle[-1], tail[0]) if isinstance(part, Space)]
    parameter, first = _unquoted(openers[0], between[0])
    if not first.strip():
        raise calls.fail(where, "expected a text that ends the tag of the key")
    last, closer = between[-1], closers[0]
    strips = args.get("value_parser") is not None and _strips(calls, args["value_parser"])
    if len(edges) == 1:
        raise calls.fail(where, "expected whitespace on both sides of the value, or on none")
    if edges:
        whitespace = "one_newline" if edges == [Space(newline=True)] * 2 and not strips else "trim"
    elif last.endswith("\n") and closer.startswith("\n"):
        whitespace = "trim" if strips else "one_newline"
    else:
        whitespace = "trim" if strips else "keep"
    closer = closer.strip()
    own_tag = len(between) == 2
    return {
        "parameter": parameter,
        "key_end": first.strip() if own_tag else "",
        "value_opener": last.strip() if own_tag else "",
        "tag_end": ">" if own_tag else first.strip(),
        "parameter_end": closer,
        "value_whitespace": whitespace,
        "stray_tags": (closer,),
        "guided_tags": (parameter, closer),
    }


def _strips(calls: CallField, parser: object) -> bool:
    """Does the parser of values drop whitespace around them? Types are the schema's matter, so two parsers will do."""
    kind, args = (parser.get("name", "text"), parser.get("args", {})) if isinstance(parser, Mapping) else ("", {})
    if kind not in ("text", "json") or not isinstance(args, Mapping):
        raise calls.fail("content_args.value_parser", f"expected a text or json parser, got {parser!r}")
    if kind == "json" and (args.get("unquoted_keys") or args.get("string_delims")):
        raise calls.fail("content_args.value_parser", "values are plain JSON or text")
    return kind == "json" or bool(args.get("strip", True))


def _unquoted(before: str, behind: str) -> tuple[str, str]:
    """Without the quotes around a name, which the reader finds by itself."""
    quote = before[-1]
    if len(before) > 1 and quote in "\"'" and behind.startswith(quote):
        return before[:-1], behind[1:]
    return before, behind
