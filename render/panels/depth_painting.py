"""The chart of depths: which of its columns are new, and compiled painting of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.drawing.run_draft import DraftArrays, put_sprite
from render.playback.recorders.history import RESTARTED, HistoryArrays, columns_begun
from solver.jit import inner, lean

__all__ = ["ChartArrays", "ChartColours", "Parts", "draw_columns", "paint_parts", "put_columns"]

_DRAWN, _LEAST, _MOST = range(3)


class ChartArrays(NamedTuple):
    """A chart as it was drawn last: its left upper corner, and `drawn` (3,) int64, how many columns
    were and the depths of the last of them."""

    left: int
    top: int
    drawn: NDArray[np.int64]


class ChartColours(NamedTuple):
    """`bright` and `dim` (height, 3) uint8 from the top, `ground` and `restart` (3,) uint8. The
    depth `deepest` is at the upper edge; what is bright is at least `thickness` pixels high. A
    restart is marked from the upper edge down, a fifth of the height."""

    bright: NDArray[np.uint8]
    dim: NDArray[np.uint8]
    ground: NDArray[np.uint8]
    restart: NDArray[np.uint8]
    deepest: int
    thickness: int


class Parts(NamedTuple):
    """Parts of charts that the frames of a run put, one after the other.

    widths     (p,) int32   how many columns each part has
    low, high  (c,) int32   the least and the largest depth of these columns
    counts     (2,) int64   how many parts and columns there are
    """

    widths: NDArray[np.int32]
    low: NDArray[np.int32]
    high: NDArray[np.int32]
    counts: NDArray[np.int64]


@inner
def _new_columns(history: HistoryArrays, chart: ChartArrays) -> tuple[int, int]:
    """(first, end): the columns `first` to `end` - 1 are to be drawn, and count as drawn from now
    on. The last one that was drawn may have gone on to grow."""
    end = columns_begun(history)
    if end == 0:
        return 0, 0
    first, last = int(chart.drawn[_DRAWN]), end - 1
    if first and (
        history.low[first - 1] != chart.drawn[_LEAST]
        or history.high[first - 1] != chart.drawn[_MOST]
    ):
        first -= 1
    chart.drawn[_DRAWN] = end
    chart.drawn[_LEAST] = history.low[last]
    chart.drawn[_MOST] = history.high[last]
    return first, end


@inner
def put_columns(
    frame: int, history: HistoryArrays, chart: ChartArrays, parts: Parts, draft: DraftArrays
) -> None:
    """Put the columns that are to be drawn on a frame, as one part."""
    first, end = _new_columns(history, chart)
    if first == end:
        return
    part, at = int(parts.counts[0]), int(parts.counts[1])
    put_sprite(frame, -1 - part, chart.left + first, chart.top, draft)
    parts.widths[part] = end - first
    for column in range(first, end):
        parts.low[at] = history.low[column]
        parts.high[at] = history.high[column]
        at += 1
    parts.counts[0] = part + 1
    parts.counts[1] = at


@inner
def _paint(
    pixels: NDArray[np.uint8],
    start: int,
    across: int,
    width: int,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    colours: ChartColours,
) -> None:
    """Paint `width` columns with these depths. The left upper pixel is at byte `start` of `pixels`,
    `across` bytes to a row. A column is bright from the greatest depth to the least, dim below,
    ground above."""
    bright, dim, ground = colours.bright, colours.dim, colours.ground
    height = len(bright)
    for column in range(width):
        most, least = int(high[column]), max(0, int(low[column]))
        marked = height // 5 if low[column] == RESTARTED else 0
        upper = height - 1 - most * (height - 1) // colours.deepest
        lower = height - 1 - least * (height - 1) // colours.deepest
        lower = min(height - 1, max(lower, upper + colours.thickness - 1))
        for row in range(height):
            at = start + row * across + 3 * column
            for shade in range(3):
                if row < marked:
                    pixels[at + shade] = colours.restart[shade]
                elif row < upper:
                    pixels[at + shade] = ground[shade]
                elif row <= lower:
                    pixels[at + shade] = bright[row, shade]
                else:
                    pixels[at + shade] = dim[row, shade]


@lean
def draw_columns(
    pixels: NDArray[np.uint8],
    across: int,
    history: HistoryArrays,
    chart: ChartArrays,
    colours: ChartColours,
) -> tuple[int, int]:
    """Paint the columns that are to be drawn straight into a canvas's pixels (n,), rows of `across`
    pixels; returns which, `first` to `end` - 1."""
    first, end = _new_columns(history, chart)
    start = 3 * (chart.top * across + chart.left + first)
    _paint(
        pixels, start, 3 * across, end - first, history.low[first:end], history.high[first:end],
        colours,
    )  # fmt: skip
    return first, end


@lean
def paint_parts(
    pixels: NDArray[np.uint8],
    widths: NDArray[np.int32],
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    colours: ChartColours,
) -> None:
    """Paint parts of a chart as sprites, one after the other in `pixels` (n,): each so many columns
    wide, their depths one after the other in `low` and `high`."""
    begun = start = 0
    for part in range(len(widths)):
        width = int(widths[part])
        end = begun + width
        _paint(pixels, start, 3 * width, width, low[begun:end], high[begun:end], colours)
        begun = end
        start += 3 * width * len(colours.bright)
