"""The ring around the board of the search that the present sentence is about."""

from __future__ import annotations

from bisect import bisect_right

from undoku.render.draw.canvas import Canvas
from undoku.render.draw.cells import strong_width
from undoku.render.draw.sprites import SpriteBook
from undoku.render.panels.panel import Moment, Panel
from undoku.render.panels.ring import draw_ring
from undoku.render.panels.script import Script
from undoku.render.playback.next_frames import NextFrames
from undoku.render.timeline.timeline import Phase

__all__ = ["SentenceRing", "sentence_bounds"]


def sentence_bounds(number: int, script: Script) -> list[int]:
    """The frames, ascending, on which sentences about search `number` begin, end, begin, …, in a
    film that shows one sentence at a time; none in others."""
    if not script.layout.sentence:
        return []
    return sorted(
        bound
        for each in script.callouts
        if number in (each.search, *each.others)
        for bound in (each.start, each.end)
    )


class SentenceRing(Panel):
    """Frames the board of search `number` in the colour of the search while a sentence about it is
    shown, until the search ends: the board of an ended search has a ring of its own."""

    def __init__(self, number: int, script: Script, sprites: SpriteBook) -> None:
        self._block = script.layout.blocks[number]
        self._sprites = sprites
        self._colour = sprites.theme.search_colour(number)
        timeline, total = script.timeline, script.timeline.totals[number]
        ended = timeline.frame_of(number, total) if total else 0
        self._bounds = [min(bound, ended) for bound in sentence_bounds(number, script)]
        self._shown = False

    def reach(self, frames: NextFrames) -> int:
        return frames.before(self._bounds)

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        within = bisect_right(self._bounds, moment.shot.start) % 2 == 1
        shown = within and moment.shot.phase is not Phase.STILL
        if shown == self._shown:
            return
        self._shown = shown
        colour = self._colour if shown else self._sprites.theme.ground
        draw_ring(canvas, self._block.board, strong_width(self._block.cell), colour)
