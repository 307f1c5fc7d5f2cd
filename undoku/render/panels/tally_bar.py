"""The bar below a board, with a number: the steps of a search, or the digits on its board."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Canvas, Rect, Sprite
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.line_breaks import fitting_line
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import Align
from undoku.render.panels.panel import Panel, PanelContext
from undoku.render.playback.next_frames import NextFrames
from undoku.solver.trace.state import GUESSED, PLACES, STEPS
from undoku.texts import wording as say
from undoku.texts.language import number, spoken

_NO_LINE = Rect(0, 0, 0, 0)


class _Bar(Panel):
    """A bar whose first part is grey, or absent, and whose second part has a colour, on a track;
    and a text with a number, if there is room for it. The bar grows in the reading direction."""

    changes = ()
    most_rows = 4

    def __init__(self, context: PanelContext, most: int, colour: Colour) -> None:
        """`most` is the largest number, `colour` that of the second part."""
        super().__init__(context)
        theme, index, panels = self._theme, self._sprites.index, context.block.panels
        self._bar, self._line = panels["bar"], panels.get("facts", _NO_LINE)
        self._inks = theme.muted, colour, theme.track
        self._ends = 0, 0
        """The ends of both parts in pixels."""
        self._written = 0
        """The number in the text. 0 is only written after others."""
        # In the first pass a sentence says what is counted.
        self._size, self._briefly = self._text.sentence, context.script.answers
        widest = int("8" * len(str(most)))
        if self._width(widest) > self._line.width:
            self._briefly = True
        sentence, sizes = self._sentence(widest), (1, self._size)
        _, self._size = fitting_line([sentence], Face.BOLD, self._line.width, sizes)
        self._wide = min(self._width(widest), self._line.width)
        self._align = Align.CENTRE if context.block.centred else Align.LEFT
        spare = self._line.width - self._wide
        left = {Align.LEFT: 0, Align.CENTRE: spare // 2, Align.RIGHT: spare}[self._align.as_read]
        self._at = self._line.x + left, self._line.y
        self._area_kind = index.kind(("bar", self._bar.height, self._inks), self._area)
        name = type(self), most, self._size, self._briefly, self._wide, self._align
        self._text_kind = index.kind(name, self._written_text)

    def _sentence(self, shown: int) -> str:
        """The text with a number."""
        raise NotImplementedError

    def _measured(self, registers: NDArray[np.int64]) -> NDArray[np.int64]:
        """(3, n): the ends of both parts in pixels and the number, for n frames after which a
        search has these registers (n, COUNTS)."""
        raise NotImplementedError

    def start(self, canvas: Canvas) -> None:
        canvas.fill(self._bar, self._theme.track)

    def put(self, frames: NextFrames, draft: Draft) -> None:
        if not (frames.present or frames.moves(self._number)):
            return
        *ends, shown = self._measured(frames.events(self._number).registers)
        for frame, now in enumerate(np.stack(ends, axis=1).tolist()):
            if tuple(now) != self._ends:
                draft.add([(frame, *row) for row in self._recoloured(*now)])
        if self._line.width:
            self._written = draft.change(self._written, shown, self._text_kind, *self._at)

    def _recoloured(self, first: int, second: int) -> Iterator[tuple[int, int, int]]:
        """The sprites, with x and y, of the parts of the bar that change their colour."""
        before, self._ends = self._ends, (first, second)
        ends = self._ends
        bar, leftwards = self._bar, spoken().right_to_left
        for start, end in pairwise(sorted({*before, *ends})):
            ink = bisect_right(ends, start)
            if ink != bisect_right(before, start):
                sprite = self._sprites.index.number((end - start) << 2 | ink, self._area_kind)
                yield sprite, bar.right - end if leftwards else bar.x + start, bar.y

    def _area(self, key: int) -> Sprite:
        return self._sprites.area(key >> 2, self._bar.height, self._inks[key & 3])

    def _written_text(self, shown: int) -> Sprite:
        return self._sprites.text(
            self._sentence(shown), Face.BOLD, self._size, self._theme.text, self._wide,
            align=self._align,
        )  # fmt: skip

    def _width(self, shown: int) -> int:
        return text_width(self._sentence(shown), Face.BOLD, self._size)


class StepsBar(_Bar):
    """The steps of a search, in its colour; that of the longest search fills the bar."""

    def __init__(self, context: PanelContext) -> None:
        colour = context.sprites.theme.search_colour(context.number)
        super().__init__(context, context.script.timeline.longest, colour)
        # Its number is new on each frame.
        self.new_bytes = 3 * self._wide * line_height(Face.BOLD, self._size)

    def _sentence(self, shown: int) -> str:
        return number(shown) if self._briefly else say.STEPS(count=shown)

    def _measured(self, registers: NDArray[np.int64]) -> NDArray[np.int64]:
        steps = registers[:, STEPS]
        filled = steps * self._bar.width // max(1, self._context.script.timeline.longest)
        return np.stack([np.zeros_like(filled), filled, steps])


class TallyBar(_Bar):
    """How full the board of a search is, and in which parts all digits that it has written so far
    were without alternative, in grey, and guessed."""

    def __init__(self, context: PanelContext) -> None:
        self._cells = len(context.puzzle.empty_cells)
        theme, free = context.sprites.theme, context.puzzle.problem.is_free
        # Of a free one nobody knows what was guessed.
        super().__init__(context, self._cells, theme.muted if free else theme.undoing)

    def _sentence(self, shown: int) -> str:
        text = say.CELLS_FILLED_BRIEFLY if self._briefly else say.CELLS_FILLED
        return text(filled=shown, cells=self._cells)

    def _measured(self, registers: NDArray[np.int64]) -> NDArray[np.int64]:
        filled = 2 * registers[:, PLACES] - registers[:, STEPS]
        places = np.maximum(registers[:, PLACES], 1)
        ends = filled * self._bar.width // max(1, self._cells)
        return np.stack([ends * (places - registers[:, GUESSED]) // places, ends, filled])
