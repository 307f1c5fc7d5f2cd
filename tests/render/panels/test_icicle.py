"""Large trees: exact however many nodes share a pixel, at rest once drawn, all on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.event_walks import Event, observe, slow_nodes, walks
from tests.support.films import MakeFilm
from tests.support.puzzles import MEDIUM
from undoku import Limits, Outcome, Puzzle, search
from undoku.render.draw.canvas import Rect
from undoku.render.draw.colour_space import Colour, contrast
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import text_width
from undoku.render.draw.theme import load_theme, theme_names
from undoku.render.film.film import Film
from undoku.render.panels.panel import chart_box
from undoku.render.panels.search_tree import colours_of_rows
from undoku.render.playback.tree_profile import LEVELS, Icicle
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.trace.steps import fold

EMPTY = parse_puzzle("." * 81)


def nodes_of(column: int, columns: int, most: int) -> range:
    first = column * most // columns
    return range(first, max(first + 1, (column + 1) * most // columns))


def slow_levels(events: Sequence[Event], columns: int, rows: int, depths: int, most: int) -> Any:
    """Each pixel by itself: which of its nodes, at which of its depths, are below a node there."""
    of_node, lasts, _, _ = slow_nodes(events)
    levels = np.zeros((rows, columns), np.uint8)
    for row in range(rows):
        of_row = range(row * depths // rows, (row + 1) * depths // rows)
        for column in range(columns):
            covered = sum(
                of_node[node] == depth and node <= other <= lasts[node]
                for other in nodes_of(column, columns, most)
                for depth in of_row
                for node in range(len(of_node))
            )
            share = Fraction(covered, len(nodes_of(column, columns, most)) * len(of_row))
            levels[row, column] = -(-share * LEVELS // 1)
    return levels


def begun(puzzle: Puzzle, events: Sequence[Event], cuts: Sequence[int], **scale: int) -> Icicle:
    icicle = Icicle(puzzle, **scale)
    observe(icicle, puzzle, events, cuts)
    return icicle


@given(
    walks(), st.integers(1, 90), st.integers(1, 90), st.integers(0, 40),
    st.lists(st.integers(0, 80), max_size=4),
)  # fmt: skip
def test_every_pixel_is_the_exact_share_of_its_nodes(
    events: list[Event], columns: int, rows: int, more: int, cuts: list[int]
) -> None:
    """More columns than nodes and fewer, more depths than rows, searches that continue later."""
    of_node, _, path, _ = slow_nodes(events)
    most, depths = len(of_node) + more, max(of_node) + 1
    rows = min(rows, depths)
    icicle = begun(EMPTY, events, cuts, columns=columns, rows=rows, deepest=depths - 1, most=most)
    assert icicle.levels.tolist() == slow_levels(events, columns, rows, depths, most).tolist()
    assert icicle.count == len(of_node)
    assert icicle.depth == len(path) - 1
    holding = [c for c in range(columns) if len(of_node) - 1 in nodes_of(c, columns, most)]
    assert icicle.column == holding[-1]
    for depth, node in enumerate(path):
        first = next(c for c in range(columns) if node in nodes_of(c, columns, most))
        assert icicle.starts[depth] == first


@given(walks(), st.integers(1, 200))
def test_wide_nodes_that_failed_end_in_a_cut(events: list[Event], columns: int) -> None:
    of_node, lasts, _, failed = slow_nodes(events)
    most, depths = len(of_node), max(of_node) + 1
    icicle = begun(EMPTY, events, [], columns=columns, rows=depths, deepest=depths - 1, most=most)
    expected = np.zeros((depths, columns), np.uint8)
    for node, depth in enumerate(of_node):
        ends = [c for c in range(columns) if lasts[node] in nodes_of(c, columns, most)][-1]
        begins = next(c for c in range(columns) if node in nodes_of(c, columns, most))
        if failed[node] and ends - begins >= 3:
            expected[depth, ends] = 1
    assert icicle.cuts.tolist() == expected.tolist()


def test_a_tree_with_more_nodes_than_there_is_room_for_stays_in_its_picture_and_memory() -> None:
    trace = search(MEDIUM.grid, "row-major")
    icicle = Icicle(trace.header.puzzle, 40, 20, 56, 100)
    arrays = [icicle.levels, icicle.cuts, icicle.starts]
    fold(trace, [icicle])
    assert icicle.count == trace.tally().nodes
    assert icicle.column == 39
    assert icicle.levels.max() == LEVELS
    assert [*map(id, arrays)] == [*map(id, (icicle.levels, icicle.cuts, icicle.starts))]


def chart_of(made: Film, number: int = 0) -> Rect:
    box = made.layout.blocks[number].panels["tree"]
    assert box
    return chart_box(box, made.layout.text)


def seen(pixels: Any, chart: Rect) -> Any:
    return pixels[chart.y : chart.bottom, chart.x : chart.right].astype(int)


@pytest.mark.parametrize(
    ("strategies", "rate", "last"),
    [
        (("row-major", "mrv"), 1, 500),
        (("row-major", "mrv"), 37, None),
        (("row-major", "mrv"), 2_000, None),
        (("mrv",), 1, None),
        (("mrv",), 37, None),
    ],
)
def test_a_tree_drawn_in_steps_is_the_tree_drawn_at_once(
    film: MakeFilm, strategies: tuple[str, ...], rate: int, last: int | None
) -> None:
    """Icicles, and nodes with links, at regular intervals, and at the end; all changes are in the
    reported rectangles."""
    made = film(*strategies, width=640, height=360, intro=0, card=0, hold=0,
                pace=Pace(Fraction(rate), last=last))  # fmt: skip
    charts = [chart_of(made, number) for number in range(len(strategies))]
    kept = np.zeros((360, 640, 3), np.uint8)
    shots = list(made.timeline.shots())
    some = {0, 1, 2, len(shots) // 3, len(shots) // 2, len(shots) - 1}
    for number, (shot, frame) in enumerate(zip(shots, made.frames(), strict=True)):
        for (x, y, width, height), _ in frame.changes:
            place = slice(y, y + height), slice(x, x + width)
            kept[place] = frame.pixels[place]
        for chart in charts:
            assert (seen(kept, chart) == seen(frame.pixels, chart)).all()
        if number in some:
            *_, once = made.draw([shot])
            for chart in charts:
                assert (seen(kept, chart) == seen(once.pixels, chart)).all()


@pytest.mark.parametrize("step", [500, 3000])
def test_the_path_is_alive_and_nothing_is_drawn_before_its_time(film: MakeFilm, step: int) -> None:
    """The root is on the path: its row is alive up to the present node, and empty after it."""
    made = film("row-major", width=640, height=360, pace=Pace(Fraction(23)))
    *_, frame = made.draw([made.shot_of_step(step)])
    root = seen(frame.pixels, chart_of(made))[0]
    drawn = (root != made.theme.cell).any(1)
    present = int(drawn.sum())
    assert 0 < present < len(root)
    assert drawn[:present].all()
    alive = {made.theme.scale[0], made.theme.text}
    assert {tuple(colour) for colour in root[:present].tolist()} == alive


def test_trees_side_by_side_have_one_scale(film: MakeFilm) -> None:
    """A tree with a thirtieth of the nodes is a thirtieth as wide."""
    made = film("row-major", "mrv", width=1920, height=1080, hold=0)
    *_, frame = made.draw([made.shot_of_step(made.timeline.longest)])
    background = np.array(load_theme("dark").cell)
    widths = []
    for number in (0, 1):
        drawn = (seen(frame.pixels, chart_of(made, number)) != background).any(2).any(0)
        widths.append(int(np.flatnonzero(drawn).max()) + 1)
        assert drawn[: widths[-1]].all()
    nodes = [tally.nodes for tally in made.tallies]
    assert widths[0] == chart_of(made).width
    assert abs(widths[1] - widths[0] * nodes[1] / nodes[0]) <= 1


def test_the_path_to_the_solution_is_left_or_that_of_a_stopped_search_or_nothing() -> None:
    theme = load_theme("dark")
    greys = set(map(tuple, colours_of_rows(theme, 1, 1)[0, : LEVELS + 1].tolist()))
    unsolvable = MEDIUM.grid.replace("000670020", "000670021", 1)
    for grid, nodes, outcome, present, path in (
        (MEDIUM.grid, None, Outcome.SOLVED, {theme.accent}, ()),
        (MEDIUM.grid, 3000, Outcome.CAPPED, {theme.text}, theme.scale),
        (unsolvable, None, Outcome.EXHAUSTED, set[Colour](), ()),
    ):
        trace = search(grid, "row-major", Limits(max_nodes=nodes))
        assert trace.tally().outcome is outcome
        made = Film([trace], FilmSettings())
        *_, frame = made.draw([made.shot_of_step(made.timeline.longest)])
        colours = {*map(tuple, seen(frame.pixels, chart_of(made)).reshape(-1, 3).tolist())}
        assert colours - greys - {*path} == present


@pytest.mark.parametrize("name", theme_names())
def test_open_nodes_differ_from_failed_ones(name: str) -> None:
    """In every theme; and the shades of failed nodes can be distinguished."""
    theme = load_theme(name)
    looks = [tuple(colour) for colour in colours_of_rows(theme, 1, 1)[0].tolist()]
    assert looks[0] == theme.cell
    against_background = [contrast(shade, theme.cell) for shade in looks[: LEVELS + 1]]
    assert all(second > first * 1.03 for first, second in pairwise(against_background))
    for living in (theme.accent, theme.text, *theme.scale):
        assert contrast(living, theme.cell) > against_background[-1] * 1.2


@pytest.mark.parametrize("width", [1280, 640])
def test_a_caption_has_the_number_of_nodes_so_far(film: MakeFilm, width: int) -> None:
    """The number changes alone, after its text, with the nodes of the frame."""
    made = film("row-major", width=width, height=width * 9 // 16, pace=Pace(Fraction(23)))
    box, size = made.layout.blocks[0].panels["tree"], made.layout.text.label
    assert box
    line = Rect(box.x, box.y, box.width, chart_of(made).y - box.y)
    one, two, same = (
        seen(made.still(made.shot_of_step(step))[0].pixels, line) for step in (300, 4000, 4000)
    )
    assert (two == same).all()
    changed = (one != two).any(2).any(0).nonzero()[0]
    caption = min(text_width(text, Face.REGULAR, size) for text in ("nodes of the tree:", "nodes:"))
    assert len(changed)
    assert changed.min() > caption
    ink = (two != np.array(made.theme.background)).any(2).any(0).nonzero()[0]
    assert ink.max() < box.width - 1
