"""A frame of many steps shows how long each digit stood in it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.drawing.canvas import Pixels
from render.drawing.cells import draw_cell
from render.drawing.ghosts import Ghosts
from render.film import Film
from render.settings import FilmSettings
from render.style.cell_look import PLOT, CellLook, Kind, Mark, packed, unpacked
from render.style.theme import HEATS, SHADES, contrast, load_theme, theme_names
from render.timing.timeline import Pace, Phase
from solver import Header, MemoryTrace, Op, Outcome, board_at, search
from solver.formats import parse_puzzle
from tests.support.puzzles import MEDIUM
from tests.support.reading import BoardReader

SMALL: dict[str, Any] = {"width": 640, "height": 360}

ghosts = st.builds(
    CellLook,
    kind=st.just(Kind.GHOST),
    left=st.booleans(),
    top=st.booleans(),
    down=st.booleans(),
    up=st.booleans(),
    failed=st.booleans(),
    heat=st.integers(0, HEATS - 1),
    shares=st.lists(st.integers(0, 3), max_size=24).map(lambda found: (*found, 1)),
    tries=st.integers(0, SHADES),
    cages=st.integers(0, (1 << 12) - 1),
    slots=st.integers(0, 25),
    tabs=st.integers(0, (1 << 25) - 1),
    values=st.integers(0, 25),
)
cells = ghosts | st.builds(
    CellLook,
    kind=st.sampled_from([Kind.EMPTY, Kind.GIVEN, Kind.GUESS, Kind.FORCED, Kind.FADING]),
    value=st.integers(0, 25),
    tint=st.integers(0, 9),
    mark=st.sampled_from(Mark),
    left=st.booleans(),
    failed=st.booleans(),
) | st.builds(
    CellLook,
    kind=st.just(Kind.PENCIL),
    candidates=st.integers(0, (1 << 25) - 1),
    struck=st.integers(0, (1 << 25) - 1),
)  # fmt: skip


def plain(look: CellLook) -> CellLook:
    """The look without what never changes."""
    lined = replace(look, left=False, top=False, down=False, up=False)
    return replace(lined, cages=0, slots=0, tabs=0, values=0)


@given(cells)
def test_a_look_is_one_number_and_back(look: CellLook) -> None:
    number = packed(look)
    assert number >= 0
    assert number & (1 << PLOT) - 1 == packed(plain(look))
    assert unpacked(number) == look


@given(
    st.lists(ghosts, min_size=1, max_size=5),
    st.sampled_from([12, 33, 48]),
    st.sampled_from(theme_names()),
)
def test_ghosts_put_together_are_the_pictures_of_their_cells(
    looks: list[CellLook], side: int, name: str
) -> None:
    """No unit fails in a frame of many steps, so that no ghost has a ring."""
    theme = load_theme(name)
    drawn = Ghosts(theme, side)
    for look in (replace(look, failed=False) for look in looks):
        assert (drawn.draw(packed(look)) == draw_cell(look, side, theme)).all()


def events_of(places: list[tuple[int, int]]) -> MemoryTrace:
    """A trace that fills r1c2 with each value for so many steps, by trying r1c3 meanwhile."""
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


def cell_after(trace: MemoryTrace, first: int, then: int, cell: int = 1, **settings: Any) -> Pixels:
    """The cell's picture in a frame that goes from one step to another."""
    made = Film([trace], FilmSettings(**SMALL, **settings, pace=Pace(Fraction(1))))
    shots = list(made.timeline.shots())
    *_, frame = made.draw([shots[0], shots[first], shots[then]])
    side, corner = made.layout.blocks[0].cell, made.layout.blocks[0].board
    x = corner.x + cell * side
    return frame.pixels[corner.y : corner.y + side, x : x + side].copy()


def picture(look: CellLook, side: int) -> Pixels:
    return draw_cell(look, side, load_theme("dark"))


def test_digits_are_as_strong_as_the_share_of_the_frame_in_which_they_stood() -> None:
    """4 stood for three quarters of the frame, 7 for one quarter."""
    trace = events_of([(1, 4), (4, 12), (7, 4)])
    seen = cell_after(trace, 4, 20)
    shares = [0] * 9
    shares[3], shares[6] = 3, 1
    expected = CellLook(Kind.GHOST, top=True, heat=1, shares=tuple(shares[:7]))
    assert (seen == picture(expected, len(seen))).all()


def test_a_digit_that_stood_all_the_time_is_solid() -> None:
    trace = events_of([(4, 40)])
    seen = cell_after(trace, 10, 30)
    assert any(
        (seen == picture(CellLook(Kind.GUESS, 4, tint, top=True), len(seen))).all()
        for tint in range(10)
    )


def test_the_last_state_can_be_asked_for() -> None:
    trace = events_of([(1, 4), (4, 12), (7, 4)])
    made = Film([trace], FilmSettings(**SMALL, last_state=True, pace=Pace(Fraction(6))))
    reader = BoardReader(trace.header.puzzle, made.layout.blocks[0], "dark")
    for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True):
        if shot.phase is not Phase.CARD:
            board = np.zeros(81, np.uint8)
            for op, value, cell in trace.read().tolist()[: shot.steps[0]]:
                board[cell] = 0 if op == Op.UNDO else value
            assert (reader.read(frame.pixels) == board).all()
            assert reader.worst == 0


def test_a_still_shows_its_step_and_nothing_else() -> None:
    made = Film([search(MEDIUM.grid, "row-major")], FilmSettings(**SMALL))
    *_, frame = made.draw([made.shot_of_step(5000)])
    reader = BoardReader(made.headers[0].puzzle, made.layout.blocks[0], "dark")
    assert (reader.read(frame.pixels) == board_at(made.traces[0], 5000)).all()
    assert len(reader.marks) == 1


def test_shares_near_a_bound_do_not_flicker() -> None:
    """A cell whose two digits stand for nearly half of each frame, now more, now less, keeps one
    look."""
    events = []
    for number in range(40):
        for value, steps in ((3, 16 + number % 2), (5, 17 - number % 2)):
            events.append((Op.GUESS, value, 1))
            events += [(Op.GUESS, 2, 2), (Op.UNDO, 2, 2)] * (steps // 2 - 1)
            events.append((Op.UNDO, value, 1))
    trace = MemoryTrace(Header(parse_puzzle("." * 81)), events, Outcome.CAPPED)
    made = Film([trace], FilmSettings(**SMALL, pace=Pace(Fraction(31))))
    side, corner = made.layout.blocks[0].cell, made.layout.blocks[0].board
    looks = set()
    for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True):
        if shot.phase is Phase.RACE and shot.start > made.timeline.intro + 2:
            x = corner.x + side
            looks.add(frame.pixels[corner.y : corner.y + side, x : x + side].tobytes())
    assert len(looks) <= 3


@pytest.mark.parametrize("name", theme_names())
def test_a_settled_ghost_can_be_read_on_any_heat(name: str) -> None:
    theme = load_theme(name)
    for ground in theme.heats:
        assert contrast(theme.text, ground) >= 4.5


def test_an_undone_digit_fades_within_a_few_frames() -> None:
    made = Film([search(MEDIUM.grid, "mrv")], FilmSettings(**SMALL))
    reader = BoardReader(made.headers[0].puzzle, made.layout.blocks[0], "dark")
    levels: set[int] = set()
    frames_of: dict[int, int] = {}
    for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True):
        if shot.phase is not Phase.RACE:
            continue
        reader.read(frame.pixels)
        for cell, look in reader.looks.items():
            fades = look.kind is Kind.FADING
            frames_of[cell] = frames_of.get(cell, 0) + 1 if fades else 0
            assert frames_of[cell] <= 0.15 * 60
            if fades:
                levels.add(look.tint)
    assert levels == {1, 2, 3}
