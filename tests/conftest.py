"""Options and fixtures for all tests."""

from __future__ import annotations

import gc
import os
import pkgutil
import signal
from collections.abc import Generator, Iterator
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.command import Undoku, run_undoku
from tests.support.golden import Golden
from tests.support.installation import installed_once
from tests.support.system import small_disk
from undoku.render.draw.cells import draw_cell

# Examples are the first calls of compiled code at times, which no deadline fits. `make test` runs
# the same few examples each time; `make test-long` explores many others. On a busy machine making
# examples takes long, which says nothing about them.
_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", _PATIENT, derandomize=True, max_examples=12)
settings.register_profile("random", _PATIENT)
settings.load_profile(os.environ.get("UNDOKU_TEST_PROFILE", "fixed"))


@cache
def load_all_modules() -> None:
    """Load every module of the packages."""
    for found in pkgutil.walk_packages(import_module("undoku").__path__, "undoku."):
        if not found.name.endswith("__main__"):
            import_module(found.name)


# Python looks for garbage after each 700 objects: a fifteenth of the time of all tests, and a third
# of that of those that read streams down to every macroblock.
gc.set_threshold(10_000, 10, 10)


# A ninth of the time of films is the drawing of cells, the same ones in the films of most tests.
# A film never changes them: they are read-only.
pytest.MonkeyPatch().setattr(
    "undoku.render.draw.sprites.draw_cell", lru_cache(maxsize=4096)(draw_cell)
)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collected items live to the end of the run: the garbage collector need not examine them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Property tests take some of their examples from the constants of the modules that are loaded,
    which must not be those that happened to run before."""
    if item.get_closest_marker("hypothesis"):
        load_all_modules()


# A parent that ignores Ctrl-C or the end of its terminal (a shell that runs jobs in the background,
# cron, nohup) hands that on to every process; the tests of interrupts need what a terminal gives.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden-regenerate",
        action="store_true",
        help="write the golden pictures anew instead of comparing with them",
    )


@pytest.fixture(scope="session")
def undoku() -> Undoku:
    """Runs the command in this process, in a folder, with separate streams."""
    return run_undoku


@pytest.fixture(scope="session")
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a picture with the golden one of a name, or writes the golden one again."""
    return Golden(regenerate=bool(request.config.getoption("--golden-regenerate")))


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment that has undoku and the packages of its examples, the same for
    all workers of a run."""
    folder = tmp_path_factory.getbasetemp()
    return installed_once(folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder)


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of 64 KiB; skips where none can be mounted."""
    with small_disk(tmp_path / "disk", 64) as folder:
        yield folder
