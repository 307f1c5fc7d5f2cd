"""The name of a search in a story, above its board, in the colour of the search."""

from __future__ import annotations

from undoku.render.draw.canvas import Canvas
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import text_width
from undoku.render.draw.sprites import Align
from undoku.render.panels.panel import Panel

_MIN_SHARE = 0.7
"""The smallest letters of a name before it is cut, relative to the usual ones."""


class StoryName(Panel):
    """All names of a film have letters of one size."""

    changes = ()

    def start(self, canvas: Canvas) -> None:
        script, box, usual = self._context.script, self._box, self._text.name
        layout = script.layout
        pairs = [
            (header.label, block.name.width)
            for header, block in zip(script.headers, layout.blocks, strict=True)
        ]
        size = next(
            (
                size
                for size in range(usual, round(usual * _MIN_SHARE), -1)
                if all(text_width(label, Face.BOLD, size) <= width for label, width in pairs)
            ),
            round(usual * _MIN_SHARE),
        )
        self._sprites.write(
            canvas,
            (box.x, box.y),
            script.headers[self._number].label,
            Face.BOLD,
            size,
            self._theme.search_colour(self._number),
            box.width,
            height=box.height,
            align=Align.CENTRE if self._context.block.centred else Align.LEFT,
        )
