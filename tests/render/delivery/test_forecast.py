"""What is said of a film that takes long, before it is written."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.sink_contexts import sink_context
from undoku.render.delivery.forecast import AFTER, LONG, Forecast
from undoku.render.write.sink import open_sink


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (AFTER / 2, []),  # too early to tell
        (LONG / 10 - 0.1, []),  # ten times this is short
        (AFTER + 1, ["1,000 frames will take about 40 s and 20 MB"]),
    ],
)
def test_a_long_run_is_told_once_with_its_time_and_size(
    tmp_path: Path, seconds: float, said: list[str]
) -> None:
    """A tenth of the film is written: 2 MB, in some seconds."""
    heard: list[str] = []
    now = iter([0.0, seconds, seconds + 1])
    with open_sink(tmp_path / "film.apng", sink_context(320, 320, Fraction(25))) as sink:
        sink.staging.temporary.write_bytes(bytes(2_000_000))
        forecast = Forecast([sink], heard.append, lambda: next(now))
        forecast(100, 1000)
        if said:
            forecast(150, 1000)
    assert heard == said
