"""The legends of boards: how often a cell was tried, the colours of digits, and the marks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.lettering import Face, text_width
from undoku.render.draw.sprites import Align
from undoku.render.draw.typesetting import in_reading_direction
from undoku.render.panels.board_marks import MAX_GLOW_SPEED
from undoku.render.panels.heat import HeatStep, heat_scale
from undoku.render.panels.panel import Moment, Panel, PanelContext, Script
from undoku.render.timeline.timeline import EYE
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import Header
from undoku.texts import wording as say

__all__ = ["BoardLegendPanel", "LegendPanel", "legend_texts"]


class StaticPanel(Panel):
    """A panel that is drawn once."""

    changes = ()
    _is_drawn = False

    def draw(self, canvas: Canvas, moment: Moment | None = None) -> None:
        del moment
        if not self._is_drawn:
            self._is_drawn = True
            self._draw_once(canvas)

    @abstractmethod
    def _draw_once(self, canvas: Canvas) -> None:
        """Draw the whole panel."""


_NAMES = (say.TRIES_LONG, say.TRIES_MEDIUM, say.TRIES_SHORT)
"""Names of the legend, the fullest first."""


def _range(step: HeatStep) -> str:
    if step.least == step.most:
        return say.short_number(step.least)
    return say.RANGE(least=say.short_number(step.least), most=say.short_number(step.most))


def _bound(step: HeatStep) -> str:
    return say.short_number(step.least)


class LegendPanel(StaticPanel):
    """A patch for each shade with its counts on it."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._size = context.text.label
        self._steps = heat_scale(context.script.most_tried)

    def _arranged(self) -> tuple[str, list[str], int]:
        """The name, the texts of the patches and the width of a patch: the fullest that fit."""
        words: Sequence[Callable[[HeatStep], str]] = (_range, _bound)
        for tell in words:
            texts = [tell(step) for step in self._steps]
            patch = max(text_width(t, Face.REGULAR, self._size) for t in texts) + self._size
            for name in [*(text() for text in _NAMES), ""]:
                wide = text_width(name, Face.REGULAR, self._size) + self._size if name else 0
                if wide + patch * len(texts) <= self._box.width - 2:
                    return name, texts, patch
        return "", texts, (self._box.width - 2) // len(texts)

    def _draw_once(self, canvas: Canvas) -> None:
        theme, box, size = self._sprites.theme, self._box, self._size
        name, texts, patch = self._arranged()
        wide = text_width(name, Face.REGULAR, size) + size if name else 0
        x = box.x + (box.width - wide - patch * len(texts)) // 2
        if name:
            self._sprites.write(
                canvas,
                (x, box.y),
                name,
                Face.REGULAR,
                size,
                theme.muted,
                wide - size,
                height=box.height,
            )
        frame = Rect(x + wide - 1, box.y, patch * len(texts) + 2, box.height)
        canvas.fill(
            frame, theme.line
        )  # cells that were never tried have nearly the colour of the background
        for number, (step, text) in enumerate(zip(self._steps, texts, strict=True)):
            self._sprites.write(
                canvas,
                (x + wide + number * patch, box.y + 1),
                text,
                Face.REGULAR,
                size,
                theme.shade_inks[step.shade],
                patch,
                height=box.height - 2,
                align=Align.CENTRE,
                ground=theme.shades[step.shade],
            )


class _Mark(StrEnum):
    """A mark of boards, the most important first."""

    TAKEN_BACK = "taken back"
    """The background of a cell whose digits are often taken back."""
    DEAD_END = "dead end"
    """A cross in a cell without an option."""
    FORCED = "forced"
    """A slanted digit, which inference placed."""
    WRONG = "wrong"
    """The ring around a wrong digit."""
    CHANGED = "changed"
    """The ring, in the colour of the search, around a cell that has just changed."""
    TRIED = "tried"
    """The cell of the last step."""


_TEXTS: dict[_Mark, Callable[[], str]] = {
    _Mark.TAKEN_BACK: say.TAKEN_BACK_OFTEN,
    _Mark.DEAD_END: say.DEAD_END_MARK,
    _Mark.FORCED: say.BY_LOGIC,
    _Mark.WRONG: say.WRONG_DIGIT,
    _Mark.CHANGED: say.JUST_CHANGED,
    _Mark.TRIED: say.BEING_TRIED,
}

_EXAMPLE = "5"
"""The digit that shows the letters of forced digits."""


def legend_texts(headers: Sequence[Header]) -> tuple[str, ...]:
    """The texts of the legend of a film of these searches: those at both ends of the scale of
    guesses, then those of all marks that may occur, the most important first."""
    strategies = [Strategy.known(header.strategy) for header in headers]
    infer = any(each is None or each.inference or each.presolve for each in strategies)
    marks = (text() for mark, text in _TEXTS.items() if mark is not _Mark.FORCED or infer)
    return say.WRITTEN_EARLY(), say.WRITTEN_LATE(), *marks


def _occurring(script: Script) -> Iterator[_Mark]:
    """The marks that the boards of a film show."""
    if any(tally.undos for tally in script.tallies):
        yield _Mark.TAKEN_BACK
        yield _Mark.DEAD_END
    if any(tally.places > tally.guesses for tally in script.tallies):
        yield _Mark.FORCED
    if any(each.mistakes or (each.wrong and each.placed >= 0) for each in script.callouts):
        yield _Mark.WRONG
    timeline = script.timeline
    speeds = [part.pace * timeline.fps for part in timeline.stretches if part.pace]
    if any(speed <= MAX_GLOW_SPEED for speed in speeds):
        yield _Mark.CHANGED
    if any(speed <= EYE for speed in speeds):
        yield _Mark.TRIED


class BoardLegendPanel(StaticPanel):
    """The tints of guesses and their backgrounds in order, between texts about the first and the
    last one, and then those marks of the boards that occur, as far as there is room."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._size = context.text.footer
        self._marks = [*_occurring(context.script)]
        self._last = len(context.script.headers) - 1

    def _draw_once(self, canvas: Canvas) -> None:
        theme, box, size = self._sprites.theme, self._box, self._size
        canvas = in_reading_direction(canvas, box)
        gap, x = size // 2, box.x
        x = self._write(canvas, say.WRITTEN_EARLY(), x) + gap
        for ground, ink in zip(theme.scale_cells, theme.scale, strict=True):
            self._patch(canvas, x, ground, ink)
            x += size
        x = self._write(canvas, say.WRITTEN_LATE(), x + gap) + gap
        for mark in self._marks:
            text = _TEXTS[mark]()
            written = x + gap + size + gap
            if written + text_width(text, Face.REGULAR, size) > box.right:
                return
            self._draw_mark(canvas, mark, x + gap)
            x = self._write(canvas, text, written) + gap

    def _write(self, canvas: Canvas, text: str, x: int) -> int:
        """Write a text; returns the x after it."""
        box, size = self._box, self._size
        wide = text_width(text, Face.REGULAR, size)
        ink = self._sprites.theme.muted
        canvas.blit(
            self._sprites.text(text, Face.REGULAR, size, ink, wide, height=box.height), x, box.y
        )
        return x + wide

    def _square(self, x: int) -> Rect:
        box, size = self._box, self._size
        return Rect(x, box.y + (box.height - size) // 2, size, size)

    def _patch(self, canvas: Canvas, x: int, ground: Colour, ink: Colour) -> None:
        cell = self._square(x)
        canvas.fill(cell, ground)
        canvas.fill(cell.inset(self._size // 4), ink)

    def _draw_mark(self, canvas: Canvas, mark: _Mark, x: int) -> None:
        """Draw a mark as in a small cell."""
        theme, cell, size = self._sprites.theme, self._square(x), self._size
        match mark:
            case _Mark.TAKEN_BACK:
                self._patch(canvas, x, theme.heats[-1], theme.heats[-1])
            case _Mark.WRONG:
                canvas.fill(cell, theme.undoing)
                canvas.fill(cell.inset(max(2, size // 9)), theme.ground)
            case _Mark.CHANGED:
                # Each search has its own colour: that of the first and that of the last one.
                half = cell._replace(width=size // 2)
                canvas.fill(cell, theme.search_colour(self._last))
                canvas.fill(half, theme.search_colour(0))
                canvas.fill(cell.inset(max(2, size // 9)), theme.ground)
            case _Mark.TRIED:
                canvas.fill(cell, theme.trying_cell)
                canvas.fill(cell.inset(max(1, size // 12)), theme.trying)
                canvas.fill(cell.inset(max(2, size // 6)), theme.trying_cell)
            case _Mark.DEAD_END:
                self._write_letter(canvas, "×", Face.REGULAR, theme.text, x)
            case _Mark.FORCED:
                self._write_letter(canvas, _EXAMPLE, Face.OBLIQUE, theme.text, x)

    def _write_letter(self, canvas: Canvas, letter: str, face: Face, ink: Colour, x: int) -> None:
        size, high = self._size, self._box.height
        self._sprites.write(
            canvas, (x, self._box.y), letter, face, size, ink, size, height=high, align=Align.CENTRE
        )
