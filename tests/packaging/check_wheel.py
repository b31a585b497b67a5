"""Packages as users get them: `make wheel`, or `python tests/packaging/check_wheel.py`; takes some minutes.

Builds the sdist, a wheel from the sdist, installs the wheel into an empty environment, uses it there, installs a
distribution that brings a format, builds a package that cimports the scanner, and asks cibuildwheel which wheels it would
build. Needs the package registry; exits with status 1 and the failing step's output if one fails.
"""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parent.parent.parent
CONSUMER = Path(__file__).parent / "consumer"
PLUGIN = ROOT / "tests" / "plugin_dist"

WHEELS = {
    "linux": ["manylinux_x86_64", "manylinux_aarch64", "musllinux_x86_64", "musllinux_aarch64"],
    "macos": ["macosx_x86_64", "macosx_arm64"],
    "windows": ["win_amd64", "win_arm64"],
}
"""The platforms that a release has wheels for, each for CPython 3.11 to 3.13."""

NEEDED = [
    "toolweir/__init__.pxd",
    "toolweir/events.pyi",
    "toolweir/include/toolweir/json_scanner.h",
    "toolweir/py.typed",
    "toolweir/scan/json_scanner.pxd",
]

USE = """
import toolweir
from pathlib import Path
assert Path(toolweir.get_include(), "toolweir", "json_scanner.h").exists()
message = toolweir.parse(toolweir.format_info("hermes").example, "hermes")
assert [call.name for call in message.tool_calls] == ["get_weather"], message
assert toolweir.__version__
"""

USE_CONSUMER = """
import toolweir_consumer
assert toolweir_consumer.by_header(b'{"a": 1} more') == 8
assert toolweir_consumer.by_class(b'[1, 2] more') == 6
"""


def step(name: str, *command: str | Path, cwd: Path) -> None:
    """Run a command and say so; its output is only shown if it fails."""
    print(f"{name} ...", flush=True)
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stdout}{done.stderr}")


def compare_identifiers(cibuildwheel: list[str | Path]) -> None:
    """Whether the configuration means the wheels that a release should have."""
    for system, platforms in WHEELS.items():
        command = [*cibuildwheel, "--print-build-identifiers", "--platform", system, ROOT]
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        expected = [f"cp{version}-{platform}" for version in ("311", "312", "313") for platform in platforms]
        if sorted(found) != sorted(expected):
            sys.exit(f"cibuildwheel would build for {system}: {', '.join(found)}; expected: {', '.join(expected)}")


def main() -> None:
    """All steps in a folder of their own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        venv.create(folder / "venv", with_pip=True)
        pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        step("the build front end", *pip, "install", "build", cwd=folder)
        step("sdist, and a wheel from it", python, "-m", "build", "--outdir", folder / "dist", ROOT, cwd=folder)
        (wheel,) = (folder / "dist").glob("*.whl")
        missing = set(NEEDED) - set(ZipFile(wheel).namelist())
        if missing:
            sys.exit(f"not in {wheel.name}: {', '.join(sorted(missing))}")
        step("install the wheel", *pip, "install", wheel, cwd=folder)
        step("use it", python, "-c", USE, cwd=folder)
        step("the command", python, "-m", "toolweir", "formats", cwd=folder)
        step("a package with a format", *pip, "install", PLUGIN, cwd=folder)
        step("that format", python, "-m", "toolweir", "formats", "corvid", cwd=folder)
        step("build tools", *pip, "install", "setuptools>=80", "Cython>=3.2,<3.3", cwd=folder)
        step("a package against it", *pip, "install", "--no-build-isolation", CONSUMER, cwd=folder)
        step("use that", python, "-c", USE_CONSUMER, cwd=folder)
        step("cibuildwheel", *pip, "install", "cibuildwheel>=3", cwd=folder)
        compare_identifiers([python, "-m", "cibuildwheel"])
        print(f"{wheel.name}: all is well")


if __name__ == "__main__":
    main()
