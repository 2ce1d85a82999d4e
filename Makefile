# Needs nothing but make and Python 3.11 or newer: `make demo`, `make test`.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check install --quiet

TYPESCRIPT := 5.9.3
TSC := $(VENV)/node/node_modules/.bin/tsc

NAME ?= demo
SERVE ?= 1
OPTIONS ?=
PORT ?= 5000
MODEL ?=
SHORT ?=

.DEFAULT_GOAL := help
.PHONY: help demo test lint types js format docs bench torture accept clean

help:
	@echo "make demo     a day in the Ville, a village of 25, without a language model, then its page (SERVE=0: no page)"
	@echo "make test     format, lint, types and tests"
	@echo "make bench    the benchmarks, to results/bench.json"
	@echo "make torture  kills, mad models, damaged files, ten days: what was lost, which should be nothing (SHORT=1: half a minute)"
	@echo "make accept   a day on a real model and a report to share: MODEL=ollama:qwen3:8b OPTIONS='--lang zh'"
	@echo "make format   formats the code; make docs writes docs/configuration.md; make clean removes $(VENV)"

# A stamp per set of packages: installed again only when its list changes.

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit("Hometown needs Python 3.11 or newer, and $(PYTHON) is " + sys.version.split()[0] + "; name another: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/core: requirements-core.txt | $(PY)
	$(PIP) -r requirements-core.txt
	@touch $@

$(VENV)/dev: requirements-dev.txt requirements-core.txt | $(PY)
	$(PIP) -r requirements-dev.txt
	@touch $@ $(VENV)/core

$(VENV)/ci: requirements-ci.txt requirements.txt requirements-dev.txt requirements-core.txt | $(PY)
	$(PIP) -r requirements-ci.txt
	@touch $@ $(VENV)/core $(VENV)/dev

# A demo that was interrupted goes on; one that is done is shown again.

demo: $(VENV)/core
	@if [ -e results/checkpoints/$(NAME) ]; then $(PY) start.py --name $(NAME) --resume; \
	else $(PY) start.py --name $(NAME) --until 24:00 --llm scripted $(OPTIONS); fi
	$(PY) compress.py --name $(NAME)
ifneq ($(SERVE),0)
	$(PY) replay.py --port $(PORT)
endif

test: lint types js
	$(PY) -m pytest -n auto --dist loadgroup

lint: $(VENV)/dev
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .

types: $(VENV)/dev
	$(VENV)/bin/mypy

# The page's scripts carry their types in comments; only this check of them needs Node.js.

$(TSC): | $(PY)
	@if command -v npm >/dev/null; then npm install --silent --no-fund --no-audit --no-save --prefix $(VENV)/node typescript@$(TYPESCRIPT); fi

js: $(TSC)
	@if [ -x $(TSC) ]; then $(TSC) -p frontend; \
	elif [ -n "$$CI" ]; then echo "npm is missing, and with it TypeScript, which checks the types of frontend/js"; exit 1; \
	else echo "types of frontend/js: not checked, as that needs npm (Node.js)"; fi

format: $(VENV)/dev
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .

docs: $(VENV)/core
	$(PY) -m tools.write_docs

bench: $(VENV)/core
	$(PY) -m benchmarks

torture: $(VENV)/dev
	$(PY) -W ignore::DeprecationWarning -m tests.torture $(if $(SHORT),--short)

accept: $(VENV)/core
	@test -n "$(MODEL)" || { echo "which model? make accept MODEL=ollama:qwen3:8b"; exit 2; }
	$(PY) -m tools.accept --llm $(MODEL) $(OPTIONS)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
