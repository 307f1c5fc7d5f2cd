"""What `make test` leaves to `make test-long`."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet
from hypothesis import settings


def long(*values: object) -> ParameterSet:
    """Values of a parametrised test for `make test-long` alone."""
    return pytest.param(*values, marks=pytest.mark.long)


def few(examples: int) -> settings:
    """The settings of a property test whose examples are expensive: `make test` takes so many, and
    `make test-long` as many as of any other test."""
    return settings(max_examples=examples) if settings().derandomize else settings()
