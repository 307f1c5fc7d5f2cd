"""The chart of depths: its new columns, and compiled loops that paint them."""

from __future__ import annotations

from typing import NamedTuple

from undoku.h264.loops import I32, I64, U8, U8_2D, group, inner, loop
from undoku.render.draw.run_draft import DraftArrays, has_room, put_new
from undoku.render.playback.history import RESTARTED, HistoryArrays, columns_begun, take_note
from undoku.solver.trace.steps import Steps

_DRAWN, _LOW, _HIGH = range(3)


@group
class ChartArrays(NamedTuple):
    """The last drawn state of a chart: its upper left corner, and `drawn` (3,) int64: the number of
    drawn columns, and the least and the greatest depth of the last one."""

    left: int
    top: int
    drawn: I64


@group
class ChartColours(NamedTuple):
    """`bright` and `dim` (height, 3) uint8 from the top, `background` and `restart` (3,) uint8. The
    depth `deepest` is at the upper edge; the bright part is at least `thickness` pixels high. A
    restart is marked from the upper edge down, a fifth of the height."""

    bright: U8_2D
    dim: U8_2D
    background: U8
    restart: U8
    deepest: int
    thickness: int


@inner
def _new_columns(history: HistoryArrays, chart: ChartArrays) -> tuple[int, int]:
    """(first, end): the columns `first` to `end` - 1 must be drawn, and count as drawn from now on.
    The last one that was drawn before may have changed."""
    end = columns_begun(history)
    if end == 0:
        return 0, 0
    first, last = int(chart.drawn[_DRAWN]), end - 1
    if first and (
        history.low[first - 1] != chart.drawn[_LOW] or history.high[first - 1] != chart.drawn[_HIGH]
    ):
        first -= 1
    chart.drawn[_DRAWN] = end
    chart.drawn[_LOW] = history.low[last]
    chart.drawn[_HIGH] = history.high[last]
    return first, end


@inner
def paint_columns(
    pixels: U8,
    start: int,
    across: int,
    width: int,
    low: I32,
    high: I32,
    colours: ChartColours,
) -> None:
    """Paint `width` columns with these depths. The upper left pixel is at byte `start` of `pixels`,
    with `across` bytes per row. A column is bright between the greatest and the least depth, dim
    below, and has the background above."""
    bright, dim, background = colours.bright, colours.dim, colours.background
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
                    pixels[at + shade] = background[shade]
                elif row <= lower:
                    pixels[at + shade] = bright[row, shade]
                else:
                    pixels[at + shade] = dim[row, shade]


@loop
def put_columns(
    frame: int,
    ends: I64,
    steps: Steps,
    begun: int,
    total: int,
    history: HistoryArrays,
    chart: ChartArrays,
    colours: ChartColours,
    draft: DraftArrays,
) -> int:
    """Record the rows of the frames of a run from `frame` on, those of the first being `begun` to
    ends[0] - 1, and draw the changed columns on each; returns the first frame for which
    there is no room, or the number of frames."""
    height = len(colours.bright)
    at = begun if frame == 0 else int(ends[frame - 1])
    while frame < len(ends):
        if not has_room(1, 3 * height * len(history.low), draft):
            return frame
        end = int(ends[frame])
        if end > at:
            take_note(steps, at, end, total, history)
            at = end
        left, right = _new_columns(history, chart)
        if left < right:
            start = put_new(frame, chart.left + left, chart.top, right - left, height, draft)
            paint_columns(
                draft.pixels, start, 3 * (right - left), right - left,
                history.low[left:right], history.high[left:right], colours,
            )  # fmt: skip
        frame += 1
    return frame
