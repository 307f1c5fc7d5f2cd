"""How often each cell was tried, shown on the board itself: readable and correct."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.films import make_film
from tests.support.paths import ROOT
from tests.support.puzzles import MEDIUM
from undoku import Op, SettingsError, Trace, board_at
from undoku.render.delivery.filmstrip import filmstrip
from undoku.render.draw.canvas import Pixels
from undoku.render.draw.cell_look import CellKind, CellLook, StepMark
from undoku.render.draw.cells import draw_cell
from undoku.render.draw.colour_space import contrast, lab
from undoku.render.draw.look import Look
from undoku.render.draw.theme import SHADES, load_theme, theme_names
from undoku.render.film.film import Film
from undoku.render.panels.heat import heat_scale, heat_stops
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.solver.trace.trace import Op as Ops
from undoku.texts.wording import short_number

THEMES = ROOT / "undoku" / "render" / "draw" / "themes"

counts = st.integers(0, 10**12)


@given(counts)
def test_the_scale_says_of_every_count_which_shade_it_has(most: int) -> None:
    """Ranges follow each other without a gap, up to the most; each has a shade of its own."""
    steps = heat_scale(most)
    assert steps[0] == (0, 0, 0)
    assert steps[1].least == 1
    assert steps[-1].most == max(1, most)
    for before, after in itertools.pairwise(steps):
        assert after.least == before.most + 1
        assert after.shade > before.shade
    for step in steps:
        for tries in (step.least, step.most):
            assert int(np.searchsorted(heat_stops(most), tries, side="right")) == step.shade
    assert steps[-1].shade == SHADES - 1 or most < 6


def test_bounds_are_numbers_that_people_would_choose() -> None:
    assert [step.least for step in heat_scale(1974)] == [0, 1, 4, 10, 40, 200, 600]
    assert [step.least for step in heat_scale(3)] == [0, 1, 2, 3]
    assert [short_number(n) for n in (0, 9_999, 10_000, 12_345, 3_456_789, 10**9)] == [
        "0", "9,999", "10k", "12k", "3.4M", "1G"
    ]  # fmt: skip


@pytest.mark.parametrize("name", theme_names())
def test_digits_can_be_read_on_every_shade(name: str) -> None:
    """WCAG AA, and AAA where the theme promises it."""
    theme = load_theme(name)
    for ink, shade in zip(theme.shade_inks, theme.shades, strict=True):
        assert contrast(ink, shade) >= (7 if name == "high-contrast" else 4.5)


@pytest.mark.parametrize("name", theme_names())
def test_shades_rise_evenly_and_look_like_no_mark(name: str) -> None:
    """In lightness only, so that they are readable in grey; none could be mistaken for the
    background of a mark."""
    theme = load_theme(name)
    labs = [lab(shade) for shade in theme.shades]
    lightness = [lab[0] for lab in labs]
    rising = [b > a for a, b in itertools.pairwise(lightness)]
    assert all(rising) or not any(rising)
    assert min(math.dist(a, b) for a, b in itertools.pairwise(labs)) > 0.05
    for shade in labs:
        assert math.dist(shade, lab(theme.trying_cell)) > 0.1
        assert math.dist(shade, lab(theme.undoing_cell)) > 0.05


def test_a_theme_without_shades_of_its_own_has_readable_ones(tmp_path: Any) -> None:
    own = tmp_path / "mine.toml"
    text = (THEMES / "blackboard.toml").read_text("utf-8")
    own.write_text("\n".join(line for line in text.split("\n") if not line.startswith("tries")))
    theme = load_theme(str(own))
    assert len(set(theme.shades)) == SHADES
    for ink, shade in zip(theme.shade_inks, theme.shades, strict=True):
        assert contrast(ink, shade) >= 4.5


def film(*strategies: str, **settings: Any) -> Film:
    return make_film(*strategies, **{"heat": "overlay", **settings})


def cell_of(made: Film, pixels: Pixels, cell: int) -> Pixels:
    block = made.layout.blocks[0]
    x, y = block.board.x + cell % 9 * block.cell, block.board.y + cell // 9 * block.cell
    return pixels[y : y + block.cell, x : x + block.cell]


def tries_of(trace: Trace, step: int) -> list[int]:
    found = [0] * 81
    for op, _, cell in [e for e in trace.read().tolist() if e[0] <= Ops.UNDO][:step]:
        found[cell] += op != Op.UNDO
    return found


@pytest.mark.parametrize(("step", "theme"), [(40, "dark"), (300, "light"), (534, "dark")])
def test_every_digit_is_on_the_shade_of_its_cells_tries(theme: str, step: int) -> None:
    """Pixel for pixel; the cell of the step keeps its mark, givens keep their background."""
    made = film("mrv", theme=theme)
    *_, frame = made.draw([made.shot_of_step(step)])
    trace, puzzle = made.traces[0], made.headers[0].puzzle
    looks = Look(puzzle.problem).backgrounds(puzzle.givens)
    board, tries = board_at(trace, step), tries_of(trace, step)
    most = max(tries_of(trace, made.tallies[0].steps))
    op, value, last = trace.read().tolist()[step - 1]
    seen = set()
    for cell in range(81):
        background = looks[cell]
        shade = int(np.searchsorted(heat_stops(most), tries[cell], side="right"))
        if background.value:
            look = background
        elif cell == last and step < 534:
            mark = StepMark.UNDOING if op == Op.UNDO else StepMark.TRYING
            kind = CellKind.EMPTY if op == Op.UNDO else CellKind.GUESS
            look = replace(background, kind=kind, value=value, mark=mark)
        elif board[cell]:
            look = replace(background, kind=CellKind.GUESS, value=int(board[cell]), tries=1 + shade)
            seen.add(shade)
        else:
            continue
        expected = draw_cell(look, made.layout.blocks[0].cell, made.theme)
        assert (cell_of(made, frame.pixels, cell) == expected).all()
    assert len(seen) >= {40: 2, 300: 3, 534: 3}[step]


def test_the_legend_names_the_counts_in_the_colours_of_the_board() -> None:
    made = film("row-major", "mrv", pace=Pace(duration=Fraction(2)))
    box = made.layout.legend
    assert box
    frame = next(iter(made.frames()))
    row = frame.pixels[box.y + 2, box.x : box.right]
    shown = {tuple(colour) for colour in row.tolist()}
    assert set(made.theme.shades) <= shown
    assert made.script.most_tried == max(tries_of(made.traces[0], 10**9))


def test_the_option_heat_determines_the_layout() -> None:
    """An overlay needs no panel beside the board; without it there is no legend."""
    assert "heat" not in film("mrv").layout.blocks[0].panels
    assert "heat" not in film("mrv", panels=("board", "heat")).layout.blocks[0].panels
    assert "heat" in film("mrv", heat="beside", panels=("board",)).layout.blocks[0].panels
    assert film("mrv", heat="beside").layout.legend is None
    assert film("mrv", heat="").layout.legend is None
    with pytest.raises(SettingsError, match="there is no heat 'above'"):
        FilmSettings(heat="above")


def test_a_filmstrip_of_a_board_of_any_size_has_the_shades_too() -> None:
    for puzzle, least in ((MEDIUM.grid, 5), ("1..." + "." * 8 + "...4", 2)):
        frame, _ = filmstrip(film("mrv", puzzle=puzzle, width=640, height=360), 4)
        colours = {tuple(colour) for colour in frame.pixels.reshape(-1, 3).tolist()}
        assert len(colours & set(load_theme("dark").shades)) >= least


def test_pencil_marks_and_ghosts_can_be_read_on_shades() -> None:
    """Their ink is the shade's, not the one of the plain background."""
    theme = load_theme("dark")
    for shade in range(SHADES):
        for look in (
            CellLook(CellKind.PENCIL, candidates=7, tries=1 + shade),
            CellLook(CellKind.GHOST, 1, tries=1 + shade),
        ):
            seen = {tuple(colour) for colour in draw_cell(look, 64, theme).reshape(-1, 3).tolist()}
            assert {theme.shades[shade], theme.shade_inks[shade]} <= seen
