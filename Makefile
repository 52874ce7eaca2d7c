# Two commands count: `make demo` and `make test`. Both work on a fresh clone with Python 3.11 or newer.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: demo test lint types contracts bench screenshots clean

demo: $(INSTALLED)
	@$(BIN)/ra-inspector demo

test: $(INSTALLED)
	$(BIN)/python -m pytest -q

lint: $(INSTALLED)
	$(BIN)/ruff check inspector tests
	$(BIN)/ruff format --check inspector tests

types: $(INSTALLED)
	$(BIN)/mypy

contracts: $(INSTALLED)
	$(BIN)/lint-imports --no-cache

screenshots: $(INSTALLED)
	$(BIN)/python -m tests.screenshots

bench: $(INSTALLED)
	$(BIN)/python -m tests.benchmarks

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache build dist

# The pins in constraints.txt are what CI runs with.
$(INSTALLED): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
