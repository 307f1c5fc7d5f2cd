"""The sentences about all searches of a film, one at a time, in the place of its title."""

from __future__ import annotations

from collections.abc import Sequence

from render.drawing.canvas import Canvas
from render.drawing.sprites import Align, SpriteBook
from render.panels.callout import CalloutPanel, lines_of
from render.panels.contract import Callout, Moment
from render.panels.script import Script
from render.panels.title_and_footer import draw_title
from render.style.lettering import Face, line_height, text_width
from render.texts import wording as say
from render.texts.language import spoken

__all__ = ["SharedCalloutPanel"]


class SharedCalloutPanel(CalloutPanel):
    """The sentence of the callout of the frame, with the name of its search, in the colour of the
    search, in front of it, or above it in a box of two lines or more. The title is there while
    nothing is said."""

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
            ink = colour if name == line else self._ink(callout)
            sprite = self._sprites.text(line, Face.BOLD, size, ink, box.width, align=Align.CENTRE)
            canvas.blit(sprite, box.x, y + number * high)
        if name and name != lines[0] and lines[0].startswith(name) and not spoken().right_to_left:
            x = box.x + (box.width - text_width(lines[0], Face.BOLD, size)) // 2
            wide = text_width(name, Face.BOLD, size)
            canvas.blit(self._sprites.text(name, Face.BOLD, size, colour, wide), x, y)

    def _arranged(self, callout: Callout, grown: int) -> tuple[str, int, Sequence[str]]:
        """The name as it is written, the size of the letters, and the lines."""
        box, name = self._box, self._names[callout.search]
        if box.height < 2 * line_height(Face.BOLD, self._size):
            size, lines = self._set(say.LABELLED(label=name, sentence=callout.sentence), grown)
            return name, size, lines
        for size in range(self._size + grown, self._least - 1, -1):
            lines = [name, *lines_of(callout.sentence, size, box.width)]
            if len(lines) * line_height(Face.BOLD, size) <= box.height and all(
                text_width(line, Face.BOLD, size) <= box.width for line in lines
            ):
                return name, size, lines
        return name, self._least, []
