"""The chart that all searches share, frame by frame."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.support.films import MakeFilm, make_film
from undoku import Limits, Op
from undoku.render.draw.canvas import Canvas, Pixels, Rect
from undoku.render.draw.easel import Easel, Shaped
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.shapes import Polygon, Stroke
from undoku.render.draw.sprites import SpriteBook
from undoku.render.film.film import Film
from undoku.render.panels.panel import Moment, PanelContext, show
from undoku.render.panels.race_chart import RaceChartPanel, colours_of_curves, multiples_between
from undoku.render.playback.history import History
from undoku.render.playback.player import Player
from undoku.render.timeline.timeline import Pace, Shot

BOX = Rect(16, 8, 600, 120)
SIZE = 640, 136


class Drawn:
    """A film's shots, drawn by one panel."""

    def __init__(self, film: Film, canvas: Canvas | None = None, box: Rect = BOX) -> None:
        self.film = film
        self.canvas = canvas or Canvas(*SIZE)
        book, history = SpriteBook(film.theme), History(film.headers[0].puzzle)
        self.panel = RaceChartPanel(PanelContext(film.script, 0, box, history, book))
        self.draft = Draft(book.index, self.panel.most_rows)
        self.canvas.fill(Rect(0, 0, *SIZE), film.theme.background)
        self.players = [
            Player(trace, self.panel.recorders_of(number))
            for number, trace in enumerate(film.traces)
        ]

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


def test_the_curve_is_at_the_depths_of_its_steps(film: MakeFilm) -> None:
    """Where a step is wider than a pixel, the line goes through the depth after each step."""
    made = film("mrv", pace=Pace(Fraction(1)))
    shot = next(shot for shot in made.timeline.shots() if shot.steps[0] == 200)
    pixels = Drawn(made).draw(shot)
    colour = made.theme.search_colour(0)
    ops = made.traces[0].read()["op"]
    depths = [0, *np.cumsum(np.where(ops == Op.UNDO, -1, 1)).tolist()]
    rows: dict[int, list[float]] = {}
    seen = (pixels == colour).all(axis=2)
    for step in range(1, 195):
        column = BOX.x + round(1 + step * (BOX.width - 6) / made.timeline.longest)
        lit = np.flatnonzero(seen[:, column])
        rows.setdefault(depths[step], []).append(
            float((lit if len(lit) else np.flatnonzero(seen[:, column - 1])).mean())
        )
    middles = {depth: float(np.mean(found)) for depth, found in rows.items() if len(found) > 2}
    assert len(middles) > 10
    deepest, shallowest = max(middles), min(middles)
    rise = (middles[shallowest] - middles[deepest]) / (deepest - shallowest)
    empty = 81 - sum(map(bool, made.headers[0].puzzle.givens))
    assert 0.8 < rise * empty / BOX.height < 1.1
    for depth, row in middles.items():
        assert abs(row - (middles[shallowest] - rise * (depth - shallowest))) < 3


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


def test_the_shapes_of_documents_lie_where_the_pixels_are(race: Film) -> None:
    shot = race.timeline.shot_at(race.timeline.intro + race.timeline.race)
    easel = Easel(*SIZE, race.theme)
    pixels = Drawn(race, easel).draw(shot)
    (figure,) = (one for one in easel.drawing().drawn if isinstance(one, Shaped))
    areas = [one for one in figure.shapes if isinstance(one, Polygon)]
    shades = {colour for search in colours_of_curves(race.theme) for colour in search}
    assert {one.colour for one in areas} <= shades
    for area in areas[:2]:
        # Where the curve falls within a column, its point is above the area.
        points = area.contours[0][40:-40:25]
        under = [tuple(pixels[min(int(y) + 3, SIZE[1] - 1), int(x)].tolist()) for x, y in points]
        assert sum(colour in shades for colour in under) >= 0.8 * len(under)


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
    # All searches have ended: the axis ends with the longest, a dot before the edge of the chart.
    wanted = {int(1 + step * (BOX.width - 6) / film.timeline.longest) for step in restarts}
    assert len(marked) <= len(wanted)
    assert all(min(abs(at - one) for one in wanted) <= 1 for at in marked.tolist())
    assert all(min(abs(at - one) for one in marked.tolist()) <= 1 for at in wanted)
