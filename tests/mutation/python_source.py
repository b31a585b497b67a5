"""Spots and mutations of Python and Cython.

Read token by token: no parser of Python reads Cython, and a token is all that a mutation changes. A logical line is a
statement; of those that open a block only the condition is a spot. Declarations, imports and docstrings are none.
"""

import re
from collections.abc import Iterator
from keyword import iskeyword

from spots import Edit, Spot, Token, read_tokens

TOKEN = re.compile(
    r"""
    (?P<skip>\#[^\n]*|[ \t]+|\\\n)
    |(?P<string>[a-zA-Z]{0,2}(?:\"{3}(?:\\.|[^\\])*?\"{3}|'{3}(?:\\.|[^\\])*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))
    |(?P<name>[^\W\d]\w*)
    |(?P<number>0[xX][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)
    |(?P<newline>\n)
    |(?P<op>->|:=|==|!=|<=|>=|//|\*\*|[-+*/&|^%]=|<<|>>|\.\.\.|.)
    """,
    re.VERBOSE | re.DOTALL,
)
CAST = re.compile(r"<\s*(?:\w+\s+)*\w+(?:\s*\*)*\s*>(?=[\w&(<])")
OPERANDS = {"True", "False", "None"}

SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "and": "or", "or": "and", "True": "False",
    "False": "True", "break": "continue", "continue": "break", "+=": "-=", "-=": "+=",
}  # fmt: skip
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
KEPT = {
    "return", "yield", "pass", "break", "continue", "import", "from", "cimport", "global", "nonlocal", "del", "assert",
    "include",
}  # fmt: skip
"""Statements that are not deleted: without them another part of the source would make no sense."""


def spots(source: str) -> Iterator[Spot]:
    blocks: list[tuple[int, str, str]] = []  # indent, kind, name
    for line in logical_lines(source):
        indent = line[0].start - (source.rfind("\n", 0, line[0].start) + 1)
        while blocks and blocks[-1][0] >= indent:
            blocks.pop()
        where = ".".join(name for _, _, name in blocks if name)
        kind = blocks[-1][1] if blocks else "module"
        if line[-1].text == ":" and (opened := block_of(line)):
            if kind != "declarations":
                yield from condition(line, where)
            blocks.append((indent, kind if opened[0] == "control" else opened[0], opened[1]))
        elif kind != "declarations":
            yield from statement(line, where, kind)


def logical_lines(source: str) -> Iterator[list[Token]]:
    line: list[Token] = []
    depth = 0
    for token in read_tokens(source, TOKEN):
        if token.kind == "newline":
            if line and depth == 0:
                yield line
                line = []
            continue
        if token.kind == "op":
            depth += (token.text in "([{") - (token.text in ")]}")
        line.append(token)
    if line:
        yield line


def block_of(line: list[Token]) -> tuple[str, str] | None:
    """What a line that ends in a colon opens: its kind and name."""
    words = [token.text for token in line]
    first = words[0]
    if first == "class" or words[:2] == ["cdef", "class"]:
        return "class", words[words.index("class") + 1]
    if first in ("cdef", "cpdef", "ctypedef", "def", "async"):
        if "(" in words and words[1] not in ("extern", "enum", "struct", "union"):
            return "function", words[words.index("(") - 1]
        return "declarations", ""
    if first in ("if", "elif", "else", "while", "for", "try", "except", "finally", "with", "match", "case"):
        return "control", ""
    return None


def condition(line: list[Token], where: str) -> Iterator[Spot]:
    """What the first line of a block decides by."""
    head, body = line[0].text, line[1:-1]
    whole = (line[0].start, line[-1].end)
    if head in ("if", "elif", "while"):
        yield Spot(body[0].start, body[-1].end, "condition", whole, where, tuple(body), negatable=head != "while")
    elif head == "for":
        at = next(i for i, token in enumerate(body) if token.text == "in")
        body = body[at + 1 :]
        loop = body[0].text == "range" and body[-1].text == ")"  # a switch around it would cost it its C types
        parts = split(body[2:-1], ",") if loop else [body]
        for part in parts:
            yield Spot(part[0].start, part[-1].end, "expression", whole, where, tuple(part))


def statement(line: list[Token], where: str, kind: str) -> Iterator[Spot]:
    whole = (line[0].start, line[-1].end)
    first = line[0]
    if any(token.text == ";" for token in line) or first.text in (
        "import",
        "from",
        "cimport",
        "@",
        "ctypedef",
        "global",
    ):
        return
    if first.text in ("cdef", "cpdef"):
        if kind == "function" and "class" not in (token.text for token in line):
            for part in split(line, ","):
                at = next((i for i, token in enumerate(part) if token.text == "="), len(part))
                if value := part[at + 1 :]:
                    kind_of_value = "condition" if line[1].text == "bint" else "expression"
                    yield Spot(value[0].start, value[-1].end, kind_of_value, whole, where, tuple(value))
        return
    if first.kind == "string" and len(line) == 1:
        return
    if [token.text for token in line] == ["return", "0"]:  # of a C function: nothing was raised
        return
    deletable = kind == "function" and first.text not in KEPT and not annotated(line)
    yield Spot(*whole, "statement", whole, where, tuple(line), deletable=deletable)


def annotated(line: list[Token]) -> bool:
    return len(line) > 1 and line[1].text == ":"


def split(tokens: list[Token], by: str) -> list[list[Token]]:
    """Parts between the separators that no bracket holds."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        if token.kind == "op":
            depth += (token.text in "([{") - (token.text in ")]}")
        if token.text == by and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def edits(source: str, spot: Spot) -> Iterator[Edit]:
    """Every change that is tried in this spot."""
    tokens = spot.tokens
    loop = 0  # brackets in which the next `in` belongs to a `for`
    quiet = 0  # up to here: a cast
    declared = annotation(tokens)
    for i, token in enumerate(tokens):
        last = tokens[i - 1] if i else None
        after = tokens[i + 1] if i + 1 < len(tokens) else None
        operand = last is not None and is_operand(last)
        text = token.text
        if token.start < quiet or declared[0] <= i < declared[1]:
            continue
        if text == "<" and not operand and (cast := CAST.match(source, token.start)):
            quiet = cast.end()
        elif text == "for":
            loop += 1
        elif text == "in" and loop:
            loop -= 1
        elif text == "not" and after and after.text == "in":
            yield Edit(token.start, after.end, "in")
        elif text == "in" and not (last and last.text == "not"):
            yield Edit(token.start, token.end, "not in")
        elif text == "is" and after and after.text == "not":
            yield Edit(token.start, after.end, "is")
        elif text == "is":
            yield Edit(token.start, token.end, "is not")
        elif text == "not" and not (last and last.text == "is"):
            yield Edit(token.start, after.start if after else token.end, "")
        elif token.kind != "string" and text in SWAPS and not (text == "<" and not operand):
            yield Edit(token.start, token.end, SWAPS[text])
        elif text in ("+", "-") and operand:
            yield Edit(token.start, token.end, "-" if text == "+" else "+")
        elif text in FUNCTIONS and after and after.text == "(" and not (last and last.text == "."):
            yield Edit(token.start, token.end, FUNCTIONS[text])
        elif token.kind == "number" and text.isdigit():
            yield Edit(token.start, token.end, str(int(text) + 1))
    if spot.negatable:
        yield Edit(spot.start, spot.end, f"not ({source[spot.start : spot.end]})")
    if spot.deletable:
        yield Edit(spot.start, spot.end, "pass")


def annotation(tokens: tuple[Token, ...]) -> tuple[int, int]:
    """The tokens that are the annotation of a variable."""
    if len(tokens) < 3 or tokens[1].text != ":":
        return 0, 0
    return 1, next((i for i, token in enumerate(tokens) if token.text == "="), len(tokens))


def is_operand(token: Token) -> bool:
    return token.text in ")]}" if token.kind == "op" else token.text in OPERANDS or not iskeyword(token.text)


def woven(source: str, spot: Spot, variants: list[tuple[int, str]]) -> str:
    """The spot with a switch between its variants, which are numbered, and itself."""
    own = source[spot.start : spot.end]
    if spot.kind == "condition":  # Cython gives `a if b else c` a type, and not always one that it can compute
        cases = [f"tw_mutant({n}) and ({text})" for n, text in variants]
        others = " and ".join(f"not tw_mutant({n})" for n, _ in variants)
        return "(" + " or ".join([*cases, f"{others} and ({own})"]) + ")"
    if spot.kind == "expression":
        return "(" + "".join(f"({text}) if tw_mutant({n}) else " for n, text in variants) + f"({own}))"
    indent = " " * (spot.start - (source.rfind("\n", 0, spot.start) + 1))
    text = ""
    for n, variant in variants:
        text += f"{'el' if text else ''}if tw_mutant({n}):\n{indent}    {variant}\n{indent}"
    return f"{text}else:\n{indent}    {own}"


def after_docstring(source: str) -> int:
    """Where the first statement begins that may follow another import."""
    for line in logical_lines(source):
        if not (line[0].kind == "string" or line[1].text == "__future__"):
            return line[0].start
    return len(source)
