"""Drives a target with atheris: `python tests/fuzzing/run.py TARGET [libFuzzer options] [CORPUS ...]`.

With a build that tells libFuzzer about its branches (`make fuzz` makes one) the compiled modules are what guides it;
with any other only Python is.
"""

import logging
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import atheris  # type: ignore[import-not-found]

with atheris.instrument_imports(include=["toolweir"]):  # those in Python; the compiled ones are built with it
    from targets import TARGETS


def main() -> None:
    logging.disable()  # what is logged of broken streams
    name = sys.argv.pop(1)
    target = TARGETS[name]

    def one_input(data: bytes) -> None:
        try:
            target(data)
        except BaseException:
            print(f"{name}: {data!r}", file=sys.stderr)
            raise

    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
