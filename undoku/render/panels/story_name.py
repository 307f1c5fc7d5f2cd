"""The name of a search in a story, above its board or in a list, in the colour of the search."""

from __future__ import annotations

from undoku.render.draw.canvas import Canvas
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height
from undoku.render.draw.line_breaks import name_lines
from undoku.render.draw.sprites import Align
from undoku.render.panels.panel import Panel

_MIN_SHARE = 0.6
"""The smallest letters of a name before it is cut, relative to the usual ones."""


class StoryName(Panel):
    """All names of a layout have letters of one size: the largest with which all fit, on two lines
    if there is room for them."""

    changes = ()

    def start(self, canvas: Canvas) -> None:
        block, box = self._context.block, self._box
        usual = self._text.name
        for size in range(usual, round(usual * _MIN_SHARE) - 1, -1):
            set_names = self._set(size)
            if all("…" not in "".join(lines) for lines in set_names):
                break
        lines, high = set_names[self._number], line_height(Face.BOLD, size)
        y = box.bottom - len(lines) * high
        for number, line in enumerate(lines):
            self._sprites.write(
                canvas,
                (box.x, y + number * high),
                line,
                Face.BOLD,
                size,
                self._theme.search_colour(self._number),
                box.width,
                align=Align.CENTRE if block.centred else Align.LEFT,
            )

    def _set(self, size: int) -> list[list[str]]:
        """The lines of all names in letters of this size."""
        script = self._context.script
        high = line_height(Face.BOLD, size)
        return [
            list(
                name_lines(
                    header.label,
                    Face.BOLD,
                    size,
                    block.name.width,
                    max(1, block.name.height // high),
                )
            )
            for header, block in zip(script.headers, script.layout.blocks, strict=True)
        ]
