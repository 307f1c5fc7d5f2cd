"""The heading above a board or beside it: the name of the search, and its status. Its style is the
same for all searches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from undoku.render.draw.canvas import Canvas, Rect, bounding
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.line_breaks import name_lines
from undoku.render.draw.sprites import Align
from undoku.render.draw.typesetting import in_reading_direction
from undoku.render.layout.blocks import Block
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.panels.rings import proved
from undoku.render.playback.player import Snapshot
from undoku.render.playback.search_texts import status_texts
from undoku.solver.trace.trace import Outcome
from undoku.texts import wording as say

_MIN_SIZE = 11
"""Pixels per em."""

_MAX_LINES = 3

_ALIKE_SHARE = 0.85
"""Letters that are smaller by this share at most look the same."""

_MIN_SHARE = 0.8
"""The minimum size of a name before it is cut, as a share of the letters of the status."""

_SPEC_SHARE = 0.75
"""The size of the letters of a specification, relative to a label."""

_SHORT = "✓ 8,888", "✓"
"""The statuses for which a name leaves room if no name is cut for it; for the last in any case."""


class _Style(NamedTuple):
    """The style of all names of a film: their size, their most lines, whether the specification of
    the strategy is below each, beside each, or left out, and whether there is room for a status."""

    size: int
    lines: int
    spec_below: bool = False
    spec_beside: bool = False
    status: bool = True


class HeadingPanel(Panel):
    """The name in bold beside a bar in the colour of the search, the specification of the strategy
    in small letters beside or below it, and the status, which changes once, when the search is
    done.

    A long name has two lines if there is room, then smaller letters, then, beside a board, the room
    of the status, which the ring around a finished board shows, too; only then is it cut.
    """

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        script, number, text = context.script, context.number, context.text
        self.changes = ()
        self._shown: str | None = None
        self._blocks, self._block = script.layout.blocks, context.block
        self._names = [header.label for header in script.headers]
        # The specification would repeat the name.
        self._specs = [
            header.strategy if header.strategy != header.label else "" for header in script.headers
        ]
        name, status = self._block.name, self._block.status
        self._below = status.y >= name.bottom
        """Whether the status is below the name, not on the same line."""
        self._above = self._below and status.y < self._block.board.y
        """Whether name and status are above the board, one below the other."""
        self._indent = max(2, text.name // 5) + max(3, text.name // 3)
        """The width of the coloured bar and the gap after it."""
        self._gap = text.status // 2
        """The gap between a name and the text beside it."""
        self._spec_size = max(_MIN_SIZE, round(_SPEC_SHARE * text.label))
        self._name_width = self._found_name_width()
        self._style = style = self._found_style()
        self._lines = name_lines(
            self._names[number], Face.BOLD, style.size, self._name_width, style.lines
        )
        high = len(self._lines) * line_height(Face.BOLD, style.size)
        if style.spec_below and self._specs[number]:
            high += line_height(Face.REGULAR, self._spec_size)
        self._height = min(high, name.height) if style.status else high
        """The height of the search's own name, with the specification below it."""

    def _found_name_width(self) -> int:
        """The maximum width of a name. On one line with the status it leaves room for a short
        status."""
        name, status = self._block.name, self._block.status
        if self._below:
            return name.width - self._indent
        size, room = self._text.status, 0
        longest = max(text_width(each, Face.BOLD, size) for each in self._names)
        for short in _SHORT:
            least = text_width(short, Face.REGULAR, size) + size // 2
            room = max(0, status.right - name.x - self._indent - least)
            if longest <= room:
                break
        return room

    def _found_style(self) -> _Style:
        """The style: on one line if the letters are not much smaller for it, otherwise on more
        lines; otherwise with small letters, and only then with shortened names."""
        usual, least = self._text.name, self._text.status
        smallest = max(_MIN_SIZE, round(least * _MIN_SHARE))
        tiers = (round(usual * _ALIKE_SHARE), usual), (least, usual), (smallest, least)
        name, status = self._block.name, self._block.status
        beside = self._below and not self._above
        heights = [name.height, *([status.bottom - name.y] if beside else [])]
        most = [min(_MAX_LINES, max(1, high // line_height(Face.BOLD, least))) for high in heights]
        for high, number in zip(heights, most, strict=True):
            for (low, top), lines in product(tiers, range(1, number + 1)):
                for size in range(top, low - 1, -1):
                    if lines * line_height(Face.BOLD, size) <= high and self._fit(size, lines):
                        if high == name.height:
                            return self._with_specs(size, lines)
                        return _Style(size, lines, status=False)
        if beside and most[0] == 1:
            return _Style(smallest, most[1], status=False)
        return self._with_specs(smallest, most[0])

    def _fit(self, size: int, lines: int) -> bool:
        """Whether all names fit on `lines` lines without being shortened."""
        return all(
            "".join(set_lines).replace(" ", "") == name.replace(" ", "")
            and max(text_width(line, Face.BOLD, size) for line in set_lines) <= self._name_width
            for name in self._names
            for set_lines in [name_lines(name, Face.BOLD, size, self._name_width, lines)]
        )

    def _with_specs(self, size: int, lines: int) -> _Style:
        """Names of this size with the specifications beside them, otherwise below them, if there is
        room."""
        spec_size = self._spec_size
        beside = self._below and all(
            not spec
            or text_width(name, Face.BOLD, size) + self._gap
            + text_width(spec, Face.REGULAR, spec_size) <= self._name_width
            for name, spec in zip(self._names, self._specs, strict=True)
        )  # fmt: skip
        high = lines * line_height(Face.BOLD, size) + line_height(Face.REGULAR, spec_size)
        below = self._block.name.height >= high and not beside
        return _Style(size, lines, spec_below=below, spec_beside=beside)

    def start(self, canvas: Canvas) -> None:
        self._draw_name(self._mirrored(canvas))

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        own = moment.snapshots[self._number]
        ends = bool(own.finished and own.span)
        if not self._style.status or (self._shown is not None and not ends):
            return
        text, ink = self._status_of(moment.snapshots)
        if text == self._shown:
            return
        self._shown, canvas = text, self._mirrored(canvas)
        status, block = self._block.status, self._block
        x, y, align = self._status_left(block, self._names[self._number]), status.y, Align.RIGHT
        if self._below:
            y, align = status.y if self._above else block.name.y + self._height, Align.LEFT
        wide, high = max(1, status.right - x), status.height
        size = self._text.status
        self._sprites.write(
            canvas, (x, y), text, Face.REGULAR, size, ink, wide, height=high, align=align
        )

    def _mirrored(self, canvas: Canvas) -> Canvas:
        extent = bounding((self._block.name, self._block.status))
        return in_reading_direction(canvas, extent or self._block.name)

    def _draw_name(self, canvas: Canvas) -> None:
        """Draw bar, name and specification."""
        theme, name, style, size = self._theme, self._block.name, self._style, self._style.size
        x, y, line = name.x + self._indent, name.y, line_height(Face.BOLD, size)
        if self._above:
            y = name.bottom - self._height
        elif not self._below:
            y += (name.height - line) // 2
        colour = theme.search_colour(self._number)
        high, inset = len(self._lines) * line, max(1, size // 6)
        bar = Rect(name.x, y + inset, max(2, self._text.name // 5), high - 2 * inset)
        canvas.fill(bar, colour)
        for part in self._lines:
            wide = max(1, text_width(part, Face.BOLD, size))
            self._sprites.write(canvas, (x, y), part, Face.BOLD, size, colour, wide)
            y += line
        spec, small = self._specs[self._number], self._spec_size
        if not spec or not (style.spec_below or style.spec_beside):
            return
        if style.spec_beside:
            x += text_width(self._lines[-1], Face.BOLD, size) + self._gap
            y -= line - (line - line_height(Face.REGULAR, small)) * 2 // 3
        (spec,) = name_lines(spec, Face.REGULAR, small, name.right - x, 1)
        if spec:
            self._sprites.write(canvas, (x, y), spec, Face.REGULAR, small, theme.muted)

    def _status_left(self, block: Block, name: str) -> int:
        """The left edge of the status of a search with this block and this name."""
        left = block.name.x + self._indent
        if block.status.y < block.name.bottom:
            left += min(text_width(name, Face.BOLD, self._style.size), self._name_width) + self._gap
        return left

    def _status_of(self, snapshots: Sequence[Snapshot]) -> tuple[str, Colour]:
        """The status of the search and its colour. All searches show that they continue, or none,
        and a status that has ended has a form for which every other search has room, too, also the
        one that takes longest."""
        own, size, right = snapshots[self._number], self._text.status, self._block.status.right
        if not own.finished:
            room = self._name_width
            if not self._below:
                room = right - max(self._status_left(self._block, name) for name in self._names)
            wide = text_width(say.SEARCHING(), Face.REGULAR, size)
            return say.SEARCHING() if wide <= room else "", self._theme.muted
        total = max(snapshot.total for snapshot in snapshots)
        longest = status_texts(own.outcome, total, int(own.solutions), cut=own.cut)
        room = min(
            block.status.right - self._status_left(block, name)
            for block, name in zip(self._blocks, self._names, strict=True)
        )
        texts = zip(own.status_texts, longest, strict=True)
        fitting = (text for text, each in texts if text_width(each, Face.REGULAR, size) <= room)
        found = own.outcome is Outcome.SOLVED or proved(own)
        return next(fitting, ""), self._theme.accent if found else self._theme.undoing
