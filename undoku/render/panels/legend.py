"""The legends of boards: how often a cell was tried, the colours of digits, and the marks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import text_width
from undoku.render.draw.sprites import Align
from undoku.render.draw.typesetting import in_reading_direction
from undoku.render.panels.board_marks import MAX_GLOW_SPEED
from undoku.render.panels.heat import HeatStep, heat_scale
from undoku.render.panels.panel import Panel, PanelContext, Script
from undoku.render.timeline.timeline import EYE
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import Header
from undoku.texts import wording as say

_NAMES = (say.TRIES_LONG, say.TRIES_MEDIUM, say.TRIES_SHORT)
"""Names of the legend, the fullest first."""


def _range(step: HeatStep) -> str:
    least, most = say.short_number(step.least), say.short_number(step.most)
    return least if step.least == step.most else say.RANGE(least=least, most=most)


def _bound(step: HeatStep) -> str:
    return say.short_number(step.least)


class LegendPanel(Panel):
    """A patch for each shade with its counts on it."""

    changes = ()

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._size = context.text.label
        self._steps = heat_scale(context.script.most_tried)

    def _wide(self, text: str) -> int:
        return text_width(text, Face.REGULAR, self._size)

    def _arranged(self) -> tuple[str, list[str], int]:
        """The name, the texts of the patches and the width of a patch: the fullest that fit."""
        room = self._box.width - 2
        for tell in (_range, _bound):
            texts = [tell(step) for step in self._steps]
            patch = max(map(self._wide, texts)) + self._size
            for name in (*(text() for text in _NAMES), ""):
                wide = self._wide(name) + self._size if name else 0
                if wide + patch * len(texts) <= room:
                    return name, texts, patch
        return "", texts, room // len(texts)

    def start(self, canvas: Canvas) -> None:
        theme, (x, y, width, height), size = self._theme, self._box, self._size
        name, texts, patch = self._arranged()
        wide = self._wide(name) if name else 0
        whole = wide + size * bool(name) + patch * len(texts)
        x += (width - whole) // 2
        if name:
            self._sprites.write(
                canvas, (x, y), name, Face.REGULAR, size, theme.muted, wide, height=height
            )
            x += wide + size
        # Cells that were never tried have nearly the colour of the background.
        canvas.fill(Rect(x - 1, y, patch * len(texts) + 2, height), theme.line)
        for step, text in zip(self._steps, texts, strict=True):
            self._sprites.write(
                canvas,
                (x, y + 1),
                text,
                Face.REGULAR,
                size,
                theme.shade_inks[step.shade],
                patch,
                height=height - 2,
                align=Align.CENTRE,
                background=theme.shades[step.shade],
            )
            x += patch


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
    if any(tally.places > tally.decisions for tally in script.tallies):
        yield _Mark.FORCED
    if any(each.mistakes or (each.wrong and each.placed >= 0) for each in script.callouts):
        yield _Mark.WRONG
    timeline = script.timeline
    speeds = [part.pace * timeline.fps for part in timeline.stretches if part.pace]
    if any(speed <= MAX_GLOW_SPEED for speed in speeds):
        yield _Mark.CHANGED
    if any(speed <= EYE for speed in speeds):
        yield _Mark.TRIED


class BoardLegendPanel(Panel):
    """The tints of guesses and their backgrounds in order, between texts about the first and the
    last one, and then those marks of the boards that occur, as far as there is room."""

    changes = ()

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._size = context.text.footer
        self._marks = [*_occurring(context.script)]
        self._last = len(context.script.headers) - 1

    def start(self, canvas: Canvas) -> None:
        theme, box, size = self._theme, self._box, self._size
        canvas = in_reading_direction(canvas, box)
        gap = size // 2
        x = self._write(canvas, say.WRITTEN_EARLY(), box.x) + gap
        for background, ink in zip(theme.scale_cells, theme.scale, strict=True):
            self._draw_squares(canvas, x, (0, background), (size // 4, ink))
            x += size
        x = self._write(canvas, say.WRITTEN_LATE(), x + gap) + 2 * gap
        for mark in self._marks:
            text, written = _TEXTS[mark](), x + size + gap
            if written + text_width(text, Face.REGULAR, size) > box.right:
                return
            self._draw_mark(canvas, mark, x)
            x = self._write(canvas, text, written) + 2 * gap

    def _write(self, canvas: Canvas, text: str, x: int) -> int:
        """Write a text; returns the x after it."""
        return self._sprites.write(
            canvas, (x, self._box.y), text, Face.REGULAR, self._size, self._theme.muted,
            height=self._box.height,
        )  # fmt: skip

    def _square(self, x: int) -> Rect:
        box, size = self._box, self._size
        return Rect(x, box.y + (box.height - size) // 2, size, size)

    def _draw_squares(self, canvas: Canvas, x: int, *squares: tuple[int, Colour]) -> None:
        """Draw squares on top of each other, each with its inset and its colour."""
        for inset, colour in squares:
            canvas.fill(self._square(x).inset(inset), colour)

    def _draw_mark(self, canvas: Canvas, mark: _Mark, x: int) -> None:
        """Draw a mark as in a small cell."""
        theme, size = self._theme, self._size
        line = max(2, size // 9)
        match mark:
            case _Mark.TAKEN_BACK:
                self._draw_squares(canvas, x, (0, theme.heats[-1]))
            case _Mark.WRONG:
                self._draw_squares(canvas, x, (0, theme.undoing), (line, theme.background))
            case _Mark.CHANGED:
                # Each search has its own colour: that of the first and that of the last one.
                self._draw_squares(canvas, x, (0, theme.search_colour(self._last)))
                half = self._square(x)._replace(width=size // 2)
                canvas.fill(half, theme.search_colour(0))
                self._draw_squares(canvas, x, (line, theme.background))
            case _Mark.TRIED:
                edge, inner = max(1, size // 12), max(2, size // 6)
                cell, ink = theme.trying_cell, theme.trying
                self._draw_squares(canvas, x, (0, cell), (edge, ink), (inner, cell))
            case _Mark.DEAD_END:
                self._write_letter(canvas, "×", Face.REGULAR, x)
            case _Mark.FORCED:
                self._write_letter(canvas, _EXAMPLE, Face.OBLIQUE, x)

    def _write_letter(self, canvas: Canvas, letter: str, face: Face, x: int) -> None:
        size, (_, y, _, height) = self._size, self._box
        self._sprites.write(
            canvas, (x, y), letter, face, size, self._theme.text, size, height=height,
            align=Align.CENTRE,
        )  # fmt: skip
