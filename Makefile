# Two commands do all set-up on a fresh machine: `make demo` and `make test`.
# PYTHON chooses the interpreter, VENV the folder of its environment (each interpreter needs one of its own).
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
SOURCES = $(shell find src include -name '*.py' -o -name '*.pyx' -o -name '*.pxd' -o -name '*.h') setup.py pyproject.toml
PIP = $(BIN)/python -m pip --disable-pip-version-check install --quiet

.PHONY: demo test lint stubs docs bench plots instructions wheel sanitize fuzz soak waits mutation build clean

demo: $(VENV)/installed
	$(BIN)/python examples/demo.py

# The real clients of the three APIs, transformers and vocabularies are installed for it; without them their tests would
# be skipped.
test: $(VENV)/clients
	$(BIN)/python -m pytest

# Formatting, mistakes, types, Cython.
lint: $(VENV)/linters
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests/typing examples
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/cython-lint $$(find src -name '*.pyx' -o -name '*.pxd')

# Compares the stubs with the compiled modules, from outside of the checkout, where neither hides the other.
stubs: $(VENV)/linters
	cd / && "$(abspath $(BIN))/python" -m mypy.stubtest toolweir --ignore-missing-stub --ignore-disjoint-bases \
		--allowlist "$(CURDIR)/tests/typing/stubtest-allowlist.txt"

# The documentation as a site, in build/docs; a link that leads nowhere fails it.
docs: $(VENV)/writers
	$(BIN)/mkdocs build

# Measures the figures of README and docs/performance.md and writes them there; the pictures too.
bench: $(VENV)/benchmarks
	$(BIN)/python asv_bench/report.py
	$(BIN)/python docs/draw_performance.py

# The pictures alone, from what was measured.
plots: $(VENV)/benchmarks
	$(BIN)/python docs/draw_performance.py

# The instructions that a piece takes; valgrind counts them.
instructions: $(VENV)/benchmarks
	$(BIN)/python asv_bench/instructions.py

# Builds sdist and wheel, installs the wheel into an empty environment and uses it from there.
wheel: $(VENV)/installed
	$(BIN)/python tests/packaging/check_wheel.py

# The suite on a build with AddressSanitizer and UndefinedBehaviorSanitizer. TESTS names the part of it to run.
sanitize: $(VENV)/installed
	PYTHON=$(abspath $(BIN))/python tests/sanitize.sh "$(CURDIR)/build/sanitize" $(TESTS)

# Every fuzz target for so many SECONDS, guided by what the compiled code does: needs clang, and atheris for Python's.
SECONDS ?= 60
fuzz: $(VENV)/installed
	PYTHON=$(abspath $(BIN))/python tests/fuzzing/run.sh $(SECONDS)

# A million turns at constant memory.
soak: $(VENV)/installed
	$(BIN)/python tests/soak.py

# Whether anything waits that is decided: every symbol at every place of every format's example, fed in three ways. SCENE
# names other options. A quarter of an hour of one core.
SCENE ?= string
waits: $(VENV)/installed
	$(BIN)/python tests/wait_oracle.py --example --depth 1 --scene "$(SCENE)"

# Whether the suite notices faults: all mutations of tests/mutation/named.toml and 200 random ones. Half an hour on one core.
mutation: $(VENV)/installed
	$(BIN)/python tests/mutation/mutate.py

build: $(VENV)/installed

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# The checkout itself is installed (editable), so that a later `make` only compiles what changed.
$(VENV)/installed: $(VENV)/bin/python $(SOURCES)
	$(PIP) --upgrade pip
	$(PIP) --group test "setuptools>=80" "Cython>=3.2,<3.3"
	$(PIP) --no-build-isolation --editable .
	touch $@

$(VENV)/clients: $(VENV)/installed
	$(PIP) --group wire --group templates --group vocabularies
	touch $@

$(VENV)/linters: $(VENV)/installed
	$(PIP) --group lint
	touch $@

$(VENV)/writers: $(VENV)/bin/python
	$(PIP) --upgrade pip
	$(PIP) --group docs
	touch $@

# SGLang's wheel goes into a folder of its own, without the hundred others that it wants. Where there is none, it is left out.
$(VENV)/benchmarks: $(VENV)/installed
	$(PIP) --group bench
	-$(PIP) --no-deps --upgrade --target $(VENV)/peers "sglang==0.5.23"
	touch $@

clean:
	rm -rf build $(VENV) src/*.egg-info
	find src -name '*.so' -delete
