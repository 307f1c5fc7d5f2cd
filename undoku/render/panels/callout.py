"""The sentences about searches, one at a time: below each board, or in the place of the title."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import pi, sin

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import fitted_name, line_height, text_width
from undoku.render.draw.line_breaks import balanced
from undoku.render.draw.sprites import Align
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.panels.title_and_footer import draw_title
from undoku.render.timeline.notes import Note, note_on
from undoku.render.timeline.timeline import Phase, Shot
from undoku.texts import wording as say
from undoku.texts.language import spoken

_PULSE = Fraction(2, 5)
"""Seconds in which a result grows and shrinks again."""

_GROWTH = 0.15


class CalloutPanel(Panel):
    """The sentence of the callout of the frame, on one or two lines; letters are made smaller, down
    to those of a label. Of several sentences that do not fit even then, the first ones that fit are
    shown; a single one is not."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        text = context.text
        callouts = [each for each in context.script.callouts if each.search == context.number]
        self._begin(callouts, max(text.name, text.sentence), text.label)

    def _begin(self, callouts: Sequence[Note], size: int, least: int) -> None:
        """`size` and `least` are the usual pixels per em and the least."""
        self._callouts, self._size, self._least = callouts, size, least
        self._pulse = max(1, round(_PULSE * self._context.script.timeline.fps))
        self._shown: tuple[Note, int] | None = None
        turns = {frame for each in callouts for frame in (each.start, each.end)}
        for each in callouts:
            if each.result:
                turns.update(range(each.start, each.start + self._pulse + 1))
        self.changes = sorted(turns)

    def _callout(self, shot: Shot) -> tuple[Note, int] | None:
        """The current callout and the pixels per em by which it has grown."""
        found = note_on(self._callouts, shot.start)
        if found is None or shot.phase is Phase.STILL:
            return None
        share = (shot.start - found.start) / self._pulse
        grown = sin(pi * share) if found.result and share < 1 else 0.0
        return found, round(self._size * _GROWTH * grown)

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        shown = self._callout(moment.shot)
        if shown != self._shown:
            self._shown = shown
            canvas.fill(self._box, self._theme.background)
            if shown:
                self._write(canvas, *shown)
            else:
                self.start(canvas)

    def _write(self, canvas: Canvas, callout: Note, grown: int) -> None:
        """Write the sentence, in letters that have grown by a number of pixels per em."""
        size, lines = self.fitted(callout.text, grown)
        self._write_lines(canvas, callout, size, lines, self._box.y, Align.LEFT)

    def _write_lines(
        self,
        canvas: Canvas,
        callout: Note,
        size: int,
        lines: Sequence[str],
        y: int,
        align: Align,
    ) -> None:
        ink = self._theme.undoing if callout.wrong else self._theme.accent
        x, width = self._box.x, self._box.width
        for line in lines:
            self._sprites.write(canvas, (x, y), line, Face.BOLD, size, ink, width, align=align)
            y += line_height(Face.BOLD, size)

    def fitted(self, text: str, grown: int) -> tuple[int, Sequence[str]]:
        """The size of the letters, larger by `grown` if there is room, and the lines of a text; no
        lines if it does not fit."""
        sentences = _sentences(text)
        for count in range(len(sentences), 0, -1):
            shown = " ".join(sentences[:count])
            whole = f"{shown[:-1]}." if shown.endswith(";") else shown
            size, lines = self._largest(whole, grown)
            if lines:
                return size, lines
        return self._least, []

    def _largest(
        self, text: str, grown: int, above: Sequence[str] = ()
    ) -> tuple[int, Sequence[str]]:
        """The largest size of letters at which a text fits, with more lines `above` it, and all
        lines; no lines if they fit at none."""
        box = self._box
        for size in range(self._size + grown, self._least - 1, -1):
            lines = [*above, *lines_of(text, size, box.width)]
            if len(lines) <= box.height // line_height(Face.BOLD, size) and all(
                text_width(line, Face.BOLD, size) <= box.width for line in lines
            ):
                return size, lines
        return self._least, []


def _sentences(text: str) -> list[str]:
    """The sentences of a text; what a semicolon separates could be one, too."""
    return re.split(r"(?<=[.!?;]) +", text)


def lines_of(text: str, size: int, width: int) -> list[str]:
    """The lines of a text: one, or one for each sentence, or as few as possible of about equal
    length, so that the last does not consist of a single word."""
    if text_width(text, Face.BOLD, size) <= width:
        return [text]
    sentences = _sentences(text)
    if all(text_width(each, Face.BOLD, size) <= width for each in sentences):
        return sentences
    return balanced(text, Face.BOLD, size, width)


_SHORT_NAME = 3
"""A name that is shortened for its sentence gets the width divided by this."""


class SharedCalloutPanel(CalloutPanel):
    """The sentence of the callout of the frame, with the name of its search in front of it, on a
    bar in the colour of the search, or above it in a box of two lines or more. The title is there
    while nothing is said."""

    def __init__(self, context: PanelContext) -> None:
        script, layout = context.script, context.script.layout
        assert layout.sentence
        Panel.__init__(self, replace(context, box=layout.sentence))
        self._begin(script.callouts, layout.sentence_size, layout.text.footer)

    def start(self, canvas: Canvas) -> None:
        draw_title(canvas, self._box, self._context.script.title, self._text, self._sprites)

    def _write(self, canvas: Canvas, callout: Note, grown: int) -> None:
        name, size, lines = self.arranged(callout, grown)
        box, high = self._box, line_height(Face.BOLD, size)
        y = box.y + max(0, box.height - len(lines) * high) // 2
        self._write_lines(canvas, callout, size, lines, y, Align.CENTRE)
        first = lines[0] if lines else ""
        if not name or not first.startswith(name):
            return
        # The name is on a bar, as it is beside its board.
        wide, whole = (text_width(each, Face.BOLD, size) for each in (name, first))
        x, leftwards = box.x + (box.width - whole) // 2, spoken().right_to_left
        # A colon may follow closely.
        left, right = size // 4, size // 4 if name == first else size // 12
        if leftwards:
            x, left, right = x + whole - wide, right, left
        begin, end = max(box.x, x - left), min(box.right, x + wide + right)
        colour = self._theme.search_colour(callout.search)
        canvas.fill(Rect(begin, y, end - begin, high), colour)
        background = self._theme.background
        self._sprites.write(
            canvas, (x, y), name, Face.BOLD, size, background, wide, background=colour
        )

    def arranged(self, callout: Note, grown: int) -> tuple[str, int, Sequence[str]]:
        """The name as it is written, shortened or left out if nothing fits with all of it (the ring
        around the board has its colour), or if the sentence is about several searches; the size of
        the letters; and the lines, none if nothing fits at all."""
        box, script = self._box, self._context.script
        whole = "" if callout.others else script.headers[callout.search].label
        short = fitted_name(whole, Face.BOLD, self._least, box.width // _SHORT_NAME)
        for name in dict.fromkeys(filter(None, (whole, short))):
            if box.height < 2 * line_height(Face.BOLD, self._size):
                labelled = say.LABELLED(label=name, sentence=callout.text)
                size, lines = self.fitted(labelled, grown)
            else:
                size, lines = self._largest(callout.text, grown, [name])
            if lines:
                return name, size, lines
        return "", *self.fitted(callout.text, grown)
