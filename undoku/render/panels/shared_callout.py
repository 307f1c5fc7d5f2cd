"""The sentences about all searches of a film, one at a time, in the place of its title."""

from __future__ import annotations

from collections.abc import Sequence

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.lettering import Face, fitted_name, line_height, text_width
from undoku.render.draw.sprites import Align, SpriteBook
from undoku.render.panels.callout import CalloutPanel, lines_of
from undoku.render.panels.panel import Callout, Moment
from undoku.render.panels.script import Script
from undoku.render.panels.title_and_footer import draw_title
from undoku.texts import wording as say
from undoku.texts.language import spoken

__all__ = ["SharedCalloutPanel"]

_SHORT_NAME = 3
"""A name that is shortened for its sentence gets the width divided by this."""


class SharedCalloutPanel(CalloutPanel):
    """The sentence of the callout of the frame, with the name of its search in front of it, on a
    bar in the colour of the search, or above it in a box of two lines or more. The title is there
    while nothing is said."""

    def __init__(self, script: Script, sprites: SpriteBook) -> None:
        layout = script.layout
        assert layout.sentence
        sizes = layout.sentence_size, layout.text.footer
        super().__init__(layout.sentence, script.callouts, sprites, sizes, script.timeline.fps)
        self._names = [header.label for header in script.headers]
        self._title, self._text = script.title, layout.text
        self._titled = False

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        super().draw(canvas, moment)
        if self._shown is None and not self._titled:
            draw_title(canvas, self._box, self._title, self._text, self._sprites)
        self._titled = self._shown is None

    def _write(self, canvas: Canvas, callout: Callout, grown: int) -> None:
        name, size, lines = self._arranged(callout, grown)
        colour = self._sprites.theme.search_colour(callout.search)
        box, high = self._box, line_height(Face.BOLD, size)
        y = box.y + max(0, box.height - len(lines) * high) // 2
        for number, line in enumerate(lines):
            ink = self._ink(callout)
            sprite = self._sprites.text(line, Face.BOLD, size, ink, box.width, align=Align.CENTRE)
            canvas.blit(sprite, box.x, y + number * high)
        first = lines[0] if lines else ""
        if not name or not first.startswith(name):
            return
        # The name is on a bar, as it is beside its board.
        wide, whole = (text_width(each, Face.BOLD, size) for each in (name, first))
        x = box.x + (box.width - whole) // 2
        if spoken().right_to_left:
            x += whole - wide
        # A colon may follow closely.
        far, near = size // 4, size // 4 if name == first else size // 12
        left, right = (near, far) if spoken().right_to_left else (far, near)
        begin, end = max(box.x, x - left), min(box.right, x + wide + right)
        canvas.fill(Rect(begin, y, end - begin, high), colour)
        ground = self._sprites.theme.ground
        sprite = self._sprites.text(name, Face.BOLD, size, ground, wide, ground=colour)
        canvas.blit(sprite, x, y)

    def _arranged(self, callout: Callout, grown: int) -> tuple[str, int, Sequence[str]]:
        """The name as it is written, shortened or left out if nothing fits with all of it (the ring
        around the board has its colour), or if the sentence is about several searches; the size of
        the letters; and the lines, none if nothing fits at all."""
        if callout.others:
            return "", *self._set(callout.sentence, grown)
        whole = self._names[callout.search]
        short = fitted_name(whole, Face.BOLD, self._least, self._box.width // _SHORT_NAME)
        for name in dict.fromkeys((whole, short or whole)):
            size, lines = self._arranged_with(name, callout, grown)
            if lines:
                return name, size, lines
        return "", *self._set(callout.sentence, grown)

    def _arranged_with(self, name: str, callout: Callout, grown: int) -> tuple[int, Sequence[str]]:
        """The size of the letters and the lines with a name."""
        box = self._box
        if box.height < 2 * line_height(Face.BOLD, self._size):
            return self._set(say.LABELLED(label=name, sentence=callout.sentence), grown)
        return self._largest(
            lambda size: [name, *lines_of(callout.sentence, size, box.width)], grown
        )
