"""The scripts that reproduce the articles' figures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def printed(name: str) -> str:
    """What a script prints; it fails by itself when a figure is not reproduced."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / f"{name}.py")],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
    )
    return done.stdout


def test_the_published_counts_stand_beside_the_measured_ones() -> None:
    """Five newspaper puzzles, exactly."""
    rows = [line.split() for line in printed("call_counts").splitlines()[1:]]
    assert [row[1] for row in rows] == ["52", "8,797", "72,686", "3,307", "4,428"]
    assert all(row[1] == row[2] for row in rows)


@pytest.mark.parametrize("name", ["bit_masks", "brute_force_done_right"])
def test_an_example_prints_published_beside_measured(name: str) -> None:
    """And ends well only if they agree as far as they can."""
    assert "published" in printed(name) and "measured" in printed(name)


@pytest.mark.long
@pytest.mark.parametrize("name", ["fifty_minutes", "logic_inside"])
def test_an_example_that_searches_a_hundred_million_nodes_ends_well(name: str) -> None:
    """Some seconds each."""
    assert "1" in printed(name)
