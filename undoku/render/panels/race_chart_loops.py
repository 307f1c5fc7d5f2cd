"""Updates the chart that all searches share: compiled loops for a single frame and for all frames
of a run."""

from __future__ import annotations

from typing import NamedTuple

from undoku.h264.loops import F64_2D, I32, I64, I64_2D, U8, group, inner, loop
from undoku.render.draw.run_draft import DraftArrays, has_room, put_new
from undoku.render.panels.race_chart_painting import (
    PARTS,
    Curves,
    RaceColours,
    RacePlot,
    find_curve,
    paint_race,
)
from undoku.render.playback.history import DoublingArrays, depth_of, note_depths

BESIDE = 8
"""The picture of a column depends on this many columns beside it: half of the thickest line."""

DENSE = 0.5
"""Below this number of pixels per step, a curve is a band from the least to the largest depth,
which must not be entirely in a strong colour."""


WHOLE = 2
"""The whole plot is new on a frame."""


@group
class RaceArrays(NamedTuple):
    """The last drawn state of the chart of k searches.

    histories               row n of each array belongs to search n
    order   (k,) int64      of painting, the lowest first
    ended   (k,) uint8      1 if a curve ends in a dot
    dots    (k, 3) float64  x, y and radius of each curve's end, a radius of 0 for none
    shifts  (k,) int64      the shifts of the histories
    front   (1,) int64      the last column of the longest curve
    pixels  (n,) uint8      the plot
    """

    histories: DoublingArrays
    curves: Curves
    colours: RaceColours
    order: I64
    ended: U8
    dots: F64_2D
    shifts: I64
    front: I64
    pixels: U8


@inner
def update_race(
    end: float, whole: bool, marks: I64, plot: RacePlot, race: RaceArrays
) -> tuple[int, int]:
    """Update the plot to the histories, with an axis that ends at `end` steps; all of it if
    `whole`. Returns the columns that may have changed, `first` to `stop` - 1. `marks` (m,) are
    columns with a vertical line."""
    per_step = plot.room / end
    front = 0
    for search in range(len(race.order)):
        depth, steps, shift = depth_of(search, race.histories)
        front = max(front, steps)
        if shift != race.shifts[search]:
            race.shifts[search] = shift
            whole = True
        race.dots[search, 0] = plot.left + steps * per_step
        race.dots[search, 1] = plot.foot - depth * plot.rise
        race.dots[search, 2] = plot.dot if race.ended[search] else 0.0
    reached = int(plot.left + front * per_step)
    first, stop = 0, plot.width
    if not whole:
        # Columns to the left of the previous ends of curves, less the width of a line, do not
        # change.
        first = max(0, int(race.front[0]) - plot.margin)
        stop = min(plot.width, reached + plot.margin)
    race.front[0] = reached
    # The edges of a column depend on the columns beside it.
    begin, until = max(0, first - BESIDE), min(plot.width, stop + BESIDE)
    changed_from, changed_to = PARTS * plot.width, -1
    for search in range(len(race.order)):
        lower, upper = find_curve(
            search, PARTS * begin, PARTS * until, race.histories, plot, per_step, race.curves
        )
        changed_from, changed_to = min(changed_from, lower), max(changed_to, upper)
    if not whole:
        side = len(race.curves.reach) + 1
        first = max(first, (changed_from - side) // PARTS)
        stop = min(stop, (changed_to + side) // PARTS + 1)
        if changed_to < 0:
            stop = first
    paint_race(
        race.pixels, 3 * plot.width, first, stop, race.order, marks, race.dots, race.curves,
        race.colours, per_step < DENSE,
    )  # fmt: skip
    return first, stop


@loop
def put_race(
    frame: int,
    ends: I64_2D,
    depths: I32,
    restarts: U8,
    begun: I64,
    end: float,
    news: U8,
    marks: I64,
    plot: RacePlot,
    race: RaceArrays,
    draft: DraftArrays,
) -> int:
    """Record the steps of the frames of a run from `frame` on in the histories, and draw the
    changes on each; returns the first frame for which there is no room, or the number of frames.
    `depths` and `restarts` are those columns of `Steps`, of one search after the other.

    ends    (searches, frames)  the rows of search s on frame n are ends[s, n - 1] to ends[s, n]
                                - 1, on the first frame from `begun` (searches,) on
    end                         the end of the axis in steps
    news    (frames,)           WHOLE if the whole plot is new, 1 if a curve continues, otherwise 0
    marks   (m,)                columns with a vertical line
    """
    across = 3 * plot.width
    while frame < ends.shape[1]:
        if not has_room(1, len(race.pixels), draft):
            return frame
        for search in range(len(begun)):
            at = int(begun[search]) if frame == 0 else int(ends[search, frame - 1])
            if at < ends[search, frame]:
                stop = int(ends[search, frame])
                note_depths(depths, restarts, at, stop, search, race.histories)
        if news[frame]:
            whole = news[frame] == WHOLE
            first, stop = update_race(end, whole, marks, plot, race)
            if first < stop:
                to = put_new(frame, plot.x + first, plot.y, stop - first, plot.height, draft)
                size = 3 * (stop - first)
                for row in range(plot.height):
                    source = row * across + 3 * first
                    draft.pixels[to : to + size] = race.pixels[source : source + size]
                    to += size
        frame += 1
    return frame
