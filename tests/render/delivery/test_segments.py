"""Films drawn in segments by several processes: the same film as in one piece."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.support.command import Undoku
from tests.support.direct_films import DECODERS, decode, drawn, films, samples, stream, write
from tests.support.puzzles import EASY, MEDIUM
from undoku import Limits, search
from undoku.errors import EncoderError
from undoku.render.delivery import segments as segmented
from undoku.render.delivery.plan import OutputPlan, closed_plan
from undoku.render.delivery.segments import write_segmented
from undoku.render.delivery.write import write_film
from undoku.render.draw.film_parts import spanned
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.render.write import splice
from undoku.render.write.direct_sink import DirectSink
from undoku.render.write.join_segments import join_direct
from undoku.render.write.reader import read_mp4
from undoku.render.write.sink import FilmShape
from undoku.render.write.staging import Staging

SHORT = 40
"""Ticks of a segment in these tests."""


RAW_AT_A_CUT = (
    FilmShape(16, 16, Fraction(60), "draft"),
    [*[([], 1)] * 4, ([(0, 0, 0, 9, 16, 0)], 1), ([(1, 0, 0, 16, 14, 0)], 1)],
    0,
)
"""Key frames follow each other; the last begins with raw samples, which stand at whole bytes."""


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short segments, made in this process."""

    class Here(Executor):
        def __init__(self, count: int) -> None:
            assert count >= 1

        def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
            future: Future[Any] = Future()
            try:
                future.set_result(function(*given, **named))
            except Exception as error:
                future.set_exception(error)
            return future

    monkeypatch.setattr(splice, "SEGMENT", SHORT)
    monkeypatch.setattr(segmented, "Workers", Here)
    monkeypatch.setattr(segmented, "_RUN_UP", 30)


@settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(film=films(), length=st.integers(1, 4))
@example(film=RAW_AT_A_CUT, length=1)
def test_joined_stretches_are_the_closed_film_to_the_byte(
    tmp_path_factory: pytest.TempPathFactory, film: Any, length: int
) -> None:
    """Also if a frame spans a cut, and if all pictures around it are key frames: none has the
    identity of the one before. The result follows the syntax, and decodes to the same pictures."""
    folder = tmp_path_factory.mktemp("film")
    shape = replace(film[0], closed=True)
    ticks = sum(stands for _, stands in film[1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splice, "SEGMENT", length)
        whole = write(folder / "whole.mp4", shape, drawn(*film))
        parts = []
        for start in range(0, ticks, length):
            parts.append(folder / f"{start:04}.mp4")
            with DirectSink(Staging(parts[-1]), shape) as sink:
                for frame in spanned(drawn(*film), range(start, min(start + length, ticks))):
                    sink.write(frame)
                sink.finish()
        assert join_direct(parts, folder / "joined.mp4", shape) == whole.frames
    assert (folder / "joined.mp4").read_bytes() == whole.path.read_bytes()
    found = stream(whole.path)
    keys = [picture.number for picture in found.pictures if picture.key]
    index = read_mp4(whole.path)
    assert tuple(keys) == index.key_frames
    at, starts = Fraction(0), []
    for count, stands in index.durations:
        for _ in range(count):
            starts.append(at)
            at += stands * shape.fps / index.timescale
    assert {starts[key] for key in keys} >= set(range(0, ticks, length))
    first, second = (decode(whole.path, shape, decoder) for decoder in DECODERS)
    assert np.array_equal(first, second)


FILMS = {
    "boards": FilmSettings(320, 180, Fraction(30), panels=("board", "counters")),
    "charts": FilmSettings(640, 360, Fraction(30), Pace(Fraction(1, 2))),
    "heat": FilmSettings(640, 360, Fraction(30), Pace(Fraction(3)), panels=("board", "heat")),
    "highlights": FilmSettings(480, 270, Fraction(25), highlights=True),
}


@pytest.mark.parametrize("name", FILMS)
def test_a_film_in_segments_is_the_film_in_one_piece(
    tmp_path: Path, short: None, name: str
) -> None:
    """To the byte, whatever its panels remember."""
    traces = [search(MEDIUM.grid, order, Limits(60)) for order in ("row-major", "mrv")]
    plan = closed_plan(OutputPlan(Film(traces, replace(FILMS[name], encoder="direct"))))
    assert plan.film.timeline.frames > 3 * SHORT
    report = write_segmented(plan, tmp_path / "joined.mp4", 2)
    whole = write_film(plan, [tmp_path / "whole.mp4"])
    assert (tmp_path / "joined.mp4").read_bytes() == (tmp_path / "whole.mp4").read_bytes()
    assert report.outputs[0] == replace(whole.outputs[0], path=tmp_path / "joined.mp4")
    assert report.tallies == whole.tallies
    assert report.flashes
    assert whole.flashes
    assert report.flashes.safe == whole.flashes.safe
    assert len(list(tmp_path.iterdir())) == 2


def test_segments_are_written_in_runs(
    tmp_path: Path, short: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Except for the frames around their starts, which are compared."""
    taken: list[int] = []
    write = DirectSink.write_run

    def counted(sink: DirectSink, run: SpriteRun) -> None:
        taken.append(len(run))
        write(sink, run)

    monkeypatch.setattr(DirectSink, "write_run", counted)
    traces = [search(MEDIUM.grid, order, Limits(60)) for order in ("row-major", "mrv")]
    plan = closed_plan(OutputPlan(Film(traces, replace(FILMS["boards"], encoder="direct"))))
    write_segmented(plan, tmp_path / "joined.mp4", 2)
    segments = -(-plan.film.timeline.race // SHORT)
    assert sum(taken) > plan.film.timeline.race - 12 * segments


def test_a_panel_that_remembers_more_is_noticed(
    tmp_path: Path, short: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the overlap of two segments differs, both are drawn from the film's start on."""
    monkeypatch.setattr(segmented, "_RUN_UP", 1)
    traces = [search(MEDIUM.grid, order, Limits(60)) for order in ("row-major", "mrv")]
    plan = closed_plan(OutputPlan(Film(traces, replace(FILMS["heat"], encoder="direct"))))
    plan.film.panels = tuple(replace(kind, remembers=False) for kind in plan.film.panels)
    write_segmented(plan, tmp_path / "joined.mp4", 2)
    write_film(plan, [tmp_path / "whole.mp4"])
    assert (tmp_path / "joined.mp4").read_bytes() == (tmp_path / "whole.mp4").read_bytes()


def test_a_segment_that_fails_leaves_nothing(
    tmp_path: Path, short: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(*_: object) -> int:
        raise ValueError("no picture begins at byte 9")

    monkeypatch.setattr("undoku.render.write.join_segments.join_direct", damaged)
    film = Film([search(EASY.grid, "mrv")], replace(FILMS["boards"], encoder="direct"))
    with pytest.raises(EncoderError, match=r"a segment of .* is damaged"):
        write_segmented(closed_plan(OutputPlan(film)), tmp_path / "film.mp4", 2)
    assert not list(tmp_path.iterdir())


def test_processes_write_the_same_bytes_however_many(undoku: Undoku, tmp_path: Path) -> None:
    """And a film of segments made again in one piece from its own file is that film."""
    film = ["render", EASY.grid, "-s", "mrv", "--size", "160x160", "--panels", "board",
            "--steps-per-frame", "1/450", "--encoder", "direct"]  # fmt: skip
    for name, jobs in (("one.mp4", "1"), ("two.mp4", "2")):
        done = undoku(*film, "-j", jobs, "-o", name, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert undoku("render", "--again", "two.mp4", "-o", "again.mp4", cwd=tmp_path).returncode == 0
    assert (tmp_path / "one.mp4").read_bytes() == (tmp_path / "two.mp4").read_bytes()
    assert read_mp4(tmp_path / "two.mp4").duration > 300
    assert samples(tmp_path / "again.mp4") == samples(tmp_path / "two.mp4")


def test_a_trace_from_standard_input_is_refused(undoku: Undoku, tmp_path: Path) -> None:
    """Other processes can't read it."""
    trace = undoku("trace", EASY.grid, "-s", "mrv", cwd=tmp_path).stdout
    done = undoku("render", "-", "-j", "2", "-o", "film.mp4", cwd=tmp_path, stdin=trace)
    assert done.returncode == 2
    assert "standard input can't be drawn in segments; write it to a file first" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_an_encoded_film_in_segments_decodes_to_the_film_in_one_piece(
    undoku: Undoku, tmp_path: Path
) -> None:
    film = ["render", MEDIUM.grid, "-s", "mrv", "--size", "160x160", "--panels", "board",
            "--fps", "60", "--steps-per-frame", "1/12", "--encoder", "x264"]  # fmt: skip
    assert undoku(*film, "-j", "2", "-o", "two.mp4", cwd=tmp_path).returncode == 0
    assert undoku("render", "--again", "two.mp4", "-o", "again.mp4", cwd=tmp_path).returncode == 0
    shape = OutputPlan(Film([search(EASY.grid, "mrv")], FilmSettings(160, 160))).shape
    one, other = (decode(tmp_path / name, shape, "h264") for name in ("two.mp4", "again.mp4"))
    assert len(one) > 6000
    assert np.array_equal(one, other)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["-o", "film.gif"], "only a single MP4 is drawn in segments"),
        (["-o", "a.mp4", "-o", "b.mp4"], "only a single MP4 is drawn in segments"),
        (["-o", "film.mp4", "--flash-safe"], "--jobs can't be combined with"),
        (["-o", "film.mp4", "--max-size", "1MB"], "--jobs can't be combined with"),
        (["-o", "film.png", "--at-step", "3"], "--jobs can't be combined with"),
        (["-o", "-"], "--jobs can't be combined with"),
    ],
)
def test_films_that_cannot_be_drawn_in_segments_are_refused(
    undoku: Undoku, tmp_path: Path, options: list[str], sentence: str
) -> None:
    done = undoku("render", EASY.grid, "-j", "2", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())
