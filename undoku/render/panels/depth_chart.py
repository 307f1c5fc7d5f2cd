"""The depth of a search over its steps: columns of pixels, painted when they are complete, and as
the shapes of documents. Both lie on the same pixels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import DrawnShapes, Pixels, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.shapes import Contour, Polygon, box
from undoku.render.playback.history import Depths
from undoku.render.playback.next_frames import NextFrames

_RESTART_SHARE = 5
"""The height of a chart divided by that of the mark of a restart."""

_THIN = 40
"""The height of a chart divided by that of a band of a single depth."""

_Rows = NDArray[np.int64]


class ChartColours(NamedTuple):
    """The colours, by row from the top, (height, 3), of the band between the least and the largest
    depth of a column, of what is below it, and of the chart without a search; and that of the marks
    of restarts."""

    band: Pixels
    below: Pixels
    empty: Pixels
    restart: Colour


class DepthChart:
    """A chart in `area` of a picture, of search `number`. Its lowest row is depth 0, its uppermost
    one the depth `deepest` (>= 1). A column in which the search restarted has a mark at the top."""

    def __init__(
        self, area: Rect, number: int, depths: Depths, deepest: int, colours: ChartColours
    ) -> None:
        self._area, self._number, self._depths, self._deepest = area, number, depths, deepest
        self._colours = colours
        self._thick = max(1, round(area.height / _THIN))
        self._shown = 0
        """The number of columns that are shown."""

    def put(self, frames: NextFrames, draft: Draft) -> None:
        """Add the columns that become complete on these frames, of which the depths have recorded
        the steps; on a single frame the last one of a search that has ended, too."""
        number, depths = self._number, self._depths
        ends = np.maximum(depths.shown(frames.steps[number]), self._shown)
        if frames.present and frames.snapshots[number].finished:
            ends[:] = depths.reached
        draft.figure = DrawnShapes(self._area, self.shapes)
        for frame in np.flatnonzero(np.diff(ends, prepend=self._shown)).tolist():
            first, self._shown = self._shown, int(ends[frame])
            pixels = self._painted(first, self._shown)
            draft.add_new(frame, pixels, self._area.x + first, self._area.y)

    def _painted(self, first: int, stop: int) -> Pixels:
        """The pixels of columns `first` to `stop` - 1."""
        rows, high = np.arange(self._area.height)[:, None], self._area.height // _RESTART_SHARE
        upper, lower = self._band(first, stop)
        band, below, empty, restart = self._colours
        below_top = (rows >= upper)[..., None]
        in_band = below_top & (rows < lower)[..., None]
        pixels = np.where(below_top, below[:, None], empty[:, None])
        pixels = np.where(in_band, band[:, None], pixels)
        pixels[:high, self._depths.restarts[first:stop]] = restart
        return pixels

    def _band(self, first: int, stop: int) -> tuple[_Rows, _Rows]:
        """The first row of the band in columns `first` to `stop` - 1, and the row after it."""
        high, low = (
            self._row(depths[first:stop]) for depths in (self._depths.high, self._depths.low)
        )
        return high, np.minimum(np.maximum(low, high + self._thick - 1), self._area.height - 1) + 1

    def _row(self, depths: NDArray[np.int32]) -> _Rows:
        """The row of the chart for each of these depths."""
        foot = self._area.height - 1
        return foot - depths.astype(np.int64) * foot // self._deepest

    def shapes(self) -> list[Polygon]:
        """What is shown, the lowest first."""
        at, high = self._area, self._area.height // _RESTART_SHARE
        upper, lower = self._band(0, self._shown)
        found = [
            *_banded(at, upper, np.full_like(upper, at.height), self._colours.below),
            *_banded(at, upper, lower, self._colours.band),
        ]
        marks = tuple(
            box(at.x + column, at.y, 1, high)
            for column in np.flatnonzero(self._depths.restarts[: self._shown]).tolist()
        )
        return [*found, Polygon(marks, self._colours.restart)] if marks else found


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
