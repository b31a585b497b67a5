# Two commands do all set-up on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
SOURCES = $(shell find src include -name '*.py' -o -name '*.pyx' -o -name '*.pxd' -o -name '*.h') setup.py pyproject.toml

.PHONY: demo test lint build clean

demo: $(VENV)/installed
	$(BIN)/python examples/demo.py

test: $(VENV)/installed
	$(BIN)/python -m pytest

lint: $(VENV)/linters
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/cython-lint $$(find src -name '*.pyx' -o -name '*.pxd')

build: $(VENV)/installed

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# The checkout itself is installed (editable), so that a later `make` only compiles what changed.
$(VENV)/installed: $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --group test "setuptools>=80" "Cython>=3.3,<4"
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable .
	touch $@

$(VENV)/linters: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --group lint
	touch $@

clean:
	rm -rf build $(VENV) src/*.egg-info
	find src -name '*.so' -delete
