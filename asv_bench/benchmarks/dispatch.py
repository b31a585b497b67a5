"""The other side: complete calls out of chunk streams. Seconds for 100 KB of arguments; pieces.py has the ratios."""

import json

from toolweir.dispatch.aggregator import ChatAggregator
from toolweir.dispatch.dispatcher import ToolCallDispatcher
from toolweir.dispatch.stream import dispatch_sse

from .chunks import Chunk, chunk, make_chunks
from .texts import arguments

__all__ = ["Dispatch", "TenThousandOpenCalls"]


def observe(chunks: list[Chunk]) -> None:
    observe = ToolCallDispatcher().observe
    for each in chunks:
        observe(each)


class Dispatch:
    """A call of 100 KB, in 25,000 chunks."""

    def setup(self) -> None:
        self.chunks = list(make_chunks(arguments("code", 100_000) + '"}'))
        lines = [json.dumps(each) for each in self.chunks]
        self.fresh = [json.loads(line) for line in lines]
        self.frames = [f"data: {line}\n\n".encode() for line in lines]

    def time_observe_reused_chunks(self) -> None:
        observe(self.chunks)

    def time_observe_fresh_chunks(self) -> None:
        observe(self.fresh)

    time_observe_fresh_chunks.number = 1  # setup makes new ones for each
    time_observe_fresh_chunks.repeat = 10

    def time_aggregate(self) -> None:
        add = ChatAggregator().add
        for each in self.chunks:
            add(each)

    def time_sse(self) -> None:
        for _ in dispatch_sse(self.frames):
            pass


class TenThousandOpenCalls:
    """A stream that opens calls and closes none."""

    def setup(self) -> None:
        self.chunks = [
            chunk({"index": at, "id": f"c{at}", "type": "function", "function": {"name": "f", "arguments": "{"}})
            for at in range(10_000)
        ]

    def time_open(self) -> None:
        observe(self.chunks)

    def peakmem_open(self) -> None:
        observe(self.chunks)
