"""The room for the names in headings, and their style, which is the same for all searches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from undoku.render.draw.lettering import Face, line_height, text_width
from undoku.render.draw.name_lines import name_lines
from undoku.render.layout.block_measures import TextSizes
from undoku.render.layout.blocks import Block

__all__ = ["HeadingRoom", "HeadingStyle"]

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
