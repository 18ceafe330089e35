# Works from a fresh clone on a machine with only Python 3.11 to 3.13 and make.
# Choose an interpreter with `make demo PYTHON=/path/to/python3.12`.

# The first interpreter that really runs and is new enough. A version manager's shim may exist without working,
# so each candidate is started; python3 comes first because it is what the user has set up.
CANDIDATES := python3 python3.13 python3.12 python3.11 python
FITS := import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON ?= $(firstword $(foreach name,$(CANDIDATES),$(shell $(name) -c '$(FITS)' >/dev/null 2>&1 && echo $(name))))

BASE := .venv
TEST := .venv-test
# What pins, lists and audits a release; no test needs it.
RELEASE := .venv-release
RELEASE_TOOLS := uv==0.13.9 cyclonedx-bom==7.5.0 pip-audit==2.10.1
# Constraints hold for the build tools too, which are therefore installed instead of fetched unpinned by pip.
PIP := -m pip install --disable-pip-version-check -qq --constraint constraints.txt
WORKERS ?= 2
# Several processes run tests beside each other: one thread each, so that they do not fight for the cores.
PYTEST := OMP_NUM_THREADS=1 $(TEST)/bin/python -m pytest -n $(WORKERS)

.DEFAULT_GOAL := help
.PHONY: help demo test test-all lint format check-corpus constraints release-files audit public-names docs clean python

help: ## show this list
	@echo "targets:"
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## (.*)/make \1|\2/' | \
	  while IFS='|' read -r name text; do printf '  %-20s%s\n' "$$name" "$$text"; done
	@echo "settings: PYTHON=python3.12 (interpreter), WORKERS=2 (test processes)"

demo: $(BASE)/.ready ## install the base package in .venv, rewrite sample paragraphs, write demo.html
	@$(BASE)/bin/gender-fair demo --html demo.html

test: $(TEST)/.ready lint ## install everything in .venv-test, lint, type-check, run the quick tests
	@$(PYTEST) -m "not slow"

test-all: $(TEST)/.ready lint ## as test, and the slow tests too
	@$(PYTEST)

lint: $(TEST)/.ready ## ruff check, ruff format --check, mypy --strict
	@$(TEST)/bin/ruff check .
	@$(TEST)/bin/ruff format --check .
	@$(TEST)/bin/mypy

format: $(TEST)/.ready ## let ruff format the code and sort the imports
	@$(TEST)/bin/ruff check --fix .
	@$(TEST)/bin/ruff format .

check-corpus: $(TEST)/.ready ## real text through every way of working on it (before a release; ARGS="--lines 5000")
	@$(TEST)/bin/python -m tools.check_corpus $(ARGS)

constraints: $(TEST)/.ready ## resolve the newest versions anew and write constraints.txt
	@$(TEST)/bin/python benchmarks/resolve_constraints.py

release-files: $(RELEASE)/.ready ## pin a release with hashes (requirements-release*.txt), write dist/sbom.cdx.json
	@$(RELEASE)/bin/python -m tools.release_files requirements
	@$(RELEASE)/bin/python -m tools.release_files sbom

audit: $(RELEASE)/.ready ## look the pinned versions up in the database of known vulnerabilities (needs the network)
	@$(RELEASE)/bin/pip-audit --disable-pip --require-hashes --requirement requirements-release-all.txt

public-names: $(TEST)/.ready ## write the golden list of public names anew
	@$(TEST)/bin/python tests/house/test_public_names.py

docs: $(TEST)/.ready ## build the documentation as a site in site/, API reference included; nothing is fetched
	@$(TEST)/bin/python -m tools.site

clean: ## remove the virtual environments, caches and build results
	rm -rf $(BASE) $(TEST) $(RELEASE) build dist site demo.html .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

python:
	@test -n "$(PYTHON)" || { echo "No Python 3.11, 3.12 or 3.13 with the venv module was found (tried: $(CANDIDATES))." \
	  "Install one (on Debian also the package python3-venv), or name it: make demo PYTHON=/path/to/python3.12" >&2; exit 2; }
	@$(PYTHON) -c '$(FITS)' || { echo "$(PYTHON) is not a Python from 3.11 to 3.13 with the venv module;" \
	  "name another: make demo PYTHON=/path/to/python3.12" >&2; exit 2; }

# A folder is ready when everything in it was installed for this pyproject.toml and these constraints;
# an interrupted installation is begun anew, because its mark is missing.
$(BASE)/.ready: pyproject.toml constraints.txt | python
	@echo "Installing the base package in $(BASE) ..."
	@$(PYTHON) -m venv --clear $(BASE)
	@$(BASE)/bin/python $(PIP) hatchling editables
	@$(BASE)/bin/python $(PIP) --no-build-isolation --editable .
	@touch $@

$(RELEASE)/.ready: pyproject.toml constraints.txt | python
	@$(PYTHON) -m venv --clear $(RELEASE)
	@$(RELEASE)/bin/python $(PIP) hatchling editables
	@$(RELEASE)/bin/python $(PIP) --no-build-isolation --editable .
	@$(RELEASE)/bin/python -m pip install --disable-pip-version-check -qq $(RELEASE_TOOLS)
	@touch $@

$(TEST)/.ready: pyproject.toml constraints.txt | python
	@echo "Installing everything that the tests need in $(TEST); this takes some minutes ..."
	@$(PYTHON) -m venv --clear $(TEST)
	@$(TEST)/bin/python $(PIP) hatchling editables
	@$(TEST)/bin/python $(PIP) --no-build-isolation --editable '.[train,serve,lsp,completion,docs,dev]'
	@touch $@
