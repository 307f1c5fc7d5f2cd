"""Compiled painting of the chart that all searches share: smooth curves over soft areas.

A curve is the area between the least and the largest depth at each x, widened by half the width of
a line in all directions. It is computed for quarters of a column of pixels; the coverage of a pixel
is their mean.
"""

from __future__ import annotations

from typing import NamedTuple

from undoku.h264.loops import F64, F64_2D, I64, I64_2D, U8, U8_2D, U8_3D, group, inner
from undoku.render.playback.history import DoublingArrays, depth_of

PARTS = 4
"""The number of parts of a column of pixels."""

SHADES_OF_LINE = 3
"""The levels of coverage of a line above 0; few, because films have few colours."""

RESTART_SHARE = 8
"""The height of the chart divided by that of the mark of a restart."""

_NOWHERE = 1e9


@group
class RacePlot(NamedTuple):
    """The geometry of the plot in pixels: its upper left corner in the picture; in it, the x of
    step 0, the width of the axis, the y of depth 0 and the distance of two depths; the radius of
    dots; and the number of columns beside the end of a curve that change when it continues
    (`margin`)."""

    x: int
    y: int
    width: int
    height: int
    left: float
    room: float
    foot: float
    rise: float
    dot: float
    margin: int


@group
class Curves(NamedTuple):
    """The curves of all searches in n parts of columns: y of the upper and of the lower edge; where
    there is no curve, the upper edge is below the lower one.

    reach                   (k,) float64            the height of half a line by the number of parts
                                                    to the side; reach[0] is half its width
    bare_upper, bare_lower  (n,) float64            working memory: one curve without its width
    upper, lower            (searches, n) float64   with its width
    restarts                (searches, n) uint8     1 if the search restarted
    cover                   (height,) float64       working memory: coverage of a column
    best                    (height, 2) int64       working memory: level and search of each pixel
    """

    reach: F64
    bare_upper: F64
    bare_lower: F64
    upper: F64_2D
    lower: F64_2D
    restarts: U8_2D
    cover: F64
    best: I64_2D


@group
class RaceColours(NamedTuple):
    """`lines` (searches, SHADES_OF_LINE, 3) uint8, `areas` (searches, 3), `background` and `mark`
    (3,)."""

    lines: U8_3D
    areas: U8_2D
    background: U8
    mark: U8


@inner
def find_curve(
    search: int,
    first: int,
    end: int,
    histories: DoublingArrays,
    plot: RacePlot,
    per_step: float,
    curves: Curves,
) -> tuple[int, int]:
    """Find the curve of a search in the parts `first` to `end` - 1; returns the first and the last
    of them in which it has changed, `end` and -1 for none."""
    low, high = histories.low[search], histories.high[search]
    ends = histories.ends[search]
    _, steps, shift = depth_of(search, histories)
    bare_upper, bare_lower = curves.bare_upper, curves.bare_lower
    parts = len(bare_upper)
    reach = len(curves.reach) - 1
    per_part = 1 / (PARTS * per_step)
    # Steps that are wider than a pixel are connected by straight lines.
    joined = shift == 0 and per_step >= 1
    for part in range(max(0, first - reach), min(parts, end + reach)):
        begin = (part - plot.left * PARTS) * per_part
        until = min(begin + per_part, float(steps))
        begin = max(begin, 0.0)
        bare_upper[part], bare_lower[part] = _NOWHERE, -_NOWHERE
        curves.restarts[search, part] = 0
        if begin > until or steps == 0 or (begin == until and begin > 0):
            continue
        if joined:
            least, most = _NOWHERE, -_NOWHERE
            for place in (begin, until):
                step = min(int(place), steps - 1)
                before = 0.0
                if step:
                    before = float(ends[step - 1])
                depth = before + (ends[step] - before) * (place - step)
                least, most = min(least, depth), max(most, depth)
            for step in range(int(begin) + 1, int(until) + 1):
                depth = float(ends[step - 1])
                least, most = min(least, depth), max(most, depth)
        else:
            column = int(begin) >> shift
            last = (steps - 1) >> shift
            stop = min(last, int(until) >> shift)
            least, most = float(low[column]), float(high[column])
            for other in range(column + 1, stop + 1):
                least, most = min(least, float(low[other])), max(most, float(high[other]))
        # The columns of the history that begin in this part.
        step = int(begin)
        if step < begin:
            step += 1
        column = (step + (1 << shift) - 1) >> shift
        while column << shift < until:
            if histories.restarts[search, column]:
                curves.restarts[search, part] = 1
            column += 1
        bare_upper[part] = plot.foot - most * plot.rise
        bare_lower[part] = plot.foot - least * plot.rise
    changed_from, changed_to = end, -1
    for part in range(first, end):
        upper, lower = _NOWHERE, -_NOWHERE
        for other in range(max(0, part - reach), min(parts, part + reach + 1)):
            if bare_upper[other] > bare_lower[other]:
                continue
            more = curves.reach[abs(other - part)]
            upper = min(upper, bare_upper[other] - more)
            lower = max(lower, bare_lower[other] + more)
        if curves.upper[search, part] != upper or curves.lower[search, part] != lower:
            changed_from, changed_to = min(changed_from, part), part
        curves.upper[search, part] = upper
        curves.lower[search, part] = lower
    return changed_from, changed_to


@inner
def paint_race(
    pixels: U8,
    across: int,
    first: int,
    end: int,
    order: I64,
    marks: I64,
    dots: F64_2D,
    curves: Curves,
    colours: RaceColours,
    soft: bool,
) -> None:
    """Paint the columns `first` to `end` - 1 of a plot, `pixels` (n,), `across` bytes per row.
    `order` (searches,) is the order of painting, the lowest first, `marks` (m,) are columns with a
    vertical line, `dots` (searches, 3) the x, y and radius of each curve's end, a radius of 0 for
    none. If the chart is `soft`, a curve is strong only at its upper edge. Restarts are marked from
    the upper edge down, an eighth of the height, in the colour of the search."""
    lines, areas, background, mark = colours
    upper, lower, cover, best = curves.upper, curves.lower, curves.cover, curves.best
    line, side, parts = 2 * curves.reach[0], len(curves.reach) - 1, upper.shape[1]
    height = len(cover)
    levels = SHADES_OF_LINE
    for column in range(first, end):
        marked = False
        for other in marks:
            marked = marked or other == column
        for row in range(height):
            best[row, 0] = 0
            best[row, 1] = -1
        for search in order:
            # The area begins at the centre of the line.
            middle = PARTS * column + PARTS // 2
            if upper[search, middle] < lower[search, middle]:
                top = max(0, int((upper[search, middle] + upper[search, middle + 1]) / 2) + 1)
                for row in range(top, height):
                    if best[row, 0] == 0:
                        best[row, 1] = search
            highest, lowest = _NOWHERE, -_NOWHERE
            for part in range(PARTS * column, PARTS * column + PARTS):
                highest = min(highest, upper[search, part])
                lowest = max(lowest, lower[search, part])
            x, y, radius = dots[search, 0], dots[search, 1], dots[search, 2]
            if radius > 0 and abs(x - column - 0.5) <= radius + 1:
                highest, lowest = min(highest, y - radius - 1), max(lowest, y + radius + 1)
            if highest > lowest:
                continue
            top, bottom = max(0, int(highest)), min(height, int(lowest) + 1)
            cover[top:bottom] = 0.0
            for part in range(PARTS * column, PARTS * column + PARTS):
                above, below = upper[search, part], lower[search, part]
                strong = below
                if soft:
                    # Only the upper edge, also where it is steep.
                    before = upper[search, max(0, part - side)]
                    after = upper[search, min(parts - 1, part + side)]
                    strong = above + line
                    if before < _NOWHERE:
                        strong = max(strong, before + line)
                    if after < _NOWHERE:
                        strong = max(strong, after + line)
                    strong = min(below, strong)
                for row in range(max(top, int(above)), min(bottom, int(below) + 1)):
                    covered = max(0.0, min(below, row + 1.0) - max(above, float(row)))
                    bright = max(0.0, min(strong, row + 1.0) - max(above, float(row)))
                    cover[row] += (covered + bright * (levels - 1)) / (levels * PARTS)
            if radius > 0:
                for row in range(top, bottom):
                    away = ((column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2) ** 0.5
                    cover[row] = max(cover[row], min(1.0, radius + 0.5 - away))
            for row in range(top, bottom):
                level = int(cover[row] * levels + 0.5)
                if level > 0 and level >= best[row, 0]:
                    best[row, 0] = level
                    best[row, 1] = search
        for row in range(height):
            at = row * across + 3 * column
            level, search = best[row, 0], best[row, 1]
            if level > 0:
                pixels[at : at + 3] = lines[search, level - 1]
            elif marked:
                pixels[at : at + 3] = mark
            elif search >= 0:
                pixels[at : at + 3] = areas[search]
            else:
                pixels[at : at + 3] = background
        for search in order:
            restarted = False
            for part in range(PARTS * column, PARTS * column + PARTS):
                restarted = restarted or curves.restarts[search, part] != 0
            if restarted:
                for row in range(height // RESTART_SHARE):
                    at = row * across + 3 * column
                    pixels[at : at + 3] = lines[search, levels - 1]
