"""Marks on the cells of a board during a passage of a film: rings around the cells of a sentence,
and a glow at the last steps.

A marked cell is a sprite like any other: the picture of the cell with the mark on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from math import cos, pi

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Pixels, Sprite
from undoku.render.draw.cell_look import CellKind, CellLook, unpacked
from undoku.render.draw.colour_space import Colour
from undoku.render.panels.board_loops import FOLLOWS, LIGHTS, TELLS, MarkArrays
from undoku.render.panels.mark_painting import (
    STRENGTHS,
    CellMark,
    Sign,
    marked,
    strength_of,
)
from undoku.render.panels.panel import PanelContext
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.player import Snapshot
from undoku.render.timeline.notes import Note
from undoku.solver.problem.appearance import Form
from undoku.solver.search.strategy import Strategy

_GLOW = Fraction(2, 5)
"""Seconds for which a cell glows after its last step."""

MAX_GLOW_SPEED = 40
"""The highest steps per second at which cells glow; faster searches would highlight half of the
board."""

_READABLE_SPEED = 4
"""The highest steps per second at which the board shows why candidates were removed."""

_PULSE = 0.8
"""Seconds from one pulse of a ring to the next."""

_APPEAR = 0.2
"""Seconds in which a mark appears."""

_LIGHTING = 1
"""Seconds in which the cells of a sentence light up, one after the other; a third of the time for
which they have rings, if that is less."""

_MAX_KEPT = 1 << 21
"""The maximum number of bytes of cached cells without marks, on which marks are drawn."""

_LONG_AGO = -(1 << 40)


class BoardMarks:
    """The marks of the board of one search, whose fields have the fixed parts `plots` of looks;
    `explains` states whether it may show why candidates were removed."""

    def __init__(self, context: PanelContext, plots: Sequence[CellLook]) -> None:
        script, number = context.script, context.number
        self._number, self._puzzle, self._sprites = number, context.puzzle, context.sprites
        self._timeline = timeline = script.timeline
        strategy = Strategy.known(script.headers[number].strategy)
        # A race without stretches is slowest at one of its ends.
        begun = [part.start for part in timeline.stretches] or [0, timeline.race - 1]
        self.explains = strategy is None or strategy.eliminates
        """Whether there is a frame on which the board shows why candidates were removed."""
        self.explains = any(self._readable(timeline.intro + at) for at in begun)
        self._side = context.block.cell
        self._is_grid = plots[0].form is Form.GRID
        self._is_digits = self._is_grid and not plots[0].coloured
        self._callouts = [
            each for each in script.notes if each.search == number and each.rings_end > each.start
        ]
        self._plots = {plot: number for number, plot in enumerate(dict.fromkeys(plots))}
        self._numbers: dict[CellMark | None, int] = {}
        self._unmarked = lru_cache(max(1, _MAX_KEPT // (3 * self._side**2)))(self._cell)
        cells = context.puzzle.problem.cells
        self._arrays = MarkArrays(
            bases=np.zeros(0, np.uint8),
            from_story=np.zeros((0, cells), np.int32),
            ages=np.zeros(0, np.int32),
            kinds=np.zeros((0, len(self._plots)), np.int32),
            plots=np.array([self._plots[plot] for plot in plots], np.int32),
            touched=np.full(cells, _LONG_AGO, np.int64),
            shown=np.zeros(len(plots), np.int32),
        )
        self._of_mark(None)
        if timeline.beats:
            ages = self._ages()  # which adds to the arrays
            self._arrays = self._arrays._replace(ages=ages)

    def _of_mark(self, mark: CellMark | None) -> int:
        """The number of a mark; None for no mark."""
        if mark and not mark.strength:
            mark = None
        found = self._numbers.get(mark)
        if found is None:
            found = self._numbers[mark] = len(self._numbers)
            index, kinds = self._sprites.index, self._arrays.kinds
            own = [
                index.kind(("cell", self._side, plot, mark), partial(self._draw, plot, mark))
                for plot in self._plots
            ]
            kinds = np.concatenate([kinds, np.array([own], np.int32)])
            self._arrays = self._arrays._replace(kinds=kinds)
        return found

    def _draw(self, plot: CellLook, mark: CellMark | None, number: int) -> Sprite:
        """The picture of a cell with a mark."""
        look = unpacked(number, plot)
        if mark is None:
            return self._sprites.cell(self._side, look)
        empty, before = look.kind is CellKind.PENCIL and look.form == Form.GRID, None
        lacking = {Sign.OPTION: not empty, Sign.WRONG: not look.value}
        if lacking.get(mark.sign):
            mark = mark._replace(sign=Sign.RING)
        if mark.sign is Sign.NARROWED and mark.number and empty:
            candidates = look.candidates | 1 << mark.number - 1
            before = self._unmarked(look._replace(candidates=candidates))
        background = self._sprites.theme.background
        return self._sprites.sprite(marked(self._unmarked(look), look, mark, background, before))

    def _cell(self, look: CellLook) -> Pixels:
        return self._sprites.cell(self._side, look).pixels

    def _ages(self) -> NDArray[np.int32]:
        """The marks of a cell by the number of frames after its last step."""
        frames = _GLOW * self._timeline.fps
        colour = self._sprites.theme.search_colour(self._number)
        strengths = [strength_of(1 - age / float(frames)) for age in range(round(frames))]
        marks = [self._of_mark(CellMark(Sign.GLOW, strength, colour)) for strength in strengths]
        return np.array(marks, np.int32)

    def reach(self, frames: NextFrames) -> int:
        """For how many of the next frames the marks are known before they are drawn; removals on a
        frame are not."""
        if not self.explains:
            return len(frames)
        timeline, first, end = self._timeline, frames.start, frames.start + len(frames)
        readable = self._readable(first)
        if readable:
            end = min(end, first + frames.before_step(self._number))
        at = first
        while at < end:
            if self._readable(at) != readable:
                return at - first
            at = max(at + 1, timeline.intro - 1 + timeline.even_until(at - timeline.intro))
        return end - first

    def of_frames(self, frames: NextFrames) -> MarkArrays:
        """The marks of these frames; a single picture has none."""
        start, count = frames.start, len(frames)
        removed = self._removal_marks(start, frames.snapshots[self._number])
        if count > len(self._arrays.bases):
            self._arrays = self._arrays._replace(
                bases=np.zeros(count, np.uint8),
                from_story=np.zeros((count, len(self._arrays.touched)), np.int32),
            )
        bases, rows = self._arrays.bases, self._arrays.from_story
        bases[:count] = 0
        frame, end = start, start if frames.still else start + count
        base = steady = 0
        while frame < end:
            if frame >= steady:
                base, steady = self._sources(frame)
            marks, until = self._of_story(frame, removed)
            until = min(until, steady)
            those = slice(frame - start, min(until, end) - start)
            bases[those] = base | TELLS if marks else base
            if marks:
                rows[those] = self._row_of(marks)
            frame = until
        return self._arrays

    def _row_of(self, marks: Mapping[int, CellMark]) -> NDArray[np.int32]:
        """A row of `MarkArrays.from_story`."""
        row = np.zeros(len(self._arrays.touched), np.int32)
        for cell, mark in marks.items():
            row[cell] = self._of_mark(mark) or -1
        return row

    def _sources(self, frame: int) -> tuple[int, int]:
        """The sources of the marks of a frame, and the first later frame on which they may
        differ."""
        timeline = self._timeline
        beat = timeline.beat_at(frame)
        if beat is None:
            return 0, timeline.frames
        lights = 0 < timeline.speed_at(frame) <= MAX_GLOW_SPEED
        until = min(beat.end, timeline.intro + timeline.even_until(frame - timeline.intro))
        return FOLLOWS | (LIGHTS if lights else 0), max(frame + 1, until)

    def _of_story(
        self, frame: int, removed: Mapping[int, CellMark]
    ) -> tuple[Mapping[int, CellMark], int]:
        """The marks of a frame that the sentences have, and of what was `removed`, and the first
        later frame on which these may differ."""
        marks, until = dict(removed), self._timeline.frames
        for callout in self._callouts:
            if frame < callout.start:
                until = min(until, callout.start)
            elif frame < callout.rings_end:
                marks |= self._ring_marks(callout, frame)
                until = frame + 1
        return marks, until

    def _readable(self, frame: int) -> bool:
        """Whether steps are slow enough for the board to show why candidates were removed."""
        return self.explains and 0 < self._timeline.speed_at(frame) <= _READABLE_SPEED

    def _removal_marks(self, frame: int, snapshot: Snapshot) -> dict[int, CellMark]:
        """The highlighted cells from which the last removal follows, and the rings around those
        that lose a candidate."""
        if not snapshot.removals or not self._readable(frame):
            return {}
        theme, removal = self._sprites.theme, snapshot.removals[-1]
        own = theme.search_colour(self._number) if self._timeline.beats else theme.accent
        lit = CellMark(Sign.LIT, STRENGTHS, own)
        ring = CellMark(Sign.RING, STRENGTHS, theme.undoing)
        marks = dict.fromkeys(removal.pattern(self._puzzle), lit)
        return marks | dict.fromkeys((cell for cell, _ in removal.candidates), ring)

    def _ring_marks(self, callout: Note, frame: int) -> dict[int, CellMark]:
        theme, fps = self._sprites.theme, float(self._timeline.fps)
        colour = theme.undoing if callout.wrong else theme.search_colour(self._number)
        begun = (frame - callout.start) / fps
        appear = _appeared(begun)
        wave = 0.5 + 0.5 * cos(2 * pi * begun / _PULSE)
        pulse = strength_of(appear * (0.55 + 0.45 * wave))
        marks = {}
        lighting = min(_LIGHTING, (callout.rings_end - callout.start) / fps / 3)
        for number, cell in enumerate(callout.lit):
            since = begun - lighting * number / len(callout.lit)
            if since >= 0:
                marks[cell] = CellMark(Sign.LIT, strength_of(_appeared(since)), colour)
        if callout.placed >= 0:
            sign = Sign.WRONG if callout.wrong and self._is_digits else Sign.RING
            marks[callout.placed] = CellMark(sign, strength_of(appear), colour)
        if callout.options:
            sign = Sign.OPTION if len(callout.options) == 1 else Sign.RING
            marks[callout.placed] = CellMark(sign, pulse, colour)
        for cell in callout.shown:
            marks[cell] = CellMark(Sign.RING, pulse, colour)
            if callout.wanted and self._is_grid:
                lost = callout.value if cell in callout.narrowed else 0
                marks[cell] = _narrowing(
                    begun / lighting, lost, callout.wanted | pulse << 8, colour
                )
        return marks


def _narrowing(share: float, lost: int, wanted: int, colour: Colour) -> CellMark:
    """The mark of a cell that loses the option `lost` (0 if it never had another one) after a
    share of the time until it shows the digit `wanted`: its options, the only one that is left, and
    the digit."""
    if share >= 1:
        return CellMark(Sign.WANTED, STRENGTHS, colour, wanted)
    if share >= 1 / 2:
        return CellMark(Sign.OPTION, max(1, strength_of(2 * share - 1)), colour)
    return CellMark(Sign.NARROWED, max(1, strength_of(4 * share - 1)), colour, lost)


def _appeared(seconds: float) -> float:
    """The strength, 0..1, of a mark that began to appear some seconds ago."""
    return min(1.0, seconds / _APPEAR + 0.2)
