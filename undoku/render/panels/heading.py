"""The heading above a board or beside it: the name of the search, and its status."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from undoku.render.draw.canvas import Canvas, Rect, bounding
from undoku.render.draw.lettering import Face, line_height, text_width
from undoku.render.draw.name_lines import name_lines
from undoku.render.draw.reading_direction import in_reading_direction
from undoku.render.draw.sprites import Align, SpriteBook
from undoku.render.layout.block_measures import TextSizes
from undoku.render.layout.blocks import Block
from undoku.render.panels.heading_room import HeadingRoom
from undoku.render.panels.panel import Moment, Panel
from undoku.render.panels.search_status import status_texts
from undoku.render.playback.player import Snapshot
from undoku.render.timeline.timeline import Phase
from undoku.solver.trace.trace import Header, Outcome
from undoku.texts import wording as say

__all__ = ["HeadingPanel"]


class _LongestStatus(NamedTuple):
    """A `SearchStatus` that needs at least as much room as any other in the film."""

    outcome: Outcome
    total: int
    solutions: int
    cut: bool


class HeadingPanel(Panel):
    """The name in bold beside a bar in the colour of the search, the specification of the strategy
    in small letters beside or below it, and the status, which changes once, when the search is
    done. The name is on a bar in the colour of the search where one board is larger than others,
    and while a sentence elsewhere is about it."""

    def __init__(
        self,
        number: int,
        blocks: Sequence[Block],
        headers: Sequence[Header],
        sprites: SpriteBook,
        text: TextSizes,
        *,
        specs: bool = True,
        sentences: Sequence[int] = (),
    ) -> None:
        """`specs` states whether specifications are shown. On the frames `sentences`,
        ascending, sentences about the search begin, end, begin, …"""
        self.changes = self._sentences = sentences
        self._on_bar = False
        self._number = number
        self._blocks = blocks
        self._block = blocks[number]
        self._names = [header.label for header in headers]
        # The specification would repeat the name.
        self._specs = [
            header.strategy if specs and header.strategy != header.label else ""
            for header in headers
        ]
        self._room = HeadingRoom(self._names, self._specs, self._block, text)
        self._sprites = sprites
        self._text = text
        self._shown: str | None = None

    @cached_property
    def _is_large(self) -> bool:
        """Whether the board is larger than those of other searches."""
        cells = [block.cell for block in self._blocks]
        return min(cells) < self._block.cell == max(cells)

    @cached_property
    def _height(self) -> int:
        """The height of the search's own name, with the spec below it."""
        high = len(self._lines) * line_height(Face.BOLD, self._room.style.size)
        if self._room.style.spec_below and self._specs[self._number]:
            high += line_height(Face.REGULAR, self._room.spec_size)
        most = self._block.name.height
        return min(high, most) if self._room.style.status else high

    @cached_property
    def _lines(self) -> tuple[str, ...]:
        """The lines of the search's own name."""
        style = self._room.style
        return name_lines(
            self._names[self._number], Face.BOLD, style.size, self._room.name_width, style.lines
        )

    @cached_property
    def _has_spec(self) -> bool:
        """Whether any search of the film has a spec that is shown."""
        return any(self._specs) and (self._room.style.spec_below or self._room.style.spec_beside)

    @cached_property
    def _shows_searching(self) -> bool:
        """Whether there is room for "searching" beside every name: all searches show it or none."""
        if not self._room.style.status:
            return False
        wide = text_width(say.SEARCHING(), Face.REGULAR, self._text.status)
        if self._room.below:
            return wide <= self._room.name_width
        names = (text_width(each, Face.BOLD, self._room.style.size) for each in self._names)
        longest = min(max(names), self._room.name_width)
        left = self._block.name.x + self._room.indent + longest + self._room.gap
        return wide <= self._block.status.right - left

    @cached_property
    def _status(self) -> Rect:
        """The place of the status: directly below the names, or on their right."""
        name, status = self._block.name, self._block.status
        if self._room.below:
            y = status.y if self._room.above else name.y + self._height
            x = name.x + self._room.indent
            return status._replace(x=x, y=y, width=status.right - x)
        own = self._names[self._number]
        wide = min(text_width(own, Face.BOLD, self._room.style.size), self._room.name_width)
        left = name.x + self._room.indent + wide + self._room.gap
        return status._replace(x=left, width=max(1, status.right - left))

    def _draw_name(self, canvas: Canvas) -> None:
        """Draw bar, name and specification."""
        theme, text, name, style = (
            self._sprites.theme,
            self._text,
            self._block.name,
            self._room.style,
        )
        x, line = name.x + self._room.indent, line_height(Face.BOLD, style.size)
        y = name.y
        if self._room.above:
            y = name.bottom - self._height
        elif not self._room.below:
            y += (name.height - line) // 2
        colour = theme.search_colour(self._number)
        high = len(self._lines) * line
        inset = max(1, style.size // 6)
        bar = Rect(name.x, y + inset, max(2, text.name // 5), high - 2 * inset)
        ink, ground = colour, theme.ground
        longest = max(text_width(part, Face.BOLD, style.size) for part in self._lines)
        right = min(name.right, x + longest + self._room.gap // 2)
        whole = Rect(name.x, y, right - name.x, high)
        if self._is_large or self._on_bar:
            bar = whole
            ink, ground = ground, colour
        elif self._sentences:
            canvas.fill(whole, ground)
        canvas.fill(bar, colour)
        for part in self._lines:
            wide = max(1, text_width(part, Face.BOLD, style.size))
            sprite = self._sprites.text(part, Face.BOLD, style.size, ink, wide, ground=ground)
            canvas.blit(sprite, x, y)
            y += line
        spec = self._specs[self._number]
        if not spec or not self._has_spec:
            return
        if style.spec_beside:
            x += text_width(self._lines[-1], Face.BOLD, style.size) + self._room.gap
            y -= line - (line - line_height(Face.REGULAR, self._room.spec_size)) * 2 // 3
        (spec,) = name_lines(spec, Face.REGULAR, self._room.spec_size, name.right - x, 1)
        if spec:
            wide = text_width(spec, Face.REGULAR, self._room.spec_size)
            sprite = self._sprites.text(spec, Face.REGULAR, self._room.spec_size, theme.muted, wide)
            canvas.blit(sprite, x, y)

    def _status_text(self, snapshots: Sequence[Snapshot]) -> str:
        """The status of the search, which has ended, in a form for which every other search has
        room, too, also the one that takes longest."""
        own, size = snapshots[self._number], self._text.status
        total = max(snapshot.total for snapshot in snapshots)
        longest = status_texts(_LongestStatus(own.outcome, total, own.solutions, own.cut))
        room = min(map(self._status_width, range(len(snapshots))))
        texts = zip(status_texts(own), longest, strict=True)
        return next(
            (text for text, most in texts if text_width(most, Face.REGULAR, size) <= room), ""
        )

    def _status_width(self, number: int) -> int:
        """The room of the status of a search."""
        name, status = self._blocks[number].name, self._blocks[number].status
        left = name.x + self._room.indent
        if status.y < name.bottom:
            wide = text_width(self._names[number], Face.BOLD, self._room.style.size)
            left += min(wide, self._room.name_width) + self._room.gap
        return status.right - left

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot, shot = moment.snapshots[self._number], moment.shot
        within = bisect_right(self._sentences, shot.start) % 2 == 1
        on_bar = within and shot.phase is not Phase.STILL
        turned, self._on_bar = on_bar != self._on_bar, on_bar
        if self._shown is not None and not (turned or (snapshot.span and snapshot.finished)):
            return
        theme, box = self._sprites.theme, self._status
        extent = bounding((self._block.name, self._block.status))
        canvas = in_reading_direction(canvas, extent or self._block.name)
        if self._shown is None or turned:
            self._draw_name(canvas)
        if not self._room.style.status:
            self._shown = ""
            return
        ink = theme.muted
        size = self._text.status
        text = say.SEARCHING() if self._shows_searching else ""
        if snapshot.finished:
            text = self._status_text(moment.snapshots)
            found = snapshot.outcome is Outcome.SOLVED or (
                snapshot.outcome is Outcome.EXHAUSTED and snapshot.solutions
            )
            ink = theme.accent if found else theme.undoing
        if text == self._shown:
            return
        self._shown = text
        sprite = self._sprites.text(
            text,
            Face.REGULAR,
            size,
            ink,
            box.width,
            height=box.height,
            align=Align.LEFT if self._room.below else Align.RIGHT,
        )
        canvas.blit(sprite, box.x, box.y)
