"""The C layer without Python: tests/c/c_layer.c, compiled as plain C99 with all warnings on, and run."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
SANITIZE = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

pytestmark = pytest.mark.skipif(CC is None, reason="no C compiler")


def compiles(flags, source, program):
    command = [CC, *flags, f"-I{ROOT / 'include'}", str(source), "-o", str(program)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("instructions", [[], ["-DTW_SCALAR_ONLY"]], ids=["simd", "scalar"])
@pytest.mark.parametrize("checks", [["-O2"], ["-O1", *SANITIZE]], ids=["plain", "sanitized"])
def test_c_program(tmp_path, instructions, checks):
    if SANITIZE[1] in checks:
        (tmp_path / "empty.c").write_text("int main(void) { return 0; }\n")
        if compiles(checks, tmp_path / "empty.c", tmp_path / "empty").returncode != 0:
            pytest.skip("the compiler has no sanitizers")
    built = compiles([*STRICT, *checks, *instructions], ROOT / "tests" / "c" / "c_layer.c", tmp_path / "c_layer")
    assert built.returncode == 0, built.stderr
    run = subprocess.run([tmp_path / "c_layer"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("header", sorted(path.name for path in (ROOT / "include" / "toolweir").glob("*.h")))
@pytest.mark.parametrize("instructions", [[], ["-DTW_SCALAR_ONLY"]], ids=["simd", "scalar"])
def test_every_header_stands_alone(tmp_path, header, instructions):
    source = tmp_path / "alone.c"
    source.write_text(f'#include "toolweir/{header}"\n#include "toolweir/{header}"\nint main(void) {{ return 0; }}\n')
    built = compiles([*STRICT, *instructions], source, tmp_path / "alone")
    assert built.returncode == 0, built.stderr
