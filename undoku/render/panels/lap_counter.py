"""How many times the steps of the search that ended first the longest one has done: a large
number."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Canvas, Sprite
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import glyph_box, line_height, text_width
from undoku.render.draw.line_breaks import balanced
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import Align
from undoku.render.panels.panel import Panel, PanelContext
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.verdict import fastest, shows_tenths, times_text
from undoku.render.timeline.speed import steps_through
from undoku.solver.trace.trace import Outcome
from undoku.texts import wording as say
from undoku.texts.language import decimal, number

_TRIED, _SPARE = 96, 0.97
"""The size of letters with which the size that fits is computed, and a part of it, because letters
are rounded to pixels."""


class LapCounter(Panel):
    """Full multiples while the search goes on, or tenths if there are few; when it has ended, the
    ratio as it is rounded elsewhere. What is counted is written below the number."""

    changes = ()
    most_rows = 1

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        script, timeline = context.script, context.script.timeline
        totals = timeline.totals
        self._longest = totals.index(max(totals))
        first = fastest(script.tallies)
        self._lap, self._total = totals[first], totals[self._longest]
        self._tenths = shows_tenths(self._lap, self._total)
        self._capped = script.tallies[self._longest].outcome is Outcome.CAPPED
        box, size = self._box, self._text.sentence
        self._line = line_height(Face.BOLD, size)
        caption = balanced(say.STEPS(count=self._lap), Face.BOLD, size, box.width)
        # The number has two lines at least.
        self._caption = caption if (len(caption) + 2) * self._line <= box.height else []
        self._begun = self._planned()
        self._shown = 0
        self._size, high = self._largest(box.height - len(self._caption) * self._line)
        spare = box.height - high - len(self._caption) * self._line
        self._room = box._replace(y=box.y + spare // 2, height=high)
        name = "laps", *self._room, self._size, self._lap, self._total
        self._kind = self._sprites.index.kind(name, self._sprite)
        self.new_bytes = 3 * self._room.width * self._room.height

    def _largest(self, most: int) -> tuple[int, int]:
        """The size of the number with which all numbers fit into the box and `most` pixels, and
        its height."""
        _, top, _, _ = glyph_box("8", Face.BOLD, _TRIED)
        # The line without the empty space above the digits, and as much below them.
        high = line_height(Face.BOLD, _TRIED) - 2 * top
        widest = int("8" * len(str(self._total // self._lap)))
        factor = decimal(Fraction(88, 10)) if self._tenths else number(widest)
        texts = say.TIMES(factor=factor), self._written(self._total)
        wide = max(text_width(each, Face.BOLD, _TRIED) for each in texts)
        size = int(_TRIED * min(self._box.width / wide, max(1, most) / high) * _SPARE)
        return max(1, size), min(most, size * high // _TRIED + 2)

    def _written(self, steps: int) -> str:
        """The number after these steps of the longest search."""
        if steps < self._total and not self._tenths:
            return say.TIMES(factor=steps // self._lap)
        return times_text(self._lap, steps, at_least=self._capped or steps < self._total)

    def _planned(self) -> NDArray[np.int64]:
        """(race + 1,): the steps with which the present lap began, after each frame of the race; 0
        before the first lap."""
        timeline = self._context.script.timeline
        steps = steps_through(timeline, 0, timeline.race + 1)[:, self._longest]
        parts = 10 if self._tenths else 1
        begun = -(-(steps * parts // self._lap) * self._lap // parts)
        begun[steps < self._lap] = 0
        begun[steps == self._total] = self._total
        return begun

    def _sprite(self, steps: int) -> Sprite:
        text, room, ink = self._written(steps), self._room, self._theme.text
        return self._sprites.text(
            text, Face.BOLD, self._size, ink, room.width, height=room.height, align=Align.CENTRE
        )

    def start(self, canvas: Canvas) -> None:
        box, size, ink = self._box, self._text.sentence, self._theme.muted
        for row, line in enumerate(self._caption):
            at = box.x, self._room.bottom + row * self._line
            self._sprites.write(
                canvas, at, line, Face.BOLD, size, ink, box.width, align=Align.CENTRE
            )

    def put(self, frames: NextFrames, draft: Draft) -> None:
        first = frames.start - frames.timeline.intro + 1
        race = np.clip(np.arange(first, first + len(frames)), 0, len(self._begun) - 1)
        at = self._room.x, self._room.y
        self._shown = draft.change(self._shown, self._begun[race], self._kind, *at)
