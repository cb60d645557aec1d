# All the project's tasks. `make` alone lists them; `make demo` and `make test` set everything up themselves.

# The first interpreter that is new enough; another one: make test PYTHON=/path/to/python
PYTHON ?= $(shell for candidate in python3 python3.13 python3.12 python3.11; do \
	"$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$candidate" && break; done)
BIN := .venv/bin
TRANSCRIPT ?=
PYTEST_ARGS ?=
BENCH_ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup demo test check docs bench bench-peers soak lock sample wheel clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-11s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

setup:  ## Make or update .venv from the hashed lock (the other tasks call this)
	@$(if $(PYTHON),,echo "awf-archive needs Python 3.11 or newer; none was found as python3. Name one: make PYTHON=/path/to/python" >&2; exit 1)
	@$(PYTHON) tools/set_up.py

demo: setup  ## Archive the sample conversation, search it, build its site (TRANSCRIPT=path takes yours)
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh tools/demo.sh "$(TRANSCRIPT)"

test: setup  ## Run all tests (with Chromium and PostgreSQL, installed when we may)
	@$(BIN)/python tools/set_up.py --services
	$(BIN)/python -m pytest -m "not soak" $(PYTEST_ARGS)

check: setup  ## Lint, format, types, layers, docs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/check_docs.py

docs: setup  ## Write command output in the docs anew
	$(BIN)/python tools/check_docs.py --write

bench: setup  ## Measure what users feel, over archives of up to 100 000 turns; writes docs/performance.md
	$(BIN)/python benchmarks/run.py $(BENCH_ARGS)
	$(BIN)/python benchmarks/report.py

bench-peers: setup  ## The same, and other tools beside us on the same corpus
	$(BIN)/python benchmarks/run.py --peers $(BENCH_ARGS)
	$(BIN)/python benchmarks/report.py

soak: setup  ## Run the long tests
	@$(BIN)/python tools/set_up.py --services
	$(BIN)/python -m pytest -m soak $(PYTEST_ARGS)

lock: setup  ## Resolve the dependencies anew into requirements/*.txt
	$(BIN)/python tools/lock.py

sample: setup  ## Write samples/ anew from the story in tools/sample_story.py
	$(BIN)/python tools/make_sample.py

wheel: setup  ## Build the wheel into dist/
	rm -rf dist
	$(BIN)/python -m build --wheel --no-isolation

clean:  ## Remove what these tasks made, .venv included
	rm -rf .venv demo dist build site .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
