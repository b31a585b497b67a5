"""mutant.h for the modules that are not compiled."""

import mmap
import os
import sys

_mutants: mmap.mmap | None = None
if _name := os.environ.get("TOOLWEIR_MUTANTS"):
    with open(_name, "r+b") as _file:
        _mutants = mmap.mmap(_file.fileno(), 0)


def tw_mutant(number: int) -> bool:
    if _mutants is None:
        return False
    _mutants[4 + number] = 1
    return int.from_bytes(_mutants[:4], sys.byteorder) == number
