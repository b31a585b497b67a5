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
        """The tests that reach a mutation; behind them, with `everything`, all others.

        Quick ones come first: nine of ten tests together take less time than one of the slow ones, and notice most.
        """
        nodes = sorted(self.tests[number], key=self.seconds.__getitem__)
        if everything:
            known = set(nodes)
            nodes += sorted([node for node in self.seconds if node not in known], key=self.seconds.__getitem__)
        return nodes

    def write(self, target: Path) -> None:
        target.write_text(json.dumps([sorted(self.by_import), self.seconds, self.tests]))

    @classmethod
    def read(cls, source: Path) -> "Reach":
        by_import, seconds, tests = json.loads(source.read_text())
        reach = cls(set(by_import), seconds)
        reach.tests.update({int(number): nodes for number, nodes in tests.items()})
        return reach
