"""A browser for all tests that need one, and the page that most of them look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.browser_pages import WHY_NOT, OpenedPage, opened_browser, opened_page
from tests.support.films import made, puzzle_of, saved
from tests.support.puzzles import MEDIUM
from undoku.render.film.film import Film


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    if WHY_NOT:
        pytest.skip(WHY_NOT)
    with opened_browser() as found:
        yield found


@pytest.fixture(scope="package")
def race() -> Film:
    return made(puzzle_of(MEDIUM.grid), "row-major", "mrv")


@pytest.fixture(scope="package")
def race_page(race: Film, tmp_path_factory: pytest.TempPathFactory) -> str:
    return saved(race, tmp_path_factory.mktemp("race"), "race.html")


@pytest.fixture(scope="package")
def only_page(browser: Any) -> Iterator[OpenedPage]:
    with opened_page(browser) as found:
        yield found


@pytest.fixture
def page(only_page: OpenedPage) -> Iterator[OpenedPage]:
    """A page, the same for all tests: opening one takes longer than most of them."""
    only_page.clear()
    yield only_page
    assert only_page.wrong == []
