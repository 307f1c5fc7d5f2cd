"""The chart that all searches share, frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from tests.support.document_shapes import Filled, Page, filled
from tests.support.films import MakeFilm, make_film
from undoku import Limits, Op
from undoku.render.draw.canvas import Canvas, Pixels, Rect
from undoku.render.draw.easel import Easel, Shaped
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.shapes import Stroke
from undoku.render.draw.sprites import SpriteBook
from undoku.render.film.film import Film
from undoku.render.panels.depth import DepthPanel
from undoku.render.panels.panel import Moment, PanelContext, show
from undoku.render.panels.race_chart import RaceChartPanel, multiples_between
from undoku.render.playback.history import History
from undoku.render.playback.player import Player
from undoku.render.timeline.timeline import Pace, Shot
from undoku.solver.trace.steps import Observer

BOX = Rect(16, 8, 600, 120)
SIZE = 640, 136


class Drawn:
    """A film's shots, drawn by one panel."""

    def __init__(
        self,
        film: Film,
        canvas: Canvas | None = None,
        box: Rect = BOX,
        kind: type[RaceChartPanel | DepthPanel] = RaceChartPanel,
    ) -> None:
        self.film = film
        self.canvas = canvas or Canvas(*SIZE)
        book, history = SpriteBook(film.theme), History(film.headers[0].puzzle)
        self.panel = kind(PanelContext(film.script, 0, box, history, book))
        self.draft = Draft(book.index, self.panel.most_rows)
        self.canvas.fill(Rect(0, 0, *SIZE), film.theme.background)
        self.players = [
            Player(trace, self._recorders(number)) for number, trace in enumerate(film.traces)
        ]

    def _recorders(self, number: int) -> Sequence[Observer]:
        if isinstance(self.panel, RaceChartPanel):
            return self.panel.recorders_of(number)
        return () if number else self.panel.recorders

    def draw(self, shot: Shot) -> Pixels:
        now = zip(self.players, shot.steps, strict=True)
        snapshots = [player.advance(step) for player, step in now]
        show([self.panel], self.canvas, Moment(shot, self.film.timeline, snapshots), self.draft)
        return self.canvas.pixels


@pytest.fixture(scope="module")
def race() -> Film:
    pace = Pace(duration=Fraction(12), ramp=True)
    return make_film("row-major", "mrv", pace=pace, fps=Fraction(25))


def test_a_frame_looks_the_same_whichever_were_drawn_before_and_only_what_is_listed_changes(
    race: Film,
) -> None:
    """So that stills, films and parts of films agree."""
    shots, drawn = list(race.timeline.shots()), Drawn(race)
    shown = drawn.canvas.pixels.copy()
    for number, shot in enumerate(shots):
        pixels = drawn.draw(shot)
        for (x, y, width, height), _ in drawn.canvas.frame().changes:
            assert number == 0 or BOX.contains(Rect(x, y, width, height))
            shown[y : y + height, x : x + width] = pixels[y : y + height, x : x + width]
        assert (shown == pixels).all()
        if number % 23 == 0 or number == len(shots) - 2:
            assert (Drawn(race).draw(shot) == pixels).all(), number


def test_the_edge_of_a_curve_is_at_the_largest_depth_of_each_column(film: MakeFilm) -> None:
    """One row further up for each depth, over the steps of the longest search."""
    made = film("mrv", "row-major", pace=Pace(Fraction(20)), limits=Limits(max_nodes=300))
    end = max(tally.steps for tally in made.tallies)
    shot = made.timeline.shot_at(made.timeline.intro + made.timeline.race)
    pixels, colour = Drawn(made).draw(shot), made.theme.search_colour(1)
    ops = made.traces[1].read()["op"]
    depths = [0, *np.cumsum(np.where(ops == Op.UNDO, -1, 1)).tolist()]
    lit = (pixels == colour).all(axis=2)
    columns = [column for column in range(BOX.width) if lit[:, BOX.x + column].any()]
    rows = [int(lit[:, BOX.x + column].argmax()) for column in columns]
    shown = columns[-1] + 1
    assert shown > BOX.width * 0.95
    most = [max(depths[column * end // shown : -(-(column + 1) * end // shown) + 1])
            for column in columns]  # fmt: skip
    rise, foot = np.polyfit(most, rows, 1)
    assert -BOX.height / 51 < rise < -BOX.height / 81
    assert np.abs(np.array(rows) - foot - rise * np.array(most)).mean() < 3


def test_the_end_of_a_finished_search_has_a_dot_and_a_stopped_one_has_none(
    film: MakeFilm,
) -> None:
    for limit, dots in ((None, 2), (200, 0)):
        made = film("row-major", "mrv", pace=Pace(Fraction(400)), limits=Limits(max_nodes=limit))
        shot = made.timeline.shot_at(made.timeline.intro + made.timeline.race)
        easel = Easel(*SIZE, made.theme)
        Drawn(made, easel).draw(shot)
        (figure,) = (one for one in easel.drawing().drawn if isinstance(one, Shaped))
        found = [one for one in figure.shapes
                 if isinstance(one, Stroke) and len(one.lines[0]) == 1]  # fmt: skip
        assert len(found) == dots


@pytest.mark.parametrize("kind", [RaceChartPanel, DepthPanel])
@pytest.mark.parametrize("rate", [2, 60])
def test_the_shapes_of_documents_are_the_pixels(
    film: MakeFilm, kind: type[RaceChartPanel | DepthPanel], rate: int
) -> None:
    """But for the edges of dots, which are smooth."""
    made = film("mrv-random:3+luby:2", "row-major", pace=Pace(Fraction(rate)),
                limits=Limits(max_nodes=60 * rate))  # fmt: skip
    shot = made.timeline.shot_at(made.timeline.intro + made.timeline.race)
    easel = Easel(*SIZE, made.theme)
    pixels = Drawn(made, easel, kind=kind).draw(shot)
    (figure,) = (one for one in easel.drawing().drawn if isinstance(one, Shaped))
    shapes = [
        Filled([list(line) for line in one.lines], one.colour, one.width)
        if isinstance(one, Stroke)
        else Filled([list(contour) for contour in one.contours], one.colour)
        for one in figure.shapes
    ]
    assert made.theme.undoing in {one.colour for one in shapes} or kind is RaceChartPanel
    chart = slice(figure.rect.y, figure.rect.bottom), slice(figure.rect.x, figure.rect.right)
    drawn, shown = filled(Page(*SIZE, shapes, []))[chart].astype(int), pixels[chart].astype(int)
    inked = (drawn > 0).any(axis=2)
    assert (np.abs(drawn - shown).max(axis=2) > 8)[inked].mean() < 0.01


def test_multiples_are_left_out_but_never_moved_as_an_axis_grows() -> None:
    found = [multiples_between(unit, 100) for unit in (120, 60, 15, 7, 1.5, 0.1)]
    assert found == [1, 5, 10, 50, 100, 1000]


@pytest.mark.parametrize("box", [Rect(4, 4, 150, 30), Rect(4, 4, 90, 50), Rect(0, 0, 640, 136)])
def test_a_chart_of_any_size_stays_in_its_box(race: Film, box: Rect) -> None:
    drawn = Drawn(race, box=box)
    for shot in list(race.timeline.shots())[::40]:
        drawn.draw(shot)
    shown = drawn.canvas.pixels.copy()
    shown[box.y : box.bottom, box.x : box.right] = race.theme.background
    assert (shown == race.theme.background).all()


def test_restarts_are_marked_at_the_top_where_the_search_restarts() -> None:
    film = make_film("mrv-random:3+luby:2", "row-major", pace=Pace(duration=Fraction(5)))
    shot = film.timeline.shot_at(film.timeline.intro + film.timeline.race)
    drawn = Drawn(film)
    pixels = drawn.draw(shot)
    ops = film.traces[0].read()["op"]
    restarts = np.cumsum(ops <= Op.UNDO)[ops == Op.RESTART].tolist()
    assert restarts
    top = pixels[BOX.y]
    marked = np.flatnonzero((top == film.theme.search_colour(0)).all(axis=1)) - BOX.x
    # The axis ends with the longest search, half a dot before the edge of the chart.
    wanted = {int(step * (BOX.width - 4) / film.timeline.longest) for step in restarts}
    assert len(marked) <= len(wanted)
    assert all(min(abs(at - one) for one in wanted) <= 1 for at in marked.tolist())
    assert all(min(abs(at - one) for one in marked.tolist()) <= 1 for at in wanted)
