"""The solutions of an exhaustive search, as small boards that stay visible, and what it has proved,
on its board."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.cell_look import CellKind, CellLook, packed
from undoku.render.draw.cells import strong_width
from undoku.render.draw.lettering import Face, line_height, text_width
from undoku.render.draw.look import Look
from undoku.render.draw.sprites import Align
from undoku.render.draw.theme import TINTS
from undoku.render.panels.board import draw_closing_lines
from undoku.render.panels.chart_caption import chart_box
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.solution_recorder import FullBoard, Solutions
from undoku.render.timeline.timeline import Phase
from undoku.solver.trace.state import FORCED, SOLUTIONS
from undoku.solver.trace.trace import Outcome
from undoku.texts import wording as say
from undoku.texts.language import number as written

__all__ = ["ProofBanner", "SolutionsPanel"]

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
        puzzle, box, text = context.puzzle, context.box, context.text
        # The solution of a search that stops at the first one is recorded only for this panel.
        self._solutions = context.solutions or Solutions(puzzle)
        self.recorders = () if context.solutions else (self._solutions,)
        self._deepest = max(1, context.script.deepest)
        side = puzzle.geometry.side
        chart = chart_box(box, text)
        long = text_width(say.SOLUTIONS_FOUND(count=_USUAL), Face.REGULAR, text.label)
        self._caption = say.SOLUTIONS_FOUND if long <= box.width else say.SOLUTIONS
        if box.height < _FLAT * text.label:
            # A short caption is on the left of the boards, which use the whole height.
            self._caption = say.SOLUTIONS
            usual = self._caption(count=_USUAL)
            caption = text_width(usual, Face.REGULAR, text.label) + text.label
            chart = box._replace(x=box.x + caption, width=max(1, box.width - caption))
        else:
            # Clearly apart from the large board on the left.
            chart = chart._replace(x=chart.x + text.label, width=max(1, chart.width - text.label))
        self._cell = max(
            1, min(chart.width, chart.height - strong_width(chart.height // side)) // side
        )
        self._wide = wide = self._cell * side + strong_width(self._cell)
        self._gap = gap = max(4, text.label // 2)
        self._left_out_width = text_width(f"+{written(_MAX_LEFT_OUT)}", Face.REGULAR, text.label)
        room = max(1, (chart.width - self._left_out_width) // (wide + gap))
        self._places = [
            Rect(chart.x + place * (wide + gap), chart.y, wide, wide) for place in range(room)
        ]
        self._drawn = 0
        self._found = -1

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        found = moment.snapshots[self._number].solutions
        if found == self._found:
            return
        self._found = found
        self._write_caption(canvas, found)
        boards = list(zip(self._places, self._solutions.first, strict=False))
        for place, full in boards[self._drawn :]:
            self._draw_board(canvas, place, full)
            self._drawn += 1
        if self._drawn and found > self._drawn:
            self._write_left_out(canvas, found - self._drawn)

    def reach(self, frames: NextFrames) -> int:
        return frames.before_change(self._number, SOLUTIONS)

    def _write_caption(self, canvas: Canvas, found: int) -> None:
        text, box = self._caption(count=found), self._box
        ink = self._sprites.theme.accent if found else self._sprites.theme.muted
        self._sprites.write(
            canvas, (box.x, box.y), text, Face.REGULAR, self._text.label, ink, box.width
        )

    def _draw_board(self, canvas: Canvas, place: Rect, full: FullBoard) -> None:
        """The board in the looks of the large one."""
        side = self._cell
        problem_look = Look(self._context.puzzle.geometry)
        squares = problem_look.squares(place.x, place.y, side)
        grounds = problem_look.grounds(self._context.puzzle.givens)
        for cell, (square, ground) in enumerate(zip(squares, grounds, strict=True)):
            look = ground if self._context.puzzle.givens[cell] else self._look(ground, full, cell)
            canvas.blit(self._sprites.cell(side, packed(look)), square.x, square.y)
        draw_closing_lines(canvas, place, side, self._theme)

    def _look(self, ground: CellLook, full: FullBoard, cell: int) -> CellLook:
        kind = CellKind.FORCED if full.kinds[cell] == FORCED else CellKind.GUESS
        tint = (int(full.depths[cell]) - 1) * TINTS // self._deepest
        return replace(
            ground, kind=kind, value=int(full.board[cell]), tint=max(0, min(TINTS - 1, tint))
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


_DELAY = Fraction(1, 2)
"""Seconds from the last step to the banner: the marks of the last steps have faded by then."""

_LETTERS = Fraction(4, 5)
"""The largest letters, relative to a cell."""


class ProofBanner(Panel):
    """A bar across the middle of the board of a search that has completed its tree, with the number
    of solutions in words, in stories. The board shows the last solution, and without the bar it
    would look as if the search had just found it. There is none if its letters would be smaller
    than those of labels."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        number, block, sprites = context.number, context.block, context.sprites
        tally, timeline = context.script.tallies[number], context.script.timeline
        theme = sprites.theme
        self._colour = theme.accent if tally.solutions else theme.undoing
        self._proof = _proof(tally.solutions)
        board = block.board
        most = int(block.cell * _LETTERS)
        self._size = next(
            (
                size
                for size in range(most, context.text.label - 1, -1)
                if text_width(self._proof, Face.BOLD, size) + size <= board.width
            ),
            0,
        )
        high = line_height(Face.BOLD, self._size) + self._size // 2 if self._size else 0
        self._bar = board._replace(y=board.y + (board.height - high) // 2, height=high)
        ended = timeline.frame_of(number, tally.steps)
        ended += round(_DELAY * timeline.fps)
        self._begin = min(ended, timeline.intro + max(0, timeline.race - 1))
        proves = tally.outcome is Outcome.EXHAUSTED and bool(timeline.beats)
        self._ends = proves and self._size > 0
        self._drawn = False

    def reach(self, frames: NextFrames) -> int:
        if self._drawn or not self._ends:
            return len(frames)
        return frames.before((max(self._begin, frames.start),))

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        if self._drawn or not self._ends or moment.shot.phase is Phase.STILL:
            return
        if moment.shot.start < self._begin or not moment.snapshots[self._number].finished:
            return
        self._drawn = True
        bar, ink = self._bar, self._sprites.theme.ground
        canvas.fill(bar, self._colour)
        self._sprites.write(
            canvas,
            (bar.x, bar.y),
            self._proof,
            Face.BOLD,
            self._size,
            ink,
            bar.width,
            height=bar.height,
            align=Align.CENTRE,
            ground=self._colour,
        )


def _proof(solutions: int) -> str:
    """What follows from a complete tree with this many solutions."""
    if not solutions:
        return say.capitalised(say.NO_SOLUTION())
    return say.NO_OTHER_SOLUTION() if solutions == 1 else say.ALL_SOLUTIONS_FOUND(count=solutions)
