"""Complete calls out of chunk streams: 100 KB of arguments in deltas of four characters.

`python asv_bench/benchmarks/dispatch.py` prints the same figures at once, as multiples of `len(chunk)` in
the same loop, with the openai SDK's accumulator beside them if it is installed.
"""

import json
import time

from toolweir.dispatch.aggregator import ChatAggregator
from toolweir.dispatch.dispatcher import ToolCallDispatcher
from toolweir.dispatch.stream import dispatch_sse

LINE = 'def f(x):\n    return "a" + x  # café\n'
ARGUMENTS = json.dumps({"path": "/tmp/x.py", "body": LINE * (100_000 // 45)})


def chunk(call, finish=None):
    choice = {"index": 0, "delta": {"tool_calls": [call]}, "logprobs": None, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}


def make_chunks(arguments=ARGUMENTS, size=4):
    yield chunk({"index": 0, "id": "call_1", "type": "function", "function": {"name": "write", "arguments": ""}})
    for at in range(0, len(arguments), size):
        yield chunk({"index": 0, "function": {"arguments": arguments[at : at + size]}})


def observe(chunks):
    dispatcher = ToolCallDispatcher()
    for each in chunks:
        dispatcher.observe(each)
    return dispatcher


def aggregate(chunks):
    aggregator = ChatAggregator()
    for each in chunks:
        aggregator.add(each)
    return aggregator


def lengths(chunks):
    for each in chunks:
        len(each)


class Dispatch:
    """Seconds for a whole stream of 100 KB."""

    def setup(self):
        self.chunks = list(make_chunks())
        self.lines = [json.dumps(each) for each in self.chunks]
        self.fresh = [json.loads(line) for line in self.lines]
        self.frames = [f"data: {line}\n\n".encode() for line in self.lines]

    def time_observe_reused_chunks(self):
        observe(self.chunks)

    def time_observe_fresh_chunks(self):
        observe(self.fresh)

    time_observe_fresh_chunks.number = 1  # setup makes new ones for each
    time_observe_fresh_chunks.repeat = 10

    def time_aggregate(self):
        aggregate(self.chunks)

    def time_sse(self):
        for _ in dispatch_sse(self.frames):
            pass

    def time_len_of_reused_chunks(self):
        lengths(self.chunks)

    def track_observe_over_len(self):
        return best(observe, lambda: self.chunks) / best(lengths, lambda: self.chunks)

    track_observe_over_len.unit = "times len()"


class TenThousandOpenCalls:
    def setup(self):
        self.chunks = [
            chunk({"index": i, "id": f"c{i}", "type": "function", "function": {"name": "f", "arguments": "{"}})
            for i in range(10_000)
        ]

    def time_open(self):
        observe(self.chunks)

    def peakmem_open(self):
        observe(self.chunks)


def best(work, make, rounds=9):
    """Nanoseconds for a chunk, at the best of some rounds over chunks that `make` returns."""
    fastest = float("inf")
    for _ in range(rounds):
        chunks = make()
        start = time.perf_counter_ns()
        work(chunks)
        fastest = min(fastest, (time.perf_counter_ns() - start) / len(chunks))
    return fastest


def openai_accumulator(chunks):
    """Nanoseconds for a chunk in the openai SDK, over a shorter stream: its time grows with the length."""
    from openai.lib.streaming.chat import ChatCompletionStreamState
    from openai.types.chat import ChatCompletionChunk

    state = ChatCompletionStreamState()
    objects = [ChatCompletionChunk.model_validate(each) for each in chunks]
    start = time.perf_counter_ns()
    for each in objects:
        state.handle_chunk(each)
    return (time.perf_counter_ns() - start) / len(objects)


def main():
    chunks = list(make_chunks())
    lines = [json.dumps(each) for each in chunks]

    def fresh():
        return [json.loads(line) for line in lines]

    assert observe(chunks).stats.dispatched == 1
    for name, make in (("reused chunks", lambda: chunks), ("chunks fresh from json.loads", fresh)):
        one, other = best(observe, make), best(lengths, make)
        print(f"observe, {name:30} {one:8.0f} ns  {one / other:6.1f} x len()")
    one, other = best(aggregate, lambda: chunks), best(lengths, lambda: chunks)
    print(f"ChatAggregator.add                     {one:8.0f} ns  {one / other:6.1f} x len()")
    try:
        sdk = openai_accumulator(list(make_chunks(ARGUMENTS[:8000])))
    except ImportError:
        print("the openai SDK is not installed")
    else:
        print(f"openai SDK's accumulator, 8 KB only    {sdk:8.0f} ns  {sdk / other:6.0f} x len()")


if __name__ == "__main__":
    main()
