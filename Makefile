# Needs only Python >= 3.11. All targets install into a virtual environment in .venv.
# PYTHON selects another interpreter: make demo PYTHON=python3.12

SHELL := /bin/sh
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	then echo $$name; break; fi; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
N ?= 20
TESTS ?=
WORKERS ?= 3
MEDIUM := examples/puzzles/medium.txt

.PHONY: demo test test-long test-repeat check checksums golden docs site player player-check bench examples sheets loops dist clean

demo: .venv/installed
	@$(BIN)/undoku render $(MEDIUM) --strategy row-major --strategy mrv -y -o output/demo.mp4
	@$(BIN)/undoku render $(MEDIUM) --strategy row-major --strategy mrv -y --size 640x360 --fps 25 \
		-o output/demo.gif
	@$(BIN)/undoku solve $(MEDIUM) --strategy row-major --strategy mrv

# The tests start hundreds of Python processes; without bytecode each of them would parse all sources.
# A quarter of their time they wait, for browsers, signals and other processes: three workers keep
# two cores busy.
test: .venv/installed-dev
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(TESTS)

test-long: .venv/installed-dev
	PYTHONDONTWRITEBYTECODE= UNDOKU_TEST_PROFILE=random $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "long or not long"

# Runs `make test` N times, in turn: as it is, with nice, without a terminal, in its own terminal, with
# SIGINT ignored, and beside two busy processes. TESTS selects files or folders instead of all tests.
test-repeat: .venv/installed-dev
	@sh tests/support/repeated_runs.sh $(N) "$(MAKE)" $(TESTS)

check: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Compares files that the program writes with the sums in tests/golden/checksums.txt; for changes that
# must not change any film.
checksums: .venv/installed-dev
	$(BIN)/python -m tests.support.checksums

golden: .venv/installed-dev
	$(BIN)/python -m pytest tests/render/film/test_golden.py tests/render/delivery/test_filmstrip.py --golden-regenerate

docs: .venv/installed-dev
	$(BIN)/python -m tests.support.documentation

# The site in output/site, with its thirty films in output/gallery; films that did not change are kept.
site: .venv/installed-dev
	$(BIN)/python packaging/site_pages

player: .venv/installed-dev
	$(BIN)/python -m tests.support.player_vectors

player-check:
	cd player && npm install --no-audit --no-fund --silent && npm run check && npm test

bench: .venv/installed-dev
	$(BIN)/python -m benchmarks

examples: .venv/installed
	for script in examples/*.py; do $(BIN)/python $$script || exit 1; done

sheets: .venv/installed
	$(BIN)/python examples/sheets/contact_sheets.py

# Compiles the loops that changed, also if make takes the installation for up to date.
loops: .venv/python
	@rm -f .venv/installed
	@$(MAKE) --no-print-directory .venv/installed

dist: .venv/installed-dev
	$(PIP) -e '.[release]' --no-build-isolation
	$(BIN)/python packaging/check_dist.py

clean:
	rm -rf .venv build output/* undoku/*/compiled.*

.venv/python: pyproject.toml
	@if [ -z "$(PYTHON)" ]; then \
		echo "undoku needs Python 3.11 or newer; name one: make PYTHON=/path/to/python3" >&2; exit 2; fi
	$(PYTHON) -m venv .venv
	$(BIN)/python packaging/build_backend.py > .venv/build-requirements.txt
	$(PIP) -r .venv/build-requirements.txt
	touch $@

# The files with loops; the files whose constants they use are known after the first build.
LOOPS := $(shell grep -rlE --include='*.py' '^@(loop|inner|narrow)$$' undoku)
-include $(wildcard build/loops/*.d)

.venv/installed: .venv/python $(LOOPS) setup.py $(wildcard packaging/loop_source/*.py)
	@echo "installing; compiling the loops, about a minute (later only those that changed)"
	$(PIP) --no-build-isolation -e .
	touch $@

.venv/installed-dev: .venv/python $(LOOPS) setup.py $(wildcard packaging/loop_source/*.py)
	@echo "installing; compiling the loops, about a minute (later only those that changed)"
	$(PIP) --no-build-isolation -e '.[dev]'
	touch .venv/installed $@
