# Every target sets up what it needs in .venv first; the second time that costs nothing.
# `make record` and `make test` are all that a user of a fresh clone needs.

VENV ?= .venv
BIN := $(VENV)/bin
export VENV
# The date that the example records carry, so that making them again changes nothing.
AS_OF := 2026-11-30
# In the order of their numbers in records/.
EXAMPLES := gpt-oss-server deepseek-interactive qwen3-vl-agent
UV_VERSION := 0.13.9

RUN_READY := $(VENV)/.ready-run
DEV_READY := $(VENV)/.ready-dev

.PHONY: help setup record test lint format types imports generated wheel catalog bench fuzz lock audit clean
.DEFAULT_GOAL := help

help:
	@echo "make record     make the records of examples/ in records/"
	@echo "make test       run the tests (ARGS='-k pdf' narrows them)"
	@echo "make lint types imports generated    the other checks; make format mends what lint can mend"
	@echo "make wheel      build dist/*.whl and try it in an empty environment, offline"
	@echo "make catalog SOURCES=FOLDER    make the bundled catalog again from official summaries"
	@echo "make fuzz       try the readers with mutated files (SECONDS=60 each; needs atheris)"
	@echo "make bench      time the main job"
	@echo "make lock       resolve the lock files anew; make audit asks for known vulnerabilities in them"

$(RUN_READY): requirements.lock pyproject.toml scripts/set-up.sh scripts/system_libraries.py
	@scripts/set-up.sh requirements.lock $@

$(DEV_READY): requirements-dev.lock pyproject.toml scripts/set-up.sh scripts/system_libraries.py
	@scripts/set-up.sh requirements-dev.lock $@

setup: $(DEV_READY)

record: $(RUN_READY)
	@scripts/make-records.sh $(AS_OF) $(EXAMPLES)

# On every core, up to four: a worker makes the shared records of the tests again.
test: $(DEV_READY)
	@$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal $(ARGS)

lint: $(DEV_READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: $(DEV_READY)
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

types: $(DEV_READY)
	@$(BIN)/mypy

imports: $(DEV_READY)
	@$(BIN)/lint-imports --no-logo --cache-dir .import_linter_cache

generated: $(DEV_READY)
	@scripts/check-generated.sh

wheel: $(DEV_READY)
	@scripts/check-wheel.sh

# Makes the bundled catalog again from a folder of official summaries: make catalog SOURCES=folder
catalog: $(RUN_READY)
	@$(BIN)/python -m rackrecord.catalog.build $(SOURCES)

bench: $(RUN_READY)
	@$(BIN)/python scripts/bench.py

# Bounded: SECONDS for each of the two readers. Without atheris it says so and passes.
SECONDS ?= 60
fuzz: $(DEV_READY)
	@$(BIN)/python tests/fuzz/fuzz_yaml.py $(SECONDS)
	@$(BIN)/python tests/fuzz/fuzz_measurements.py $(SECONDS)

# uv resolves for every platform and Python version at once; it is needed for nothing else, so it is not locked.
lock:
	@test -x build/uv/bin/uv || { python3 -m venv build/uv && build/uv/bin/pip install -q uv==$(UV_VERSION); }
	@build/uv/bin/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-config \
	  --custom-compile-command 'make lock' --group build pyproject.toml -o requirements.lock $(UPGRADE)
	@build/uv/bin/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-config \
	  --custom-compile-command 'make lock' --all-extras --group dev -c requirements.lock \
	  pyproject.toml -o requirements-dev.lock $(UPGRADE)

audit: $(DEV_READY)
	@scripts/audit.sh

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
