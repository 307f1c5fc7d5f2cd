"""Copies of frames and runs, for a thread that reads them while the next ones are drawn."""

from __future__ import annotations

from typing import NamedTuple

from undoku.render.draw.canvas import Frame, Pixels, Rect, covering
from undoku.render.draw.sprite_run import SpriteRun

__all__ = ["CopiedPart", "copied_part", "has_room"]

_MAX_QUEUE_BYTES = 8 << 20
"""The most bytes of parts that wait for threads; a larger part must be alone."""

_MAX_OWN_BYTES = 1 << 14
"""The most bytes that a part takes in addition to its pixels."""


class CopiedPart(NamedTuple):
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


def copied_part(part: Frame | SpriteRun, canvas: Pixels) -> CopiedPart:
    """A copy of `part` for a thread whose `canvas` has the same shape as the present one."""
    if isinstance(part, SpriteRun):
        start, stop = int(part.first[0]), int(part.first[-1])
        sheet, first = part.sheet.shared_copy(), part.first - start
        placed = part.placed[start:stop].copy()
        size = sheet.temporary.nbytes + sheet.shapes.nbytes + first.nbytes + placed.nbytes
        run = SpriteRun(canvas, sheet, first, placed)
        return CopiedPart(run, [], size + _MAX_OWN_BYTES)
    changed = [
        (rect, part.pixels[rect.y : rect.bottom, rect.x : rect.right].copy())
        for rect in covering(part.changes)
    ]
    size = sum(pixels.nbytes for _, pixels in changed)
    return CopiedPart(Frame(canvas, part.changes, part.ticks), changed, size + _MAX_OWN_BYTES)


def has_room(waiting: int, size: int) -> bool:
    """Whether a queue in which parts of `waiting` bytes wait has room for one of `size` bytes."""
    return not waiting or waiting + size <= _MAX_QUEUE_BYTES
