"""Long random runs: `python tests/fuzz.py --seconds 60 --format hermes`.

Every text is shrapnel of the format's own markers, read with random options under every cut; what is checked is the
contract (support.py). Prints how many texts were read and the first failures, cut down to what is needed. Exit status
1 if there were any. Seeds are printed: `--seed N` starts there.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator
from typing import Any

from support import check_every_cut
from texts import parts_of, random_options, shrapnel

import toolweir


def failure(text: str, format: str, options: dict[str, Any]) -> str | None:
    """What is wrong with the reading of a text, None if nothing is."""
    try:
        check_every_cut(text, format, seeds=1, **options)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def minimised(text: str, format: str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A text, and options, from which nothing can be taken away without losing the failure."""
    for option in list(options):
        fewer = {name: value for name, value in options.items() if name != option}
        if failure(text, format, fewer):
            options = fewer
    size = len(text) // 2
    while size:
        at = 0
        while at < len(text):
            shorter = text[:at] + text[at + size :]
            if failure(shorter, format, options):
                text = shorter
            else:
                at += size
        size //= 2
    return text, options


def texts(format: str, seed: int) -> Iterator[tuple[int, str, dict[str, Any]]]:
    parts = parts_of(format)
    while True:
        rng = random.Random(seed)
        yield seed, shrapnel(rng, parts), random_options(rng)
        seed += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--format", choices=toolweir.formats(), action="append", help="default: all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--failures", type=int, default=5, help="stop after so many")
    arguments = parser.parse_args()
    formats = arguments.format or toolweir.formats()
    failed = 0
    for format in formats:
        end = time.monotonic() + arguments.seconds / len(formats)
        read = 0
        for seed, text, options in texts(format, arguments.seed):
            read += 1
            if failure(text, format, options):
                failed += 1
                short, few = minimised(text, format, options)
                print(f"{format}, seed {seed}: {short!r} with {few}\n    {failure(short, format, few)}")
            if failed >= arguments.failures or time.monotonic() > end:
                break
        print(f"{format}: {read} texts from seed {arguments.seed}, {failed} failures so far")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
