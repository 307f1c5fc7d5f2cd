"""A film of two searches on one puzzle, drawn with simple sprites, for benchmarks of image formats.
It replaces the real panels, on which these benchmarks must not depend."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from undoku.render.draw.canvas import Canvas, Frame, Pixels, Rect, Sprite
from undoku.solver.problem.sources import as_puzzle
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.trace import Op

LONGEST = "000060080020000000001000000070000102500030000000000400004201000300700600000000050"

INK, PAPER, LINE, GIVEN = (228, 230, 235), (18, 20, 26), (58, 62, 74), (150, 156, 170)
TRY, UNDO = (32, 96, 160), (168, 60, 40)
LEVELS = 5
"""Steps of antialiasing between paper and ink."""


def _font(size: int) -> ImageFont.FreeTypeFont:
    folder = Path(matplotlib.get_data_path()) / "fonts/ttf"
    return ImageFont.truetype(str(folder / "DejaVuSans.ttf"), size)


def _tile(
    width: int, height: int, mark: str, size: int, ink: tuple[int, ...], paper: tuple[int, ...]
) -> Pixels:
    """A sprite: a mark in the middle of a plain rectangle, with few levels of antialiasing."""
    cover = Image.new("L", (width, height), 0)
    ImageDraw.Draw(cover).text((width / 2, height / 2), mark, 255, _font(size), anchor="mm")
    share = np.round(np.asarray(cover) / 255 * (LEVELS - 1))[..., None] / (LEVELS - 1)
    blend = np.array(paper) * (1 - share) + np.array(ink) * share
    return np.round(blend).astype(np.uint8)


class TwoBoards:
    """Frames of two boards side by side, `steps` steps of each search per frame.

    `tints` is the number of depths with different background colours.
    """

    def __init__(
        self,
        width: int = 640,
        height: int = 360,
        *,
        steps: int = 1,
        tints: int = 6,
        strategies: tuple[str, str] = ("row-major", "mrv"),
        puzzle: str = LONGEST,
        turns: bool = False,
    ) -> None:
        self.canvas = Canvas(width, height)
        self.steps, self.tints, self.turns = steps, tints, turns
        self.puzzle = as_puzzle(puzzle)
        self.cell = (min(width // 2, height) * 4 // 5) // 9
        self.traces = [search(puzzle, strategy, Limits(100_000)).read() for strategy in strategies]
        self.names = strategies
        self._sprites: dict[object, Sprite] = {}
        side = 9 * self.cell
        self.corners = [
            (width * (1 + 2 * number) // 4 - side // 2, height // 10) for number in (0, 1)
        ]

    def _sprite(self, *key: object) -> Sprite:
        if key not in self._sprites:
            width, height, mark, size, ink, paper = key
            pixels = _tile(width, height, mark, size, ink, paper)  # type: ignore[arg-type]
            self._sprites[key] = Sprite(len(self._sprites), pixels)
        return self._sprites[key]

    def _put_cell(
        self, panel: int, cell: int, value: int, ink: tuple[int, ...], paper: tuple[int, ...]
    ) -> None:
        left, top = self.corners[panel]
        x, y = left + cell % 9 * self.cell, top + cell // 9 * self.cell
        side, mark = self.cell - 1, str(value) if value else ""
        sprite = self._sprite(side, side, mark, side * 2 // 3, ink, paper)
        self.canvas.blit(sprite, x + 1, y + 1)

    def _put_counter(self, panel: int, row: int, number: int, shown: list[str]) -> None:
        """Draw the digits that changed; digits have fixed positions."""
        left, top = self.corners[panel]
        text = f"{number:>7}"
        for place, mark in enumerate(text):
            if shown[panel * 14 + row * 7 + place] != mark:
                shown[panel * 14 + row * 7 + place] = mark
                sprite = self._sprite(10, 16, mark.strip(), 14, INK, PAPER)
                x = left + 60 + row * 130 + place * 10
                self.canvas.blit(sprite, x, top + 9 * self.cell + 8)

    def __iter__(self) -> Iterator[Frame]:
        canvas = self.canvas
        canvas.fill(Rect(0, 0, canvas.width, canvas.height), PAPER)
        shown = [""] * 28
        boards = [self.puzzle.board.copy() for _ in (0, 1)]
        stacks: list[list[int]] = [[], []]
        for panel, (left, top) in enumerate(self.corners):
            side = 9 * self.cell
            canvas.fill(Rect(left - 1, top - 1, side + 3, side + 3), LINE)
            title = _tile(160, 24, self.names[panel], 16, INK, PAPER)
            canvas.put(title, left, top - 28)
            for cell in range(81):
                self._put_cell(panel, cell, int(boards[panel][cell]), GIVEN, PAPER)
        yield canvas.frame()
        marked: list[int | None] = [None, None]
        places = [0, 0]
        for number in range(max(map(len, self.traces)) // self.steps):
            for panel in (0, 1):
                if self.turns and number % 2 != panel:
                    continue
                first = number * self.steps
                last = first + self.steps
                if self.turns:
                    first = max(0, first - self.steps)
                events = self.traces[panel][first:last]
                touched: dict[int, tuple[int, int]] = {}
                for event in events:
                    op, value, cell = (int(part) for part in event.tolist())
                    if op == Op.UNDO:
                        boards[panel][cell] = 0
                        stacks[panel].pop()
                    else:
                        boards[panel][cell] = value
                        stacks[panel].append(cell)
                    places[panel] += 1
                    touched[cell] = (op, value)
                if not touched:
                    continue
                final = list(touched)[-1]
                previous = marked[panel]
                if previous is not None:
                    touched.setdefault(previous, (0, 0))
                for cell, (op, value) in touched.items():
                    stands = int(boards[panel][cell])
                    paper, ink = PAPER, INK
                    if stands:
                        depth = stacks[panel].index(cell) * self.tints // 64
                        paper = (18 + 3 * depth, 20 + 12 * depth, 26 + 8 * depth)
                    if cell == final:
                        paper = UNDO if op == Op.UNDO else TRY
                        stands = stands or value
                    self._put_cell(panel, cell, stands, ink, paper)
                marked[panel] = final
                self._put_counter(panel, 0, places[panel], shown)
                self._put_counter(panel, 1, len(stacks[panel]), shown)
            yield canvas.frame()
