"""The depths of one or several searches over their steps: columns of pixels, painted when they are
complete, and as the shapes of documents. Both lie on the same pixels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from undoku.render.draw.canvas import DrawnShapes, Pixels, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.shapes import Contour, Point, Polygon, Stroke, box
from undoku.render.playback.history import Depths
from undoku.render.playback.next_frames import NextFrames
from undoku.solver.trace.trace import Outcome

_RESTART_SHARE = 5
"""The height of a chart divided by that of the mark of a restart."""

_DEEP = 1 << 30
"""Above all depths."""

_Rows = NDArray[np.int64]


class Curve(NamedTuple):
    """What a chart shows of search `number`. The band between the least and the largest depth of
    each column has the colours `band` (height, 3), by row from the top of the chart; its upper edge
    those of `line`, which are the same if it is not emphasised; and what is below it those of
    `area`. A restart is marked from the top down in the colour `restart`."""

    number: int
    depths: Depths
    line: Pixels
    band: Pixels
    area: Pixels
    restart: Colour


class Band(NamedTuple):
    """A band below the curves, on rows `top` to `bottom` - 1 of a chart: it has the `colour` in the
    `spans` of columns, from and to, as far as the longest curve has come."""

    top: int
    bottom: int
    spans: Sequence[tuple[int, int]]
    colour: Colour


class _Columns(NamedTuple):
    """Columns of a curve, (n,) each: its first row, and the rows after its upper edge and after its
    band; no rows where it is not shown."""

    upper: _Rows
    edge: _Rows
    lower: _Rows
    restarts: NDArray[np.bool_]


class DepthChart:
    """A chart in `area` of a picture. The curves begin at its left edge and are on rows `top`, for
    the depth `deepest` (>= 1), to `foot`, the one of depth 0; a later one is in front of an earlier
    one. `empty` (height, width, 3) is the chart without curves; `ruled` are vertical lines in front
    of the areas below curves. The upper edge and a band of a single depth are `thick` pixels high,
    and steep parts wider by `wide` pixels on each side.
    If `dot` is not 0, a disc of this radius marks the end of a search that was not stopped.
    """

    def __init__(
        self,
        area: Rect,
        curves: Sequence[Curve],
        deepest: int,
        empty: Pixels,
        *,
        foot: int,
        thick: int,
        wide: int = 0,
        top: int = 0,
        dot: float = 0,
        ruled: Stroke | None = None,
        band: Band | None = None,
    ) -> None:
        self._area, self._curves, self._empty = area, curves, empty
        self._band = band
        self._deepest, self._foot, self._room = deepest, foot, foot - top
        self._thick, self._dot, self._ruled = thick, dot, ruled
        self._reach = wide + 1
        """The number of columns on each side on which a column depends."""
        self._shown = np.zeros(len(curves), np.int64)
        """The number of columns of each curve that are shown."""
        self._dots: dict[int, Point] = {}
        """Where the dots of searches are in the chart."""
        self._fresh = [0, area.width]
        """Columns up to which all must be painted on the next single frame."""

    def put(self, frames: NextFrames, draft: Draft) -> None:
        """Add the columns that become complete on these frames, of which the curves have recorded
        the steps; on a single frame the last ones of a search that has ended, too."""
        ends = np.stack([self._ends(curve, before, frames) for curve, before in self._each])
        width = self._area.width
        changed = np.diff(ends, prepend=self._shown[:, None]) > 0
        changed[:, 0] |= bool(self._fresh)
        draft.figure = DrawnShapes(self._area, self.shapes)
        for frame in np.flatnonzero(changed.any(0)).tolist():
            moved, before, self._shown = changed[:, frame], self._shown, ends[:, frame]
            # A column depends on those beside it.
            first = int(before[moved].min(initial=width)) - self._reach
            stop = int(self._shown[moved].max(initial=0))
            first, stop = max(0, min([first, *self._fresh])), min(width, max([stop, *self._fresh]))
            self._fresh = []
            draft.add_new(frame, self.painted(first, stop), self._area.x + first, self._area.y)

    @property
    def _each(self) -> Iterator[tuple[Curve, int]]:
        """The curves, and the number of columns that are shown of each."""
        return zip(self._curves, self._shown.tolist(), strict=True)

    def _ends(self, curve: Curve, before: int, frames: NextFrames) -> _Rows:
        """The number of columns that each frame shows of a curve that had `before` columns; sets
        the dot at its end."""
        number, depths, snapshot = curve.number, curve.depths, frames.snapshots[curve.number]
        columns = np.maximum(depths.shown(frames.steps[number]), before)
        if frames.present and snapshot.finished:
            columns[:] = x = depths.reached
            if self._dot and number not in self._dots and snapshot.outcome is not Outcome.CAPPED:
                self._dots[number] = x, self._row(np.array(depths.depth)).item() + 0.5
                self._fresh += [x - int(self._dot) - 1, x + int(self._dot) + 1]
        return columns

    def painted(self, first: int, stop: int) -> Pixels:
        """The pixels of columns `first` to `stop` - 1."""
        pixels = self._empty[:, first:stop].copy()
        if self._band:
            for start, end in self._spans(self._band):
                filled = slice(max(0, start - first), max(0, end - first))
                pixels[self._band.top : self._band.bottom, filled] = self._band.colour
        rows = np.arange(self._area.height)[:, None]
        found = [self._columns(curve, shown, first, stop) for curve, shown in self._each]

        def fill(colours: Pixels, upper: _Rows, lower: _Rows | int) -> None:
            where = (rows >= upper) & (rows < lower)
            np.copyto(pixels, colours[:, None], where=where[..., None])

        for curve, columns in zip(self._curves, found, strict=True):
            fill(curve.area, columns.upper, self._foot + 1)
        if self._ruled:
            at = np.array([int(line[0][0]) for line in self._ruled.lines]) - self._area.x
            at = at[(first <= at) & (at < stop)] - first
            pixels[: self._foot + 1, at] = self._ruled.colour
        for curve, (upper, edge, lower, restarts) in zip(self._curves, found, strict=True):
            fill(curve.band, upper, lower)
            fill(curve.line, upper, edge)
            pixels[: self._area.height // _RESTART_SHARE, restarts] = curve.restart
        beside = np.arange(first, stop) + 0.5
        for curve in self._curves:
            if curve.number in self._dots:
                x, y = self._dots[curve.number]
                pixels[(beside - x) ** 2 + (rows + 0.5 - y) ** 2 <= self._dot**2] = curve.restart
        return pixels

    def _spans(self, band: Band) -> list[tuple[int, int]]:
        """The filled columns of a band, from and to."""
        shown = int(self._shown.max())
        return [(start, min(end, shown)) for start, end in band.spans if start < min(end, shown)]

    def _columns(self, curve: Curve, shown: int, first: int, stop: int) -> _Columns:
        """Columns `first` to `stop` - 1 of a curve that shows `shown` columns."""
        depths = curve.depths
        columns = np.arange(first - self._reach, stop + self._reach)
        there = (columns >= 0) & (columns < shown)
        columns = columns.clip(0, len(depths.high) - 1)
        window = 2 * self._reach - 1
        high = sliding_window_view(np.where(there, depths.high[columns], -1), window).max(1)
        low = sliding_window_view(np.where(there, depths.low[columns], _DEEP), window).min(1)
        own = slice(self._reach, len(columns) - self._reach)
        # With a column on each side.
        upper = np.where(high < 0, -1, self._row(high))
        edge = np.maximum(np.maximum(upper[:-2], upper[1:-1]), upper[2:]) + self._thick
        upper = np.where(there[own], upper[1:-1], self._foot + 1)
        lower = (
            np.minimum(np.maximum(self._row(low)[1:-1], upper + self._thick - 1), self._foot) + 1
        )
        return _Columns(
            upper, np.minimum(edge, lower), lower, (depths.restarts[columns] & there)[own]
        )

    def _row(self, depths: NDArray[np.int32]) -> _Rows:
        """The row of the chart for each of these depths."""
        return self._foot - depths.astype(np.int64) * self._room // self._deepest

    def shapes(self) -> list[Polygon | Stroke]:
        """What is shown, the lowest first."""
        found: list[Polygon | Stroke] = []
        at, high = self._area, self._area.height // _RESTART_SHARE
        width = self._area.width
        all_columns = [self._columns(curve, shown, 0, width) for curve, shown in self._each]
        for curve, columns in zip(self._curves, all_columns, strict=True):
            foot = np.full_like(columns.upper, self._foot + 1)
            found += _banded(at, columns.upper, foot, curve.area)
        found += [self._ruled] if self._ruled else []
        for curve, (upper, edge, lower, restarts) in zip(self._curves, all_columns, strict=True):
            found += _banded(at, upper, lower, curve.band)
            if curve.line is not curve.band:
                found += _banded(at, upper, edge, curve.line)
            marks = tuple(box(at.x + column, at.y, 1, high)
                          for column in np.flatnonzero(restarts).tolist())  # fmt: skip
            found += [Polygon(marks, curve.restart)] if marks else []
        if self._band and (spans := self._spans(self._band)):
            top, bottom, _, colour = self._band
            boxes = (box(at.x + start, at.y + top, end - start, bottom - top)
                     for start, end in spans)  # fmt: skip
            found.append(Polygon(tuple(boxes), colour))
        for curve in self._curves:
            if curve.number in self._dots:
                x, y = self._dots[curve.number]
                found.append(Stroke((((at.x + x, at.y + y),),), 2 * self._dot, curve.restart))
        return found


def _banded(at: Rect, upper: _Rows, lower: _Rows, colours: Pixels) -> Iterator[Polygon]:
    """The area from row `upper` to before row `lower` of each column, in the colours of the rows. A
    part of one colour extends a little under the next one, so that viewers with smoothed edges show
    no seam."""
    turns = np.flatnonzero((np.diff(colours.astype(int), axis=0, prepend=-1) != 0).any(1)).tolist()
    for begin, end in zip(turns, [*(turn + 1 for turn in turns[1:]), len(colours)], strict=True):
        tops, feet = np.clip(upper, begin, end), np.clip(lower, begin, end)
        bounds = np.flatnonzero(np.diff(tops < feet, prepend=False, append=False))
        contours = tuple(
            (*_edge(at, first, tops[first:stop]), *_edge(at, first, feet[first:stop])[::-1])
            for first, stop in bounds.reshape(-1, 2).tolist()
        )
        if contours:
            red, green, blue = colours[begin].tolist()
            yield Polygon(contours, (red, green, blue))


def _edge(at: Rect, first: int, rows: _Rows) -> Contour:
    """The upper edge of these rows of the columns from `first` on, from left to right."""
    turns = np.flatnonzero(np.diff(rows, prepend=-1, append=-1))
    xs, ys = at.x + first + turns.repeat(2)[1:-1], at.y + rows[turns[:-1]].repeat(2)
    return tuple(zip(xs.astype(float).tolist(), ys.astype(float).tolist(), strict=True))
