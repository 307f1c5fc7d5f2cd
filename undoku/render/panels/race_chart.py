"""The depths of all searches in one chart, whose axis of steps grows with the race, and below it a
band that shows while which steps a wrong digit stood in a first cell of the longest search.

It does not reveal the end of a search in advance: the axis of steps doubles when the longest search
reaches its end, and that of depths extends from 0 to the number of empty cells. When all searches
have ended, the curves fill the axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
from undoku.render.timeline.easing import GrowingAxis, settled_end
from undoku.render.timeline.timeline import Phase
from undoku.solver.trace.steps import Observer
from undoku.solver.trace.trace import Outcome

_BAND = 12
"""The height of the chart divided by that of the band."""

_MIN_DISTANCE = 0.06
"""The minimum distance of two marks, as a share of the chart's width."""

_WHOLE_BYTES = 4 << 20
"""The maximum number of bytes of completely new plots in a run."""


class _Picture(NamedTuple):
    """The properties of the plot that, when they change, require painting all of it."""

    end: float = 0
    marks: tuple[int, ...] = ()
    ended: tuple[bool, ...] = ()


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
        self._axis = GrowingAxis(context.script.timeline)
        self._ahead: tuple[int, NDArray[np.float64]] = (-1, np.empty(0, np.float64))
        """The ends of the axis on the next frames, from a frame of the film on."""
        self._shown = _Picture()
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
        snapshots, before = moment.snapshots, self._shown
        end = self._end(moment)
        ended = tuple(_ended(snapshot) for snapshot in snapshots)
        steps = max(snapshot.steps for snapshot in snapshots)
        self._shown = picture = _Picture(end, self._marks_at(snapshots, steps, end), ended)
        self._whole = picture != before
        # The longest search is painted first, so that shorter ones are in front of it.
        totals = [snapshot.total for snapshot in snapshots]
        self._race.order[:] = sorted(range(len(totals)), key=lambda number: -totals[number])
        self._race.ended[:] = ended

    def reach(self, frames: NextFrames) -> int:
        (grown,) = np.nonzero(np.diff(self._ends(frames), prepend=self._shown.end))
        most = max(1, _WHOLE_BYTES // len(self._race.pixels))
        return int(grown[most]) if len(grown) > most else len(frames)

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
            axis = np.array([self._shown.end])
            news[0] = WHOLE if self._whole else any(map(frames.moves, searches))
        else:
            axis = self._ends(frames)
        pictures = self._pictures(frames, axis)
        shown = [self._shown, *pictures.values()]
        marks = np.full((count, max(len(picture.marks) for picture in shown)), -1, np.int64)
        for frame, picture in zip((0, *pictures), shown, strict=True):
            marks[frame:] = -1
            marks[frame:, : len(picture.marks)] = picture.marks
        for frame, picture in pictures.items():
            news[frame] = WHOLE
            self._shown = picture
        self._put_band(frames, axis, draft)
        draft.figure = DrawnShapes(self._plot, self._shapes)
        draft.fill(
            count,
            lambda frame, arrays: put_race(
                frame,
                ends,
                depths,
                restarts,
                begun,
                axis,
                news,
                marks,
                self._at,
                self._race,
                arrays,
            ),
        )

    def _pictures(self, frames: NextFrames, axis: NDArray[np.float64]) -> dict[int, _Picture]:
        """The pictures of those of the next frames all of whose plot is new."""
        steps = frames.steps.max(axis=0)
        snapshots = frames.snapshots
        first = min((one.total for one in snapshots if _ended(one)), default=0)
        passed = steps // first if first else np.zeros_like(steps)
        changes = np.ones(len(frames), bool)
        changes[1:] = (np.diff(axis) != 0) | (np.diff(passed) != 0)
        found, before = {}, self._shown
        for frame in np.flatnonzero(changes).tolist():
            end = float(axis[frame])
            picture = before._replace(
                end=end, marks=self._marks_at(snapshots, int(steps[frame]), end)
            )
            if picture != before:
                found[frame] = before = picture
        return found

    def _ends(self, frames: NextFrames) -> NDArray[np.float64]:
        """The end of the axis on each of the next frames."""
        start, ends = self._ahead
        if start != frames.start or len(ends) < len(frames):
            elapsed = frames.start - frames.timeline.intro + 1
            ends = self._axis.ends_after(elapsed, len(frames))
            self._ahead = frames.start, ends
        return ends[: len(frames)]

    def _end(self, moment: Moment) -> float:
        """The end of the axis in steps."""
        shot, timeline = moment.shot, moment.timeline
        if shot.phase is Phase.STILL:
            steps = max(shot.steps)
            return max(1, steps) if steps >= timeline.longest else settled_end(steps)
        return self._axis.end_at(shot.start - timeline.intro + 1)

    def _marks_at(self, snapshots: Sequence[Snapshot], steps: int, end: float) -> tuple[int, ...]:
        """The columns of the marks when the longest search has done `steps` steps."""
        first = min((one.total for one in snapshots if _ended(one)), default=0)
        if not first:
            return ()
        unit = first * self._at.room / end
        each = multiples_between(unit, _MIN_DISTANCE * self._plot.width)
        passed = range(each, steps // first + 1, each)
        return tuple(int(self._at.left + times * unit) for times in passed)

    def _put_band(self, frames: NextFrames, axis: NDArray[np.float64], draft: Draft) -> None:
        """Fill the parts of the band during whose steps a wrong digit stood."""
        steps, band, number = frames.steps.max(axis=0), self._band, self._sprites.index.number
        for frame in range(len(frames)) if band.height else ():
            spans = [
                tuple(
                    int(self._at.left + min(bound, int(steps[frame])) * self._at.room / axis[frame])
                    for bound in span
                )
                for span in self._context.script.wrong
            ]
            shown = [(start, end) for start, end in spans if end > start]
            if shown != self._spans:
                self._spans = shown
                rows = [(frame, number(band.width << 1, self._part), band.x, band.y)]
                for start, end in shown:
                    sprite = number((end - start) << 1 | 1, self._part)
                    rows.append((frame, sprite, band.x + start, band.y))
                draft.add(rows)

    def _part_of_band(self, key: int) -> Sprite:
        ink = self._theme.undoing if key & 1 else self._theme.background
        return self._sprites.area(key >> 1, self._band.height, ink)

    def _shapes(self) -> list[Polygon | Stroke]:
        return plot_shapes(
            self._race,
            self._at,
            end=self._shown.end,
            columns=self._shown.marks,
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
