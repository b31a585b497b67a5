"""A million turns at constant memory: `python tests/soak.py --turns 1000000`.

Every turn is another text of another format: examples, shrapnel of their markers, cut off anywhere, with tools and options
that change; by a parser that is reset or by a new one, now and then through a copy, a fault, a mistake of the caller, a
wire encoder or a dispatcher. Prints what is in use as it goes: resident memory, blocks of the interpreter's allocator,
objects that the collector knows. Exit status 1 if, after the first tenth, any of them grows.
"""

import argparse
import gc
import logging
import random
import sys
import time
from typing import Any

from texts import TOOLS, parts_of, random_options, shrapnel

import toolweir
from toolweir import ChatAggregator, ParserStateError, StreamParser, ToolCallDispatcher, Tools
from toolweir._testing import fault_after
from toolweir.wire import ChatCompletionStream, MessageStream, ResponseStream

__all__ = ["Turns", "in_use"]

APIS = (ChatCompletionStream, MessageStream, ResponseStream)
TEXTS_A_FORMAT = 40
ROOM = 1.02
"""How much what is in use may differ between two samples that are both of nothing."""


class Turns:
    """An endless run of turns, the same for the same seed."""

    def __init__(self, seed: int = 0, texts: int = TEXTS_A_FORMAT) -> None:
        self.rng = rng = random.Random(seed)
        self.tools = Tools(TOOLS)
        self.texts: list[tuple[str, dict[str, Any], str]] = []
        for format in toolweir.formats():
            example = toolweir.format_info(format).example
            for _ in range(texts):
                options = random_options(rng)
                text = shrapnel(rng, parts_of(format)) if rng.random() < 0.6 else example + example[: rng.randrange(99)]
                self.texts.append((format, options, text[: rng.randrange(len(text)) + 1]))
        self.parsers = [StreamParser(format, **options) for format, options, _ in self.texts]

    def turn(self) -> None:
        rng = self.rng
        number = rng.randrange(len(self.texts))
        format, options, text = self.texts[number]
        what = rng.random()
        if what < 0.5:
            parser = self.parsers[number]
            parser.reset()
            self.read(parser, text)
        elif what < 0.8:
            self.read(StreamParser(format, **options), text)
        elif what < 0.9:
            stream = rng.choice(APIS)(StreamParser(format, **options))
            for piece in self.pieces(text):
                stream.feed(piece)
            if what < 0.88:  # the others are given up
                stream.finish("stop")
        elif what < 0.95:
            self.dispatch(text)
        else:
            with fault_after(rng.randrange(len(text) + 1)):
                self.read(StreamParser(format, **options), text)

    def rest(self) -> None:
        """What is in use then is not in use for a text."""
        for parser in self.parsers:
            parser.reset()

    def pieces(self, text: str) -> list[Any]:
        size = self.rng.choice((1, 4, 16, 1000))
        if size == 4:
            raw = text.encode("utf-8", "replace")
            return [raw[at : at + size] for at in range(0, len(raw), size)]
        return [text[at : at + size] for at in range(0, len(text), size)]

    def read(self, parser: StreamParser, text: str) -> None:
        pieces = self.pieces(text)
        copied = self.rng.randrange(3 * len(pieces) + 1)
        for number, piece in enumerate(pieces):
            if number == copied:
                parser.copy().finish()
                parser = parser.copy()
            parser.feed(piece)
        if copied == len(pieces):
            try:
                parser.feed(7)  # type: ignore[arg-type]
            except TypeError:
                parser.flush_held()
        parser.finish(self.rng.choice(("stop", "length", None)))
        try:
            parser.feed("more")
        except ParserStateError:
            parser.result.finish_reason  # noqa: B018

    def dispatch(self, text: str) -> None:
        dispatcher, aggregator = ToolCallDispatcher(), ChatAggregator()
        entry: dict[str, Any] = {"index": 0, "id": "a", "function": {"name": "f", "arguments": ""}}
        for piece in ["", *self.pieces(text)]:
            entry["function"]["arguments"] = piece if isinstance(piece, str) else piece.decode("utf-8", "replace")
            chunk = {"choices": [{"index": 0, "delta": {"tool_calls": [entry]}, "finish_reason": None}]}
            dispatcher.observe(chunk)
            aggregator.add(chunk)
            entry = {"index": 0, "function": {}}
        dispatcher.finish()
        aggregator.completion()


def in_use() -> tuple[int, int, int]:
    """Resident kilobytes (0 where the system does not tell), allocated blocks, objects that the collector knows."""
    gc.collect()
    resident = 0
    try:
        with open("/proc/self/status") as status:
            resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    except OSError:
        pass
    return resident, sys.getallocatedblocks(), len(gc.get_objects())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=1_000_000)
    parser.add_argument("--samples", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    logging.disable()  # of faults that are put in
    turns = Turns(arguments.seed)
    samples = []
    start = time.monotonic()
    for sample in range(arguments.samples):
        for _ in range(arguments.turns // arguments.samples):
            turns.turn()
        turns.rest()
        samples.append(in_use())
        resident, blocks, objects = samples[-1]
        done = (sample + 1) * (arguments.turns // arguments.samples)
        print(
            f"{done:>9} turns: {resident:>8} KiB resident, {blocks} blocks, {objects} objects,"
            f" {time.monotonic() - start:.0f} s",
            flush=True,
        )
    grown = any(last > ROOM * first for first, last in zip(samples[0], samples[-1], strict=True))
    print("memory grows" if grown else "memory is constant")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
