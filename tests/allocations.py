"""Stands between the interpreter and its memory: lets requests fail, one by one, and counts what was asked for."""

import gc
import importlib.util
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import toolweir
from toolweir import ParserStateError, StreamParser

SOURCE = Path(__file__).parent / "c" / "no_memory.c"
CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")

needs_compiler = pytest.mark.skipif(CC is None, reason="no C compiler")
survives = pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="the process crashes on CPython 3.12 and 3.13 (docs/robustness.md)"
)


@cache
def allocator() -> Any:
    """The module of tests/c/no_memory.c, built anew."""
    modules = [path.read_bytes() for path in Path(toolweir.__file__).parent.rglob("*.so")]
    assert not any(b"_cython_3_3_" in module for module in modules), "built with Cython 3.3, which would crash here"
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / ("no_memory" + sysconfig.get_config_var("EXT_SUFFIX"))
        command = [str(CC), "-shared", "-fPIC", "-O1", "-g", f"-I{sysconfig.get_path('include')}", str(SOURCE)]
        if sys.platform == "darwin":
            command += ["-undefined", "dynamic_lookup"]
        built = subprocess.run([*command, "-o", str(target)], capture_output=True, text=True, check=False)
        assert built.returncode == 0, built.stderr
        spec = importlib.util.spec_from_file_location("no_memory", target)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


def bytes_asked_for(operate: Callable[[], object]) -> int:
    """What the operation asks for of memory, all in all: a measure of what it copies, which needs room first."""
    allocator().arm(-1)
    try:
        operate()
    finally:
        allocator().disarm()
    asked: int = allocator().asked()
    return asked


def check_linear(work: Callable[[int], Callable[[], object]], most: int) -> None:
    """`work(count)` makes what is to be done with so much; sixteen times as much may ask for 64 times as much memory.

    Four times more than linear is left for a buffer that has just grown and for texts that are read in another way once
    they are past a limit; with the square it would be 256. Small counts come first: what is not linear fails at once,
    and not after hours.
    """
    before = None
    for count in (most // 256, most // 16, most):
        asked = bytes_asked_for(work(count))
        assert before is None or asked <= 64 * before, f"{count}: {before} bytes became {asked}"
        before = asked


def failures(
    no_memory: Any, prepare: Callable[[], Any], operate: Callable[[Any], object]
) -> Iterator[tuple[Any, bool]]:
    """(what was prepared, whether a MemoryError came out of it) for every allocation that operate(prepared) makes.

    The interpreter can do without some of its memory, so now and then no error comes out; any other error comes out of
    here, and so fails the test.
    """
    number = 0
    struck = True
    while struck:
        prepared, failed = prepare(), False
        gc.disable()  # others have callbacks there, which would need memory too
        no_memory.arm(number)
        try:
            operate(prepared)
        except MemoryError:
            failed = True
        finally:
            struck = no_memory.disarm()
            gc.enable()
        assert struck or not failed
        yield prepared, failed
        number += 1
    assert number > 1, "the operation asks for no memory: nothing was tested"


def is_torn(parser: StreamParser) -> bool:
    """Whether the parser says that it stopped within a piece; it then says so whatever is asked of it."""
    try:
        parser.copy()
    except ParserStateError:
        pass
    else:
        return False
    with pytest.raises(ParserStateError, match="memory ran out"):
        parser.feed("x")
    for refused in (lambda: parser.feed("x"), parser.finish, parser.flush_held, lambda: parser.prime("x")):
        with pytest.raises(ParserStateError):
            refused()
    return True
