"""The `tool_calls` field of a response template, as the openers of a format.

Theory of operation. Four kinds of calls are told apart: JSON objects that hold their name, JSON behind a header that
has the name, the same with keys or strings that are not JSON's, tags around bare values, and lists in Python's
notation. Each alternative of the opening pattern gives an opener: its first text is the marker, texts behind
whitespace are what the reader expects next. The last text of a closing pattern closes the block; those before it end
the call.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import UnknownFormatError
from .formats import Opener
from .response_pattern import Group, Part, Parts, Space, Width0, read_pattern

__all__ = ["CallField", "openers_of"]

PLACEHOLDER = re.compile(r"\{(\w+(?:\.\w+)*)\}")
"""What a transform replaces, all of a string."""

CONTENT_ARGS = {
    "json": {"unquoted_keys", "string_delims", "allow_non_json"},
    "xml-inline": {"tag_pattern", "value_parser", "merge_duplicates"},
    "python-call-list": set[str](),
}
"""Content parsers that yield calls, and their arguments."""

BETWEEN_TAGS = re.compile(r"(?<=>)\s*(?=<)")

FIRST_TAG = re.compile(r"(<[^<>\s]+>|\[[^\[\]\s]+\])(.+)", re.DOTALL)
"""A tag, which may be a token of its own, and the text behind it."""


@dataclass(frozen=True, slots=True)
class CallField:
    """The field, and the alternatives that open and close its region."""

    where: str
    field: Mapping[str, Any]
    opens: list[Parts]
    closes: list[Parts]

    def fail(self, part: str, problem: str) -> UnknownFormatError:
        return UnknownFormatError(f"{self.where}.{part}: {problem}")


@dataclass(frozen=True, slots=True)
class Shape:
    """Where a transform finds the call's parts: keys of the JSON or groups; None: the JSON is the call."""

    name: tuple[str, ...] | None = None
    arguments: tuple[str, ...] | None = None
    id: tuple[str, ...] | None = None


def openers_of(calls: CallField) -> tuple[Opener, ...]:
    """The openers of a field. Raises UnknownFormatError for what no reader can do."""
    kind = calls.field.get("content", "text")
    if not isinstance(kind, str) or kind not in CONTENT_ARGS:
        raise calls.fail("content", f"expected one of {', '.join(CONTENT_ARGS)}, got {kind!r}")
    args = calls.field.get("content_args", {})
    if not isinstance(args, Mapping) or set(args) - CONTENT_ARGS[kind]:
        raise calls.fail("content_args", f"expected only {', '.join(sorted(CONTENT_ARGS[kind]))}, got {args!r}")
    shape = _shape(calls)
    named = shape.name is not None and len(shape.name) == 1 and shape.name[0] in _groups(calls.opens)
    if kind == "python-call-list":
        return _python_openers(calls, shape)
    if kind == "xml-inline":
        if not named or shape.arguments != ("content",):
            raise calls.fail("transform", "expected a name that open_pattern captures, and {content} as arguments")
        return _tagged_openers(calls, shape, args)
    if not named:
        if args.get("unquoted_keys") or args.get("string_delims"):
            raise calls.fail("content_args", "keys and strings that are not JSON's need a name in open_pattern")
        return _json_openers(calls, shape)
    if shape.arguments != ("content",):
        raise calls.fail("transform", f"expected {{content}} as arguments, got {shape.arguments!r}")
    if args.get("unquoted_keys") or args.get("string_delims"):
        return _literal_openers(calls, shape, args)
    return _header_openers(calls, shape)


# What the field says


def _shape(calls: CallField) -> Shape:
    """Where the name, the arguments and the id are. In `transform_each` the keys of an element stand by themselves."""
    transform = calls.field.get("transform")
    each = calls.field.get("transform_each", False)
    if not isinstance(each, bool) or (each and transform is None):
        raise calls.fail("transform_each", f"expected a boolean beside a transform, got {each!r}")
    function = transform.get("function", transform) if isinstance(transform, Mapping) else transform
    if function is None or function == "{content}":
        return Shape()
    if not isinstance(transform, Mapping) or not isinstance(function, Mapping):
        raise calls.fail("transform", f"expected an object with a function, got {transform!r}")
    found = {}
    for key, value in (
        ("name", function.get("name")),
        ("arguments", function.get("arguments")),
        ("id", transform.get("id")),
    ):
        place = PLACEHOLDER.fullmatch(value) if isinstance(value, str) else None
        if place is not None:
            found[key] = tuple(place[1].split("."))
        elif key != "id" or value is not None:
            raise calls.fail("transform", f"expected a {{placeholder}} as {key}, got {value!r}")
    return Shape(**found)


def _groups(alternatives: list[Parts]) -> set[str]:
    return {part.name for parts in alternatives for part in parts if isinstance(part, Group)}


def _texts(calls: CallField, part: str, parts: tuple[Part, ...]) -> tuple[str, ...]:
    """The texts between which only whitespace may stand, tags that touch taken apart."""
    texts: list[str] = []
    for text in parts:
        if isinstance(text, str):
            texts += BETWEEN_TAGS.split(text)
        elif not isinstance(text, Space):
            raise calls.fail(part, f"expected texts here, got {text!r}")
    return tuple(text for text in texts if text.strip())


def _opening(calls: CallField, *groups: str | None) -> list[tuple[tuple[str, ...], ...]]:
    """Each alternative that opens, as the texts before, between and behind these groups."""
    found = []
    for parts in calls.opens:
        split: list[tuple[str, ...]] = []
        rest = parts
        for name in groups:
            if name is not None and Group(name) in rest:
                at = rest.index(Group(name))
                split.append(_texts(calls, "open_pattern", rest[:at]))
                rest = rest[at + 1 :]
            elif name is not None and name == groups[0]:
                raise calls.fail("open_pattern", f"expected the group {name} in every alternative")
        split.append(_texts(calls, "open_pattern", rest))
        if not split[0]:
            raise calls.fail("open", "expected a text that opens the call")
        found.append(tuple(split))
    return found


def _closing(calls: CallField) -> list[tuple[str, ...]]:
    """Each alternative that closes, as texts; those of no width say nothing, for calls end by themselves."""
    parts = [tuple(part for part in parts if not isinstance(part, Width0)) for parts in calls.closes]
    found = [_texts(calls, "close_pattern", texts) for texts in parts if texts]
    if not all(found):
        raise calls.fail("close", "expected a text that is more than whitespace")
    return found


def _json_closing(calls: CallField) -> tuple[str, tuple[str, ...]]:
    """What may stand right behind the JSON, and the texts that close the block."""
    closing = _closing(calls)
    tails = {texts[0] for texts in closing if len(texts) > 1}
    if len(tails) > 1 or any(len(texts) > 2 for texts in closing):
        raise calls.fail("close_pattern", "expected one text, or one behind another, behind the JSON")
    return next(iter(tails), ""), tuple(dict.fromkeys(texts[-1] for texts in closing))


def _marked(calls: CallField, texts: tuple[str, ...]) -> tuple[str, str]:
    """The marker, and the text that follows it: one behind whitespace, or behind the tag that the text begins with."""
    tag = FIRST_TAG.fullmatch(texts[0])
    if len(texts) == 1 and tag is not None:
        return tag[1], tag[2]
    if len(texts) > 2:
        raise calls.fail("open_pattern", f"expected at most two texts before the call, got {texts!r}")
    return texts[0], texts[1] if len(texts) > 1 else ""


# The kinds of calls


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
    for (texts,) in _opening(calls):
        marker, lead = _marked(calls, texts)
        openers.append(Opener(marker, "json_object", closers=closers, options={**options, "lead": lead}))
    return tuple(openers)


def _header_openers(calls: CallField, shape: Shape) -> tuple[Opener, ...]:
    """JSON arguments behind a header that has the name, and perhaps the id."""
    assert shape.name is not None
    name, id = shape.name[0], shape.id[0] if shape.id else None
    if id is not None and id not in _groups(calls.opens):
        raise calls.fail("transform", f"expected an id that open_pattern captures, got {id!r}")
    tail, closers = _json_closing(calls)
    headers: dict[tuple[str, str], dict[str, Any]] = {}
    for before, *between in _opening(calls, name, id):
        marked = _marked(calls, before)
        options = headers.setdefault(marked, {"separators": {}, "bare_body": False})
        if len(between) == 2:
            options["separators"][_only(calls, between[0])] = "id"
        if between[-1]:
            options["separators"][_only(calls, between[-1])] = "arguments"
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


def _only(calls: CallField, texts: tuple[str, ...]) -> str:
    if len(texts) != 1:
        raise calls.fail("open_pattern", f"expected one text behind the name, got {texts!r}")
    return texts[0]


def _literal_openers(calls: CallField, shape: Shape, args: Mapping[str, Any]) -> tuple[Opener, ...]:
    """Arguments in braces whose keys are bare or whose strings stand between texts of their own."""
    assert shape.name is not None
    delimiter = _delimiter(calls, args.get("string_delims", []))
    block_end, closers = _block_end(calls)
    openers = []
    for before, behind in _opening(calls, shape.name[0]):
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
        Opener(_only(calls, texts), "literals", closers=closers, options=options) for (texts,) in _opening(calls)
    )


def _block_end(calls: CallField) -> tuple[str, tuple[str, ...]]:
    closing = _closing(calls)
    if any(len(texts) > 1 for texts in closing):
        raise calls.fail("close_pattern", "expected one text behind the arguments")
    return closing[0][0] if closing else "", tuple(texts[0] for texts in closing)


# Tags


def _tagged_openers(calls: CallField, shape: Shape, args: Mapping[str, Any]) -> tuple[Opener, ...]:
    """Tags around bare values; the last tag before the name is the function's, those before it wrap it."""
    assert shape.name is not None
    grammar = _parameter_tags(calls, args)
    closing = _closing(calls)
    opening = _opening(calls, shape.name[0])
    wrappers = tuple(before[0] for before, _ in opening if len(before) > 1)
    openers = []
    for before, behind in opening:
        wrapped = len(before) > 1
        function, tag_end = _unquoted(before[-1], _only(calls, behind) if behind else "")
        marker = before[0] if wrapped else function
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
            "markup": (*before[1:-1], *wrappers),
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
    openers, between, closers = (_texts(calls, where, texts) for texts in (head, middle, tail))
    if len(openers) != 1 or len(closers) != 1 or not between or len(between) > 2:
        raise calls.fail(where, "expected a text before the key, one or two before the value, and one behind it")
    edges = [part for part in (middle[-1], tail[0]) if isinstance(part, Space)]
    parameter, first = _unquoted(openers[0], between[0])
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
    if quote in "\"'" and behind.startswith(quote):
        return before[:-1], behind[1:]
    return before, behind
