"""Options and fixtures for all tests."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# Examples are compiled code's first calls at times, which no deadline fits.
settings.register_profile("undoku", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "undoku")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden-regenerate",
        action="store_true",
        help="write the golden pictures anew instead of comparing with them",
    )
