"""A module whose loop is compiled, and a process that has numba, once for all tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.forked_processes import NumbaForks
from tests.support.loop_processes import copy_of_compiled, folder_with_a_compiled_loop


@pytest.fixture(scope="session")
def compiled_loop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the module `loops` and a cache that has its loop, which stays as it is."""
    return folder_with_a_compiled_loop(tmp_path_factory.mktemp("compiled"))


@pytest.fixture
def loop_folder(compiled_loop: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return copy_of_compiled(compiled_loop, tmp_path)


@pytest.fixture(scope="session")
def forks() -> Iterator[NumbaForks]:
    """Runs code in processes that have numba from their first statement."""
    found = NumbaForks()
    yield found
    found.close()
