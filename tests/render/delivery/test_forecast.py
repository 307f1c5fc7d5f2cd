"""What is said of a film that takes long, before it is written."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.sink_contexts import sink_context
from undoku.render.delivery.forecast import AFTER, LONG, Forecast
from undoku.render.write.sink import open_sink


@pytest.mark.parametrize(
    ("done", "seconds", "said"),
    [
        (125, AFTER / 2, []),  # too early to tell
        (250, LONG / 4 - 0.1, []),  # four times this is short
        (250, AFTER + 3, ["1,000 frames will take about 24 s and 8 MB"]),
        (50, AFTER + 3, []),  # the beginning alone tells little
        (50, 4 * AFTER, ["1,000 frames will take about 240 s and 40 MB"]),
    ],
)
def test_a_long_run_is_told_once_with_its_time_and_size(
    tmp_path: Path, done: int, seconds: float, said: list[str]
) -> None:
    """`done` of 1,000 frames are written, 2 MB."""
    heard: list[str] = []
    now = iter([0.0, seconds, seconds + 1])
    with open_sink(tmp_path / "film.apng", sink_context(320, 320, Fraction(25))) as sink:
        sink.staging.temporary.write_bytes(bytes(2_000_000))
        forecast = Forecast([sink], heard.append, lambda: next(now))
        forecast(done, 1000)
        if said:
            forecast(done + 1, 1000)
    assert heard == said
