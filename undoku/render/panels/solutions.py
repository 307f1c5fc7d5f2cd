"""The solutions of an exhaustive search, as small boards that stay visible."""

from __future__ import annotations

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.cell_look import CellKind, CellLook
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.look import Look
from undoku.render.draw.theme import TINTS
from undoku.render.draw.unit_marks import strong_width
from undoku.render.panels.board import draw_lines
from undoku.render.panels.panel import Moment, Panel, PanelContext, chart_box
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.solution_recorder import FullBoard, Solutions
from undoku.solver.trace.state import FORCED, SOLUTIONS
from undoku.texts import wording as say
from undoku.texts.language import number as written

_FLAT = 4
"""The height of a box, in letters of a label, below which there is no room for a caption above
boards."""

_USUAL = 88
"""The number of solutions that a caption on the left has room for."""

_MAX_LEFT_OUT = 88_888
"""The number beside the boards for which there is room; a larger one is shortened."""


class SolutionsPanel(Panel):
    """The number of solutions, and a small board for each of the first; "+12" counts those without
    room."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        puzzle, box, size = context.puzzle, context.box, context.text.label
        # The solution of a search that stops at the first one is recorded only for this panel.
        self._solutions = context.solutions or Solutions(puzzle)
        self.recorders = () if context.solutions else (self._solutions,)
        self._deepest = max(1, context.script.deepest)
        self._caption = say.SOLUTIONS_FOUND
        if box.height < _FLAT * size:
            # A short caption is on the left of the boards, which use the whole height.
            self._caption = say.SOLUTIONS
            left = text_width(self._caption(count=_USUAL), Face.REGULAR, size) + size
            chart = box
        else:
            if text_width(self._caption(count=_USUAL), Face.REGULAR, size) > box.width:
                self._caption = say.SOLUTIONS
            # Clearly apart from the large board on the left.
            chart, left = chart_box(box, context.text), size
        x, width, side = chart.x + left, max(1, chart.width - left), Look(puzzle.problem).side
        high = chart.height - strong_width(chart.height // side)
        self._cell = max(1, min(width, high) // side)
        self._gap = max(4, size // 2)
        self._left_out_width = text_width(f"+{written(_MAX_LEFT_OUT)}", Face.REGULAR, size)
        wide = self._cell * side + strong_width(self._cell)
        room = max(1, (width - self._left_out_width) // (wide + self._gap))
        self._places = [
            Rect(x + place * (wide + self._gap), chart.y, wide, wide) for place in range(room)
        ]
        self._drawn = 0
        self._found = -1

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        found = moment.snapshots[self._number].solutions
        if found == self._found:
            return
        self._found, box = found, self._box
        ink = self._theme.accent if found else self._theme.muted
        text, size = self._caption(count=found), self._text.label
        self._sprites.write(canvas, (box.x, box.y), text, Face.REGULAR, size, ink, box.width)
        boards = list(zip(self._places, self._solutions.first, strict=False))
        for place, full in boards[self._drawn :]:
            self._draw_board(canvas, place, full)
            self._drawn += 1
        if self._drawn and found > self._drawn:
            self._write_left_out(canvas, found - self._drawn)

    def reach(self, frames: NextFrames) -> int:
        return frames.before_change(self._number, SOLUTIONS)

    def _draw_board(self, canvas: Canvas, place: Rect, full: FullBoard) -> None:
        """The board in the looks of the large one."""
        puzzle, side = self._context.puzzle, self._cell
        look = Look(puzzle.problem)
        backgrounds, squares = look.backgrounds(puzzle.givens), look.squares(place.x, place.y, side)
        draw_lines(canvas, puzzle.problem, place, side, self._theme)
        for field, square, background in zip(look.fields, squares, backgrounds, strict=True):
            cell, shown = field.cell, background
            if not puzzle.givens[cell] and field.value in (0, full.board[cell]):
                shown = self._look(background, full, cell)
            canvas.blit(self._sprites.cell(side, shown), square.x, square.y)

    def _look(self, background: CellLook, full: FullBoard, cell: int) -> CellLook:
        kind = CellKind.FORCED if full.kinds[cell] == FORCED else CellKind.GUESS
        tint = (int(full.depths[cell]) - 1) * TINTS // self._deepest
        return background._replace(
            kind=kind, value=int(full.board[cell]), tint=max(0, min(TINTS - 1, tint))
        )

    def _write_left_out(self, canvas: Canvas, count: int) -> None:
        """Write the number of solutions without a board after the last board."""
        text, size, wide = f"+{written(count)}", self._text.label, self._left_out_width
        if text_width(text, Face.REGULAR, size) > wide:
            text = f"+{say.short_number(count)}"
        last = self._places[self._drawn - 1]
        x = last.right + self._gap
        wide = min(wide, self._box.right - x)
        if wide < size:
            return
        y = last.y + max(0, last.height - line_height(Face.REGULAR, size)) // 2
        self._sprites.write(
            canvas, (x, y), text, Face.REGULAR, size, self._sprites.theme.muted, wide
        )
