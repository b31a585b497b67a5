"""Which format a model writes: told by its chat template, its name, or a text of its.

Theory of operation. A format's evidence are the texts that its calls cannot be written without: markers, tags,
separators. A template that knows tools has them in it, since it writes earlier calls back. The format whose evidence
is all there counts; of several the one with the most, for `<tool_call>` alone says less than `<tool_call>` and
`<arg_key>`. A name finds the format that lists the longest part of it. Kinds of evidence are asked in this order, and
one that names no format, or several, is an error: a guess would lose calls in silence.
"""

import re
from dataclasses import dataclass

from .errors import OptionError, UnknownFormatError
from .formats import Format, registry

__all__ = ["Detection", "detect"]

GRAMMAR_OPTIONS = ("function", "parameter", "key_end", "value_opener", "delimiter", "lead")
"""Options of openers that hold texts which every call has."""

SHORTEST = 4
"""Texts shorter than this are found by chance."""

OPENS_THOUGHT = re.compile(r"add_generation_prompt.{0,400}", re.DOTALL)
"""The end of a template, which writes the head of the answer into the prompt."""


@dataclass(frozen=True, slots=True)
class Detection:
    """What `detect` found.

    `reasoning` is the parser's option of that name: "started" where the prompt opens the thought, else "auto".
    """

    format: str
    reasoning: str
    evidence: tuple[str, ...]
    """The texts or the model name that told."""
    source: str
    """What they were found in: "chat_template", "model" or "text"."""


def detect(*, chat_template: str | None = None, model: str | None = None, text: str | None = None) -> Detection:
    """The format that a model writes, by the first of template, name and text that is given and tells.

    `text` is a whole turn as the model wrote it, special tokens kept. Raises UnknownFormatError, listing candidates, if
    nothing tells or several formats fit equally well; OptionError if nothing is given.
    """
    if chat_template is None and model is None and text is None:
        raise OptionError("detect: expected a chat_template, a model or a text")
    tried = []
    if chat_template is not None:
        found = _by_markers(chat_template)
        if len(found) > 1 and model is not None:
            found = _narrowed(found, _by_name(model))
        if len(found) == 1:
            name, evidence = found[0]
            return Detection(name, _reasoning(chat_template, registry()[name]), evidence, "chat_template")
        tried.append(("the chat template", found))
    if model is not None:
        found = _by_name(model)
        if len(found) == 1:
            return Detection(found[0][0], "auto", found[0][1], "model")
        tried.append((f"the model name {model!r}", found))
    if text is not None:
        found = _by_markers(text)
        if len(found) == 1:
            return Detection(found[0][0], "auto", found[0][1], "text")
        tried.append(("the text", found))
    raise UnknownFormatError(f"detect: {'; '.join(_complaint(what, found) for what, found in tried)}")


Found = list[tuple[str, tuple[str, ...]]]


def evidence_of(format: Format) -> tuple[tuple[str, ...], ...]:
    """Sets of texts; each set tells a format by itself."""
    if format.evidence:
        return format.evidence
    sets = []
    for opener in format.openers:
        if not opener.marker or opener.weak:
            continue
        texts = [opener.marker, *(opener.options.get(option, "") for option in GRAMMAR_OPTIONS)]
        texts += [text for text, _ in opener.options.get("separators", ())]
        sets.append(tuple(dict.fromkeys(text for text in texts if len(text) >= SHORTEST)))
    return tuple(dict.fromkeys(found for found in sets if found))


def _by_markers(text: str) -> Found:
    """The formats of which some set of evidence is all in the text, those with the most of it."""
    found: dict[str, tuple[str, ...]] = {}
    for format in registry().values():
        for texts in evidence_of(format):
            if all(part in text for part in texts) and _weight(texts) > _weight(found.get(format.name, ())):
                found[format.name] = texts
    most = max(map(_weight, found.values()), default=0)
    return [(name, texts) for name, texts in found.items() if _weight(texts) == most]


def _weight(texts: tuple[str, ...]) -> int:
    return sum(map(len, texts))


def _by_name(model: str) -> Found:
    """The formats that list the longest part of a model's name."""
    plain = _plain(model)
    found: dict[str, str] = {}
    for format in registry().values():
        for known in (*format.models, *format.aliases, format.name):
            if _plain(known) in plain and len(_plain(known)) > len(_plain(found.get(format.name, ""))):
                found[format.name] = known
    most = max((len(_plain(known)) for known in found.values()), default=0)
    return [(name, (known,)) for name, known in found.items() if len(_plain(known)) == most and most >= SHORTEST]


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _narrowed(found: Found, others: Found) -> Found:
    """Those that the other evidence names too, if it names any."""
    names = {name for name, _ in others}
    return [entry for entry in found if entry[0] in names] or found


def _reasoning(template: str, format: Format) -> str:
    """Does the template's last part open a thought?"""
    tail = OPENS_THOUGHT.findall(template)
    opens = any(opener in part and closer not in part for part in tail[-1:] for opener, closer in format.reasoning)
    return "started" if opens else "auto"


def _complaint(what: str, found: Found) -> str:
    if not found:
        return f"{what} has the markers of no known format (toolweir.formats() lists {len(registry())})"
    return f"{what} fits {' and '.join(name for name, _ in found)} equally well"
