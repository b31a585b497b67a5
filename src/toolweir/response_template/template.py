"""Response templates, which transformers reads from a tokenizer's configuration, as formats.

Theory of operation. A template lists fields of the message; each is a region of the text, between texts or patterns
that open and close it. Content and reasoning become the markers of a format. The `tool_calls` field tells by its
`content` which reader reads a call, and by its `transform` where the name and the arguments are: in keys of the JSON,
or in a group of the opening pattern. What the readers cannot do raises: a template read halfway would lose calls.
calls.py reads that field.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import UnknownFormatError
from ..formats import Format
from .calls import openers_of
from .field import CallField
from .pattern import Parts, Space, Width0, read_pattern

__all__ = ["format_from_response_template"]

TEMPLATE_KEYS = {"version", "defaults", "fields", "start_anchor", "start_anchor_pattern"}
FIELD_KEYS = {
    *("open", "open_pattern", "close", "close_pattern", "content", "content_args"),
    *("repeats", "join", "optional", "transform", "transform_each"),
}
OPENS_BY_PLACE = re.compile(r"(?:\(\?:)?(\^|\(\?=)")
"""A pattern that opens a field at a place in the text, not behind a text of its own."""

REASONING = ("reasoning_content", "thinking", "reasoning")
"""Names of the field that holds the thought."""


def format_from_response_template(
    template: Mapping[str, Any], *, name: str = "response_template", end_of_turn: Iterable[str] = ()
) -> Format:
    """The format that a response template (version 1) describes, to be given to a parser.

    `template` is the value of `response_template` in tokenizer_config.json. `end_of_turn` are texts that end the turn
    beside those that close the template's content, such as the tokenizer's `eos_token`. Make the format once a model
    and keep it: parsers share what is compiled for it.

    Raises UnknownFormatError, which names the part of the template that is wrong or that no reader can do.
    """
    fields = _fields(template)
    reasoning: list[tuple[str, str]] = []
    markup: list[str] = []
    ends = list(end_of_turn)
    calls = None
    implicit = False
    for key, field in fields.items():
        where = f"fields.{key}"
        opens = _anchors(where, field, "open")
        closes = _anchors(where, field, "close") or []
        if key == "tool_calls":
            if opens is None:
                raise UnknownFormatError(
                    f"{where}: expected 'open' or 'open_pattern': calls need a text that opens them"
                )
            calls = CallField(where, field, opens, closes)
            continue
        _check_text(where, field)
        if key in REASONING:
            reasoning += _thoughts(where, opens, closes)
        elif key != "content":
            raise UnknownFormatError(f"{where}: expected content, tool_calls or one of {', '.join(REASONING)}")
        elif opens is None:
            implicit = True
            ends += _texts(f"{where}.close", closes)
        else:
            markup += _texts(f"{where}.open", opens) + _texts(f"{where}.close", closes)
    anchors = _anchors("", template, "start_anchor")
    if anchors is None:
        raise UnknownFormatError("response template: expected 'start_anchor' or 'start_anchor_pattern'")
    if not implicit and "start_anchor" in template:  # a model that frames all it writes may write the frame again
        markup += [text for text in _texts("start_anchor", anchors) if not text[0].isalnum()]
    return Format(
        name=name,
        openers=openers_of(calls) if calls else (),
        reasoning=tuple(dict.fromkeys(reasoning)),
        markup=tuple(dict.fromkeys(markup)),
        end_of_turn=tuple(dict.fromkeys(ends)),
        keep_special_tokens=True,
        summary="Read from a response template.",
    )


def _fields(template: object) -> Mapping[str, Mapping[str, Any]]:
    """The template's fields, once its outer shape is right."""
    if not isinstance(template, Mapping):
        raise UnknownFormatError(f"response template: expected an object, got {type(template).__name__}")
    if template.get("version", 1) != 1:
        raise UnknownFormatError(f"version: expected 1, got {template['version']!r}")
    if unknown := sorted(map(str, set(template) - TEMPLATE_KEYS)):
        raise UnknownFormatError(f"response template: unknown keys {', '.join(unknown)}")
    if not isinstance(template.get("defaults", {}), Mapping):
        raise UnknownFormatError(f"defaults: expected an object, got {template['defaults']!r}")
    fields = template.get("fields")
    if not isinstance(fields, Mapping) or not fields:
        raise UnknownFormatError("fields: expected an object with at least one field")
    for key, field in fields.items():
        if not isinstance(field, Mapping):
            raise UnknownFormatError(f"fields.{key}: expected an object, got {type(field).__name__}")
        if unknown := sorted(map(str, set(field) - FIELD_KEYS)):
            raise UnknownFormatError(f"fields.{key}: unknown keys {', '.join(unknown)}")
    return fields


def _anchors(where: str, spec: Mapping[str, Any], key: str) -> list[Parts] | None:
    """What opens or closes: the alternatives of `key` or of its pattern, None where there is neither."""
    at = f"{where}.{key}" if where else key
    pattern = f"{key}_pattern"
    if key in spec and pattern in spec:
        raise UnknownFormatError(f"{at}: expected either this or {pattern}")
    if pattern in spec:
        if not isinstance(spec[pattern], str):
            raise UnknownFormatError(f"{at}_pattern: expected a pattern, got {spec[pattern]!r}")
        if key == "start_anchor":  # only ever looked for in the prompt
            return []
        if key == "open" and (start := OPENS_BY_PLACE.match(spec[pattern])):
            raise UnknownFormatError(
                f"{at}_pattern: {start[1]!r} opens the field without a text; where the prompt opens the thought, "
                "name the text that does, and give the parser reasoning='started'"
            )
        return read_pattern(f"{at}_pattern", spec[pattern])
    if key not in spec:
        return None
    texts = [spec[key]] if isinstance(spec[key], str) else spec[key]
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) and text for text in texts):
        raise UnknownFormatError(f"{at}: expected a text or a list of texts, got {spec[key]!r}")
    return [(text,) for text in dict.fromkeys(texts)]


def _check_text(where: str, field: Mapping[str, Any]) -> None:
    """Content and reasoning go out as they come, so they can only be text."""
    if field.get("content", "text") != "text":
        raise UnknownFormatError(f"{where}.content: expected 'text', got {field['content']!r}")
    if field.get("transform") is not None:
        raise UnknownFormatError(f"{where}.transform: only tool_calls may have one")
    if field.get("join"):
        raise UnknownFormatError(f"{where}.join: expected '', got {field['join']!r}: text is sent as it comes")


def _thoughts(where: str, opens: list[Parts] | None, closes: list[Parts]) -> list[tuple[str, str]]:
    if opens is None:
        raise UnknownFormatError(f"{where}: expected 'open' or 'open_pattern'")
    if any(isinstance(part, Width0) and part.ahead for parts in closes for part in parts):
        raise UnknownFormatError(f"{where}.close_pattern: a thought ends with a text, not before one")
    closers = _texts(f"{where}.close", closes)
    if not closers:
        raise UnknownFormatError(f"{where}: expected 'close' or 'close_pattern'")
    return [(opener, closer) for opener in _texts(f"{where}.open", opens) for closer in closers]


def _texts(where: str, alternatives: Iterable[Parts]) -> list[str]:
    """Alternatives that are one text each, whitespace around it aside; those of no width say nothing."""
    texts = []
    for parts in alternatives:
        match [part for part in parts if not isinstance(part, Space)]:
            case [str(text)] if text.strip() and (parts[0] == text or parts[1] == text):
                texts.append(text)
            case [Width0()]:
                pass
            case _:
                raise UnknownFormatError(f"{where}: expected a text, perhaps with whitespace around it")
    return texts
