# The project's commands. Everything runs from .venv, which is made from requirements.lock when it is needed.
# `make PYTHON=python3.13 test` takes another interpreter (run `make clean` first to change an existing .venv).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LINKS := $(addprefix .dev/pdcheck/,conformance referee scenarios schemas)
DEMO_BOT := conformance/selftest/bots/good/prime_daihinmin/steady.py

SHELL := /bin/sh
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
# An environment that points at other code (a stray PYTHONPATH) must not decide what is tested.
unexport PYTHONPATH PYTHONHOME

.DEFAULT_GOAL := help
.PHONY: help demo test test-all bench lint lock clean links
.DELETE_ON_ERROR:

help:  ## show these targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1|\2/p' $(firstword $(MAKEFILE_LIST)) | awk -F'|' '{printf "%-16s %s\n", $$1, $$2}'

demo: $(READY)  ## check one of the kit's own good bots
	$(BIN)/pdcheck --profile quick $(DEMO_BOT)

test: $(READY)  ## the quick tests, on all cores
	$(BIN)/pytest -n auto -q -m "not full"

test-all: test  ## every test: the quick ones, then the slow tier
	$(BIN)/pytest -n auto -q -m full

bench: $(READY)  ## the benchmarks: ratios, each measured in one run
	$(BIN)/python -m benchmarks

lint: $(READY)  ## ruff, mypy and the import contract
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .dev/pdcheck tests $(wildcard benchmarks/*.py)
	$(BIN)/lint-imports

# The build backend is not an extra, so its requirement is read from [build-system] and locked with the rest.
lock: $(READY)  ## resolve requirements.lock anew (every version the newest allowed)
	@$(BIN)/python -m pip install -qq uv
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
	  | $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --all-extras \
	      --no-emit-index-url --no-emit-find-links --no-annotate --system-certs --custom-compile-command "make lock" \
	      --output-file requirements.lock pyproject.toml - > /dev/null
	@echo "requirements.lock: $$(grep -c '^[a-z]' requirements.lock) packages"

clean:  ## remove .venv, caches and build output
	rm -rf $(VENV) .pdcheck .hypothesis .pytest_cache .mypy_cache .ruff_cache .import_linter_cache build dist
	find . -path ./.git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# The links by which an editable install is `pdcheck.*`. They are committed; an unpacked sdist has none.
links: $(LINKS)

# After the bar: made when missing, never again because the folder behind one has changed.
$(LINKS): | pyproject.toml
	@mkdir -p $(@D) && ln -s ../../$(@F) $@

# .ready is written last and holds the folder it was made in: a .venv that an interrupted run left half made, that was
# copied along with its tree (its scripts would run the other tree's code), or whose interpreter is gone is made again.
VENV_STATE := $(shell [ "$$(cat $(READY) 2>/dev/null)" = "$(CURDIR)" ] && $(BIN)/python -c '' 2>/dev/null && echo good)
ifneq ($(VENV_STATE),good)
.PHONY: $(READY)
endif

$(READY): requirements.lock pyproject.toml | $(LINKS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "pdcheck needs Python 3.11 or newer as $(PYTHON); name one: make PYTHON=/path/to/python3.11 …" >&2; exit 1; }
	@if [ "$(VENV_STATE)" != good ]; then rm -rf $(VENV); fi
	@rm -f $(READY)
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing python3-venv"; \
	    export DEBIAN_FRONTEND=noninteractive; \
	    apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv >/dev/null; \
	  fi; \
	  $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; \
	} || { echo "$(PYTHON) cannot make virtual environments: install python3-venv (Debian, Ubuntu) first" >&2; exit 1; }
	@if [ ! -x $(BIN)/python ]; then \
	  echo "making $(VENV) with $$($(PYTHON) --version)"; $(PYTHON) -m venv $(VENV); fi
	@echo "installing the locked requirements"
	@$(BIN)/python -m pip install -qq --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -qq --no-deps --no-build-isolation --editable .
	@printf '%s\n' "$(CURDIR)" > $(READY)
