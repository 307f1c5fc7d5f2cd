"""The title card: the puzzle, and a short description of each strategy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.line_breaks import balanced, name_lines
from undoku.render.draw.sprites import Align
from undoku.render.panels.card_plan import CardText
from undoku.render.panels.panel import Panel
from undoku.render.panels.title_and_footer import clock_texts
from undoku.render.playback.search_texts import described
from undoku.solver.problem.puzzle import Geometry, Puzzle
from undoku.texts import wording as say

_EXTRA = {"diagonal": say.DIAGONALS, "window": say.WINDOWS, "group": say.DISJOINT_GROUPS}

_MAX_DESCRIBED = 3
"""The maximum number of searches whose descriptions can be read while the card is shown."""


def puzzle_text(puzzle: Puzzle) -> str:
    """The kind of the puzzle: "9×9 with diagonals, 24 givens"."""
    if not isinstance(puzzle.geometry, Geometry):
        return puzzle.title or say.VARIABLES(count=puzzle.geometry.cells)
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


class _Sizes(NamedTuple):
    """Pixels per em of the title, of the names, of the descriptions; the space above a name."""

    title: int
    name: int
    sentence: int
    above: int


class TitleCardPanel(Panel):
    """Covers the whole picture; all lines are within the panel's box. If there is not enough room,
    its letters are smaller; then the descriptions are left out, as with many searches, then the
    clock, then the puzzle."""

    @cached_property
    def rows(self) -> list[CardText]:
        """The lines that fit the picture; `y` counts from the first of their rows."""
        room, text = self._box.width, self._text
        # A card has the picture to itself: its letters may be larger than the film's.
        large = _Sizes(text.title * 3 // 2, text.title, text.name, text.title)
        usual = _Sizes(text.title, text.name, text.status, text.name)
        close = usual._replace(above=text.name // 3)
        clocks = clock_texts(self._context.script.timeline)
        clock = next((c for c in clocks if text_width(c, Face.REGULAR, text.footer) <= room), "")
        for sizes, sentences, shown_clock, puzzle in (
            (large, True, clock, True),
            (usual, True, clock, True),
            (close, True, clock, True),
            (large, False, clock, True),
            (close, False, clock, True),
            (close, False, "", True),
            (close, False, "", False),
        ):
            rows = self._all_rows(sizes, shown_clock, sentences=sentences, puzzle=puzzle)
            if _height(rows) <= self._box.height:
                break
        return rows

    def _all_rows(
        self, sizes: _Sizes, clock: str, *, sentences: bool, puzzle: bool
    ) -> list[CardText]:
        theme, text, room, script = self._theme, self._text, self._box.width, self._context.script
        rows: list[CardText] = []

        def add(line: str, face: Face, size: int, ink: Colour, above: int = 0) -> None:
            rows.append(CardText(line, face, size, ink, 0, _height(rows) + above))

        puzzles = list(dict.fromkeys(header.puzzle for header in script.headers))
        if puzzle:
            line = puzzle_text(puzzles[0]) if len(puzzles) == 1 else say.PUZZLES(count=len(puzzles))
            add(line, Face.REGULAR, sizes.sentence, theme.muted)
        for line in balanced(script.title, Face.BOLD, sizes.title, room):
            above = sizes.sentence // 2 if len(rows) == puzzle else 0
            add(line, Face.BOLD, sizes.title, theme.text, above)
        few = len(script.headers) <= _MAX_DESCRIBED
        for number, header in enumerate(script.headers):
            above = sizes.above if number else text.title
            for line in name_lines(header.label, Face.BOLD, sizes.name, room, 1 + sentences):
                add(line, Face.BOLD, sizes.name, theme.accent, above)
                above = 0
            sentence = described(header) if sentences and few else ""
            width = min(room, 34 * sizes.sentence)
            for line in balanced(sentence, Face.REGULAR, sizes.sentence, width):
                add(line, Face.REGULAR, sizes.sentence, theme.text)
        if clock:
            add(clock, Face.REGULAR, text.footer, theme.muted, text.title)
        return rows

    def start(self, canvas: Canvas) -> None:
        canvas.fill(Rect(0, 0, canvas.width, canvas.height), self._theme.background)
        box = self._box
        top = box.y + max(0, box.height - _height(self.rows)) // 2
        for line, face, size, ink, _, y, _ in self.rows:
            if top + y + line_height(face, size) > box.bottom:
                break
            at = box.x, top + y
            self._sprites.write(canvas, at, line, face, size, ink, box.width, align=Align.CENTRE)


def _height(rows: Sequence[CardText]) -> int:
    return rows[-1].box.bottom if rows else 0
