"""The depths of all searches in one chart, and below it a band that shows during which steps a
wrong digit stood in a first cell of the longest search. The axis ends with the longest search.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from undoku.render.draw.canvas import Canvas, DrawnShapes, Rect, Sprite
from undoku.render.draw.colour_space import Colour, mix
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.shapes import Polygon, Stroke
from undoku.render.draw.theme import SEARCHES, Theme
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.panels.race_chart_loops import BESIDE, DENSE, WHOLE, RaceArrays, put_race
from undoku.render.panels.race_chart_painting import (
    PARTS,
    RESTART_SHARE,
    SHADES_OF_LINE,
    Curves,
    RaceColours,
    RacePlot,
)
from undoku.render.playback.history import side_by_side
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.player import Snapshot
from undoku.solver.trace.steps import Observer
from undoku.solver.trace.trace import Outcome

_BAND = 12
"""The height of the chart divided by that of the band."""

_MIN_DISTANCE = 0.06
"""The minimum distance of two marks, as a share of the chart's width."""


class RaceChartPanel(Panel):
    """One chart for all searches, at most six, with vertical lines at multiples of the steps of the
    first to finish.

    `recorders_of` returns the recorders that must see every event of a search; the panel itself
    belongs to no single search.
    """

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        box, text = context.box, context.text
        headers = context.script.headers
        high = max(2, box.height // _BAND) if context.script.wrong else 0
        self._plot = plot = box._replace(height=box.height - high - high // 2)
        self._band = Rect(box.x, box.bottom - high, box.width, high)
        self._spans: list[tuple[int, int]] = []
        """The parts of the band that are filled: from x to x."""
        self._part = self._sprites.index.kind(("band", high), self._part_of_band)
        searches = len(headers)
        self._half = half = min(float(BESIDE), max(1.0, text.label / 15))
        columns = 1 << max(6, (3 * plot.width).bit_length())
        self._histories, rows = side_by_side(len(headers), columns)
        self.played = tuple(self._histories)
        parts = PARTS * plot.width
        # Half a disc, the shape by which a curve is widened.
        sides = np.arange(int(half * PARTS) + 1) / PARTS
        theme = self._theme
        colours = np.array(colours_of_curves(theme), np.uint8)[:searches]
        self._race = RaceArrays(
            rows,
            Curves(
                np.sqrt(half**2 - sides**2),
                np.empty(parts, np.float64),
                np.empty(parts, np.float64),
                np.empty((searches, parts), np.float64),
                np.empty((searches, parts), np.float64),
                np.zeros((searches, parts), np.uint8),
                np.empty(plot.height, np.float64),
                np.empty((plot.height, 2), np.int64),
            ),
            RaceColours(
                lines=np.ascontiguousarray(colours[:, 1:]),
                areas=np.ascontiguousarray(colours[:, 0]),
                background=np.array(theme.cell, np.uint8),
                mark=np.array(theme.track, np.uint8),
            ),
            order=np.arange(searches),
            ended=np.zeros(searches, np.uint8),
            dots=np.zeros((searches, 3), np.float64),
            shifts=np.zeros(searches, np.int64),
            front=np.zeros(1, np.int64),
            pixels=np.zeros(3 * plot.width * plot.height, np.uint8),
        )
        deepest = max(header.puzzle.givens.count(0) for header in headers)
        # At the top and on both sides there is room for half a line or half a dot.
        dot = max(2.5, text.label * 0.28)
        top, foot = dot + 1, plot.height - half
        self._at = RacePlot(
            plot.x,
            plot.y,
            plot.width,
            plot.height,
            half,
            max(1.0, plot.width - half - (dot + 1)),
            foot,
            max(1.0, foot - top) / max(1, deepest),
            dot,
            int(2 * half) + 2,
        )
        timeline = context.script.timeline
        self._end = float(max(1, *timeline.totals))
        """The last step of the axis."""
        first = min(filter(None, timeline.totals), default=1)
        unit = first * self._at.room / self._end
        each = multiples_between(unit, _MIN_DISTANCE * plot.width)
        count = int(self._end) // first
        self._columns = np.array(
            [int(self._at.left + times * unit) for times in range(each, count + 1, each)], np.int64
        )
        """The columns of the plot with a mark."""
        self._shown: tuple[bool, ...] | None = None
        """The searches that have ended, when the plot was painted last."""
        self._whole = True
        """Whether all of the plot is new on the present frame."""
        self.most_rows = 4 + len(context.script.wrong)
        self.new_bytes = 6 * self._at.margin * plot.height

    def recorders_of(self, number: int) -> Sequence[Observer]:
        """The recorders that must see every event of a search before a frame is drawn."""
        return (self._histories[number],)

    def start(self, canvas: Canvas) -> None:
        canvas.fill(self._box, self._theme.background)

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshots = moment.snapshots
        ended = tuple(_ended(snapshot) for snapshot in snapshots)
        self._whole, self._shown = ended != self._shown, ended
        # The longest search is painted first, so that shorter ones are in front of it.
        totals = [snapshot.total for snapshot in snapshots]
        self._race.order[:] = sorted(range(len(totals)), key=lambda number: -totals[number])
        self._race.ended[:] = ended

    def reach(self, frames: NextFrames) -> int:
        return len(frames)

    def put(self, frames: NextFrames, draft: Draft) -> None:
        count, searches = len(frames), range(len(self._histories))
        events = [frames.events(search) for search in searches]
        depths = np.concatenate([each.shown.depths for each in events])
        restarts = np.concatenate([each.shown.restarts for each in events])
        begun = np.cumsum([0, *(len(each.shown.cells) for each in events[:-1])])
        ends = np.array([first + each.ends - each.begun
                         for first, each in zip(begun, events, strict=True)])  # fmt: skip
        news = np.zeros(count, np.uint8)
        news[:] = np.diff(ends, axis=1, prepend=begun[:, None]).any(0)
        if frames.present:
            news[0] = WHOLE if self._whole else any(map(frames.moves, searches))
        self._put_band(frames, draft)
        draft.figure = DrawnShapes(self._plot, self._shapes)
        draft.fill(
            count,
            lambda frame, arrays: put_race(
                frame,
                ends,
                depths,
                restarts,
                begun,
                self._end,
                news,
                self._columns,
                self._at,
                self._race,
                arrays,
            ),
        )

    def _put_band(self, frames: NextFrames, draft: Draft) -> None:
        """Fill the parts of the band during whose steps a wrong digit stood."""
        band, number = self._band, self._sprites.index.number
        done = frames.steps.max(axis=0).tolist() if band.height else []
        per_step = self._at.room / self._end
        for frame, steps in enumerate(done):
            spans = [
                [int(self._at.left + min(bound, steps) * per_step) for bound in span]
                for span in self._context.script.wrong
            ]
            shown = [(start, end) for start, end in spans if end > start]
            if shown != self._spans:
                draft.add(
                    [
                        (frame, number(end - start, self._part), band.x + start, band.y)
                        for start, end in shown
                        if (start, end) not in self._spans
                    ]
                )
                self._spans = shown

    def _part_of_band(self, width: int) -> Sprite:
        return self._sprites.area(width, self._band.height, self._theme.undoing)

    def _shapes(self) -> list[Polygon | Stroke]:
        return plot_shapes(
            self._race,
            self._at,
            end=self._end,
            columns=self._columns.tolist(),
            thick=2 * self._half,
            theme=self._theme,
        )


def multiples_between(unit: float, least: float) -> int:
    """The first of 1, 5, 10, 50, 100, … whose multiple of `unit` (> 0) is at least `least`. Each is
    a multiple of the previous one, so that marks only disappear as an axis grows."""
    found, factor = 1, 5
    while found * unit < least:
        found, factor = found * factor, 7 - factor
    return found


def _ended(snapshot: Snapshot) -> bool:
    """Whether a search has ended without being stopped."""
    return snapshot.finished and snapshot.outcome is not Outcome.CAPPED


_AREA = 0.16
"""The share of a search's colour in the area below its curve."""


def colours_of_curves(theme: Theme) -> tuple[tuple[Colour, ...], ...]:
    """For each search the colour of its area, and the shades of its line from its edge to its
    centre."""
    return tuple(
        (
            mix(theme.cell, colour, _AREA),
            *(mix(theme.cell, colour, level / SHADES_OF_LINE)
              for level in range(1, SHADES_OF_LINE)),
            colour,
        )
        for colour in map(theme.search_colour, range(SEARCHES))
    )  # fmt: skip


def plot_shapes(
    race: RaceArrays,
    plot: RacePlot,
    *,
    end: float,
    columns: Sequence[int],
    thick: float,
    theme: Theme,
) -> list[Polygon | Stroke]:
    """The plot that was painted last, as shapes: areas, marks at `columns`, curves `thick` pixels
    thick, dots. There is one point for each column of pixels. `end` is the end of the axis in
    steps."""
    bottom = plot.y + plot.height
    areas: list[Polygon | Stroke] = []
    lines: list[Polygon | Stroke] = []
    soft = plot.room / end < DENSE
    for number, colours in enumerate(colours_of_curves(theme)[: len(race.order)]):
        upper = race.curves.upper[number].reshape(-1, PARTS).min(axis=1)
        lower = race.curves.lower[number].reshape(-1, PARTS).max(axis=1)
        (there,) = np.nonzero(upper < lower)
        if not len(there):
            continue
        tops = [(plot.x + at + 0.5, plot.y + float(upper[at])) for at in there.tolist()]
        foots = [(plot.x + at + 0.5, plot.y + float(lower[at])) for at in there.tolist()[::-1]]
        corners = (tops[-1][0], float(bottom)), (tops[0][0], float(bottom))
        areas.append(Polygon(((*tops, *corners),), colours[0]))
        lines.append(Polygon(((*tops, *foots),), colours[1 if soft else -1]))
        if soft:
            edge = tuple((x, y + thick / 2) for x, y in tops)
            lines.append(Stroke((edge,), thick, colours[-1]))
        again = race.curves.restarts[number].reshape(-1, PARTS).any(axis=1)
        foot = float(plot.y + plot.height // RESTART_SHARE)
        if ticks := tuple(
            ((plot.x + at + 0.5, float(plot.y)), (plot.x + at + 0.5, foot))
            for at in np.flatnonzero(again).tolist()
        ):
            lines.append(Stroke(ticks, 1.0, colours[-1]))
        x, y, radius = race.dots[number].tolist()
        if radius:
            lines.append(Stroke((((plot.x + x, plot.y + y),),), 2 * radius, colours[-1]))
    marks = [plot.x + column + 0.5 for column in columns]
    ruled = tuple(((x, float(plot.y)), (x, float(bottom))) for x in marks)
    return [*areas, *([Stroke(ruled, 1.0, theme.track)] if ruled else []), *lines]
