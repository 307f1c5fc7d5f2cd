"""Golden frames: every theme and aspect, one to four searches, every phase of a film."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.support.amounts import long
from tests.support.films import make_film
from tests.support.golden import FOLDER, Golden
from tests.support.puzzles import MEDIUM
from undoku import Limits, Puzzle, search
from undoku.render.film.film import Film
from undoku.render.panels.panel_registry import panels
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.timeline import Pace, Phase
from undoku.solver.problem.puzzle import standard_geometry
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.problem.variants import EXTRAS

JIGSAW = ("AAABBB", "AACCBB", "ADCCEB", "DDCCEE", "DDDFEE", "FFFFFE")
ASPECTS = {"wide": (1280, 720), "square": (1080, 1080), "tall": (720, 1280), "small": (640, 360)}


TWO = ["row-major", "mrv"]


def film(strategies: list[str], aspect: str, theme: str, **settings: Any) -> Film:
    width, height = ASPECTS[aspect]
    values = {"pace": Pace(duration=Fraction(20)), "theme": theme, **settings}
    return make_film(*strategies, width=width, height=height, **values)


MOMENTS: dict[str, tuple[list[str], str, str, int, dict[str, str]]] = {
    **{f"comparison-{aspect}-dark": (TWO, aspect, "dark", 700, {}) for aspect in ASPECTS},
    "comparison-small-light": (TWO, "small", "light", 700, {}),
    **{
        f"theme-{theme}": (TWO, "small", theme, 700, {})
        for theme in ("paper", "blackboard", "high-contrast", "colour-blind")
    },
    **{f"searches-{count}": ((TWO * 3)[:count], "wide", "dark", 303, {}) for count in (1, 3, 4, 6)},
    **{
        f"heat-overlay-{theme}": (TWO, "small", theme, 700, {"heat": "overlay"})
        for theme in ("dark", "light")
    },
}
"""A frame in the middle of the race: one search has ended, the other continues. Several steps a
frame, so that there are ghosts and settled digits; with heat also on its shades."""


@pytest.mark.parametrize("name", MOMENTS)
def test_a_moment_of_a_race_looks_as_it_should(name: str, golden: Golden) -> None:
    strategies, aspect, theme, at, settings = MOMENTS[name]
    made = film(strategies, aspect, theme, **settings)
    *_, frame = made.draw([made.timeline.shot_at(number) for number in (at - 1, at)])
    golden(frame.pixels, name)


@pytest.mark.parametrize("theme", ["dark", "paper"])
def test_trees_grow_as_they_should(theme: str, golden: Golden) -> None:
    """A thin tree and a wide one: early, late and at the end; below them a small one."""
    strips = []
    for strategies in (["row-major", "mrv"], ["mrv", "mrv/lcv"]):
        made = film(strategies, "wide", theme, hold=Fraction(1))
        race = [made.timeline.intro + made.timeline.race * part // 8 for part in (2, 6, 8)]
        frames = made.draw([made.timeline.shot_at(number) for number in race])
        boxes = [block.panels["tree"].inset(-4) for block in made.layout.blocks]
        parts = [
            frame.pixels[box.y : box.bottom, box.x : box.right].copy()
            for frame in frames
            for box in boxes
        ]
        strips.append(np.hstack(parts))
    golden(np.vstack(strips), f"trees-{theme}")


def test_a_slow_film_with_all_panels_looks_as_it_should(golden: Golden) -> None:
    """A place and an undo, with pencil marks, reasons and tries."""
    made = film(
        ["mrv"], "wide", "dark", pace=Pace(Fraction(1, 20)), panels=[kind.name for kind in panels()]
    )
    shots = (made.timeline.shot_at(number) for number in range(781))
    for number, frame in enumerate(made.draw(shots)):
        if number in (760, 780):
            golden(frame.pixels, f"all-panels-{number}")


def test_jigsaws_with_diagonals_look_as_they_should(golden: Golden) -> None:
    text = "regions:\n" + "".join(f"    {row}\n" for row in JIGSAW) + "extra: diagonals\n"
    puzzle = parse_puzzle(text + "6.....\n" + "......\n" * 4 + ".....1\n")
    made = make_film("row-major", puzzle=puzzle, limits=Limits(max_nodes=400), width=640,
                     height=360, pace=Pace(Fraction(1, 10)))  # fmt: skip
    *_, frame = made.draw([made.shot_of_step(20)])
    golden(frame.pixels, "jigsaw-diagonals")


@pytest.mark.parametrize(
    ("aspect", "theme"), [*((aspect, "dark") for aspect in ASPECTS), ("small", "light")]
)
def test_a_film_has_the_golden_opening(aspect: str, theme: str, golden: Golden) -> None:
    """The givens, then a digit being tried, then one being undone, side by side."""
    made = film(TWO, aspect, theme, pace=Pace(Fraction(1)))
    # Each with the frame before it, so that it shows a single step.
    opening = [made.timeline.shot_at(number) for number in (0, 130, 131, 151, 152)]
    pictures = [frame.pixels.copy() for frame in made.draw(opening)][::2]
    block = made.layout.blocks[0].board
    golden(
        np.hstack([picture[: block.bottom + 8, : block.right + 8] for picture in pictures]),
        f"opening-{aspect}-{theme}",
    )


def test_the_other_phases_look_as_they_should(golden: Golden) -> None:
    made = film(TWO, "small", "dark")
    shots = zip(made.timeline.shots(), made.frames(), strict=True)
    last = {shot.phase: frame.pixels.copy() for shot, frame in shots}
    for phase in (Phase.INTRO, Phase.HOLD, Phase.CARD):
        golden(last[phase], f"phase-{phase}")


@pytest.mark.parametrize("extra", ["windows", "groups", "diagonals"])
def test_boards_with_extra_units_look_as_they_should(extra: str, golden: Golden) -> None:
    """Their marks beneath digits, pencil marks and the marks of the present step."""
    puzzle = Puzzle((0,) * 81, EXTRAS[extra](standard_geometry()))
    made = make_film("row-major+singles", puzzle=puzzle, limits=Limits(max_nodes=400), width=640,
                     height=640, panels=("board",))  # fmt: skip
    *_, frame = made.draw([made.shot_of_step(30)])
    golden(frame.pixels, f"extra-{extra}")


@pytest.mark.parametrize(("count", "theme"), [(2, "dark"), (4, "paper")])
def test_cards_look_as_they_should(theme: str, count: int, golden: Golden) -> None:
    """The end card; one search of four is capped."""
    strategies = ["row-major", "mrv", "mrv/lcv+singles", "most"][:count]
    made = make_film(*strategies, limits=Limits(max_nodes=9000), width=640, height=360,
                     theme=theme)  # fmt: skip
    (frame,) = made.draw([made.timeline.shot_at(made.timeline.frames - 1)])
    golden(frame.pixels, f"cards-{count}-{theme}")


def test_a_picture_that_moved_by_a_pixel_is_not_golden(tmp_path: Path) -> None:
    """The tolerance is for shades, not for positions; the difference is shown."""
    picture = FOLDER / "comparison-small-dark.png"
    shutil.copy(picture, tmp_path)
    made = film(TWO, "small", "dark")
    *_, frame = made.draw([made.timeline.shot_at(number) for number in (699, 700)])
    with pytest.raises(AssertionError, match="of the pixels differ"):
        Golden(folder=tmp_path)(np.roll(frame.pixels, 1, 1), "comparison-small-dark")
    with Image.open(tmp_path / "failed" / "comparison-small-dark.png") as shown:
        assert shown.size == (3 * 640, 360)


STORIES: dict[str, tuple[list[str], dict[str, object], set[BeatKind]]] = {
    "wide": (["row-major", "mrv"], {"size": "640x360"}, {BeatKind.LAPS}),
    "four": (
        ["row-major", "column-major", "mrv", "mrv+singles"],
        {"size": "640x360"},
        {BeatKind.OTHERS, BeatKind.LAPS},
    ),
    "six": (
        ["row-major", "column-major", "spiral", "static", "mrv", "mrv+singles"],
        {"size": "1280x720"},
        {BeatKind.OTHERS, BeatKind.LAPS},
    ),
    "exhaustive": (
        ["row-major", "mrv"],
        {"size": "640x360"},
        {BeatKind.FINISH, BeatKind.LAPS},
    ),
    "tall": (
        ["row-major", "mrv"],
        {"size": "540x960", "margins": "4,10,11,25"},
        {BeatKind.LAPS},
    ),
}


@pytest.mark.parametrize("story", ["tall", "wide", "exhaustive", long("four"), long("six")])
def test_every_beat_of_a_story_looks_as_it_should(story: str, golden: Golden) -> None:
    """The middle of each beat, four in a row."""
    strategies, asked, kinds = STORIES[story]
    limits = Limits(exhaustive=story == "exhaustive")
    traces = [search(MEDIUM.grid, strategy, limits) for strategy in strategies]
    made = Film(traces, settings_of({**asked, "fps": 6}))
    beats = made.timeline.beats
    assert {beat.kind for beat in beats} >= kinds
    middles = {beat.start + beat.frames // 2 for beat in beats}
    tiles = [
        frame.pixels.copy()
        for shot, frame in zip(made.timeline.shots(), made.draw(made.timeline.shots()), strict=True)
        if any(shot.start <= middle < shot.start + shot.ticks for middle in middles)
    ]
    if story == "six":
        tiles = [tile[::2, ::2] for tile in tiles]
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % 4)
    rows = [np.hstack(tiles[at : at + 4]) for at in range(0, len(tiles), 4)]
    golden(np.vstack(rows), f"story-{story}")
