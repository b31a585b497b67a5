"""Builds the compiled core: every .pyx below src/toolweir is one extension module over the headers in include/toolweir.

Metadata lives in pyproject.toml. Two environment switches change the build:

TOOLWEIR_SANITIZE=1   AddressSanitizer and UndefinedBehaviorSanitizer (tests/sanitize.sh runs the suite on it)
TOOLWEIR_DEBUG=1      bounds checks on, optimisation off
"""

import os
import shutil
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
INCLUDE = Path("include")
SANITIZE = os.environ.get("TOOLWEIR_SANITIZE") == "1"
DEBUG = os.environ.get("TOOLWEIR_DEBUG") == "1"

if SANITIZE:
    FLAGS = ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
elif DEBUG:
    FLAGS = ["-O0", "-g"]
else:
    FLAGS = ["-O3"]

MSVC = os.name == "nt"
COMPILE = ["/O2"] if MSVC else [*FLAGS, "-std=c99", "-fvisibility=hidden"]
LINK = ["-fsanitize=address,undefined"] if SANITIZE else []

DIRECTIVES = {
    "language_level": 3,
    "binding": False,  # a CyFunction costs 7 ns a call more on 3.11; signatures live in the .pyi files
    "auto_pickle": False,
    "embedsignature": True,
    "embedsignature.format": "python",
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "cdivision": True,
}


def extensions():
    headers = [str(path) for path in sorted(INCLUDE.glob("toolweir/*.h"))]
    declarations = [str(path) for path in sorted(Path("src").rglob("*.pxd"))]
    for source in sorted(Path("src").rglob("*.pyx")):
        name = ".".join(source.relative_to("src").with_suffix("").parts)
        yield Extension(
            name,
            [str(source)],
            include_dirs=[str(INCLUDE)],
            depends=headers + declarations,
            extra_compile_args=COMPILE,
            extra_link_args=LINK,
        )


class BuildPy(build_py):
    """Puts the C headers into the wheel as toolweir/include, where get_include() finds them.

    A package-dir mapping would do the same but breaks editable installs: the import hook it needs hides the .pxd files
    from Cython.
    """

    def _headers(self):
        for source in sorted((ROOT / INCLUDE).rglob("*.h")):
            yield source, Path(self.build_lib) / "toolweir" / "include" / source.relative_to(ROOT / INCLUDE)

    def run(self):
        super().run()
        if not self.editable_mode:
            for source, target in self._headers():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)

    def get_outputs(self, include_bytecode=True):
        headers = [] if self.editable_mode else [str(target) for _, target in self._headers()]
        return super().get_outputs(include_bytecode) + headers


setup(
    ext_modules=cythonize(
        list(extensions()),
        build_dir="build/cython",
        include_path=["src"],
        compiler_directives=DIRECTIVES,
        nthreads=0 if MSVC else (os.cpu_count() or 1),
    ),
    cmdclass={"build_py": BuildPy},
)
