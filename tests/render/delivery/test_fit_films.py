"""Fitting real films: predictions are close, and every limit of a table is met."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from undoku.render.delivery.fit import stretches, take_sample
from undoku.render.delivery.plan import OutputPlan
from undoku.render.delivery.size_ladder import SizeChoice, choices, fit, predicted
from undoku.render.delivery.write import write_film
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.solver.trace.search_trace import Limits, search

LONG = "000060080020000000001000000070000102500030000000000400004201000300700600000000050"
STEPS = 1500


@cache
def film_of(choice: SizeChoice) -> Film:
    settings = FilmSettings(
        choice.width,
        choice.height,
        choice.fps,
        Pace(choice.steps_per_frame),
        intro=Fraction(0),
        hold=Fraction(1),
        card=Fraction(0),
        colours=choice.colours,
    )
    limits = Limits(STEPS // 2)
    return Film([search(LONG, strategy, limits) for strategy in ("row-major", "mrv")], settings)


def predict(choice: SizeChoice) -> int:
    film = film_of(choice)
    samples = [
        take_sample(
            film.draw([film.timeline.shot_at(number) for number in stretch]),
            ".gif",
            OutputPlan(film).context,
        )
        for stretch in stretches(film.timeline.intro, film.timeline.race)
    ]
    return predicted(samples, film.timeline.race)


WISH = SizeChoice(320, 180, Fraction(50), Fraction(2), STEPS, Fraction(1))


@pytest.mark.parametrize("limit", [450_000, 200_000, 100_000, 60_000, 44_000, 40_000])
def test_every_limit_of_a_table_is_met(tmp_path: Path, limit: int) -> None:
    path = tmp_path / "film.gif"

    def render(choice: SizeChoice) -> int:
        return write_film(film_of(choice), [path], overwrite=True).outputs[0].bytes

    found = fit(choices(WISH), limit, predict, render)
    assert path.stat().st_size == found.bytes <= limit
    assert found.passes <= 2
    assert abs(found.predicted - found.bytes) < found.bytes // 4


def test_stretches_lie_in_the_film_and_reach_its_end() -> None:
    found = stretches(10, 1000, count=5, length=20)
    assert [len(stretch) for stretch in found] == [20] * 5
    assert (found[0].start, found[-1].stop) == (10, 1010)
    assert stretches(3, 50) == [range(3, 53)]
    assert stretches(3, 1) == []
    assert replace(WISH, steps=1).frames == 51
