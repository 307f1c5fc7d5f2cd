"""The name of a search above its board or beside it, and in films of even pace its status."""

from __future__ import annotations

from undoku.render.draw.canvas import Canvas, bounding
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.line_breaks import name_lines
from undoku.render.draw.sprites import Align
from undoku.render.draw.typesetting import in_reading_direction
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.panels.rings import proved
from undoku.render.playback.search_texts import status_texts
from undoku.solver.trace.trace import Outcome
from undoku.texts import wording as say

_MIN_SIZE = 11
"""The smallest letters, in pixels per em."""

_SPEC_SHARE = 0.75
"""The size of the letters of a specification, relative to a label."""


class StoryName(Panel):
    """The name in the colour of the search, in the letters of all texts. One for which there is no
    room lacks its first words."""

    changes = ()
    _indent = 0
    _min_share: float = 1
    """The smallest letters before words are left out, relative to the usual ones. All names have
    the same size."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        usual, self._box = self._text.name, context.block.name
        least = min(usual, max(_MIN_SIZE, round(usual * self._min_share)))
        for size in range(usual, least - 1, -1):
            names = self._set(size)
            if all("…" not in "".join(lines) for lines in names):
                break
        self._size, self._lines = size, names[self._number]
        self._line = line_height(Face.BOLD, size)

    def _set(self, size: int) -> list[tuple[str, ...]]:
        """The lines of all names in letters of this size; none where a name has no place."""
        script, high = self._context.script, line_height(Face.BOLD, size)
        found = []
        for header, block in zip(script.headers, script.layout.blocks, strict=True):
            wide, most = block.name.width - self._indent, max(1, block.name.height // high)
            found.append(name_lines(header.label, Face.BOLD, size, wide, most) if wide > 0 else ())
        return found

    def start(self, canvas: Canvas) -> None:
        align = Align.CENTRE if self._context.block.centred else Align.LEFT
        self._write(canvas, self._box.bottom - len(self._lines) * self._line, align)

    def _write(self, canvas: Canvas, y: int, align: Align = Align.LEFT) -> None:
        """Write the name from a row on."""
        x, wide = self._box.x + self._indent, self._box.width - self._indent
        ink = self._theme.search_colour(self._number)
        for line in self._lines:
            self._sprites.write(canvas, (x, y), line, Face.BOLD, self._size, ink, wide, align=align)
            y += self._line


class HeadingPanel(StoryName):
    """The name beside a bar in the colour of the search, the specification of the strategy in small
    letters below it or beside it, if there is room, and the status, which changes once, when the
    search is done."""

    _min_share = 0.6

    def __init__(self, context: PanelContext) -> None:
        self._bar = max(2, context.text.name // 5)
        self._indent = self._bar + max(3, context.text.name // 3)
        super().__init__(context)
        self._foot = self._box.y + len(self._lines) * self._line
        """The end of what is written in the box of the name."""
        self._shown: str | None = None
        header = context.script.headers[self._number]
        # The specification would repeat the name.
        self._spec = header.strategy if header.strategy != header.label else ""
        self._spec_size = max(_MIN_SIZE, round(_SPEC_SHARE * self._text.label))

    def start(self, canvas: Canvas) -> None:
        canvas = self._mirrored(canvas)
        box, inset, size = self._box, max(1, self._size // 6), self._spec_size
        high = self._foot - box.y - 2 * inset
        ink = self._theme.search_colour(self._number)
        canvas.fill(box._replace(y=box.y + inset, width=self._bar, height=high), ink)
        self._write(canvas, box.y)
        x, y, high = box.x + self._indent, self._foot, line_height(Face.REGULAR, size)
        if y + high <= box.bottom:
            self._foot += high
        else:
            x += text_width(self._lines[-1], Face.BOLD, self._size) + size
            y -= self._line - (self._line - high) * 2 // 3
        fits = y >= box.y and text_width(self._spec, Face.REGULAR, size) <= box.right - x
        if self._spec and fits:
            ink = self._theme.muted
            self._sprites.write(canvas, (x, y), self._spec, Face.REGULAR, size, ink)

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        own, box, ink = (
            moment.snapshots[self._number],
            self._context.block.status,
            self._theme.muted,
        )
        if self._shown is not None and not (own.finished and own.span):
            return
        texts = longest = [say.SEARCHING()]
        if own.finished:
            # Another search has room for the same form, also the one that takes longest.
            total = max(snapshot.total for snapshot in moment.snapshots)
            texts = list(own.status_texts)
            longest = status_texts(own.outcome, total, int(own.solutions), cut=own.cut)
            found = own.outcome is Outcome.SOLVED or proved(own)
            ink = self._theme.accent if found else self._theme.undoing
        x, y, align, size = box.x, box.y, Align.RIGHT, self._text.status
        if box.y >= self._box.bottom:  # below the name, not beside it
            x, y, align = box.x + self._indent, self._foot, Align.LEFT
        fitting = (
            text
            for text, each in zip(texts, longest, strict=True)
            if text_width(each, Face.REGULAR, size) <= box.right - x
        )
        text = next(fitting, "")
        if text == self._shown:
            return
        self._shown = text
        self._sprites.write(
            self._mirrored(canvas),
            (x, y),
            text,
            Face.REGULAR,
            size,
            ink,
            box.right - x,
            height=box.height,
            align=align,
        )

    def _mirrored(self, canvas: Canvas) -> Canvas:
        extent = bounding((self._box, self._context.block.status))
        return in_reading_direction(canvas, extent or self._box)
