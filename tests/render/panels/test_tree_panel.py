"""Search trees beside boards: at rest once drawn, on one scale, with a path that stands out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.support.films import film_of, make_film
from tests.support.puzzles import EASY, MEDIUM, Published
from undoku import Limits, Op, Outcome, Trace, search
from undoku.render.draw.canvas import Canvas, Pixels, Rect
from undoku.render.draw.colour_space import Colour, contrast
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import text_width
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import SpriteBook
from undoku.render.draw.theme import load_theme, theme_names
from undoku.render.film.film import Film
from undoku.render.panels.lap_tree import LapTree
from undoku.render.panels.panel import Moment, PanelContext, chart_box, show
from undoku.render.panels.tree_panel import tree_colours
from undoku.render.playback.branches import WRONG, Branches
from undoku.render.playback.history import History
from undoku.render.playback.player import Player
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace, Phase, Shot
from undoku.solver.trace.steps import fold


def chart_of(made: Film, number: int = 0) -> Rect:
    box = made.layout.blocks[number].panels["tree"]
    assert box
    return chart_box(box, made.layout.text)


def seen(pixels: Any, chart: Rect) -> Any:
    return pixels[chart.y : chart.bottom, chart.x : chart.right].astype(int)


@pytest.mark.parametrize(
    ("strategies", "rate", "last"),
    [
        (("row-major", "mrv"), 1, 100),
        (("row-major", "mrv"), 97, None),
        (("mrv",), 1, None),
    ],
)
def test_a_tree_drawn_in_steps_is_the_tree_drawn_at_once(
    strategies: tuple[str, ...], rate: int, last: int | None
) -> None:
    """Large trees and small ones, at regular intervals, and at the end; all changes are in the
    reported rectangles."""
    made = make_film(*strategies, width=640, height=360, intro=0, card=0, hold=0,
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
def test_the_path_stands_out_and_nothing_is_drawn_before_its_time(step: int) -> None:
    """Each depth up to the current one has its part of the path, on the right of all nodes."""
    made = make_film("row-major", width=640, height=360, pace=Pace(Fraction(23)))
    *_, frame = made.draw([made.shot_of_step(step)])
    chart = seen(frame.pixels, chart_of(made))
    path = (chart == made.theme.text).all(2)
    drawn = (chart != made.theme.cell).any(2).any(0)
    present = int(drawn.sum())
    assert 0 < present < len(drawn)
    assert drawn[:present].all()
    depths = path.any(1)
    assert depths[: int(depths.sum())].all()
    assert path[:, :present].any(0).all()


def test_trees_side_by_side_have_one_scale() -> None:
    """A tree with a thirtieth of the nodes is a thirtieth as wide."""
    made = make_film("row-major", "mrv", width=1920, height=1080, hold=0)
    *_, frame = made.draw([made.shot_of_step(made.timeline.longest)])
    background = np.array(load_theme("dark").cell)
    widths = []
    for number in (0, 1):
        drawn = (seen(frame.pixels, chart_of(made, number)) != background).any(2).any(0)
        widths.append(int(np.flatnonzero(drawn).max()) + 1)
        assert drawn[: widths[-1]].all()
    nodes = [tally.nodes for tally in made.tallies]
    assert abs(widths[0] - chart_of(made).width) <= 3
    assert abs(widths[1] - widths[0] * nodes[1] / nodes[0]) <= 3


def test_the_path_to_the_solution_is_left_or_that_of_a_stopped_search_or_nothing() -> None:
    theme = load_theme("dark")
    empty, failed, _, _ = tree_colours(theme)
    unsolvable = MEDIUM.grid.replace("000670020", "000670021", 1)
    for grid, nodes, outcome, present in (
        (MEDIUM.grid, None, Outcome.SOLVED, {theme.accent}),
        (MEDIUM.grid, 3000, Outcome.CAPPED, {theme.text}),
        (unsolvable, None, Outcome.EXHAUSTED, set[Colour]()),
    ):
        trace = search(grid, "row-major", Limits(max_nodes=nodes))
        assert trace.tally().outcome is outcome
        made = Film([trace], FilmSettings())
        *_, frame = made.draw([made.shot_of_step(made.timeline.longest)])
        colours = {*map(tuple, seen(frame.pixels, chart_of(made)).reshape(-1, 3).tolist())}
        assert colours - {empty, failed} == present


@pytest.mark.parametrize("name", theme_names())
def test_the_path_differs_from_failed_branches_and_these_from_the_background(name: str) -> None:
    empty, failed, *living = tree_colours(load_theme(name))
    assert contrast(failed, empty) > 2
    for ink in living:
        assert contrast(ink, empty) > contrast(failed, empty) * 1.2


@pytest.mark.parametrize("width", [1280, 640])
def test_a_caption_has_the_number_of_nodes_so_far(width: int) -> None:
    """The number changes alone, after its text, with the nodes of the frame."""
    made = make_film("row-major", width=width, height=width * 9 // 16, pace=Pace(Fraction(23)))
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


# The trees of all searches below the board that goes on alone.


CHART = Rect(16, 8, 600, 120)
SIZE = 640, 136


class Drawn:
    """A film's shots, of which the trees in `chart` are drawn."""

    def __init__(self, film: Film, chart: Rect = CHART) -> None:
        self.film, self.canvas = film, Canvas(*SIZE)
        book, script = SpriteBook(film.theme), film.script
        script = replace(script, layout=script.layout._replace(chart=chart), _shared={})
        self.panels = [
            LapTree(PanelContext(script, number, chart, History(header.puzzle), book))
            for number, header in enumerate(film.headers)
        ]
        self.draft = Draft(book.index, 1)
        self.canvas.fill(Rect(0, 0, *SIZE), film.theme.background)
        searches = zip(film.traces, self.panels, strict=True)
        self.players = [Player(trace, panel.recorders) for trace, panel in searches]

    def draw(self, shot: Shot) -> Pixels:
        now = zip(self.players, shot.steps, strict=True)
        snapshots = [player.advance(step) for player, step in now]
        show(self.panels, self.canvas, Moment(shot, self.film.timeline, snapshots), self.draft)
        return self.canvas.pixels

    def of(self, colour: Sequence[int]) -> int:
        """The number of pixels of a colour."""
        return int((self.canvas.pixels == np.array(colour, np.uint8)).all(2).sum())


@pytest.fixture(scope="module")
def race() -> Film:
    return film_of("row-major", "mrv", fps=10)


def last_of(film: Film) -> Shot:
    return film.timeline.shot_at(film.timeline.frames - film.timeline.card - 1)


def branches_of(trace: Trace, per_row: int) -> set[tuple[int, int, int]]:
    """(depth, row, row of the parent) of all nodes but the root, found one by one; all places are
    decisions."""
    path, found, nodes = [0], set(), 1
    for op in trace.read()["op"].tolist():
        if op == Op.UNDO:
            path.pop()
        elif op == Op.GUESS:
            found.add((len(path), nodes // per_row, path[-1] // per_row))
            path.append(nodes)
            nodes += 1
    return found


@pytest.mark.parametrize("per_row", [1, 7, 300])
@pytest.mark.parametrize("strategy", ["row-major", "mrv", "mrv-random:3+luby:2"])
def test_each_branch_leads_from_the_row_of_its_parent(strategy: str, per_row: int) -> None:
    trace = search(MEDIUM.grid, strategy, Limits(max_nodes=700))
    rows = -(-trace.tally().nodes // per_row)
    tree = Branches(trace.header.puzzle, rows, per_row)
    fold(trace, [tree])
    arrays = tree.arrays
    found = {(depth, row, row) for depth, row in np.argwhere(arrays.same).tolist()}
    for depth, row in np.argwhere(arrays.falling).tolist():
        found.add((depth, row, int(arrays.origins[depth, row])))
    assert found == branches_of(trace, per_row)


def test_a_branch_is_wrong_from_the_place_of_a_wrong_digit_up_to_its_undo() -> None:
    trace = search(MEDIUM.grid, "row-major", Limits(max_nodes=50))
    spans = [(1, 2), (4, 9)]
    tree = Branches(trace.header.puzzle, 50, 1, spans)
    fold(trace, [tree])
    steps = np.flatnonzero(trace.read()["op"] == Op.GUESS) + 1
    wrong = {n + 1 for n, step in enumerate(steps.tolist())
             if any(first <= step < last for first, last in spans)}  # fmt: skip
    arrays = tree.arrays
    rows = np.flatnonzero(((arrays.same == WRONG) | (arrays.falling == WRONG)).any(0))
    assert wrong
    assert {*rows.tolist()} == wrong


def test_all_trees_have_one_scale_so_that_one_is_bushy_and_one_is_a_thread(race: Film) -> None:
    """The tree with 30 times as many nodes takes nearly all rows; both reach the last column,
    because each filled all cells."""
    drawn = Drawn(race)
    drawn.draw(last_of(race))
    inks = drawn.canvas.pixels != np.array(race.theme.background, np.uint8)
    thread = (drawn.canvas.pixels == np.array(race.theme.search_colour(1), np.uint8)).all(2)
    used = [int(inked.any(1).sum()) for inked in (inks.any(2) & ~thread, thread)]
    assert 9 <= used[0] / used[1] <= 31
    assert sum(used) > 0.7 * CHART.height
    for inked in (inks.any(2) & ~thread, thread):
        assert np.flatnonzero(inked.any(0))[-1] >= CHART.right - 2


@pytest.mark.parametrize("chart", [Rect(4, 4, 150, 30), Rect(4, 4, 90, 50), Rect(0, 0, 640, 136)])
@pytest.mark.parametrize("searches", [2, 6])
def test_trees_in_a_chart_of_any_size_stay_in_it_and_apart(searches: int, chart: Rect) -> None:
    names = "row-major", "mrv", "spiral", "mrv-degree", "column-major", "mrv+singles"
    film = film_of(*names[:searches], limits=Limits(max_nodes=9000), fps=10)
    drawn = Drawn(film, chart)
    drawn.draw(last_of(film))
    pixels, ground = drawn.canvas.pixels.copy(), np.array(film.theme.background, np.uint8)
    # All of the longest one may be after a wrong digit.
    longest = film.timeline.totals.index(film.timeline.longest)
    for number in {*range(searches)} - {longest}:
        assert drawn.of(film.theme.search_colour(number))
    pixels[chart.y : chart.bottom, chart.x : chart.right] = ground
    assert (pixels == ground).all()


# The chart of depths, column by column.


THEME = load_theme("dark")


def depths_of(trace: Trace) -> list[int]:
    """The depth after each step, from the state before the first on; all are guesses here."""
    ops = trace.read()["op"]
    return [0, *np.cumsum(np.where(ops == Op.UNDO, -1, 1)).tolist()]


@pytest.mark.parametrize(("puzzle", "rate"), [(MEDIUM, 20), (MEDIUM, 997), (EASY, 1)])
def test_the_depth_chart_shows_every_columns_least_and_greatest_depth(
    puzzle: Published, rate: int
) -> None:
    """Bright exactly between them, however many steps a frame has, and in a chart with more columns
    than steps; background where nothing is drawn yet."""
    made = make_film("row-major", "mrv", puzzle=puzzle.grid, pace=Pace(Fraction(rate)))
    shots = zip(made.timeline.shots(), made.frames(), strict=True)
    pixels = next(frame.pixels for shot, frame in shots if shot.phase is Phase.HOLD)
    total = made.tallies[0].steps
    deepest = max(tally.max_depth for tally in made.tallies)
    for number, block in enumerate(made.layout.blocks):
        chart = chart_box(block.panels["depth"], made.layout.text)
        depths = depths_of(made.traces[number])
        seen = pixels[chart.y : chart.bottom, chart.x : chart.right]
        reached = made.tallies[number].steps * chart.width // total
        for column in range(0, chart.width, 7):
            lit = [tuple(colour) in THEME.scale for colour in seen[:, column].tolist()]
            if column > reached:
                assert (seen[:, column] == THEME.cell).all()
            if column < reached:
                first, last = (-(-at * total // chart.width) for at in (column, column + 1))
                stood = depths[first : last + 1]
                upper, lower = (
                    chart.height - 1 - depth * (chart.height - 1) // deepest
                    for depth in (max(stood), min(stood))
                )
                lower = max(lower, upper + max(1, round(chart.height / 40)) - 1)
                shown = [upper <= row <= lower for row in range(chart.height)]
                assert lit == shown
