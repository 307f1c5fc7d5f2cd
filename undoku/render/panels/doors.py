"""The options of the cell that a search is about to fill, as doors: boxes with large digits."""

from __future__ import annotations

from fractions import Fraction

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.colour_space import Colour, mix
from undoku.render.draw.fonts import Face
from undoku.render.draw.line_breaks import fitting_line
from undoku.render.draw.look import Look
from undoku.render.draw.sprites import Align
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.playback.next_frames import NextFrames
from undoku.render.timeline.easing import eased
from undoku.render.timeline.notes import Note, note_on
from undoku.render.timeline.timeline import Phase
from undoku.texts import wording as say

_OPENING = Fraction(3, 10)
"""Seconds in which the doors open, from the middle of their row on."""

_MOST = 9
"""The maximum number of doors. Of more options the number is stated in the place of two doors."""

_FADED = 0.4
"""The share of its colours that a door keeps when another one is taken."""

_DIGIT, _MOST_WIDE = 0.85, 1.2
"""The size of a digit relative to the height of its door, and the maximum relative to its width."""


class DoorsPanel(Panel):
    """The doors of the notes of a search that have options, on their frames. All are about its
    first step, and the doors open once. When the value of the note is on the board, its door lights
    up and the others fade."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        notes = context.script.notes
        self._problem = context.puzzle.problem
        self._notes = [each for each in notes if each.search == self._number and each.options]
        self._frames = max(1, round(_OPENING * context.script.timeline.fps))
        self._opened = min((each.start for each in self._notes), default=0)
        opening = range(self._opened, self._opened + self._frames + 1)
        turns = (turn for each in self._notes for turn in (each.start, each.end))
        self.changes = sorted({*opening, *turns})
        self._shown: tuple[Note, int, bool] | None = None
        """The note, the frames for which its doors have been opening, and whether one is taken."""

    def reach(self, frames: NextFrames) -> int:
        before = super().reach(frames)
        if note_on(self._notes, frames.start):
            return min(before, frames.before_step(self._number))
        return before

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        shot = moment.shot
        note, shown = note_on(self._notes, shot.start), None
        if note and shot.phase is not Phase.STILL:
            board = moment.snapshots[self._number].board
            taken = note.value > 0 and int(board[note.placed]) == note.value
            shown = note, min(shot.start - self._opened + 1, self._frames), taken
        if shown != self._shown:
            self._shown = shown
            canvas.fill(self._box, self._theme.background)
            if shown:
                self._draw_doors(canvas, *shown)

    def _draw_doors(self, canvas: Canvas, note: Note, opening: int, taken: bool) -> None:
        box, options = self._box, note.options
        gap, places = max(2, box.height // 8), min(len(options), _MOST)
        wide = min(box.height * 7 // 8, (box.width - (places - 1) * gap) // places)
        left = box.x + (box.width - places * (wide + gap) + gap) // 2
        if len(options) > _MOST:
            options = options[: _MOST - 2]
            if note.value and note.value not in options:
                options = (*options[:-1], note.value)
        for number, value in enumerate(options):
            door = box._replace(x=left + number * (wide + gap), width=wide)
            # Doors in the middle open first, the ones at the ends last.
            begun = abs(2 * number - places + 1) / (2 * places)
            share = eased(min(1.0, max(0.0, 2 * (opening / self._frames - begun))))
            self._draw_door(canvas, door, value, share, self._colours(value, note, taken))
        more = len(note.options) - len(options)
        if more and opening == self._frames:
            rest = box._replace(x=left + len(options) * (wide + gap), width=2 * wide + gap)
            background, ink = self._theme.background, self._theme.text
            self._write(canvas, rest, say.AND_MORE(number=more), background, ink)

    def _colours(self, value: int, note: Note, taken: bool) -> tuple[Colour, Colour, Colour]:
        """The colours of the edge, of the inside and of the digit of a door."""
        theme = self._theme
        usual = theme.strong_line, theme.given_cell, theme.text
        if self._problem.appearance.coloured:
            inside = theme.value_colour(value)
            usual = theme.strong_line, inside, theme.ink_on(inside)
        if not taken:
            return usual
        if value == note.value:
            lit = theme.undoing if note.wrong else theme.search_colour(self._number)
            coloured = self._problem.appearance.coloured
            return (lit, *usual[1:]) if coloured else (lit, lit, theme.ink_on(lit))
        edge, inside, ink = (mix(theme.background, each, _FADED) for each in usual)
        return edge, inside, ink

    def _draw_door(
        self,
        canvas: Canvas,
        door: Rect,
        value: int,
        share: float,
        colours: tuple[Colour, Colour, Colour],
    ) -> None:
        """Draw a door that is open to a `share` of its width, with its digit when it is open."""
        edge, inside, ink = colours
        wide, line = round(door.width * share), max(1, door.height // 24)
        leaf = door._replace(x=door.x + (door.width - wide) // 2, width=wide)
        canvas.fill(leaf, edge)
        if wide > 2 * line:
            canvas.fill(leaf.inset(line), inside)
        if share == 1:
            mark = Look(self._problem).symbols[value - 1]
            self._write(canvas, leaf.inset(line), mark, inside, ink)

    def _write(self, canvas: Canvas, box: Rect, text: str, background: Colour, ink: Colour) -> None:
        """Write in the middle of a box, in letters as large as those of all doors."""
        most = min(round(self._box.height * _DIGIT), round(box.width * _MOST_WIDE))
        text, size = fitting_line([text], Face.BOLD, box.width, (1, most))
        self._sprites.write(
            canvas,
            (box.x, box.y),
            text,
            Face.BOLD,
            size,
            ink,
            box.width,
            height=box.height,
            align=Align.CENTRE,
            background=background,
        )
