"""The parts of a film, frames and runs: cut at ticks, taken apart, and copied for a thread that
reads them while the next ones are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from undoku.render.draw.canvas import Frame, Pixels, Rect, covering, whole
from undoku.render.draw.sprite_run import SpriteRun

_MAX_OWN_BYTES = 1 << 14
"""The most bytes that a part takes in addition to its pixels."""


def ticks_of(part: Frame | SpriteRun) -> int:
    """The duration of a part of a film in ticks."""
    return len(part) if isinstance(part, SpriteRun) else part.ticks


def frames_of(parts: Iterable[Frame | SpriteRun]) -> Iterator[Frame]:
    """The frames of a film, one by one."""
    for part in parts:
        if isinstance(part, SpriteRun):
            yield from part.frames()
        else:
            yield part


def divided(
    parts: Iterable[Frame | SpriteRun], cuts: Sequence[int], first: int = 0
) -> Iterator[Frame | SpriteRun]:
    """The film, which begins at tick `first`, divided into parts that do not span any of the `cuts`
    (ticks in ascending order)."""
    at = first
    for part in parts:
        ticks = ticks_of(part)
        within = dict.fromkeys(cut - at for cut in cuts if at < cut < at + ticks)
        for start, stop in pairwise((0, *within, ticks)):
            if isinstance(part, SpriteRun):
                yield part.part(start, stop)
            else:
                changes = () if start else part.changes
                yield part._replace(changes=changes, ticks=stop - start)
        at += ticks


def excerpt_of(
    parts: Iterable[Frame | SpriteRun], ticks: range, first: int
) -> Iterator[Frame | SpriteRun]:
    """The `ticks` of a film whose parts begin at tick `first`, which is not after them. Its first
    part is a whole frame."""
    at, begun = first, False
    for part in divided(parts, (ticks.start, ticks.stop), first):
        if at >= ticks.stop:
            return
        if at >= ticks.start and not begun:
            for frame in frames_of([part]):
                yield frame if begun else frame._replace(changes=whole(frame.pixels))
                begun = True
        elif begun:
            yield part
        at += ticks_of(part)


class PartSnapshot(NamedTuple):
    """A frame or run on the canvas of a thread. For a frame, `changed` are the pixels of rectangles
    that cover its changes. `bytes` is the memory that the copy takes; a run refers to the
    pictures that its sheet keeps, which it shares with other runs."""

    part: Frame | SpriteRun
    changed: list[tuple[Rect, Pixels]]
    bytes: int

    def place(self) -> None:
        """Copy what a frame changes to its canvas; a run is played by its reader."""
        for rect, pixels in self.changed:
            self.part.pixels[rect.y : rect.bottom, rect.x : rect.right] = pixels


def snapshot_part(part: Frame | SpriteRun, canvas: Pixels) -> PartSnapshot:
    """A copy of `part` for a thread whose `canvas` has the same shape as the present one."""
    if isinstance(part, SpriteRun):
        start, stop = int(part.first[0]), int(part.first[-1])
        sheet, first = part.sheet.shared_copy(), part.first - start
        placed = part.placed[start:stop].copy()
        size = sheet.temporary.nbytes + sheet.shapes.nbytes + first.nbytes + placed.nbytes
        run = SpriteRun(canvas, sheet, first, placed)
        return PartSnapshot(run, [], size + _MAX_OWN_BYTES)
    changed = [
        (rect, part.pixels[rect.y : rect.bottom, rect.x : rect.right].copy())
        for rect in covering(part.changes)
    ]
    size = sum(pixels.nbytes for _, pixels in changed)
    return PartSnapshot(part._replace(pixels=canvas), changed, size + _MAX_OWN_BYTES)
