# Every target needs python3 (3.10 or later), git and make, and the network the first time.
# Each sets up .venv by itself and changes nothing else on the machine. PYTHON=... names another Python.

.PHONY: help demo check test lint fuzz kills rule catalogue bench docs clean

# Bytecode is kept whatever the environment says: each process of the tests would compile its modules anew.
export PYTHONDONTWRITEBYTECODE =

help:
	@echo "make demo                     check examples/ and show what a fix would change"
	@echo "make check                    lint, types, import contracts and the fast tests"
	@echo "make test                     the same with every test"
	@echo "make fuzz                     look for inputs that break something: SECONDS=300 SEED= TARGET="
	@echo "make kills                    kill runs that write files: KILLS=300 SEED="
	@echo "make rule ID=family/name      start a new rule: its page, its check and its test"
	@echo "make catalogue                write the table of rules in rules/README.md"
	@echo "make docs                     build the site in build/site/html (Python 3.11 or later)"
	@echo "make bench                    measure speed and memory (benchmarks/)"
	@echo "make clean                    remove .venv and everything that the tools leave behind"

# The findings are the demonstration, so they do not fail it; errors do.
demo: .venv/ready
	@printf '\n$$ shelfread check examples\n\n'
	@.venv/bin/shelfread check --exit-zero examples
	@printf '\n$$ shelfread fix --diff examples\n\n'
	@.venv/bin/shelfread fix --diff --exit-zero examples

check: lint
	.venv/bin/python -m pytest -n auto --dist worksteal -m "not slow"

# The tests install from .venv/wheelhouse and use no network.
test: lint
	.venv/bin/python -m pytest -n auto --dist worksteal

lint: .venv/ready-dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports

# What it finds becomes a file in tests/fuzz/cases/, and a test.
fuzz: .venv/ready-dev
	@PYTHONPATH=linter:tests .venv/bin/python -m fuzz $(if $(SEED),--seed $(SEED)) \
	  $(if $(SECONDS),--seconds $(SECONDS)) $(addprefix --target ,$(TARGET))

kills: .venv/ready-dev
	@PYTHONPATH=linter:tests .venv/bin/python -m fuzz.kills $(if $(SEED),--seed $(SEED)) $(if $(KILLS),--kills $(KILLS))

rule: .venv/ready
	@.venv/bin/python tests/support/new_rule.py "$(ID)"

catalogue: .venv/ready-dev
	PYTHONPATH=tests .venv/bin/python tests/rulebook/test_pages.py

docs: .venv/ready-dev
	@.venv/bin/python site/build.py $(if $(REPOSITORY),--repository $(REPOSITORY))

bench: .venv/ready
	.venv/bin/python benchmarks/measure.py

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build
	find linter tests benchmarks rules schema -name __pycache__ -type d -prune -exec rm -rf {} +

# Find a Python that can create a venv. On Debian that takes the package python3-venv, which only a try shows.
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

# The pip that comes with an older Python takes nearly twice as long, and has no --group (pip 25.1). An editable
# install compiles no bytecode, and some environments cannot write it later.
.venv/ready: pyproject.toml | .venv/bin/python
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	.venv/bin/python -m pip install --quiet --editable .
	@.venv/bin/python -m compileall -q linter
	@touch $@

# The wheelhouse holds everything that an installation needs: the dependencies, those of
# the extra, and the build backend, which is here already and is not fetched again to build a wheel. Most modules of
# what is installed for development are never imported, so they are compiled when they are.
.venv/ready-dev: pyproject.toml | .venv/ready
	.venv/bin/python -m pip install --quiet --no-compile --group dev
	.venv/bin/python -m pip wheel --quiet --no-build-isolation --wheel-dir .venv/wheelhouse '.[mdformat]' hatchling editables
	@rm -f .venv/wheelhouse/shelfread-*
	@touch $@
