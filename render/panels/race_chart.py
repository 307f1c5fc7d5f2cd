"""The depths of all searches in one chart, whose axis of steps grows with the race.

Nothing in it tells how a search ends before it has: the axis of steps grows ×2 when the longest
search reaches its end, that of depths reaches from 0 to the number of empty cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from render.drawing.canvas import Canvas, DrawnShapes, Rect
from render.drawing.direct_loop import direct
from render.drawing.shapes import Polygon, Stroke
from render.drawing.sprites import Align, SpriteBook
from render.layout.page import TextSizes
from render.panels.contract import Moment, Panel
from render.panels.race_chart_legend import draw_legend
from render.panels.race_chart_painting import (
    PARTS,
    SHADES_OF_LINE,
    Curves,
    RaceColours,
    RaceScale,
    find_curve,
    paint_race,
)
from render.playback.player import Recorder, Snapshot
from render.playback.recorders.doubling_history import DoublingHistory
from render.style.lettering import Face, line_height, text_width
from render.style.theme import SEARCHES, Colour, Theme, mix
from render.texts import language
from render.texts import wording as say
from render.timing.growing_axis import GrowingAxis, settled_end
from render.timing.timeline import Phase
from solver.trace import Header, Outcome

__all__ = ["RaceChartPanel", "colours_of_curves", "multiples_between"]

_AREA = 0.16
"""How much of a search's colour the area below its curve has."""

_LEAST_BETWEEN = 0.09
"""The least distance of two marks, as a share of the chart's width."""

_DENSE = 0.5
"""Pixels to a step below which a curve is a band from the least to the largest depth: all of it in
a strong colour would drown everything else."""

_BESIDE = 8
"""Columns beside a column that its picture depends on: half of the thickest line."""

_ROWS_WITH_MARKS = 4
"""A chart that is at least so many lines high has a line for the names of its marks."""


class _Mark(NamedTuple):
    """An upright line at a column of the plot, and what is written below it."""

    column: int
    text: str


class _Picture(NamedTuple):
    """All that the plot shows beside the curves' ends: where it changes all is painted."""

    end: float
    marks: tuple[_Mark, ...]
    shifts: tuple[int, ...]
    ended: tuple[bool, ...]


def colours_of_curves(theme: Theme) -> tuple[tuple[Colour, ...], ...]:
    """For each search the colour of its area, and those of its line from its edge to its middle."""
    return tuple(
        (
            mix(theme.cell, colour, _AREA),
            *(mix(theme.cell, colour, level / SHADES_OF_LINE)
              for level in range(1, SHADES_OF_LINE)),
            colour,
        )
        for colour in map(theme.search_colour, range(SEARCHES))
    )  # fmt: skip


def multiples_between(unit: float, least: float) -> int:
    """The first of 1, 5, 10, 50, 100, … whose multiple of `unit` (> 0) is at least `least`. Each is
    a multiple of the one before, so that marks are only ever left out as an axis grows."""
    found, factor = 1, 5
    while found * unit < least:
        found, factor = found * factor, 7 - factor
    return found


class RaceChartPanel(Panel):
    """One chart for the searches of `headers`, at most six, in `box`: a line with the names, the
    plot, and below it the marks at multiples of the steps of the first to finish.

    `recorders_of` has what must see every event of a search; the panel itself belongs to none.
    """

    def __init__(
        self, box: Rect, headers: Sequence[Header], sprites: SpriteBook, text: TextSizes
    ) -> None:
        self._box = box
        self._names = [header.label for header in headers]
        self._sprites = sprites
        self._size = text.label
        line = line_height(Face.REGULAR, text.label)
        marked = box.height >= _ROWS_WITH_MARKS * line
        self._plot = plot = Rect(
            box.x, box.y + line, box.width, max(1, box.height - line * (2 if marked else 1))
        )
        self._mark_line = Rect(box.x, plot.bottom, box.width, line) if marked else None
        searches = len(headers)
        self._half = min(float(_BESIDE), max(1.0, text.label / 15))
        self._dot = max(2.5, text.label * 0.28)
        columns = 1 << max(6, (3 * plot.width).bit_length())
        self._histories = [DoublingHistory(header.puzzle, columns) for header in headers]
        parts = PARTS * plot.width
        # Half a disc, by which a curve is widened.
        sides = np.arange(int(self._half * PARTS) + 1) / PARTS
        self._curves = Curves(
            np.sqrt(self._half**2 - sides**2),
            np.empty(parts, np.float64),
            np.empty(parts, np.float64),
            np.empty((searches, parts), np.float64),
            np.empty((searches, parts), np.float64),
            np.empty(plot.height, np.float64),
            np.empty((plot.height, 2), np.int64),
        )
        theme = sprites.theme
        colours = np.array(colours_of_curves(theme), np.uint8)[:searches]
        self._colours = RaceColours(
            lines=np.ascontiguousarray(colours[:, 1:]),
            areas=np.ascontiguousarray(colours[:, 0]),
            ground=np.array(theme.cell, np.uint8),
            mark=np.array(theme.track, np.uint8),
            soft=False,
        )
        self._dots = np.zeros((searches, 3), np.float64)
        self._deepest = max(
            (sum(not value for value in header.puzzle.givens) for header in headers), default=1
        )
        self._end_width = min(box.width // 3, self._wide(say.STEPS(count=8_888_888_888)))
        self._between = max(
            1.2 * self._wide(say.TIMES(factor=100_000)), _LEAST_BETWEEN * plot.width
        )
        """The least distance of two marks in pixels."""
        self._axis: GrowingAxis | None = None
        self._shown: _Picture | None = None
        self._drawn_to = 0
        self._scale = self._scale_to(1.0)
        self._told = ""
        self._find: Callable[..., object] = find_curve
        self._paint: Callable[..., object] = paint_race

    def recorders_of(self, number: int) -> Sequence[Recorder]:
        """What must see every event of a search before a frame is drawn."""
        return (self._histories[number],)

    def forget(self) -> None:
        """Take nothing as drawn: the next frame draws all of it."""
        self._shown, self._told = None, ""

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshots, plot = moment.snapshots, self._plot
        end = self._end(moment)
        ended = tuple(_ended(snapshot) for snapshot in snapshots)
        picture = _Picture(
            end,
            self._marks(snapshots, end),
            tuple(history.shift for history in self._histories),
            ended,
        )
        before = self._shown
        if before is None:
            canvas.fill(self._box, self._sprites.theme.ground)
            draw_legend(
                canvas,
                self._sprites,
                self._box._replace(width=self._box.width - self._end_width),
                self._names,
                size=self._size,
                thick=max(2, round(2 * self._half)),
            )
        elif picture == before and not any(snapshot.span for snapshot in snapshots):
            return
        self._shown = picture
        self._tell_end(canvas, end)
        if before is None or picture.marks != before.marks:
            self._draw_mark_names(canvas, picture.marks)
        self._scale = self._scale_to(end)
        front = max((history.steps for history in self._histories), default=0)
        reach = self._scale.left + front * self._scale.per_step
        first, stop = 0, plot.width
        if before == picture:
            # What is left of where the curves ended, the width of a line aside, stays.
            margin = int(2 * self._half) + 2
            first = max(0, self._drawn_to - margin)
            stop = min(plot.width, int(reach) + margin)
        self._drawn_to = int(reach)
        if first < stop:
            self._paint_plot(canvas, first, stop, snapshots)
            rect = Rect(plot.x + first, plot.y, stop - first, plot.height)
            canvas.touch(rect, DrawnShapes(plot, self._shapes))

    def _end(self, moment: Moment) -> float:
        """Where the axis ends."""
        shot, timeline = moment.shot, moment.timeline
        if shot.phase is Phase.STILL:
            return settled_end(max(shot.steps, default=0))
        if self._axis is None:
            self._axis = GrowingAxis(timeline)
        return self._axis.end_at(shot.start - timeline.intro + 1)

    def _scale_to(self, end: float) -> RaceScale:
        """The scale of a plot whose axis ends at so many steps. At the top and on both sides there
        is room for half a line or half a dot."""
        plot = self._plot
        left, right = self._half, self._dot + 1
        top, foot = self._dot + 1, plot.height - self._half
        return RaceScale(
            left,
            max(1.0, plot.width - left - right) / end,
            foot,
            max(1.0, foot - top) / max(1, self._deepest),
        )

    def _marks(self, snapshots: Sequence[Snapshot], end: float) -> tuple[_Mark, ...]:
        """The multiples of the first finisher's steps that the longest search has passed, and what
        they are multiples of, where there is room to say it."""
        first = min((one.total for one in snapshots if _ended(one)), default=0)
        steps = max(snapshot.steps for snapshot in snapshots)
        if not first or self._mark_line is None:
            return ()
        scale = self._scale_to(end)
        each = multiples_between(first * scale.per_step, self._between)
        marks = [
            _Mark(int(scale.left + times * first * scale.per_step), say.TIMES(factor=times))
            for times in range(each, steps // first + 1, each)
            if times > 1
        ]
        unit = int(scale.left + first * scale.per_step)
        following = int(scale.left + max(2, each) * first * scale.per_step)
        room = following - self._wide(say.TIMES(factor=each)) // 2 - self._size // 2
        for told in (say.UNIT_OF_TIMES(steps=say.STEPS(count=first)), say.TIMES(factor=1)):
            wide = self._wide(told)
            if max(wide, unit + wide // 2) <= room:
                return (_Mark(unit, told), *marks)
        return tuple(marks)

    def _paint_plot(
        self, canvas: Canvas, first: int, stop: int, snapshots: Sequence[Snapshot]
    ) -> None:
        assert self._shown is not None
        plot, scale = self._plot, self._scale
        # The edges of a column are found from those beside it.
        begin, end = max(0, first - _BESIDE), min(plot.width, stop + _BESIDE)
        for number, history in enumerate(self._histories):
            given = number, PARTS * begin, PARTS * end, history.arrays, scale, self._curves
            if self._find is find_curve:
                self._find = direct(find_curve, *given)
            self._find(*given)
            self._dots[number] = (
                scale.left + history.steps * scale.per_step,
                scale.foot - history.depth * scale.rise,
                self._dot if self._shown.ended[number] else 0.0,
            )
        painted = (
            canvas.pixels.reshape(-1),
            3 * canvas.width,
            3 * (plot.y * canvas.width + plot.x),
            first,
            stop,
            self._order(snapshots),
            np.array([mark.column for mark in self._shown.marks], np.int64),
            self._dots,
            self._curves,
            self._colours._replace(soft=scale.per_step < _DENSE),
        )
        if self._paint is paint_race:
            self._paint = direct(paint_race, *painted)
        self._paint(*painted)

    @staticmethod
    def _order(snapshots: Sequence[Snapshot]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The longest search is painted first: what ends early stands before it."""
        totals = [snapshot.total for snapshot in snapshots]
        order = sorted(range(len(totals)), key=lambda number: (-totals[number], number))
        return np.array(order, np.int64)

    def _shapes(self) -> list[Polygon | Stroke]:
        """The plot as it stands, for documents: areas, marks, curves, dots. A point stands for a
        column of pixels."""
        theme, plot, thick = self._sprites.theme, self._plot, 2 * self._half
        areas: list[Polygon | Stroke] = []
        lines: list[Polygon | Stroke] = []
        soft = self._scale.per_step < _DENSE
        for number, colours in enumerate(colours_of_curves(theme)[: len(self._histories)]):
            upper = self._curves.upper[number].reshape(-1, PARTS).min(axis=1)
            lower = self._curves.lower[number].reshape(-1, PARTS).max(axis=1)
            (there,) = np.nonzero(upper < lower)
            if not len(there):
                continue
            tops = [(plot.x + at + 0.5, plot.y + float(upper[at])) for at in there.tolist()]
            foots = [(plot.x + at + 0.5, plot.y + float(lower[at])) for at in there.tolist()[::-1]]
            corners = (tops[-1][0], float(plot.bottom)), (tops[0][0], float(plot.bottom))
            areas.append(Polygon(((*tops, *corners),), colours[0]))
            lines.append(Polygon(((*tops, *foots),), colours[1 if soft else -1]))
            if soft:
                edge = tuple((x, y + thick / 2) for x, y in tops)
                lines.append(Stroke((edge,), thick, colours[-1]))
            x, y, radius = self._dots[number].tolist()
            if radius:
                lines.append(Stroke((((plot.x + x, plot.y + y),),), 2 * radius, colours[-1]))
        marks = [plot.x + mark.column + 0.5 for mark in (self._shown.marks if self._shown else ())]
        ruled = tuple(((x, float(plot.y)), (x, float(plot.bottom))) for x in marks)
        return [*areas, *([Stroke(ruled, 1.0, theme.track)] if ruled else []), *lines]

    def _write(self, canvas: Canvas, text: str, ink: Colour, x: int, y: int) -> int:
        """Write a text and return the pixel after it."""
        wide = self._wide(text)
        canvas.blit(self._sprites.text(text, Face.REGULAR, self._size, ink, wide), x, y)
        return x + wide

    def _wide(self, text: str) -> int:
        return text_width(text, Face.REGULAR, self._size)

    def _tell_end(self, canvas: Canvas, end: float) -> None:
        """Write where the axis ends, a number that runs while the axis grows."""
        wide, told = self._end_width, say.STEPS(count=int(end))
        if told != self._told:
            self._told = told
            if self._wide(told) > wide:
                told = language.number(int(end))
            # The axis ends on the right in every language.
            sprite = self._sprites.text(
                told,
                Face.REGULAR,
                self._size,
                self._sprites.theme.muted,
                wide,
                align=Align.RIGHT.as_read,
            )
            canvas.blit(sprite, self._box.right - wide, self._box.y)

    def _draw_mark_names(self, canvas: Canvas, marks: Sequence[_Mark]) -> None:
        line = self._mark_line
        if line is None:
            return
        theme = self._sprites.theme
        canvas.fill(line, theme.ground)
        for mark in marks:
            wide = self._wide(mark.text)
            x = max(line.x, min(line.x + mark.column - wide // 2, line.right - wide))
            self._write(canvas, mark.text, theme.muted, x, line.y)


def _ended(snapshot: Snapshot) -> bool:
    """Whether a search is done, and was not stopped."""
    return snapshot.finished and snapshot.outcome is not Outcome.CAPPED
