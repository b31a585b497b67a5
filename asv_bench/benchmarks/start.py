"""What a parser costs before its first piece: import, construction, memory."""

from toolweir import StreamParser, Tools

from .measure import best, in_child

DEFINITIONS = [
    {
        "type": "function",
        "function": {
            "name": f"tool_{number}",
            "description": "Does one thing.",
            "parameters": {"type": "object", "properties": {"path": {"type": "string"}, "count": {"type": "integer"}}},
        },
    }
    for number in range(128)
]

IMPORT = "import time; start = time.process_time(); import toolweir; print(time.process_time() - start)"

RESIDENT = """
from pathlib import Path
import toolweir
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
"""

PARSERS = """
tools = toolweir.Tools([{"name": "f"}])
kept = [toolweir.StreamParser("hermes", tools=tools) for _ in range(100)]
before = resident()
kept += [toolweir.StreamParser("hermes", tools=tools) for _ in range(20_000)]
print((resident() - before) / 20_000)
"""

PROSE = """
piece = "words and words. " * 61
parser = toolweir.StreamParser("hermes")
for _ in range(1000):
    parser.feed(piece)
before = resident()
for _ in range(100_000):
    parser.feed(piece)
print(resident() - before)
"""


class Construction:
    """A parser with prepared and with raw tools."""

    unit = "us"

    def track_prepared_tools(self) -> float:
        tools = Tools(DEFINITIONS)
        return best(lambda: [StreamParser("hermes", tools=tools) for _ in range(1000)], 30) * 1e3

    def track_128_raw_tools(self) -> float:
        return best(lambda: [StreamParser("hermes", tools=DEFINITIONS) for _ in range(20)], 30) / 20 * 1e6


class Import:
    """Processor time of `import toolweir` in a fresh interpreter."""

    unit = "ms"

    def track_import(self) -> float:
        return min(in_child(IMPORT) for _ in range(10)) * 1e3


class Memory:
    """Resident memory, in bytes."""

    unit = "bytes"

    def track_parser(self) -> float:
        return in_child(RESIDENT + PARSERS)

    def track_growth_in_100_mb_of_prose(self) -> float:
        return in_child(RESIDENT + PROSE)
