"""What a slow film shows beside the digits: candidates, struck ones, dead ends, failed units."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.films import make_film
from tests.support.puzzles import MEDIUM
from tests.support.system import ROOT
from undoku import Header, MemoryTrace, Op, Outcome, Puzzle, SettingsError, Trace, board_at, search
from undoku.render.delivery.filmstrip import filmstrip
from undoku.render.draw.canvas import Pixels
from undoku.render.draw.cell_look import CellKind, CellLook, StepMark
from undoku.render.draw.cells import cell_colours, digit_strength, draw_cell
from undoku.render.draw.colour_space import contrast, lab, mix
from undoku.render.draw.lettering import LEVELS
from undoku.render.draw.look import Look
from undoku.render.draw.theme import HEATS, SHADES, TINTS, load_theme, theme_names
from undoku.render.film.film import Film
from undoku.render.panels.heat import heat_scale, heat_stops
from undoku.render.panels.mark_painting import STRENGTHS, CellMark, Sign, marked
from undoku.render.playback.player import Player
from undoku.render.playback.step_reasons import candidates, reason
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.solver.problem.problem import Unit
from undoku.solver.problem.puzzle import standard_geometry
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.problem.variants import with_groups, with_units, with_windows
from undoku.solver.trace.trace import Op as Ops
from undoku.texts.wording import short_number

PUZZLES = ROOT / "examples" / "puzzles"


def still(strategy: str, step: int, **settings: Any) -> tuple[Film, Pixels]:
    made = Film([search(MEDIUM.grid, strategy)], FilmSettings(width=1280, height=720, **settings))
    *_, frame = made.draw([made.shot_of_step(step)])
    return made, frame.pixels


def cell_of(made: Film, pixels: Pixels, cell: int) -> Pixels:
    block = made.layout.blocks[0]
    x = block.board.x + cell % 9 * block.cell
    y = block.board.y + cell // 9 * block.cell
    return pixels[y : y + block.cell, x : x + block.cell]


@pytest.mark.parametrize(("strategy", "step"), [("mrv", 3), ("mrv+locked", 30), ("mrv+locked", 31)])
def test_pencil_marks_are_the_candidates_and_struck_ones_what_inference_removed(
    strategy: str, step: int
) -> None:
    made, pixels = still(strategy, step)
    trace = made.traces[0]
    puzzle, board = made.headers[0].puzzle, board_at(trace, step)
    removed: set[tuple[int, int]] = set()
    done = 0
    last = -1
    for op, value, cell in trace.read().tolist():
        if op <= Op.UNDO:
            if done == step:
                break
            done, last = done + 1, cell
        elif op == Op.ELIMINATE:
            removed.add((cell, value))
        else:
            removed.discard((cell, value))
    theme, side = load_theme("dark"), made.layout.blocks[0].cell
    looks = Look(puzzle.problem).backgrounds(puzzle.givens)
    seen = 0
    for cell in range(81):
        if board[cell] or cell == last:
            continue
        masks = {True: 0, False: 0}
        for value in candidates(puzzle, board, cell):
            masks[(cell, value) in removed] |= 1 << (value - 1)
        look = CellLook(
            CellKind.PENCIL,
            left=looks[cell].left,
            top=looks[cell].top,
            candidates=masks[False],
            struck=masks[True],
        )
        assert (cell_of(made, pixels, cell) == draw_cell(look, side, theme)).all()
        seen += 1
    assert seen > 10


def outlined(made: Film, pixels: Pixels) -> dict[int, set[str]]:
    """The sides with a part of an outline, of each cell that has any."""
    side, colour = made.layout.blocks[0].cell, made.theme.undoing
    half, found = side // 2, {}
    for cell in range(81):
        seen = (cell_of(made, pixels, cell) == colour).all(2)
        edges = {"left": seen[half, 2:6].any(), "right": seen[half, -2:].all(),
                 "top": seen[2:6, half].any(), "bottom": seen[-2:, half].all()}  # fmt: skip
        if sides := {name for name, there in edges.items() if there}:
            found[cell] = sides
    return found


SIDES = {"left": (0, -1), "right": (0, 1), "top": (-1, 0), "bottom": (1, 0)}


def outline_of(cells: Sequence[int]) -> dict[int, set[str]]:
    """For each cell the sides on which the group of cells ends."""
    members = {divmod(cell, 9) for cell in cells}
    ends = {
        row * 9 + column: {
            name
            for name, (down, right) in SIDES.items()
            if (row + down, column + right) not in members
        }
        for row, column in members
    }
    return {cell: sides for cell, sides in ends.items() if sides}


def test_a_unit_without_a_place_for_a_value_has_one_outline() -> None:
    """After step 6 row 1 of the medium puzzle has no place left for 9. The outline runs around the
    row, and over the lines between its cells."""
    made, pixels = still("row-major", 6)
    assert outlined(made, pixels) == outline_of(range(9))
    board, side = made.layout.blocks[0].board, made.layout.blocks[0].cell
    foot = pixels[board.y + side - 2, board.x + 4 : board.x + 9 * side - 4]
    assert (foot == made.theme.undoing).all()


def test_a_cell_without_candidates_is_crossed_out_whatever_the_speed() -> None:
    grid = "12345678." + "." * 17 + "9" + "." * 54  # r1c9 sees the 9 of r3c9
    puzzle = parse_puzzle(grid)
    for pace in (Pace(Fraction(1, 30)), Pace(Fraction(1))):
        made = Film([search(puzzle, "row-major")], FilmSettings(pace=pace))
        *_, frame = made.draw([made.timeline.shot_at(0)])
        block = made.layout.blocks[0]
        seen = cell_of(made, frame.pixels, 8)
        expected = draw_cell(CellLook(CellKind.PENCIL, top=True), block.cell, load_theme("dark"))
        assert (seen == expected).all()


def test_fast_films_have_no_pencil_marks() -> None:
    made = Film([search(MEDIUM.grid, "mrv")], FilmSettings(pace=Pace(Fraction(1))))
    shots = [made.timeline.shot_at(number) for number in range(100, 110)]
    *_, frame = made.draw(shots)
    empty = draw_cell(CellLook(CellKind.EMPTY), made.layout.blocks[0].cell, load_theme("dark"))
    board = board_at(made.traces[0], shots[-1].steps[0])
    looks = Look(made.headers[0].puzzle.problem).backgrounds(made.headers[0].puzzle.givens)
    plain = [
        cell
        for cell in range(81)
        if not board[cell] and not looks[cell].left and not looks[cell].top
    ]
    assert sum(bool((cell_of(made, frame.pixels, c) == empty).all()) for c in plain) > 10


WINDOWS = parse_puzzle((PUZZLES / "windows.txt").read_text("utf-8"))


Events = Sequence[tuple[int, int, int]]


def drawn(puzzle: Puzzle, events: Events, **settings: Any) -> tuple[Film, Pixels]:
    """The picture after all of these events, with the marks of slow films."""
    trace = MemoryTrace(Header(puzzle), [*events, (Op.GUESS, 1, 0)], Outcome.CAPPED)
    made = Film([trace], FilmSettings(width=1280, height=720, **settings))
    *_, frame = made.draw([made.shot_of_step(len(events))])
    return made, frame.pixels


DIAGONALS = parse_puzzle((PUZZLES / "diagonals.txt").read_text("utf-8"))


@pytest.mark.parametrize(
    ("puzzle", "theme", "heat"),
    [(WINDOWS, "light", "overlay"), (DIAGONALS, "dark", "")],
    ids=["windows", "diagonals"],
)
def test_the_cells_of_windows_and_diagonals_are_tinted(
    puzzle: Puzzle, theme: str, heat: str
) -> None:
    """By 6 % of the ink, whatever their background; givens too. No line is drawn."""
    made, pixels = drawn(puzzle, [], theme=theme, heat=heat)
    units = [unit for unit in puzzle.problem.units if unit.kind in ("window", "diagonal")]
    extra = {cell for unit in units for cell in unit.cells}
    side = made.layout.blocks[0].cell
    for cell in range(81):
        background = made.theme.given_cell if puzzle.givens[cell] else made.theme.cell
        tinted = mix(background, made.theme.text, 0.06)
        seen = cell_of(made, pixels, cell)
        beside_digit = tuple(seen[side // 2, -4].tolist())
        assert beside_digit == (tinted if cell in extra else background)
        assert not (seen[4:, 4:] == made.theme.strong_line).all(2).any()


@pytest.mark.parametrize("name", theme_names())
def test_digits_can_be_read_on_tinted_cells(name: str) -> None:
    theme = load_theme(name)
    looks = [
        *(
            CellLook(kind, 8, tint)
            for kind in (CellKind.GUESS, CellKind.FORCED)
            for tint in range(TINTS)
        ),
        *(CellLook(CellKind.GHOST, 8, s, heat=heat) for s in (0, 1) for heat in range(HEATS)),
        *(CellLook(CellKind.GUESS, 8, tries=shade) for shade in range(1, SHADES + 1)),
        CellLook(CellKind.GIVEN, 8),
        CellLook(CellKind.PENCIL, candidates=3, struck=4),
        CellLook(CellKind.GUESS, 8, mark=StepMark.TRYING),
        CellLook(CellKind.GUESS, 8, mark=StepMark.PASSING),
        CellLook(CellKind.EMPTY, 8, mark=StepMark.UNDOING),
    ]
    for look in looks:
        for extra in (False, True):
            background, ink, _ = cell_colours(look._replace(extra=extra), theme)
            strength = digit_strength(look) / (LEVELS - 1)
            assert contrast(mix(background, ink, strength), background) >= 4.5, (look, extra)


def test_scattered_units_have_tabs_in_places_of_their_own() -> None:
    """Cells of one group have their tab in one place, those of two groups in two."""
    puzzle = Puzzle((0,) * 81, with_groups(standard_geometry()))
    made, pixels = drawn(puzzle, [])
    places: dict[tuple[int, ...], set[int]] = {}
    for unit in puzzle.problem.units:
        for cell in unit.cells if unit.kind == "group" else ():
            foot = cell_of(made, pixels, cell)[-1, 6:] == np.array(made.theme.strong_line)
            place = tuple(np.flatnonzero(foot.all(1)).tolist())
            places.setdefault(place, set()).add(unit.index)
    assert len(places) == 9
    assert all(place and len(groups) == 1 for place, groups in places.items())


def test_units_that_overlap_have_an_outline_each() -> None:
    """A tint alone does not show which of its cells belong together, or where they touch."""
    rings = [Unit("ring", 1, (30, 31, 39, 40)), Unit("ring", 2, (40, 41, 49, 50))]
    looks = Look(with_units(standard_geometry(), rings)).backgrounds((0,) * 81)
    assert looks[40].cages == (4 | 8) | (1 | 2) << 4
    assert (looks[30].cages, looks[50].cages) == (1 | 2, (4 | 8) << 4)
    assert not any(look.tabs for look in looks)
    assert {cell for cell in range(81) if looks[cell].extra} == {30, 31, 39, 40, 41, 49, 50}
    apart = [Unit("ring", 1, (0, 1, 9, 10)), Unit("ring", 2, (40, 41, 49, 50))]
    looks = Look(with_units(standard_geometry(), apart)).backgrounds((0,) * 81)
    assert not any(look.cages for look in looks)
    beside = [Unit("pair", 1, (0, 1)), Unit("pair", 2, (2, 3))]
    looks = Look(with_units(standard_geometry(), beside)).backgrounds((0,) * 81)
    assert all(looks[cell].cages for cell in range(4))


def test_a_window_without_a_place_for_a_value_is_outlined() -> None:
    """9s outside the first window see all of its empty cells; every row, column and box still has
    a place for one."""
    puzzle = Puzzle((0,) * 81, with_windows(standard_geometry()))
    window = puzzle.problem.units[-4]
    assert window.name == "window 1"
    # The rows 2 and 3 and the column 4 of the window r2c2-r4c4 are taken; r4c2 and r4c3 filled.
    events = [(Op.GUESS, 9, 17), (Op.GUESS, 9, 18), (Op.GUESS, 9, 75),
              (Op.GUESS, 1, 28), (Op.GUESS, 2, 29)]  # fmt: skip
    made, pixels = drawn(puzzle, events)
    assert outlined(made, pixels) == outline_of(window.cells)


def test_a_short_unit_with_fewer_values_than_cells_is_outlined() -> None:
    """Three cells that may hold two values."""
    pair = Unit("trio", 1, (0, 40, 80))
    events = [
        (Op.GUESS, value, cell)
        for cells in (range(1, 8), (41, 42, 43, 44, 36, 37, 38), range(79, 72, -1))
        for value, cell in zip(range(3, 10), cells, strict=True)
    ]
    plain = Puzzle((0,) * 81, standard_geometry())
    made, pixels = drawn(plain, events)
    assert outlined(made, pixels) == {}
    made, pixels = drawn(Puzzle((0,) * 81, with_units(standard_geometry(), [pair])), events)
    assert outlined(made, pixels) == outline_of((0, 40, 80))
    undo = (Op.UNDO, *events[-1][1:])
    undone = Player(MemoryTrace(made.headers[0], [*events, undo], Outcome.CAPPED))
    message = reason(made.headers[0].puzzle, undone.advance(len(events) + 1))
    assert message == "Trio 1 has 3 cells for 2 values: back to row 9, column 2"


# How often each cell was tried, shown on the board itself: readable and correct.


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
            look = background._replace(kind=kind, value=value, mark=mark)
        elif board[cell]:
            look = background._replace(kind=CellKind.GUESS, value=int(board[cell]), tries=1 + shade)
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


@pytest.mark.parametrize("sign", [Sign.RING, Sign.GLOW, Sign.OPTION])
def test_a_field_inside_a_state_has_neither_its_ring_nor_its_dot(sign: Sign) -> None:
    """The ring is on the border of the state, the dot where its name is."""
    looks = Look(parse_puzzle("map:usa").problem).backgrounds((0,) * 48)
    inner = next(each for each in looks if each.bare and not each.sides)
    cell = np.full((24, 24, 3), 20, np.uint8)
    mark = CellMark(sign, STRENGTHS, (250, 0, 0))
    assert (marked(cell, inner, mark, (0, 0, 0)) == cell).all()
