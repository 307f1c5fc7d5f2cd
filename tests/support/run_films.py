"""Films of runs with frames between them, for what takes either."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from undoku.render.draw.canvas import Change, Frame, Pixels, Rect
from undoku.render.draw.sprite_run import Sheet, SpriteRun

_SIZES = ((48, 48), (32, 32), (16, 27), (48, 32), (16, 16), (1, 4), (7, 5), (64, 48), (33, 20))

_LOUD = ((0, 0, 0), (255, 255, 255), (255, 0, 0), (90, 0, 0))
"""The colours of films that flash."""


@dataclass(frozen=True)
class RunFilm:
    """A film of a random size, in parts: runs, and frames drawn otherwise. `few` colours make
    pictures alike; a step of `grid` pixels is from place to place."""

    width: int
    height: int
    grid: int
    few: bool
    flash: bool
    parts: tuple[tuple[str, int], ...]
    seed: int

    def play(self, *, whole: bool) -> Iterator[Frame | SpriteRun]:
        """Its parts, runs as such when `whole`, else as the frames they hold. The next part is
        made when it is asked for: the one before must have been played."""
        random = np.random.default_rng(self.seed)
        canvas = np.full((self.height, self.width, 3), 18, np.uint8)
        sheet = Sheet()
        yield Frame(canvas, (Change(Rect(0, 0, self.width, self.height)),), 2)
        for what, length in self.parts:
            if what == "frames":
                for _ in range(length):
                    yield self._drawn(canvas, random)
                continue
            run = self._run(canvas, sheet, length, random, fresh=what == "fresh")
            if whole:
                yield run
            else:
                yield from run.frames()

    def _picture(self, random: np.random.Generator) -> Pixels:
        size = _SIZES[random.integers(len(_SIZES))]
        width, height = min(size[0], self.width), min(size[1], self.height)
        shade = random.integers(0, 256, (height, width, 3), np.uint8)
        return shade // 100 * 100 if self.few else shade

    def _drawn(self, canvas: Pixels, random: np.random.Generator) -> Frame:
        changes = []
        for _ in range(random.integers(0, 3)):
            picture = self._picture(random)
            height, width, _ = picture.shape
            x, y = self._place(width, height, random)
            canvas[y : y + height, x : x + width] = picture
            changes.append(Change(Rect(x, y, width, height), int(random.integers(-1, 3))))
        return Frame(canvas, tuple(changes), int(random.integers(1, 4)))

    def _place(self, width: int, height: int, random: np.random.Generator) -> tuple[int, int]:
        x = random.integers(0, self.width - width + 1) // self.grid * self.grid
        y = random.integers(0, self.height - height + 1) // self.grid * self.grid
        return int(x), int(y)

    def _run(
        self, canvas: Pixels, sheet: Sheet, length: int, random: np.random.Generator, *, fresh: bool
    ) -> SpriteRun:
        if fresh:
            sheet.clear()
        sheet.drop()
        if self.flash and not sheet.kept:
            for colour in _LOUD:
                sheet.add([np.tile(np.array(colour, np.uint8), (self.height, self.width, 1))])
            sheet.keep()
        if random.random() < 0.7:
            for _ in range(random.integers(0, 6)):
                sheet.add([self._picture(random)])
            sheet.keep()
        for _ in range(random.integers(1, 4)):
            sheet.add([self._picture(random)])
        first, placed = [0], []
        for _ in range(length):
            taken: list[Rect] = []
            for _ in range(random.integers(0, 5)):
                number = int(random.integers(sheet.count))
                _, width, height = sheet.shapes[number].tolist()
                rect = Rect(*self._place(width, height, random), width, height)
                if not any(rect.overlaps(other) for other in taken):
                    taken.append(rect)
                    placed.append((number, rect.x, rect.y))
            first.append(len(placed))
        numbers = np.array(placed, np.int32).reshape(-1, 3)
        return SpriteRun(canvas, sheet, np.array(first, np.int64), numbers)


def run_films(*, flash: bool = False) -> st.SearchStrategy[RunFilm]:
    parts = st.tuples(st.sampled_from(["run", "run", "fresh", "frames"]), st.integers(1, 12))
    return st.builds(
        RunFilm,
        width=st.integers(90 if flash else 1, 120).map(lambda n: 2 * n),
        height=st.integers(70 if flash else 1, 90).map(lambda n: 2 * n),
        grid=st.sampled_from([1, 2, 4, 8, 16, 16, 16]),
        few=st.booleans(),
        flash=st.just(flash),
        parts=st.lists(parts, min_size=1, max_size=7).map(tuple),
        seed=st.integers(0, 10_000),
    )
