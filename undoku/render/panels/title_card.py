"""The title card: the puzzle, and a short description of each strategy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.lettering import Face, fitted, line_height, text_width
from undoku.render.draw.line_breaks import balanced, name_lines
from undoku.render.draw.sprites import Align, SpriteBook
from undoku.render.layout.block_measures import TextSizes
from undoku.render.panels.panel import Moment, Panel
from undoku.render.panels.title_and_footer import clock_texts
from undoku.render.playback.search_texts import described
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.trace import Header
from undoku.texts import wording as say

__all__ = ["TitleCardPanel", "puzzle_text"]

_EXTRA = {"diagonal": say.DIAGONALS, "window": say.WINDOWS, "group": say.DISJOINT_GROUPS}

_MAX_DESCRIBED = 3
"""The maximum number of searches whose descriptions can be read while the card is shown."""


def puzzle_text(puzzle: Puzzle) -> str:
    """The kind of the puzzle: "9×9 with diagonals, 24 givens"."""
    kinds = Counter(unit.kind for unit in puzzle.geometry.units)
    text = (
        say.BOARD_JIGSAW if "region" in kinds else say.BOARD if "box" in kinds else say.BOARD_LATIN
    )
    board = text(side=puzzle.geometry.side)
    extra = [
        _EXTRA[kind]() if kind in _EXTRA else kind
        for kind in kinds
        if kind not in ("row", "column", "box", "region")
    ]
    if extra:
        board = say.BOARD_WITH(board=board, units=say.listed(extra))
    sentence = say.BOARD_GIVENS(board=board, count=sum(map(bool, puzzle.givens)))
    return say.LABELLED(label=puzzle.title, sentence=sentence) if puzzle.title else sentence


class _TextRow(NamedTuple):
    """A line of text and the space above it."""

    text: str
    face: Face
    size: int
    ink: Colour
    above: int


class _Sizes(NamedTuple):
    """Pixels per em of the title, of the names, of the descriptions; the space above a name."""

    title: int
    name: int
    sentence: int
    above: int


class TitleCardPanel(Panel):
    """Covers the whole picture, once. If there is not enough room, its letters are smaller; then
    the descriptions are left out, as with many searches, then the clock, then the puzzle."""

    def __init__(
        self,
        title: str,
        headers: Sequence[Header],
        sprites: SpriteBook,
        text: TextSizes,
        inside: Rect,
    ) -> None:
        """All lines are within `inside`."""
        self._title = title
        self._headers = headers
        self._sprites = sprites
        self._text = text
        self._inside = inside
        self._drawn = False

    def rows(self, clocks: Sequence[str]) -> list[_TextRow]:
        """The lines that fit the picture, from the top; of `clocks`, texts of the clock, the first
        that fits."""
        room, high = self._inside.width, self._inside.height
        text = self._text
        # A card has the picture to itself: its letters may be larger than the film's.
        large = _Sizes(text.title * 3 // 2, text.title, text.name, text.title)
        usual = _Sizes(text.title, text.name, text.status, text.name)
        close = usual._replace(above=text.name // 3)
        clock = next((c for c in clocks if text_width(c, Face.REGULAR, text.footer) <= room), "")
        for sizes, sentences, length, puzzle in (
            (large, True, clock, True),
            (usual, True, clock, True),
            (close, True, clock, True),
            (large, False, clock, True),
            (close, False, clock, True),
            (close, False, "", True),
            (close, False, "", False),
        ):
            rows = self._all_rows(room, sizes, length, sentences=sentences, puzzle=puzzle)
            if sum(map(_height, rows)) <= high:
                break
        return rows

    def _all_rows(
        self, room: int, sizes: _Sizes, clock: str, *, sentences: bool, puzzle: bool
    ) -> list[_TextRow]:
        theme, text = self._sprites.theme, self._text
        rows: list[_TextRow] = []
        puzzles = list(dict.fromkeys(header.puzzle for header in self._headers))
        if puzzle:
            line = puzzle_text(puzzles[0]) if len(puzzles) == 1 else say.PUZZLES(count=len(puzzles))
            rows.append(_TextRow(line, Face.REGULAR, sizes.sentence, theme.muted, 0))
        for line in balanced(self._title, Face.BOLD, sizes.title, room):
            above = sizes.sentence // 2 if len(rows) == puzzle else 0
            rows.append(_TextRow(line, Face.BOLD, sizes.title, theme.text, above))
        for number, header in enumerate(self._headers):
            above = sizes.above if number else text.title
            for line in name_lines(header.label, Face.BOLD, sizes.name, room, 1 + sentences):
                rows.append(_TextRow(line, Face.BOLD, sizes.name, theme.accent, above))
                above = 0
            few = len(self._headers) <= _MAX_DESCRIBED
            sentence = described(header) if sentences and few else ""
            width = min(room, 34 * sizes.sentence)
            for line in balanced(sentence, Face.REGULAR, sizes.sentence, width):
                rows.append(_TextRow(line, Face.REGULAR, sizes.sentence, theme.text, 0))
        if clock:
            rows.append(_TextRow(clock, Face.REGULAR, text.footer, theme.muted, text.title))
        return rows

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        if self._drawn:
            return
        self._drawn = True
        canvas.fill(Rect(0, 0, canvas.width, canvas.height), self._sprites.theme.ground)
        rows = self.rows(clock_texts(moment.timeline))
        inside, room = self._inside, self._inside.width
        y = max(inside.y, inside.y + (inside.height - sum(map(_height, rows))) // 2)
        for row in rows:
            y += row.above
            if y + line_height(row.face, row.size) > inside.bottom:
                break
            line = fitted(row.text, row.face, row.size, room)
            self._sprites.write(
                canvas, (inside.x, y), line, row.face, row.size, row.ink, room, align=Align.CENTRE
            )
            y += line_height(row.face, row.size)


def _height(row: _TextRow) -> int:
    return row.above + line_height(row.face, row.size)
