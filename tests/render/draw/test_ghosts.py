"""Frames of many steps show the digit that stood longest, and by warmth how much a cell changes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.amounts import long
from tests.support.puzzles import HARD, MEDIUM, Published
from tests.support.reading import BoardReader
from undoku import Header, Limits, MemoryTrace, Op, Outcome, board_at, search
from undoku.render.draw.canvas import Pixels
from undoku.render.draw.cell_look import CellKind, CellLook, StepMark
from undoku.render.draw.cells import draw_cell
from undoku.render.draw.theme import TINTS, load_theme
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings, settings_of
from undoku.render.timeline.timeline import Pace, Phase
from undoku.solver.problem.sources import parse_puzzle

SMALL: dict[str, Any] = {"width": 640, "height": 360}


def events_of(places: list[tuple[int, int]]) -> MemoryTrace:
    """A trace that has each value in r1c2 for a number of steps, in which it tries r1c3."""
    events = []
    for value, steps in places:
        events.append((Op.GUESS, value, 1))
        for number in range(steps - 2):
            events.append((Op.UNDO if number % 2 else Op.GUESS, 2, 2))
        if steps % 2:
            events.append((Op.UNDO, 2, 2))
        events.append((Op.UNDO, value, 1))
    events.append((Op.GUESS, 9, 1))
    return MemoryTrace(Header(parse_puzzle("." * 81)), events, Outcome.CAPPED)


def looks_of_cell(trace: MemoryTrace, pace: int, cell: int = 1, **settings: Any) -> list[Pixels]:
    """The cell's pictures on the frames of a race with this number of steps per frame."""
    made = Film([trace], FilmSettings(**SMALL, **settings, pace=Pace(Fraction(pace))))
    side, corner = made.layout.blocks[0].cell, made.layout.blocks[0].board
    x = corner.x + cell * side
    return [
        frame.pixels[corner.y : corner.y + side, x : x + side].copy()
        for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True)
        if shot.phase is Phase.RACE
    ]


def picture(look: CellLook, side: int) -> Pixels:
    return draw_cell(look, side, load_theme("dark"))


def shown(looks: list[Pixels], *wanted: CellLook) -> bool:
    """Whether all looks are wanted ones, and all wanted ones occur."""
    pictures = {picture(look, len(looks[0])).tobytes() for look in wanted}
    return {look.tobytes() for look in looks} == pictures


@pytest.mark.parametrize(("stood", "heat"), [((46, 8), 1), ((34, 20), 2), ((20, 18, 16), 3)])
def test_a_cell_shows_its_digit_of_the_moment_on_a_background_as_warm_as_it_changes(
    stood: tuple[int, ...], heat: int
) -> None:
    trace = events_of([(4 + n, steps) for n, steps in enumerate(stood)] * 40)
    looks = {look.tobytes() for look in looks_of_cell(trace, 27)[24:-1]}
    values = range(4, 4 + len(stood))
    digits = [CellLook(CellKind.GHOST, value, top=True, heat=heat) for value in values]
    assert looks <= {picture(look, 32).tobytes() for look in digits} or not looks


def test_a_cell_that_is_filled_for_a_small_part_of_the_time_shows_no_digit() -> None:
    meanwhile: list[tuple[Op, int, int]] = [(Op.GUESS, 2, 2), (Op.UNDO, 2, 2)]
    events = ([(Op.GUESS, 4, 1), *meanwhile, (Op.UNDO, 4, 1)] + meanwhile * 18) * 40
    trace = MemoryTrace(Header(parse_puzzle("." * 81)), [*events, (Op.GUESS, 9, 1)], Outcome.CAPPED)
    looks = looks_of_cell(trace, 20)
    assert shown(looks[24:-1], CellLook(CellKind.EMPTY, top=True))


def test_a_digit_that_stood_all_the_time_is_solid() -> None:
    looks = looks_of_cell(events_of([(4, 600)]), 10)
    seen = looks[30]
    assert any(
        (seen == picture(CellLook(CellKind.GUESS, 4, tint, top=True), len(seen))).all()
        for tint in range(TINTS)
    )


WHITE = np.array([0.2126, 0.7152, 0.0722], np.float32)


EVEN = {"size": "480x270", "pace": "even", "panels": "board"}
FAST = [{**EVEN, "duration": 6, "fps": fps} for fps in (60, 25, 7)]
# Steps can just be seen: neither what is tried, nor what is taken back, nor dead ends may strobe.
SLOW = [{**EVEN, "steps_per_frame": rate, "to_step": 100} for rate in ("1/6", "1/3", "1/2", "5/6")]
# With rings, digits that cells need, lit units and results.
STORY = {"size": "640x360"}


@pytest.mark.parametrize(
    ("puzzle", "asked"),
    [
        *((HARD, FAST[0]), (MEDIUM, SLOW[1]), (MEDIUM, STORY)),
        *(long(HARD, FAST[1]), long(HARD, FAST[2])),
        *(long(MEDIUM, one) for one in (SLOW[0], SLOW[2], SLOW[3])),
    ],
)
def test_nothing_strobes(puzzle: Published, asked: dict[str, Any]) -> None:
    """In no second before the end card does the mean luma of a cell change more than six times by
    more than a tenth (of itself in a fast film, else of white) from one frame to the next. Frames
    on which boards move are left out."""
    traces = [search(puzzle.grid, order) for order in ("row-major", "mrv")]
    made = Film(traces, settings_of(asked))
    second, last = round(made.settings.fps), made.timeline.frames - made.timeline.card - 1
    acts = made.acts
    before: dict[int, np.ndarray] = {}
    changed: list[np.ndarray] = []
    frames = (frame for frame in made.frames() for _ in range(frame.ticks))
    for number, frame in zip(range(last), frames, strict=False):
        at = max(at for at, act in enumerate(acts) if act.start <= number)
        act = acts[at]
        if number < act.start + act.moving:
            changed = []
            continue
        lumas = []
        for block in act.script.layout.blocks:
            box, side = block.board, block.cell
            part = frame.pixels[box.y : box.y + 9 * side, box.x : box.x + 9 * side] @ WHITE
            lumas.append(part.reshape(9, side, 9, side).mean(axis=(1, 3)).reshape(-1))
        luma = np.concatenate(lumas)
        if at in before:
            least = before[at] / 10 if asked in FAST else 25.5
            changed = [*changed[1 - second :], np.abs(luma - before[at]) > least]
            assert np.sum(changed, axis=0).max() <= 6, number
        before[at] = luma


def boards_of(
    made: Film, phase: Phase = Phase.RACE
) -> Iterator[tuple[int, NDArray[np.uint8], BoardReader]]:
    """(the steps before it, the board that it shows, its reader) of each frame of a phase."""
    reader = BoardReader(made.headers[0].puzzle, made.layout.blocks[0], "dark")
    for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True):
        if shot.phase is phase:
            yield shot.steps[0], reader.read(frame.pixels), reader


def test_the_cell_of_each_step_is_marked_by_its_background_where_steps_can_just_be_seen() -> None:
    pace = Pace(Fraction(1, 2), last=100)
    made = Film([search(HARD.grid, "row-major")], FilmSettings(**SMALL, pace=pace))
    steps = made.traces[0].read().tolist()
    seen = set()
    for step, _, reader in boards_of(made):
        if step:
            op, _, cell = steps[step - 1]
            assert reader.marks == ({} if op == Op.UNDO else {cell: StepMark.PASSING})
            if op == Op.UNDO:
                assert reader.looks[cell].kind in (CellKind.FADING, CellKind.PENCIL, CellKind.EMPTY)
            seen.add(op)
    assert seen == {Op.GUESS, Op.UNDO}


def test_a_digit_stays_for_a_fifth_of_a_second_in_a_fast_film() -> None:
    made = Film(
        [search(HARD.grid, "row-major")], FilmSettings(**SMALL, pace=Pace(duration=Fraction(5)))
    )
    side, corner = made.layout.blocks[0].cell, made.layout.blocks[0].board
    since: dict[int, int] = {}
    before: dict[int, bytes] = {}
    end = made.timeline.intro + made.timeline.race - 1
    for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True):
        if shot.phase is Phase.RACE and shot.start < end:
            for cell in range(81):
                y, x = corner.y + cell // 9 * side, corner.x + cell % 9 * side
                seen = frame.pixels[y : y + side, x : x + side].tobytes()
                if seen != before.setdefault(cell, seen):
                    assert shot.start - since.get(cell, -99) >= 12
                    since[cell], before[cell] = shot.start, seen
    assert len(since) > 20


@pytest.mark.parametrize(("pace", "steps"), [("1", True), ("5/4", False), ("1/2", True)])
def test_up_to_sixty_steps_a_second_each_frame_shows_the_last_board(pace: str, steps: bool) -> None:
    made = Film(
        [search(MEDIUM.grid, "row-major")],
        FilmSettings(**SMALL, pace=Pace(Fraction(pace), last=120), hold=Fraction(0)),
    )
    right = [(board == board_at(made.traces[0], step)).all() for step, board, _ in boards_of(made)]
    assert all(right) is steps


def test_a_race_that_ends_within_a_search_holds_its_last_board() -> None:
    pace = Pace(Fraction(100), last=5000)
    made = Film([search(HARD.grid, "row-major")], FilmSettings(**SMALL, pace=pace))
    _, board, _ = next(boards_of(made, Phase.HOLD))
    assert (board == board_at(made.traces[0], 5000)).all()


def test_a_fast_film_looks_the_same_wherever_its_drawing_begins() -> None:
    made = Film(
        [search(HARD.grid, "row-major")], FilmSettings(**SMALL, pace=Pace(duration=Fraction(10)))
    )
    shots = [shot for shot in made.timeline.shots() if shot.phase is Phase.RACE][:160]
    whole = [frame.pixels.copy() for frame in made.draw(shots)]
    for start in (1, 40):
        part = [frame.pixels.copy() for frame in made.draw(shots[start:])]
        assert np.array_equal(whole[-1], part[-1])


def test_shares_near_a_bound_do_not_flicker() -> None:
    """A cell with two digits, each present for about half of the time, keeps its background."""
    places = [(3, 31 + number % 3) if number % 2 else (5, 32) for number in range(400)]
    looks = looks_of_cell(events_of(places), 21)
    assert len({look.tobytes() for look in looks[24:-1]}) <= 2


def test_an_undone_digit_fades_within_a_few_frames() -> None:
    made = Film([search(MEDIUM.grid, "mrv", Limits(max_nodes=150))], FilmSettings(**SMALL))
    levels: set[int] = set()
    frames_of: dict[int, int] = {}
    for _, _, reader in boards_of(made):
        for cell, look in reader.looks.items():
            fades = look.kind is CellKind.FADING
            frames_of[cell] = frames_of.get(cell, 0) + 1 if fades else 0
            assert frames_of[cell] <= 0.15 * 60
            if fades:
                levels.add(look.tint)
    assert levels == {1, 2, 3}
