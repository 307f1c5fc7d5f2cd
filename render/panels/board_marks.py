"""Marks on the cells of a board for a passage of a film: what a rule goes by, rings around the
cells that a callout is about, and a glow where the last steps were made.

A mark is drawn over the picture of its cell and taken away again; it never reaches beyond the cell,
so the board below draws as if there were none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from render.drawing.canvas import Canvas, Pixels, Rect
from render.drawing.sprites import SpriteBook
from render.layout.blocks import Block
from render.layout.cell_places import cell_squares
from render.panels.contract import Callout, Moment, Rule
from render.playback.player import Snapshot
from render.style.lettering import LEVELS, Face, text_mask
from render.style.theme import Colour, mix
from render.timing.beats import BeatKind
from render.timing.timeline import Phase, Timeline
from solver.puzzle import Puzzle

__all__ = ["BoardMarks"]

_GLOW = Fraction(2, 5)
"""Seconds for which a cell glows after its last step."""

_MOST_SPEED = 40
"""Steps a second up to which cells glow; faster ones would light up half of the board."""

_READABLE_SPEED = 4
"""Steps a second up to which the board shows why candidates went."""

_PULSE = Fraction(4, 5)
"""Seconds from one pulse of a ring to the next."""

_MOST_FAILURES = 8
"""Failures of a cell's units that make its bar as wide as the cell."""

_MOST_KEPT = 1 << 21
"""Bytes of cells with marks that are kept."""

_STRENGTHS = 16
"""Steps in which marks grow and fade."""


class _Sign(Enum):
    DOT = auto()
    HEAD = auto()
    NUMBER = auto()
    RING = auto()
    LIT = auto()
    GLOW = auto()
    WEIGHT = auto()


class BoardMark(NamedTuple):
    """A mark: its sign, its strength 0.._STRENGTHS, its colour, and the number that it shows."""

    sign: _Sign
    strength: int
    colour: Colour
    number: int = 0


class BoardMarks:
    """The marks of one search's board; `explains` of one that may say why candidates went."""

    def __init__(
        self,
        number: int,
        block: Block,
        puzzle: Puzzle,
        sprites: SpriteBook,
        timeline: Timeline,
        rule: Rule | None,
        callouts: Sequence[Callout],
        *,
        explains: bool,
    ) -> None:
        self._number = number
        self._puzzle = puzzle
        self._explains = explains
        self._side = block.cell
        self._squares: list[Rect] = cell_squares(
            puzzle.geometry, block.board.x, block.board.y, block.cell
        )
        self._sprites = sprites
        self._timeline = timeline
        self._rule = rule
        self._callouts = [each for each in callouts if each.rings_end > each.start]
        self._below: dict[int, Pixels] = {}
        """The marked cells as the board drew them."""
        self._shown: dict[int, Pixels] = {}
        """The marked cells as they are seen."""
        self._marked: dict[tuple[bytes, BoardMark], Pixels] = {}
        """Cells with marks that were drawn before, by the pixels below and the mark: most marks
        stand for many frames. Those that look alike are the same array."""
        self._glow: dict[int, int] = {}
        """The frame on which a cell was changed last, of those that may still glow."""

    @property
    def explains(self) -> bool:
        """Whether there is a frame on which the board shows why candidates went."""
        timeline = self._timeline
        # Between its ends a race of one stretch is nowhere slower than at both.
        begun = [part.start for part in timeline.stretches] or [0, timeline.race - 1]
        return any(self._readable(timeline.intro + elapsed) for elapsed in begun)

    def shown_on(self, frame: int) -> bool:
        """Whether a frame of the film, or the one before it, may have marks."""
        return self._may_show(frame) or self._may_show(frame - 1)

    def _may_show(self, frame: int) -> bool:
        if self._readable(frame):
            return True
        beat = self._timeline.beat_at(frame)
        if beat is None:
            return False
        if beat.kind in (BeatKind.RULES, BeatKind.FIRST_STEP, BeatKind.SLOW):
            return True
        if any(each.start <= frame < each.rings_end for each in self._callouts):
            return True
        return self._weighs(frame) or any(self._speed(earlier) for earlier in self._reach(frame))

    def _weighs(self, frame: int) -> bool:
        """Whether failures may be shown on a frame: those of the first steps."""
        if self._rule is None or not self._rule.failures:
            return False
        steps = self._timeline.steps_at(max(0, frame - self._timeline.intro))[self._number]
        return steps < len(self._rule.failures)

    def _reach(self, frame: int) -> tuple[int, int]:
        """The frames between which a step still glows on `frame`."""
        return max(0, frame - round(_GLOW * self._timeline.fps)), frame

    def _speed(self, frame: int) -> bool:
        """Whether steps of this frame glow."""
        return 0 < self._timeline.speed_at(frame) <= _MOST_SPEED

    def lift(self, canvas: Canvas) -> None:
        """Put back the cells as the board drew them, before it draws again."""
        for cell, pixels in self._below.items():
            square = self._squares[cell]
            canvas.pixels[square.y : square.bottom, square.x : square.right] = pixels
        self._below.clear()

    def lay(self, canvas: Canvas, moment: Moment) -> None:
        """Draw the marks of the moment over the board."""
        marks = self._marks(moment) if moment.shot.phase is not Phase.STILL else {}
        seen = {}
        for cell, mark in marks.items():
            square = self._squares[cell]
            window = canvas.pixels[square.y : square.bottom, square.x : square.right]
            self._below[cell] = window.copy()
            window[:] = seen[cell] = self._picture(self._below[cell], mark)
        for cell in {*seen, *self._shown}:
            if seen.get(cell) is not self._shown.get(cell):
                canvas.touch(self._squares[cell])
        self._shown = seen

    def _picture(self, below: Pixels, mark: BoardMark) -> Pixels:
        """The cell's picture with the mark on it: the same array as long as both are the same."""
        found = self._marked.get(key := (below.tobytes(), mark))
        if found is None:
            if len(self._marked) * below.nbytes > _MOST_KEPT:
                self._marked.clear()
            found = self._marked[key] = self._drawn(below, mark)
        return found

    def _marks(self, moment: Moment) -> Mapping[int, BoardMark]:
        """The mark of each cell that has one."""
        frame, timeline = moment.shot.start, self._timeline
        snapshot = moment.snapshots[self._number]
        beat = timeline.beat_at(frame)
        marks: dict[int, BoardMark] = {}
        if beat is None:
            return self._removal_marks(frame, snapshot)
        if beat.kind is BeatKind.RULES and self._rule:
            return self._rule_marks(self._rule, frame - beat.start, beat.frames)
        self._note_steps(frame, snapshot)
        theme = self._sprites.theme
        if self._rule:
            marks |= self._weight_marks(self._rule, snapshot)
        for cell, begun in self._glow.items():
            left = 1 - (frame - begun) / float(_GLOW * timeline.fps)
            marks[cell] = BoardMark(_Sign.GLOW, _strength(left), theme.search_colour(self._number))
        marks |= self._removal_marks(frame, snapshot)
        for callout in self._callouts:
            if callout.start <= frame < callout.rings_end:
                marks |= self._ring_marks(callout, frame)
        return {cell: mark for cell, mark in marks.items() if mark.strength}

    def _readable(self, frame: int) -> bool:
        """Whether steps are so slow that the board shows why candidates went."""
        return self._explains and 0 < self._timeline.speed_at(frame) <= _READABLE_SPEED

    def _removal_marks(self, frame: int, snapshot: Snapshot) -> dict[int, BoardMark]:
        """The cells that the last removal follows from, lit, and those that lose a candidate, in a
        ring."""
        if not snapshot.removals or not self._readable(frame):
            return {}
        theme, removal = self._sprites.theme, snapshot.removals[-1]
        lit = BoardMark(_Sign.LIT, _STRENGTHS, theme.accent)
        ring = BoardMark(_Sign.RING, _STRENGTHS, theme.undoing)
        marks = dict.fromkeys(removal.pattern(self._puzzle), lit)
        return marks | dict.fromkeys((cell for cell, _ in removal.candidates), ring)

    def _note_steps(self, frame: int, snapshot: Snapshot) -> None:
        first, _ = self._reach(frame)
        for cell in [cell for cell, begun in self._glow.items() if begun <= first]:
            del self._glow[cell]
        if snapshot.span and self._speed(frame):
            for cell in np.flatnonzero(snapshot.changed).tolist():
                self._glow[cell] = frame

    def _rule_marks(self, rule: Rule, at: int, frames: int) -> dict[int, BoardMark]:
        """A sweep through the fixed order, or the numbers of options; `at` of the beat's frames
        have passed."""
        theme = self._sprites.theme
        colour = theme.search_colour(self._number)
        if rule.order:
            # The sweep takes four fifths of the beat; its way stays for the rest.
            reached = len(rule.order) * at * 5 // (4 * frames)
            marks = {cell: BoardMark(_Sign.DOT, 8, colour) for cell in rule.order[:reached]}
            if reached < len(rule.order):
                marks[rule.order[reached]] = BoardMark(_Sign.HEAD, _STRENGTHS, colour)
            return marks
        shown = _strength(4 * at / frames)
        glow = _strength(4 * at / frames - 1.5)
        marks = {}
        for cell, count in rule.options:
            best = cell in rule.best and glow > 0
            ink = mix(theme.muted, colour, glow / _STRENGTHS) if best else theme.muted
            marks[cell] = BoardMark(_Sign.NUMBER, shown, ink, count | (glow << 8 if best else 0))
        return marks

    def _weight_marks(self, rule: Rule, snapshot: Snapshot) -> dict[int, BoardMark]:
        """A bar in each empty cell, as wide as its units have failed often."""
        if snapshot.steps >= len(rule.failures):
            return {}
        colour = self._sprites.theme.search_colour(self._number)
        return {
            cell: BoardMark(_Sign.WEIGHT, _STRENGTHS, colour, min(count, _MOST_FAILURES))
            for cell, count in enumerate(rule.failures[snapshot.steps])
            if count and not snapshot.board[cell]
        }

    def _ring_marks(self, callout: Callout, frame: int) -> dict[int, BoardMark]:
        theme, fps = self._sprites.theme, self._timeline.fps
        colour = theme.undoing if callout.wrong else theme.accent
        period = float(_PULSE * fps)
        begun = frame - callout.start
        appear = min(1.0, begun / float(fps * Fraction(1, 5)) + 0.2)
        wave = 0.5 + 0.5 * float(np.cos(2 * np.pi * begun / period))
        pulse = _strength(appear * (0.55 + 0.45 * wave))
        marks = {cell: BoardMark(_Sign.LIT, _strength(appear), colour) for cell in callout.lit}
        if callout.placed >= 0:
            marks[callout.placed] = BoardMark(_Sign.RING, _strength(appear), colour)
        for cell in callout.shown:
            marks[cell] = BoardMark(_Sign.RING, pulse, colour)
        return marks

    def _drawn(self, below: Pixels, mark: BoardMark) -> Pixels:
        """The cell's picture with the mark on it."""
        pixels = below.copy()
        side, strength = self._side, mark.strength / _STRENGTHS
        match mark.sign:
            case _Sign.LIT:
                pixels = _tinted(pixels, mark.colour, 0.25 * strength)
            case _Sign.GLOW:
                _ring(pixels, max(2, side // 16), mark.colour, strength)
            case _Sign.RING:
                _ring(pixels, max(2, side // 11), mark.colour, strength)
            case _Sign.WEIGHT:
                inset, high = max(2, side // 12), max(2, side // 10)
                wide = round((side - 2 * inset) * mark.number / _MOST_FAILURES)
                bar = pixels[side - inset - high : side - inset, inset : inset + wide]
                bar[:] = mark.colour
            case _Sign.DOT | _Sign.HEAD:
                head = mark.sign is _Sign.HEAD
                if head:
                    pixels = _tinted(pixels, mark.colour, 0.3)
                pixels = _disc(pixels, side * (0.26 if head else 0.09), mark.colour)
            case _Sign.NUMBER:
                glow = mark.number >> 8
                if glow:
                    pixels = _tinted(pixels, mark.colour, 0.25 * glow / _STRENGTHS)
                mask = text_mask(str(mark.number & 0xFF), Face.BOLD if glow else Face.REGULAR,
                                 round(side * 0.46))  # fmt: skip
                _stamp(pixels, mask, mark.colour, strength)
                if glow:
                    _ring(pixels, max(2, side // 16), mark.colour, glow / _STRENGTHS)
        return pixels


def _strength(share: float) -> int:
    return max(0, min(_STRENGTHS, round(share * _STRENGTHS)))


def _blend(pixels: Pixels, colour: Colour, share: np.ndarray | float) -> Pixels:
    """Pixels with so much of a colour in each."""
    mixed = pixels + (np.array(colour, np.float32) - pixels) * share
    return np.rint(mixed).astype(np.uint8)


def _tinted(pixels: Pixels, colour: Colour, share: float) -> Pixels:
    return _blend(pixels, colour, share)


def _ring(pixels: Pixels, width: int, colour: Colour, strength: float) -> None:
    """A frame inside the cell's edge, drawn in place."""
    inside = np.ones(pixels.shape[:2], bool)
    inside[width:-width, width:-width] = False
    pixels[inside] = _blend(pixels[inside], colour, strength)


def _disc(pixels: Pixels, radius: float, colour: Colour) -> Pixels:
    """A smooth disc in the middle of the cell."""
    side = len(pixels)
    row, column = np.indices((side, side))
    distance = np.hypot(row - (side - 1) / 2, column - (side - 1) / 2)
    share = np.clip(radius + 0.5 - distance, 0, 1)[..., None]
    return _blend(pixels, colour, share)


def _stamp(pixels: Pixels, mask: np.ndarray, colour: Colour, strength: float) -> None:
    """Letters in the middle of the cell, drawn in place."""
    side = len(pixels)
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not len(rows):
        return
    ink = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    high, wide = min(side, ink.shape[0]), min(side, ink.shape[1])
    top, left = (side - high) // 2, (side - wide) // 2
    window = pixels[top : top + high, left : left + wide]
    share = (ink[:high, :wide] / (LEVELS - 1) * strength)[..., None]
    window[:] = _blend(window, colour, share)
