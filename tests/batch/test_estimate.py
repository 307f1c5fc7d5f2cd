"""How long a batch would take, as a dry run reports it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import undoku.batch.estimate
from tests.support.manifests import QUICK, passes
from undoku.batch.estimate import total_seconds
from undoku.batch.run import estimate_batch
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.search_trace import Limits, SearchTrace
from undoku.solver.trace.trace import Tally


def test_a_single_film_is_not_shared_out_among_workers_but_segments_are(tmp_path: Path) -> None:
    job = '[[jobs]]\npuzzles = "easy.txt"\nname = "x{job}"\n'
    (one,) = estimate_batch(passes(tmp_path, job), tmp_path / "out")
    assert total_seconds([one], 4) == pytest.approx(one.seconds)
    several = estimate_batch(passes(tmp_path, job + job + 'theme = "light"\n'), tmp_path / "out")
    assert total_seconds(several, 2) == pytest.approx(several[0].seconds, rel=0.1)
    cut = 'segments = true\nencoder = "x264"\nduration = "160s"\n'
    (long,) = estimate_batch(passes(tmp_path, job + cut), tmp_path / "out")
    assert long.pieces == 4
    assert total_seconds([long], 4) == pytest.approx(long.seconds / 4)


def test_the_seconds_of_a_dry_run_are_those_that_a_film_needs(tmp_path: Path) -> None:
    """A picture has no race, and a film without an encoder takes a tenth of the time."""
    job = '[[jobs]]\npuzzles = "medium.txt"\nname = "x{job}"\npace = "even"\n'
    text = job + job + 'encoder = "x264"\n' + job + "at_step = 9000\n" + job + "filmstrip = 4\n"
    quick, slow, step, strip = estimate_batch(passes(tmp_path, text), tmp_path / "out")
    assert quick.frames == slow.frames > 10_000
    assert quick.seconds < slow.seconds / 5
    assert step.seconds < 2
    assert strip.seconds < 2


def test_a_dry_run_counts_the_time_of_searches_once_where_they_are_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(SearchTrace):
        def tally(self) -> Tally:
            return replace(super().tally(), seconds=100.0)

    def slow(puzzle: Puzzle, strategy: str, limits: Limits) -> Slow:
        return Slow(puzzle, Strategy.parse(strategy), limits)

    monkeypatch.setattr(undoku.batch.estimate, "search", slow)
    job = QUICK + '[[jobs]]\npuzzles = "easy.txt"\nstrategies = "mrv"\nname = "{theme}"\n'
    alone = estimate_batch(passes(tmp_path, job), tmp_path / "out")
    both = estimate_batch(
        passes(tmp_path, job + 'matrix.themes = ["dark", "light"]\n'), tmp_path / "out"
    )
    assert 200 < total_seconds(alone, 1) < 205, "counted, then drawn"
    assert 100 < total_seconds(both, 1) < 105, "kept on disk for both"
    monkeypatch.setattr(undoku.batch.estimate, "MAX_CACHED", 10)
    both = estimate_batch(
        passes(tmp_path, job + 'matrix.themes = ["dark", "light"]\n'), tmp_path / "out"
    )
    assert 300 < total_seconds(both, 1) < 305, "too long to be kept"


def test_a_dry_run_states_the_shape_that_a_platform_takes(tmp_path: Path) -> None:
    job = QUICK.replace('size = "320x180"\n', "") + '[[jobs]]\npuzzles = "easy.txt"\nname = "x"\n'
    (wide,) = estimate_batch(passes(tmp_path, job), tmp_path / "out")
    (tall,) = estimate_batch(passes(tmp_path, job + 'for = "shorts"\n'), tmp_path / "out")
    assert (wide.width, wide.height) == (1280, 720)
    assert (tall.width, tall.height) == (1080, 1920)
    assert tall.seconds > wide.seconds
