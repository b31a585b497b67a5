"""Which tests reach which mutation, and how long each takes."""

import json
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Reach:
    by_import: set[int] = field(default_factory=set)
    """Mutations that are reached before the first test: any test may notice them."""
    seconds: dict[str, float] = field(default_factory=dict)
    tests: defaultdict[int, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, node: str, seconds: float, numbers: list[int]) -> None:
        self.seconds[node] = round(seconds, 4)
        for number in numbers:
            self.tests[number].append(node)

    def candidates(self, number: int, *, everything: bool = False) -> list[str]:
        """The tests that reach a mutation; behind them, with `everything`, all others."""
        nodes = in_turns(self.tests[number], self.seconds)
        if everything:
            known = set(nodes)
            nodes += in_turns([node for node in self.seconds if node not in known], self.seconds)
        return nodes

    def write(self, target: Path) -> None:
        target.write_text(json.dumps([sorted(self.by_import), self.seconds, self.tests]))

    @classmethod
    def read(cls, source: Path) -> "Reach":
        by_import, seconds, tests = json.loads(source.read_text())
        reach = cls(set(by_import), seconds)
        reach.tests.update({int(number): nodes for number, nodes in tests.items()})
        return reach


def in_turns(nodes: list[str], seconds: dict[str, float]) -> list[str]:
    """Of every file its shortest test, then of every file the next one: what notices a fault is rarely far."""
    files: defaultdict[str, list[str]] = defaultdict(list)
    for node in sorted(nodes, key=seconds.__getitem__):
        files[node.partition("::")[0]].append(node)
    turns = [(turn, seconds[node], node) for tests in files.values() for turn, node in enumerate(tests)]
    return [node for _, _, node in sorted(turns)]
