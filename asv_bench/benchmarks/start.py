"""What a parser costs before its first piece: import and construction."""

from toolweir import StreamParser, Tools

from .measure import best, in_child

__all__ = ["Construction", "Import"]

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
        return min(in_child(IMPORT) for _ in range(25)) * 1e3
