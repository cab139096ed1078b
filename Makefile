# `make demo` and `make test` need python3 (3.10 or later), git and make, and the network the first time.
# Each sets up .venv by itself; nothing else on the machine is touched. PYTHON=... names another Python.

.PHONY: help demo test bench clean

help:
	@echo "make demo    check examples/ and show what a fix would change"
	@echo "make test    lint, types and every test"
	@echo "make bench   measure speed and memory again (benchmarks/)"
	@echo "make clean   remove .venv and what the tools leave behind"

# Findings are what it is to show, so that they do not fail it; errors do.
demo: .venv/ready
	@printf '\n$$ shelfread check examples\n\n'
	@.venv/bin/shelfread check --exit-zero examples
	@printf '\n$$ shelfread fix --diff examples\n\n'
	@.venv/bin/shelfread fix --diff --exit-zero examples

# The tests get their packages from .venv/wheelhouse and touch no network.
test: .venv/ready-dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/python -m pytest

bench: .venv/ready
	.venv/bin/python benchmarks/measure.py

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build
	find linter tests benchmarks rules schema -name __pycache__ -type d -prune -exec rm -rf {} +

# A Python whose venv works: Debian's needs the package python3-venv, and says so only when it fails.
.venv/bin/python:
	@tried=""; \
	for python in $${PYTHON:-python3 python3.13 python3.12 python3.11 python3.10 python}; do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then \
	    if "$$python" -c 'import ensurepip, venv' 2>/dev/null; then \
	      echo "setting up .venv with $$("$$python" --version) ..."; \
	      rm -rf .venv && "$$python" -m venv .venv; \
	      exit; \
	    fi; \
	    tried="$$python has no venv or ensurepip: install its venv package (Debian, Ubuntu: apt install python3-venv)"; \
	  fi; \
	done; \
	echo "shelfread needs Python 3.10 or later$${tried:+; $$tried}." >&2; \
	echo "Another Python: make $(MAKECMDGOALS) PYTHON=/path/to/python3" >&2; \
	exit 1

# An editable install leaves the bytecode to the first run, which not every environment lets it keep.
.venv/ready: pyproject.toml | .venv/bin/python
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --editable .
	@.venv/bin/python -m compileall -q linter
	@touch $@

# --group needs pip 25.1. The wheelhouse holds what installing shelfread needs: its dependencies and its builder.
.venv/ready-dev: pyproject.toml | .venv/ready
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	.venv/bin/python -m pip install --quiet --editable . --group dev
	.venv/bin/python -m pip wheel --quiet --wheel-dir .venv/wheelhouse . hatchling editables
	@rm -f .venv/wheelhouse/shelfread-*
	@touch $@
