"""The sentences of a story, below the boards that they are about; and the speed of its clock."""

from __future__ import annotations

from collections.abc import Sequence

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.line_breaks import balanced
from undoku.render.draw.sprites import Align
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.panels.title_and_footer import speed_text, speed_turns
from undoku.render.playback.verdict import verdict_of
from undoku.render.timeline.beats import EXPLAINING, BeatKind
from undoku.render.timeline.notes import FILM, Note
from undoku.render.timeline.timeline import Phase
from undoku.texts import wording as say

_MIN_SHARE = 0.6
"""The smallest letters of a sentence, relative to the usual ones."""

_MIN_SIZE = 11


class SentencePanel(Panel):
    """The notes of the frame, but for those in a line below the film. One about a search begins
    below its board, or ends there if the board is in the right half; several at once share the
    width. The lines of a note are sentences that follow one another."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        script = context.script
        footer = script.layout.footer
        self._notes = [note for note in script.notes if note.search != FILM or not footer]
        bounds = {bound for note in self._notes for bound in note.line_starts}
        begun = {beat.start for beat in script.timeline.beats}
        self.changes = sorted(bounds | begun | set(speed_turns(script.timeline)))
        self._size = self._text.sentence
        self._is_narrow = 10 * self._box.width < 9 * script.layout.inside.width
        """Whether the sentence is beside boards, not below them."""
        self._shown: object = ()

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        frame, still = moment.shot.start, moment.shot.phase is Phase.STILL
        notes = [note for note in self._notes if note.start <= frame < note.end and not still]
        line, ink = ("", self._theme.text) if notes else self._line_between(moment)
        said = [(note, note.line_at(frame)) for note in notes]
        if (said, line) == self._shown:
            return
        self._shown = said, line
        canvas.fill(self._box, self._theme.background)
        blocks = self._context.script.layout.blocks
        if len({blocks[note.search].board.width for note in notes}) > 1:
            self._write_list(canvas, notes)
            return
        for note, sentence in said:
            box, align = self._place(note, len(notes))
            colour = self._theme.undoing if note.wrong else self._theme.text
            self._write(canvas, sentence, box, align, colour)
        if line:
            self._write(canvas, line, self._box, Align.CENTRE, ink)

    def _line_between(self, moment: Moment) -> tuple[str, Colour]:
        """What is shown while there is no note, and its colour: the title, in a film without beats;
        what a step is, while the first pass of a story counts steps; the ratio and its question,
        while boards are emptied and until the first sentence about a step; what is below, while
        trees grow there; otherwise the speed of the clock."""
        script, timeline, muted = self._context.script, moment.timeline, self._theme.muted
        beat = timeline.beat_at(moment.shot.start)
        if not beat:
            return script.title, self._theme.text
        if beat.kind is BeatKind.ANSWER:
            return say.A_STEP(), muted
        if beat.kind in (BeatKind.REWIND, BeatKind.FIRST) and timeline.answer:
            verdict = verdict_of(script.headers, script.tallies)
            return f"{verdict.large} {verdict.question}".strip(), self._theme.text
        if script.layout.chart:
            return say.BELOW_TREES(), muted
        races = moment.shot.phase is Phase.RACE and beat.kind not in EXPLAINING
        readable = beat.frames >= timeline.fps
        if not (races and readable) or script.layout.laps:
            return "", muted
        return speed_text(timeline, moment.shot.start), muted

    def _write_list(self, canvas: Canvas, notes: Sequence[Note]) -> None:
        """Several notes below each other, each with the name of its search, in its colour."""
        high = self._box.height // len(notes)
        for number, note in enumerate(notes):
            label = self._context.script.headers[note.search].label
            text = say.LABELLED(label=label, sentence=note.text)
            row = self._box._replace(y=self._box.y + number * high, height=high)
            self._write(canvas, text, row, Align.CENTRE, self._theme.search_colour(note.search))

    def _write(self, canvas: Canvas, text: str, box: Rect, align: Align, ink: Colour) -> None:
        """Write a text in the largest letters with which it fits into a box."""
        for size in range(self._size, max(_MIN_SIZE, round(self._size * _MIN_SHARE)) - 1, -1):
            lines = balanced(text, Face.BOLD, size, box.width)
            high = line_height(Face.BOLD, size)
            if len(lines) * high <= box.height and all(
                text_width(line, Face.BOLD, size) <= box.width for line in lines
            ):
                break
        for number, line in enumerate(lines[: max(1, box.height // high)]):
            at = box.x, box.y + number * high
            self._sprites.write(
                canvas, at, line, Face.BOLD, size, ink, box.width, align=align.as_read
            )

    def _place(self, note: Note, count: int) -> tuple[Rect, Align]:
        """The part of the box for a note, one of `count`, and its alignment as on the screen."""
        box = self._box
        if note.search == FILM or self._is_narrow:
            return box, Align.CENTRE
        blocks = self._context.script.layout.blocks
        board = blocks[note.search].board
        if count > 1:
            name = blocks[note.search].name
            return box._replace(x=name.x, width=name.width), Align.CENTRE
        middle = board.x + board.width / 2 - box.x
        if abs(middle - box.width / 2) < box.width / 10:
            return box, Align.CENTRE
        if middle < box.width / 2:
            return box._replace(x=board.x, width=box.right - board.x), Align.LEFT
        return box._replace(width=board.right - box.x), Align.RIGHT
