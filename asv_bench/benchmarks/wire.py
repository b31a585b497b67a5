"""Text to server-sent events, in pieces of four characters.

`python asv_bench/benchmarks/wire.py` prints the same figures at once, as multiples of `len(piece)` in the same loop of
the same run, with orjson's and pydantic's encoding of the same deltas beside them where these are installed.
"""

import json
import time
from collections.abc import Callable
from functools import partial

from toolweir import StreamParser
from toolweir.wire import ChatCompletionStream, MessageStream, ResponseStream

APIS = {"chat": ChatCompletionStream, "responses": ResponseStream, "messages": MessageStream}
CODE = 'def f(x):\n    return {"a": x[0], \'b\': "\\t"}  # note\n'
TEXTS = {
    "prose": 'Here is a "quoted" line of prose, with a newline\nand some more of it, as models write. ',
    "markdown": "## A heading\n\n- *one* thing\n- `another`, with [a link](https://example.org)\n\n",
    "code": CODE,
    "cjk": "这是一个简单的例子，模型会逐字写出。",
    "arguments": json.dumps(CODE)[1:-1],
}
OPENED = {"arguments": '<tool_call>{"name": "f", "arguments": {"x": "'}
SIZE = 100_000
ROUNDS = 7


def pieces_of(name: str, size: int = SIZE) -> list[str]:
    """`size` characters of a text in pieces of four."""
    text = TEXTS[name] * (size // len(TEXTS[name]) + 1)
    return [text[at : at + 4] for at in range(0, size, 4)]


def opened(api: str, name: str):
    """A stream in the middle of its turn, where nothing but deltas comes."""
    stream = APIS[api](StreamParser("hermes"), model="a-model")
    stream.feed(OPENED.get(name, "Well, "))
    return stream


def feed(stream, pieces: list[str]) -> None:
    for piece in pieces:
        stream.feed(piece)


def lengths(pieces: list[str]) -> None:
    for piece in pieces:
        len(piece)


def best(run: Callable[..., None], *arguments, make: Callable | None = None, rounds: int = ROUNDS) -> float:
    """The least seconds of this thread that `run(*arguments)` takes; `make()` makes a first argument for each round."""
    times = []
    for _ in range(rounds):
        first = () if make is None else (make(),)
        begun = time.thread_time()
        run(*first, *arguments)
        times.append(time.thread_time() - begun)
    return min(times)


class Wire:
    """Seconds for 100 KB of text."""

    params = (list(APIS), list(TEXTS))
    param_names = ("api", "text")

    def setup(self, api, text):
        self.pieces = pieces_of(text)
        self.stream = opened(api, text)

    def time_feed(self, api, text):
        feed(self.stream, self.pieces)

    time_feed.number = 1  # setup makes a new stream for each
    time_feed.repeat = 10

    def track_feed_over_len(self, api, text):
        return best(feed, self.pieces, make=partial(opened, api, text)) / best(lengths, self.pieces)

    track_feed_over_len.unit = "times len()"


class Turn:
    """Seconds for a short turn: a line of prose and one call, which is what structure costs."""

    params = tuple(APIS)

    def time_turn(self, api):
        stream = APIS[api](StreamParser("hermes"), model="m")
        stream.feed("I look it up.\n")
        stream.feed('<tool_call>{"name": "f", "arguments": {"city": "Paris"}}</tool_call>')
        stream.finish("stop")


def chunk(text: str) -> dict:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    return {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "a-model", "choices": [choice]}


def others() -> dict[str, Callable[[list[str]], None]]:
    """The same Chat deltas, encoded in other ways from text that somebody else has parsed already."""
    found: dict[str, Callable[[list[str]], None]] = {}
    try:
        import orjson

        def by_orjson(pieces):
            for piece in pieces:
                b"data: %b\n\n" % orjson.dumps(chunk(piece))

        found["orjson, no parser"] = by_orjson
    except ImportError:
        pass
    try:
        from openai.types.chat import ChatCompletionChunk

        def by_pydantic(pieces):
            for piece in pieces:
                made = ChatCompletionChunk.model_validate(chunk(piece))
                f"data: {made.model_dump_json(exclude_unset=True)}\n\n".encode()

        found["pydantic, no parser"] = by_pydantic
    except ImportError:
        pass
    return found


def main() -> None:
    """Print a table."""
    for name in TEXTS:
        pieces = pieces_of(name)
        unit = best(lengths, pieces)
        print(f"{name}: len() {unit / len(pieces) * 1e9:.1f} ns")
        for api in APIS:
            print(f"  {api:22} {best(feed, pieces, make=partial(opened, api, name)) / unit:6.1f} x")
    few = pieces_of("prose", SIZE // 10)
    unit = best(lengths, few, rounds=30)
    for name, encode in others().items():
        print(f"  {name:22} {best(encode, few, rounds=3) / unit:6.1f} x")


if __name__ == "__main__":
    main()
