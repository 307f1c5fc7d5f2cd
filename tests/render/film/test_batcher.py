"""Runs made from the searches: frame by frame they are what the scene draws."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import undoku.render.draw.sprite_run
import undoku.render.film.batcher
from tests.support.amounts import few, long
from tests.support.films import film_of, make_film
from tests.support.puzzles import EASY, HARD, MEDIUM, UNSOLVABLE, VERY_HARD
from undoku import Header, Limits, MemoryTrace, Op, Outcome, Puzzle, search
from undoku.render.delivery.outputs import context_of
from undoku.render.delivery.write import write_film, write_frames
from undoku.render.draw.film_parts import frames_of
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.film.batcher import MAX_FRAMES, Batcher
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.timeline import Pace
from undoku.render.write.mp4_direct import DirectSink
from undoku.render.write.mp4_x264 import Mp4Sink
from undoku.render.write.staging import Staging
from undoku.solver.problem.puzzle import standard_geometry
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.problem.variants import jigsaw_geometry, with_diagonals
from undoku.solver.trace.trace import Events

JIGSAW = Puzzle((0,) * 25, with_diagonals(jigsaw_geometry("AABBB AACBB ACCCD EECDD EEEDD")))
FOUR, SIX, SIXTEEN = (Puzzle((0,) * n**2, standard_geometry(n)) for n in (4, 6, 16))


def film(
    *strategies: str,
    puzzle: Puzzle | str = VERY_HARD.grid,
    nodes: int | None = 150,
    exhaustive: bool = False,
    size: tuple[int, int] = (480, 270),
    panels: tuple[str, ...] = ("board", "counters", "depth"),
    pace: Fraction | str | Pace = "1",
    **more: Any,
) -> Film:
    width, height = size
    pace = pace if isinstance(pace, Pace) else Pace(Fraction(pace))
    more = {"card": Fraction(1, 10), "fps": Fraction(30), "pace": pace, "panels": panels, **more}
    limits = Limits(nodes, exhaustive=exhaustive)
    return make_film(*strategies, puzzle=puzzle, limits=limits, width=width, height=height, **more)


class Made(NamedTuple):
    """How many frames there were, how many of them in runs, how many runs."""

    frames: int
    batched: int
    runs: int


def followed(made: Film) -> Made:
    """Compare the film with the one drawn frame by frame: pixels, ticks, changes."""
    expected = made.draw(made.timeline.shots())
    kept = np.zeros((made.settings.height, made.settings.width, 3), np.uint8)
    frames = batched = runs = 0
    for part in made.parts(runs=True):
        inside = isinstance(part, SpriteRun)
        for frame in frames_of([part]):
            wanted = next(expected)
            frames += 1
            assert frame.ticks == wanted.ticks
            for (x, y, width, height), _ in frame.changes:
                place = slice(y, y + height), slice(x, x + width)
                kept[place] = frame.pixels[place]
            assert np.array_equal(frame.pixels, wanted.pixels), f"frame {frames - 1} differs"
            assert np.array_equal(kept, wanted.pixels), f"frame {frames - 1}: more has changed"
            if inside:
                batched += 1
                rects = [change.rect for change in frame.changes]
                assert not any(a.overlaps(b) for a, b in combinations(rects, 2))
        runs += inside
    assert next(expected, None) is None
    return Made(frames, batched, runs)


TWO, BOARD = ("row-major", "mrv"), ("board",)
RAMP = Pace(duration=Fraction(6), ramp=True)
CASES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    **{
        f"{pace} steps a frame, {last_state}": (
            TWO, {"pace": pace, "nodes": 24 if pace == "1/7" else 40, "last_state": last_state}
        )
        for pace, last_state in (("1", False), ("7/3", False), ("3", True), ("1/7", False))
    },
    "too many steps to be seen": (TWO[::-1], {"pace": "40", "nodes": 2400, "panels": BOARD}),
    "4x4": (("row-major", "mrv", "mrv/descending"), {"puzzle": FOUR}),
    "6x6": (("mrv",), {"puzzle": SIX}),
    "jigsaw with diagonals": (("row-major",), {"puzzle": JIGSAW}),
    "16x16": (("mrv",), {"puzzle": SIXTEEN, "nodes": 30}),
    "inference": (("mrv+locked+pairs", "mrv+singles"), {"puzzle": HARD.grid, "nodes": 40}),

    "unsolvable": (("mrv", "row-major"), {"puzzle": UNSOLVABLE}),
    "tall": (TWO, {"nodes": 60, "size": (270, 480), "theme": "light"}),
    **{
        clock.name: (TWO, {"nodes": 200, "puzzle": MEDIUM.grid, "pace": RAMP, "clock": clock})
        for clock in Clock
    },
    "slow at both ends": (("mrv",), {"nodes": 500, "pace": RAMP, "panels": BOARD}),
    "within the searches": (
        TWO, {"nodes": 1000, "pace": Pace(Fraction(1), first=700, last=900), "intro": Fraction(0)}
    ),
    "sharp from the beginning": (
        ("row-major",), {"nodes": 400, "pace": Pace(Fraction(3), first=100, last=400)}
    ),
    "highlights": (
        TWO, {"nodes": 300, "pace": "12", "highlights": True}
    ),
    **{
        f"{panels} at {pace}": (
            ("mrv+locked", "row-major"),
            {"nodes": nodes, "pace": pace, "size": (640, 360), "panels": ("board", *panels)},
        )
        for panels, pace, nodes in (
            (("tree",), "1", 60),
            (("heat", "why"), "3", 120),
            (("tree", "heat", "solutions"), "7/3", 110),
            (("code",), "1", 40),
            (("code", "why"), "1/20", 8),
        )
    },
    "the tree of a search that goes on after solutions": (
        ("mrv",),
        {"puzzle": EASY.grid, "nodes": None, "exhaustive": True, "panels": ("board", "tree")},
    ),
}  # fmt: skip


RARE = {"6x6", "4x4", "tall", "1/7 steps a frame, False", "STEPS", "FINISH", "slow at both ends",
        "within the searches", "('code', 'why') at 1/20"}  # fmt: skip
"""Those for `make test-long`, of which others have every part."""


@pytest.mark.parametrize(
    ("strategies", "given"),
    [
        pytest.param(*case, id=name, marks=[pytest.mark.long] * (name in RARE))
        for name, case in CASES.items()
    ],
)
def test_runs_show_what_single_frames_show(
    strategies: tuple[str, ...], given: dict[str, Any]
) -> None:
    """And most frames of the race come from them."""
    made = film(*strategies, **given)
    assert followed(made).batched >= 0.5 * made.timeline.race


def test_a_run_contains_only_copies_and_the_new_pixels_of_a_frame() -> None:
    """A tree of many nodes changes a few pixels on each step."""
    made = film("row-major", nodes=400, size=(640, 360), panels=("board", "tree"))
    chart = made.layout.blocks[0].panels["tree"]
    new = ticks = 0
    for part in made.parts(runs=True):
        if isinstance(part, SpriteRun):
            shown = part.placed[part.placed[:, 0] >= part.sheet.kept, 0]
            new += int(part.sheet.shapes[shown, 1:].prod(axis=1).sum())
            ticks += len(part)
    assert 0 < new / ticks < chart.width * chart.height / 20


@pytest.mark.parametrize(("size", "language"), [((320, 320), ""), long((640, 360), "he")])
def test_nodes_are_counted_in_runs_in_every_direction_and_form(
    size: tuple[int, int], language: str
) -> None:
    """Also where the number has no room and is shortened."""
    made = film("row-major", nodes=1100, size=size, panels=("board", "tree"), pace="9/2",
                language=language)  # fmt: skip
    with made.typesetting.within():
        assert followed(made).batched > made.timeline.race / 3


class Chopped(MemoryTrace):
    """A trace in chunks of 97 events, some of which are empty."""

    def chunks(self) -> Iterator[Events]:
        for chunk in super().chunks():
            for start in range(0, len(chunk), 97):
                yield chunk[start : start + 97]
                yield chunk[:0]


def test_events_that_come_in_many_chunks_are_all_seen() -> None:
    """A run ends where a chunk does, and the next goes on; inference after a step belongs to it,
    also when it comes in another chunk."""
    whole = search(HARD.grid, "mrv+locked", Limits(300)).read()
    header = Header(parse_puzzle(HARD.grid))
    assert (whole["op"] > Op.UNDO).sum() > 100
    trace = Chopped(header, whole, Outcome.CAPPED)
    made = Film([trace], FilmSettings(320, 180, Fraction(30), Pace(Fraction(1)), panels=("board",)))
    found = followed(made)
    assert found.runs > 3
    assert found.batched > 0.8 * made.timeline.race


@few(4)
@given(
    chance=st.randoms(use_true_random=False),
    most=st.sampled_from([1, 2, 7, 200]),
    pace=st.sampled_from(["1", "1/2", "7/3", "5"]),
    last_state=st.booleans(),
    panels=st.sampled_from([("counters", "depth"), ("tree", "heat", "code"), ("why", "solutions")]),
)
def test_a_film_looks_the_same_wherever_its_runs_begin_and_end(
    chance: Random, most: int, pace: str, last_state: bool, panels: tuple[str, ...]
) -> None:
    """Runs of random lengths, often of one frame alone, between frames drawn by themselves."""
    made = film("row-major", "mrv", nodes=30, pace=pace, last_state=last_state,
                panels=("board", *panels))  # fmt: skip
    _followed_in_pieces(made, chance, most)


@pytest.mark.parametrize("most", [long(1), 5, long(90)])
def test_a_story_looks_the_same_wherever_its_runs_begin_and_end(most: int) -> None:
    """Its marks, its sentences and the chart of all its searches as well."""
    made = film_of("row-major", "dom-wdeg+locked", size="320x180", fps=12, card=0)
    _followed_in_pieces(made, Random(most), most)


def _followed_in_pieces(made: Film, chance: Random, most: int) -> None:
    """Follow a film in runs of at most `most` frames, between frames drawn by themselves."""
    run = Batcher.run

    def cut(batcher: Batcher, at: int, until: int) -> SpriteRun | None:
        end = min(until, at + chance.randint(1, most))
        return run(batcher, at, end) if chance.random() < 0.7 else None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Batcher, "run", cut)
        followed(made)


def test_pictures_are_drawn_again_where_they_have_become_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that a film of any length takes the same memory."""
    monkeypatch.setattr(undoku.render.draw.sprite_run, "MAX_SHEET_BYTES", 20_000)
    monkeypatch.setattr(undoku.render.film.batcher, "MAX_FRAMES", 16)
    made = film("row-major", "mrv", nodes=70)
    editions, most = set(), 0
    for part in made.parts(runs=True):
        if isinstance(part, SpriteRun):
            editions.add(part.sheet.edition)
            most = max(most, part.sheet.bytes)
            assert len(part) <= 16
    assert len(editions) > 3
    assert most < 200_000
    assert followed(made).runs > 7


def test_runs_of_a_long_film_take_no_more_memory_than_those_of_a_short_one() -> None:
    """They have a bounded number of frames, and of new pictures the more a film has seen, the
    fewer."""
    made = film("row-major", puzzle=HARD.grid, nodes=8000, panels=("board", "counters"))
    runs = [
        (len(part), part.sheet.kept, len(part.placed))
        for part in made.parts(runs=True)
        if isinstance(part, SpriteRun)
    ]
    assert max(frames for frames, _, _ in runs) <= MAX_FRAMES
    assert sum(frames for frames, _, _ in runs) > 0.99 * made.timeline.race
    half = len(runs) // 2
    assert runs[-1][1] < 1.2 * runs[half][1]
    assert max(placed for _, _, placed in runs) < 20 * MAX_FRAMES


def test_the_report_of_a_film_written_in_runs_counts_all_frames(tmp_path: Path) -> None:
    """As do the calls of `progress`, which are fewer than the frames."""
    made = film("row-major", "mrv", nodes=200, encoder="direct", size=(320, 180))
    calls: list[tuple[int, int]] = []
    report = write_film(made, [tmp_path / "a.mp4"], progress=lambda *now: calls.append(now))
    frames, meter = made.timeline.frames, made.meter()
    assert calls[-1] == (frames, frames) and len(calls) < frames / 5
    for frame in made.frames():
        meter.watch(frame)
    assert report.flashes == meter.flashes()
    assert report.outputs[0].duration == made.timeline.duration


@pytest.mark.parametrize(
    ("sink", "size"),
    [(DirectSink, (480, 270)), (Mp4Sink, (322, 182))],
)
def test_a_film_of_runs_is_the_same_file_as_one_of_frames(
    tmp_path: Path, sink: type[DirectSink | Mp4Sink], size: tuple[int, int]
) -> None:
    """The changes of a frame come in the same order, on which the writer's choices depend. Cells,
    charts and letters also have odd positions and sizes."""
    encoder = "direct" if sink is DirectSink else "x264"
    made = film("row-major", "mrv", size=size, encoder=encoder, nodes=60, fps=Fraction(25))
    assert any(isinstance(part, SpriteRun) for part in made.parts(runs=True))
    files = []
    for runs in (True, False):
        path = tmp_path / f"{runs}.mp4"
        with sink(Staging(path), context_of(made)) as opened:
            write_frames(made.parts(runs=runs), opened, None, 0)
            opened.finish()
        files.append(path.read_bytes())
    assert files[0] == files[1]


@pytest.mark.parametrize("first", [0, 45, 46])
def test_a_film_continues_in_runs_from_any_tick_of_its_race(first: int) -> None:
    """Frames have no effect after a few more: only pictures of many steps leave traces."""
    made = film("row-major", "mrv", nodes=60, size=(320, 180))
    expected = [frame.pixels.copy() for frame in made.frames() for _ in range(frame.ticks)]
    found, batched = [], 0
    for part in made.parts_from(first, runs=True):
        batched += isinstance(part, SpriteRun)
        found += [frame.pixels.copy() for frame in frames_of([part]) for _ in range(frame.ticks)]
    assert batched
    assert len(found) == len(expected) - first
    late = 30 if first else 0
    assert all(map(np.array_equal, found[late:], expected[first + late :]))


def test_files_that_are_made_together_are_those_made_alone(tmp_path: Path) -> None:
    """A run can be played once; each of them gets all its frames, and a picture the last one."""
    made = film("row-major", nodes=60, size=(320, 180), encoder="direct",
                card=Fraction(0), hold=Fraction(0))  # fmt: skip
    names = ("film.mp4", "film.gif", "film.png")
    alone, together = (tmp_path / name for name in ("alone", "together"))
    for folder in (alone, together):
        folder.mkdir()
    for name in names:
        write_film(made, [alone / name])
    passes, chunks = [], made.traces[0].chunks
    made.traces[0].chunks = lambda: passes.append(1) or chunks()  # type: ignore[func-returns-value,method-assign]
    report = write_film(made, [together / name for name in names])
    assert [output.path for output in report.outputs] == [together / name for name in names]
    # For all three files: the MP4 is its own trial.
    assert len(passes) == 1
    for name in names:
        assert (together / name).read_bytes() == (alone / name).read_bytes()


STORIES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "two": (TWO, {}),
    "one": (("mrv",), {}),
    "short": (TWO, {"pace": "short", "fps": 15}),
    "three": (("row-major", "mrv", "mrv+singles"), {}),
    "six": (("row-major", "mrv", "mrv/lcv") * 2, {"size": "640x360"}),
    "tall": (TWO, {"size": "270x480"}),
    "all solutions": (TWO, {"limits": Limits(exhaustive=True), "size": "640x360"}),
    "cut short": (TWO, {"limits": Limits(300)}),
    "light": (TWO, {"theme": "light"}),
}


@pytest.mark.parametrize(
    ("strategies", "given"),
    [
        pytest.param(*story, id=name, marks=[pytest.mark.long] * (name != "one"))
        for name, story in STORIES.items()
    ],
)
def test_a_story_in_runs_is_the_story_frame_by_frame(
    strategies: tuple[str, ...], given: dict[str, Any]
) -> None:
    """Both passes, with the transitions between their acts, which are no runs."""
    found = film_of(*strategies, **{"size": "480x270", "fps": 8, **given})
    assert followed(found).batched > 0.5 * found.timeline.race
