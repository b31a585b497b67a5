"""Case files: Markdown that people can read, and tests that machines can run.

A case is a level-two heading, prose that names the rule, optionally a line `Options:`, the text that the model wrote and
the log of what comes out of it:

    ## Arguments before the name

    They are held until the name is known.

    Options: `tools=["f"], finish="length"`

    ~~~text
    <tool_call>{"arguments": {"a": 1}, "name": "f"}</tool_call>
    ~~~

    ~~~events
     0-46        start 0 f
    # arguments before the name wait for it
    25-33  @46   arguments 0 {"a": 1}
    ...
    finish tool_calls
    ~~~

Control characters and edges of lines are written as the pictures that Unicode has for them: ␊ newline, ␍ return, ␉ tab,
␠ space, ␁ and so on. A line break in the text is a newline as well, but for the last one.

Every line of the log begins with the span of the input that it covers, and that is a promise about time too: fed one
character at a time, each character of a text goes out as soon as it is read, every other event as soon as the end of its
span is read; the end of an invalid call with the character that broke it, which its span does not hold. Where a rule makes something wait, `@n` says after how many characters of input it goes out, neither
later nor earlier (`@end`: when the text ends), and a line with `#` above it says why. One delta may be cut into lines, so
that each part has its time; text that is not in the input as it stands (decoded, escaped) must be out at its line's end.

`python tests/case_files.py FILE...` fills logs that are empty with what comes out now; the reasons are yours to write.
"""

import ast
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support import Steps, steps, text_of

import toolweir

HOME = Path(__file__).parent / "cases"
PICTURES = {0x2400 + code: chr(code) for code in [*range(0x21)]} | {0x2421: "\x7f"}
DRAWN = {code: chr(picture) for picture, code in ((picture, ord(char)) for picture, char in PICTURES.items())}
END = sys.maxsize
"""The time of what goes out when the text ends."""

CASE = re.compile(
    r"^## (?P<title>.+)\n(?P<prose>(?:(?!^~~~|^## ).*\n)*)~~~text\n(?P<text>(?:.*\n)*?)~~~\n+"
    r"~~~events\n(?P<log>(?:.*\n)*?)~~~\n",
    re.MULTILINE,
)
OPTIONS = re.compile(r"^Options: `(.*)`$", re.MULTILINE)
LINE = re.compile(r"\s*(?P<start>\d+)-(?P<end>\d+)(?:\s+@(?P<when>\d+|end))?\s+(?P<kind>\w+) (?P<rest>.*)")
FIELDS = {"content": 0, "reasoning": 0, "arguments": 1, "start": 1, "end": 2, "malformed": 1, "skipped": 2}
"""How many words stand before the text that ends a line."""


@dataclass(frozen=True)
class Line:
    """One line of a log: an event, or a part of a delta."""

    step: tuple[Any, ...]
    when: int | None
    reason: str


@dataclass(frozen=True)
class Case:
    name: str
    format: str
    text: str
    finish: str | None
    options: dict[str, Any]
    lines: list[Line]
    result: dict[str, str]


def read_options(source: str) -> dict[str, Any]:
    """Options as they would be written in Python; tools may be names, limits a dict."""
    call = ast.parse(f"dict({source})", mode="eval").body
    assert isinstance(call, ast.Call)
    options = {word.arg or "": ast.literal_eval(word.value) for word in call.keywords}
    if "tools" in options:
        options["tools"] = [{"name": tool} if isinstance(tool, str) else tool for tool in options["tools"]]
    if "limits" in options:
        options["limits"] = toolweir.Limits(**options["limits"])
    return options


def read_line(line: str) -> tuple[tuple[Any, ...], int | None]:
    match = LINE.fullmatch(line)
    assert match, f"not a line of a log: {line!r}"
    kind, rest = match["kind"], match["rest"]
    span = (int(match["start"]), int(match["end"]))
    *words, last = rest.split(" ", FIELDS[kind])
    last = last.translate(PICTURES)
    when = None if match["when"] is None else END if match["when"] == "end" else int(match["when"])
    step: tuple[Any, ...]
    match kind:
        case "content" | "reasoning":
            step = (kind, last, span)
        case "arguments":
            step = (kind, int(words[0]), last, span)
        case "start":
            step = (kind, int(words[0]), last, span)
        case "end":
            step = (kind, int(words[0]), words[1], None if last == "-" else last, span)
        case "malformed":
            step = (kind, last, words[0], span)
        case _:
            step = (kind, int(words[0]), last, words[1], span)
    return step, when


def read_cases(path: Path) -> list[Case]:
    """The cases of one file; its folder names the format."""
    source = path.read_text("utf-8")
    cases = []
    for match in CASE.finditer(source):
        found = OPTIONS.search(match["prose"])
        options = read_options(found[1] if found else "")
        lines: list[Line] = []
        result: dict[str, str] = {}
        reason = ""
        for line in match["log"].splitlines():
            if line.startswith("#"):
                reason = line[1:].strip()
            elif line[:1].isalpha():
                word, _, value = line.partition(" ")
                result[word] = value.translate(PICTURES)
            else:
                lines.append(Line(*read_line(line), reason))
                reason = ""
        text = match["text"].removesuffix("\n").translate(PICTURES)
        finish = options.pop("finish", "stop")
        cases.append(Case(f"{path.stem}: {match['title']}", path.parent.name, text, finish, options, lines, result))
    headings = len(re.findall(r"^## ", source, re.MULTILINE))
    assert len(cases) == headings, f"{path}: {headings} headings, {len(cases)} cases"
    return cases


def all_cases() -> list[Case]:
    return [case for path in sorted(HOME.glob("*/*.md")) for case in read_cases(path)]


# What happened, in the terms of a log


@dataclass(frozen=True)
class Happened:
    """An event as a step, and after how many characters of input it went out."""

    step: tuple[Any, ...]
    when: int


def simple(step: tuple[Any, ...]) -> tuple[Any, ...]:
    """A step as a log tells it: without the position of a start and the arguments of an end, which others check."""
    if step[0] == "start":
        return (*step[:3], step[4])
    if step[0] == "end":
        return (*step[:3], *step[4:])
    return step


def by_character(case: Case) -> tuple[list[Happened], Any]:
    """The case fed one character at a time."""
    parser = toolweir.StreamParser(case.format, **case.options)
    happened = []
    for at, character in enumerate(case.text, 1):
        happened += [Happened(simple(steps([event])[0]), at) for event in parser.feed(character)]
    happened += [Happened(simple(steps([event])[0]), END) for event in parser.finish(case.finish)]
    return happened, parser.result


def result_of(result: Any) -> dict[str, str]:
    said = {"finish": result.finish_reason}
    if result.warnings:
        said["warnings"] = " ".join(result.warnings)
    if result.stop_sequence is not None:
        said["stop_sequence"] = result.stop_sequence
    return said


def joined(parts: Steps) -> Steps:
    """Neighbouring parts of one delta as one: steps of a log compared with steps of any cut."""
    whole: Steps = []
    for step in parts:
        last = whole[-1] if whole else None
        text = text_of(step)
        one_delta = last and text is not None and last[:-2] == step[:-2] and text_of(last) is not None
        if one_delta and (step[0] == "arguments" or last[-1][1] == step[-1][0]):
            whole[-1] = (*last[:-2], text_of(last) + text, (last[-1][0], step[-1][1]))
            continue
        whole.append(step)
    return whole


def times(happened: list[Happened]) -> list[int]:
    """When each character of a text and each other event went out."""
    return [item.when for item in happened for _ in text_of(item.step) or "."]


def due(case: Case, line: Line) -> list[int]:
    """When a line of the log says that its characters, or its event, go out."""
    text = text_of(line.step)
    start, end = line.step[-1]
    if line.when is not None:
        return [line.when] * len(text or ".")
    if text is not None and case.text[start:end] == text:
        return list(range(start + 1, end + 1))
    return [prompt(line.step)] * len(text or ".")


def prompt(step: tuple[Any, ...]) -> int:
    """When an event that no rule makes wait goes out."""
    return step[-1][1] + ("invalid" in step)


# Writing logs


def write_line(step: tuple[Any, ...], when: int | None) -> str:
    kind, *fields, (start, end) = step
    match kind:
        case "end":
            rest = f"{fields[0]} {fields[1]} {fields[2] or '-'}"
        case "malformed":
            rest = f"{fields[1]} {draw(fields[0])}"
        case "skipped":
            rest = f"{fields[0]} {fields[2]} {draw(fields[1])}"
        case _:
            rest = " ".join([*map(str, fields[:-1]), draw(fields[-1])])
    time = "" if when is None else "@end" if when == END else f"@{when}"
    return f"{f'{start}-{end}':>9}  {time:<5} {kind} {rest}"


def draw(text: str) -> str:
    inside = {code: picture for code, picture in DRAWN.items() if code != 0x20}
    bare = text.strip(" ")
    left = len(text) - len(text.lstrip(" "))
    return "␠" * left + bare.translate(inside) + "␠" * (len(text) - left - len(bare))


def write_log(case: Case) -> str:
    """The log of what comes out now."""
    happened, result = by_character(case)
    lines: list[tuple[tuple[Any, ...], int | None]] = []
    for item in happened:
        text = text_of(item.step)
        start, end = item.step[-1]
        pieces = [(item.step, item.when)]
        if text is not None and case.text[start:end] == text and item.when == end and len(text) > 1:
            pieces = [
                ((*item.step[:-2], text[:-1], (start, end - 1)), item.when),
                ((*item.step[:-2], text[-1], (end - 1, end)), item.when),
            ]
        for step, when in pieces:
            verbatim = text is not None and case.text[slice(*step[-1])] == text_of(step)
            told = None if when == prompt(step) and (len(text_of(step) or ".") == 1 or not verbatim) else when
            last = lines[-1] if lines else None
            if (
                last and verbatim and told == last[1] and last[0][:-2] == step[:-2] and last[0][-1][1] == step[-1][0]
                and case.text[slice(*last[0][-1])] == text_of(last[0])
            ):  # fmt: skip
                lines[-1] = ((*step[:-2], text_of(last[0]) + text_of(step), (last[0][-1][0], step[-1][1])), told)
            else:
                lines.append((step, told))
    written = []
    for step, told in lines:
        if told is not None and "text_ended" not in step:
            written.append("# ?")
        written.append(write_line(step, told))
    written += [f"{word} {draw(value)}" for word, value in result_of(result).items()]
    return "".join(f"{line}\n" for line in written)


def fill(path: Path) -> None:
    """Write the logs that are empty."""
    source = path.read_text("utf-8")
    logs = {case.name: case for case in read_cases(path)}

    def filled(match: re.Match[str]) -> str:
        if match["log"]:
            return match[0]
        head = match[0][: match.start("log") - match.start()]
        return f"{head}{write_log(logs[path.stem + ': ' + match['title']])}~~~\n"

    path.write_text(CASE.sub(filled, source), "utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        fill(Path(name).resolve())
