"""The heading above a board or beside it: the name of the search, and its status. Its style is the
same for all searches."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from undoku.render.draw.canvas import Canvas, Rect, bounding
from undoku.render.draw.lettering import Face, line_height, text_width
from undoku.render.draw.line_breaks import name_lines
from undoku.render.draw.sprites import Align
from undoku.render.draw.typesetting import in_reading_direction
from undoku.render.layout.block_measures import TextSizes
from undoku.render.layout.blocks import Block
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.panels.rings import sentence_bounds
from undoku.render.playback.player import Snapshot
from undoku.render.playback.search_texts import status_texts
from undoku.render.timeline.timeline import Phase
from undoku.solver.trace.trace import Outcome
from undoku.texts import wording as say

__all__ = ["HeadingPanel", "HeadingRoom", "HeadingStyle"]

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


class HeadingStyle(NamedTuple):
    """The style of all names of a film: their size, their most lines, whether the specification of
    the strategy is below each, beside each, or left out, and whether there is room for a status."""

    size: int
    lines: int
    spec_below: bool = False
    spec_beside: bool = False
    status: bool = True


class HeadingRoom:
    """The room for the `names` of all searches and their specifications `specs`, "" for those that
    are not shown, in the heading of one `block`, and the style in which they fit: a long name has
    two lines if there is room, then smaller letters, then, beside a board, the room of the status,
    which the ring around a finished board shows, too; only then is it cut."""

    def __init__(
        self, names: Sequence[str], specs: Sequence[str], block: Block, text: TextSizes
    ) -> None:
        self._names, self._specs, self._block, self._text = names, specs, block, text

    @property
    def below(self) -> bool:
        """Whether the status is below the name, not on the same line."""
        return self._block.status.y >= self._block.name.bottom

    @property
    def above(self) -> bool:
        """Whether name and status are above the board, one below the other."""
        return self.below and self._block.status.y < self._block.board.y

    @cached_property
    def indent(self) -> int:
        """The width of the coloured bar and the gap after it."""
        return max(2, self._text.name // 5) + max(3, self._text.name // 3)

    @property
    def gap(self) -> int:
        """The gap between a name and the text beside it."""
        return self._text.status // 2

    @property
    def spec_size(self) -> int:
        """A specification is smaller than other texts, because only experts need it."""
        return max(_MIN_SIZE, round(_SPEC_SHARE * self._text.label))

    def _spec_width(self, spec: str) -> int:
        return text_width(spec, Face.REGULAR, self.spec_size)

    @cached_property
    def name_width(self) -> int:
        """The maximum width of a name. On one line with the status it leaves room for a short
        status."""
        name, status = self._block.name, self._block.status
        if self.below:
            return name.width - self.indent
        size, room = self._text.status, 0
        longest = max(text_width(each, Face.BOLD, size) for each in self._names)
        for short in _SHORT:
            least = text_width(short, Face.REGULAR, size) + size // 2
            room = max(0, status.right - name.x - self.indent - least)
            if longest <= room:
                break
        return room

    @cached_property
    def style(self) -> HeadingStyle:
        """The style: on one line if the letters are not much smaller for it, otherwise on more
        lines; otherwise with small letters, and only then with shortened names."""
        usual, least = self._text.name, self._text.status
        smallest = max(_MIN_SIZE, round(least * _MIN_SHARE))
        tiers = (round(usual * _ALIKE_SHARE), usual), (least, usual), (smallest, least)
        name, status = self._block.name, self._block.status
        beside = self.below and not self.above
        heights = [name.height, *([status.bottom - name.y] if beside else [])]
        most = [min(_MAX_LINES, max(1, high // line_height(Face.BOLD, least))) for high in heights]
        for high, number in zip(heights, most, strict=True):
            for (low, top), lines in product(tiers, range(1, number + 1)):
                for size in range(top, low - 1, -1):
                    if lines * line_height(Face.BOLD, size) <= high and self._fit(size, lines):
                        if high == name.height:
                            return self._with_specs(size, lines)
                        return HeadingStyle(size, lines, status=False)
        if beside and most[0] == 1:
            return HeadingStyle(smallest, most[1], status=False)
        return self._with_specs(smallest, most[0])

    def _fit(self, size: int, lines: int) -> bool:
        """Whether all names fit on `lines` lines without being shortened."""
        return all(
            "".join(set_lines).replace(" ", "") == name.replace(" ", "")
            and max(text_width(line, Face.BOLD, size) for line in set_lines) <= self.name_width
            for name in self._names
            for set_lines in [name_lines(name, Face.BOLD, size, self.name_width, lines)]
        )

    def _with_specs(self, size: int, lines: int) -> HeadingStyle:
        """Names of this size with the specifications beside them, otherwise below them, if there is
        room."""
        wide = [text_width(name, Face.BOLD, size) for name in self._names]
        beside = self.below and all(
            not spec or width + self.gap + self._spec_width(spec) <= self.name_width
            for spec, width in zip(self._specs, wide, strict=True)
        )
        spec = line_height(Face.REGULAR, self.spec_size)
        below = self._block.name.height >= lines * line_height(Face.BOLD, size) + spec
        return HeadingStyle(size, lines, spec_below=below and not beside, spec_beside=beside)


class HeadingPanel(Panel):
    """The name in bold beside a bar in the colour of the search, the specification of the strategy
    in small letters beside or below it, and the status, which changes once, when the search is
    done. The name is on a bar in the colour of the search where one board is larger than others,
    and while a sentence elsewhere is about it."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        script, number = context.script, context.number
        self.changes = self._sentences = sentence_bounds(number, script)
        """The frames on which sentences about the search begin, end, begin, …"""
        self._on_bar = False
        self._blocks = script.layout.blocks
        self._block = context.block
        self._names = [header.label for header in script.headers]
        # The specification would repeat the name. Stories have none.
        specs = not script.timeline.beats
        self._specs = [
            header.strategy if specs and header.strategy != header.label else ""
            for header in script.headers
        ]
        self._room = HeadingRoom(self._names, self._specs, self._block, context.text)
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
            self._sprites.write(
                canvas, (x, y), part, Face.BOLD, style.size, ink, wide, ground=ground
            )
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
            self._sprites.write(
                canvas, (x, y), spec, Face.REGULAR, self._room.spec_size, theme.muted, wide
            )

    def _status_text(self, snapshots: Sequence[Snapshot]) -> str:
        """The status of the search, which has ended, in a form for which every other search has
        room, too, also the one that takes longest."""
        own, size = snapshots[self._number], self._text.status
        total = max(snapshot.total for snapshot in snapshots)
        own_texts, longest = (
            status_texts(own.outcome, steps, int(own.solutions), cut=own.cut)
            for steps in (own.total, total)
        )
        room = min(map(self._status_width, range(len(snapshots))))
        texts = zip(own_texts, longest, strict=True)
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
        self._sprites.write(
            canvas,
            (box.x, box.y),
            text,
            Face.REGULAR,
            size,
            ink,
            box.width,
            height=box.height,
            align=Align.LEFT if self._room.below else Align.RIGHT,
        )
