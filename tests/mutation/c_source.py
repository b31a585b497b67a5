"""Spots and mutations of C: the bodies of functions in headers.

Tables and macros are left alone: no switch can stand in what a compiler works out.
"""

import re
from collections.abc import Iterator

from spots import Edit, Spot, Token, read_tokens

TOKEN = re.compile(
    r"""
    (?P<skip>/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:[^\n\\]|\\.)*|\s+)
    |(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<name>[A-Za-z_]\w*)
    |(?P<number>(?:0[xX][\da-fA-F]+|\d+)[uUlL]*)
    |(?P<op>->|\+\+|--|==|!=|<=|>=|&&|\|\||<<=|>>=|<<|>>|[-+*/&|^%]=|.)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "true": "false",
    "false": "true", "+=": "-=", "-=": "+=", "++": "--", "--": "++", "&": "|", "|": "&", "<<": ">>", ">>": "<<",
    "break": "continue", "continue": "break",
}  # fmt: skip
KEPT = ("return", "break", "continue", "goto")


def spots(source: str) -> Iterator[Spot]:
    tokens = list(read_tokens(source, TOKEN))
    depth = 0
    i = 0
    while i < len(tokens):
        text = tokens[i].text
        if text == "{" and depth == 0 and tokens[i - 1].text == ")":
            body = Body(tokens, i, function_name(tokens, i))
            yield from body.statement()
            i = body.i
            continue
        depth += (text == "{") - (text == "}")
        i += 1


def function_name(tokens: list[Token], brace: int) -> str:
    depth = 0
    for i in range(brace - 1, 0, -1):
        depth += (tokens[i].text == ")") - (tokens[i].text == "(")
        if depth == 0:
            return tokens[i - 1].text
    raise ValueError("a body without a function")


class Body:
    """Reads the statements of one function."""

    def __init__(self, tokens: list[Token], i: int, where: str) -> None:
        self.tokens, self.i, self.where = tokens, i, where

    def statement(self) -> Iterator[Spot]:
        start = self.i
        first = self.tokens[start].text
        match first:
            case "{":
                self.i += 1
                while self.tokens[self.i].text != "}":
                    yield from self.statement()
                self.i += 1
            case "if" | "while" | "switch":
                yield from self.brackets(negatable=first == "if")
                yield from self.statement()
                if first == "if" and self.i < len(self.tokens) and self.tokens[self.i].text == "else":
                    self.i += 1
                    yield from self.statement()
            case "for":
                yield from self.for_loop()
                yield from self.statement()
            case "do":
                self.i += 1
                yield from self.statement()
                yield from self.brackets(negatable=False)
                self.i += 1
            case "case" | "default":
                self.i = self.find(":") + 1
            case _:
                self.i = self.find(";") + 1
                yield from self.simple(self.tokens[start : self.i - 1], self.tokens[self.i - 1].end)

    def find(self, text: str) -> int:
        """The token with this text that no bracket holds."""
        depth = 0
        for i in range(self.i, len(self.tokens)):
            if depth == 0 and self.tokens[i].text == text:
                return i
            depth += (self.tokens[i].text in "([{") - (self.tokens[i].text in ")]}")
        raise ValueError(f"no {text!r}")

    def brackets(self, *, negatable: bool) -> Iterator[Spot]:
        """`word (expression)`: reads up to behind the bracket."""
        head = self.tokens[self.i]
        self.i += 2
        end = self.find(")")
        inside = self.tokens[self.i : end]
        self.i = end + 1
        if head.text != "switch":
            yield self.expression(inside, (head.start, self.tokens[end].end), negatable=negatable)

    def for_loop(self) -> Iterator[Spot]:
        head = self.tokens[self.i]
        self.i += 2
        parts = []
        for stop in (";", ";", ")"):
            end = self.find(stop)
            parts.append(self.tokens[self.i : end])
            self.i = end + 1
        line = (head.start, self.tokens[self.i - 1].end)
        for part in parts[1:]:
            if part:
                yield self.expression(part, line)

    def simple(self, tokens: list[Token], end: int) -> Iterator[Spot]:
        if not tokens:
            return
        line = (tokens[0].start, end)
        if tokens[0].text == "return":
            if tokens[1:]:
                yield self.expression(tokens[1:], line)
        elif not is_declaration(tokens):
            deletable = tokens[0].text not in KEPT and tokens[1:2] != [] and tokens[1].text != "void"
            yield Spot(*line, "statement", line, self.where, tuple(tokens), deletable=deletable)
        elif tokens[0].text != "static":
            for part in split(tokens):
                at = next((i for i, token in enumerate(part) if token.text == "="), len(part))
                if part[at + 1 :] and part[at + 1].text != "{":
                    yield self.expression(part[at + 1 :], line)

    def expression(self, tokens: list[Token], line: tuple[int, int], *, negatable: bool = False) -> Spot:
        start, end = tokens[0].start, tokens[-1].end
        return Spot(start, end, "expression", line, self.where, tuple(tokens), negatable=negatable)


def is_declaration(tokens: list[Token]) -> bool:
    """Two names in a row, or a name, stars and a name: no expression begins like that."""
    if tokens[0].kind != "name" or tokens[0].text in KEPT:
        return False
    rest = [token for token in tokens[1:] if token.text != "*"]
    return bool(rest) and rest[0].kind == "name"


def split(tokens: list[Token]) -> list[list[Token]]:
    """The declarators of a declaration."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text in "([{") - (token.text in ")]}")
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def edits(source: str, spot: Spot) -> Iterator[Edit]:
    """Every change that is tried in this spot."""
    for i, token in enumerate(spot.tokens):
        operand = i > 0 and (spot.tokens[i - 1].kind != "op" or spot.tokens[i - 1].text in ")]")
        text = token.text
        if token.kind == "op" and text in "&<>" and not operand:
            continue  # an address
        if token.kind != "string" and text in SWAPS:
            yield Edit(token.start, token.end, SWAPS[text])
        elif text in ("+", "-") and operand:
            yield Edit(token.start, token.end, "-" if text == "+" else "+")
        elif text == "!":
            yield Edit(token.start, token.end, "")
        elif token.kind == "number" and text.isdigit():
            yield Edit(token.start, token.end, str(int(text) + 1))
    if spot.negatable:
        yield Edit(spot.start, spot.end, f"!({source[spot.start : spot.end]})")
    if spot.deletable:
        yield Edit(spot.start, spot.end, ";")


def woven(source: str, spot: Spot, variants: list[tuple[int, str]]) -> str:
    """The spot with a switch between its variants, which are numbered, and itself."""
    own = source[spot.start : spot.end]
    if spot.kind == "expression":
        return "(" + "".join(f"tw_mutant({n}) ? ({text}) : " for n, text in variants) + f"({own}))"
    text = "".join(f"if (tw_mutant({n})) {{ {variant} }} else " for n, variant in variants)
    return f"{{ {text}{{ {own} }} }}"
