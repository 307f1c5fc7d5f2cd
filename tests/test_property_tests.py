"""Property tests choose the same examples in each run of `make test`, whatever ran before them."""

from __future__ import annotations

import os
import pkgutil
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import undoku


def test_examples_do_not_depend_on_chance_or_on_a_busy_machine() -> None:
    if os.environ.get("UNDOKU_TEST_PROFILE", "fixed") != "fixed":
        pytest.skip("`make test-long` explores")
    assert settings().derandomize
    assert settings().deadline is None


@given(st.none())
def test_constants_that_become_examples_are_those_of_all_modules(_nothing: None) -> None:
    """Otherwise they would depend on which modules other tests have loaded."""
    names = [
        found.name
        for found in pkgutil.walk_packages(undoku.__path__, "undoku.")
        if not found.name.endswith("__main__")
    ]
    assert [name for name in names if name not in sys.modules] == []
