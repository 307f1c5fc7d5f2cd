"""Pictures of searches as text, for terminals: boards side by side, steps as bars, the result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil

from undoku.render.draw.colour_space import named_colours
from undoku.render.draw.look import Look
from undoku.solver.problem.appearance import Form
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.state import State
from undoku.visible_text import columns, visible

# Parameters of SGR sequences.
PLAIN, BOLD, PLACED, UNDONE = "", "1", "7;34", "7;33"
_COLOURS = ("34", "95", "36", "37", "94")
"""The colours of the first values of problems whose values are colours, where `Look` names them."""

_FREE = "·"
_LISTED_ROWS = 13
"""The rows of a board of regions or nodes, which lists them."""

_DOWN, _LEFT, _RIGHT = 2, 4, 8
_CORNERS = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""The lines that meet at a corner, by their sum: 1 for up, and the numbers above."""


class TextPicture:
    """`width` × `height` columns of a terminal, each with a character and a style."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._marks = [[" "] * width for _ in range(height)]
        self._styles = [[PLAIN] * width for _ in range(height)]

    def put(self, row: int, column: int, text: str, style: str = PLAIN) -> None:
        """Write a text from a place on; what lies outside the picture is left out."""
        if not 0 <= row < self.height:
            return
        for mark in visible(text):
            wide = columns(mark)
            if column + wide > self.width:
                return
            if wide == 0:  # it belongs to the mark before it
                self._marks[row][max(column - 1, 0)] += mark
                continue
            self._marks[row][column : column + wide] = [mark, *[""] * (wide - 1)]
            self._styles[row][column : column + wide] = [style] * wide
            column += wide

    def lines(self, *, styled: bool, coloured: bool = True) -> list[str]:
        """The rows: plain text without spaces at the end, or `styled` with escape sequences, and
        if not `coloured` only bold and inverse ones."""
        return [
            "".join(_styled(marks, styles, coloured)) if styled else "".join(marks).rstrip()
            for marks, styles in zip(self._marks, self._styles, strict=True)
        ]


def _styled(marks: Sequence[str], styles: Sequence[str], coloured: bool) -> Iterator[str]:
    for style, pairs in groupby(zip(marks, styles, strict=True), key=lambda pair: pair[1]):
        text = "".join(mark for mark, _ in pairs)
        kept = style if coloured else re.sub(r";?[39]\d", "", style)
        yield f"\x1b[{kept}m{text}\x1b[0m" if kept else text


class TextBoard:
    """The board of a puzzle, `width` × `height` columns: its fields, with lines between boxes, or
    a list of its regions or nodes with their values."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._problem, self._givens = puzzle.problem, puzzle.board
        look = Look(puzzle.problem)
        self.names = look.names
        """Those of the values, in sentences."""
        self._lines: list[tuple[int, int, str]] = []
        """The row, the column and the text of what never changes."""
        self._places: list[tuple[int, int, int, int]] = []
        """Where a value is shown: the cell; the only value that is shown, or 0; row, column."""
        if look.form in (Form.REGIONS, Form.NODES):
            self._values: Sequence[str] = look.names
            self._lay_out_list()
        else:
            self._values = look.symbols
            self._lay_out_fields(look)
        self._free = puzzle.problem.appearance.texts or [_FREE] * puzzle.problem.cells

    def _lay_out_list(self) -> None:
        names = [visible(self._problem.cell_name(cell)) for cell in range(self._problem.cells)]
        name = 1 + max(map(columns, names))
        entry = name + max(map(columns, self._values)) + 2
        lists = ceil(len(names) / _LISTED_ROWS)
        self.height = ceil(len(names) / lists)
        self.width = lists * entry - 2
        for cell in range(len(names)):
            column, row = divmod(cell, self.height)
            self._lines.append((row, column * entry, names[cell]))
            self._places.append((cell, 0, row, column * entry + name))

    def _lay_out_fields(self, look: Look) -> None:
        boxes = self._problem.region_of if look.form is Form.GRID else [0] * self._problem.cells
        box = {(int(field.row), int(field.column)): int(boxes[field.cell]) for field in look.fields}
        rows, width = self._problem.extent
        wide = 1 + max(map(columns, self._values))
        self.width, self.height = width * wide + 1, 0
        tops = []
        for row in range(rows + 1):
            corners = [_corner(box, row, column) for column in range(width + 1)]
            if any(corner & _LEFT + _RIGHT for corner in corners):
                for column, corner in enumerate(corners):
                    line = _CORNERS[corner] + "─" * (wide - 1) * bool(corner & _RIGHT)
                    self._lines.append((self.height, column * wide, line))
                self.height += 1
            tops.append(self.height)
            self._lines += [
                (self.height, column * wide, "│")
                for column, corner in enumerate(corners)
                if corner & _DOWN
            ]
            self.height += row < rows
        self._places = [
            (field.cell, field.value, tops[int(field.row)], int(field.column) * wide + 1)
            for field in look.fields
        ]

    def draw(self, picture: TextPicture, row: int, column: int, state: State) -> None:
        """Draw a state; (row, column) is the upper left corner."""
        for y, x, text in self._lines:
            picture.put(row + y, column + x, text)
        for cell, only, y, x in self._places:
            value = int(state.board[cell])
            shown = value > 0 and only in (0, value)
            text = self._values[value - 1] if shown else self._free[cell]
            style = self._style(cell, value) if shown else PLAIN
            if state.last and state.last.cell == cell and only in (0, state.last.value):
                style = UNDONE if state.last.undone else PLACED
            picture.put(row + y, column + x, text, style)

    def _style(self, cell: int, value: int) -> str:
        if self._givens[cell]:
            return BOLD
        look = self._problem.appearance
        coloured = look.coloured and value <= len(_COLOURS) and not named_colours(look.names)
        return _COLOURS[value - 1] if coloured else PLAIN


def _corner(region: dict[tuple[int, int], int], row: int, column: int) -> int:
    """Which lines between regions meet at the upper left corner of a field."""
    upper_left, upper = region.get((row - 1, column - 1)), region.get((row - 1, column))
    left, own = region.get((row, column - 1)), region.get((row, column))
    lines = upper_left != upper, left != own, upper_left != left, upper != own
    return sum(1 << number for number, there in enumerate(lines) if there)
