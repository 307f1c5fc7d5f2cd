"""The trees of all searches below the board that goes on alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.support.films import film_of
from tests.support.puzzles import MEDIUM
from undoku import Limits, Op, search
from undoku.render.draw.canvas import Canvas, Pixels, Rect
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import SpriteBook
from undoku.render.film.film import Film
from undoku.render.panels.lap_tree import LapTree
from undoku.render.panels.panel import Moment, PanelContext, show
from undoku.render.playback.branches import WRONG, Branches
from undoku.render.playback.history import History
from undoku.render.playback.player import Player
from undoku.render.timeline.timeline import Shot
from undoku.solver.trace.steps import fold
from undoku.solver.trace.trace import Trace

CHART = Rect(16, 8, 600, 120)
SIZE = 640, 136


class Drawn:
    """A film's shots, of which the trees in `chart` are drawn."""

    def __init__(self, film: Film, chart: Rect = CHART) -> None:
        self.film, self.canvas = film, Canvas(*SIZE)
        book, script = SpriteBook(film.theme), film.script
        script = replace(script, layout=replace(script.layout, chart=chart), _shared={})
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
