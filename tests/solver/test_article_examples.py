"""The scripts that reproduce the articles' figures."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from undoku.render.write.file_info import about_of


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


def test_the_published_counts_are_beside_the_measured_ones() -> None:
    """Five newspaper puzzles, exactly."""
    rows = [line.split() for line in printed("call_counts").splitlines()[1:]]
    assert [row[1] for row in rows] == ["52", "8,797", "72,686", "3,307", "4,428"]
    assert all(row[1] == row[2] for row in rows)


@pytest.mark.parametrize("name", ["bit_masks", "brute_force_done_right"])
def test_an_example_prints_published_beside_measured(name: str) -> None:
    """And its exit code is 0 only if they agree as far as they can."""
    assert "published" in printed(name) and "measured" in printed(name)


def test_private_names_are_not_public() -> None:
    """The articles publish no tenth of a second, no nodes of the hardest puzzle, and no few
    guesses; they do say "in a second"."""
    for name in ("bit_masks", "brute_force_done_right", "logic_inside"):
        text = (ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8")
        for claim in ("published: under", "published: the plain", "few guesses"):
            assert claim not in text
    rows = printed("bit_masks").splitlines()
    assert rows[0].startswith('published: "in a second"') and "measured: 0.0" in rows[0]
    assert all("0.1" not in row.partition("measured")[0] for row in rows)
    assert rows[2].startswith("no count is published") and "8,970 nodes" in rows[2]


def test_an_iteration_is_explained() -> None:
    text = printed("brute_force_done_right")
    assert "a step is one place or one undo; an iteration that fails is both" in text
    assert "15:14" in text and "40:22" in text  # 145,313 steps at 60 a second


@pytest.mark.long
def test_both_searches_of_the_fifty_minutes_puzzle_go_to_the_last_node() -> None:
    """Some seconds."""
    rows = [line.split() for line in printed("fifty_minutes").splitlines()[1:]]
    assert [row[-2:] for row in rows] == [["162,662,979", "1"], ["1,281,111", "1"]]


@pytest.mark.long
def test_the_film_of_fifty_minutes_is_that_of_the_whole_race(tmp_path: Path) -> None:
    """Both searches to their last step; no limit ends them."""
    (tmp_path / "output").mkdir()
    subprocess.run(
        [sys.executable, str(ROOT / "examples" / "fifty_minutes.py"), "--film"],
        check=True,
        capture_output=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    counts = about_of(tmp_path / "output" / "fifty-minutes.mp4")["counts"]
    assert "Nested loops: exhausted, 162662979 nodes, 325325956 steps" in counts
    assert "Fewest options first: exhausted, 1281111 nodes, 2562220 steps" in counts


@pytest.mark.long
def test_singles_once_are_beside_singles_at_every_node() -> None:
    rows = {line.split()[0]: line.split()[1:] for line in printed("logic_inside").splitlines()[2:]}
    assert rows["medium"] == ["8,797", "1,033", "4", "296", "95", "2", "1"]
    assert rows["very-hard"][:3] == ["3,307", "44", "3"]
