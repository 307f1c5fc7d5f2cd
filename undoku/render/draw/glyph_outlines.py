"""Letters as curves: the outlines of the letters that `undoku.render.draw.lettering` draws as
masks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.fonts import DEFAULT, Face, FontFile, opened, reading
from undoku.render.draw.lettering import run_mask, run_width, set_runs
from undoku.render.draw.text_runs import Run
from undoku.render.draw.unicode_text import drawn_characters

EM = 2048
"""Units per em of all outlines."""

_TRACED = 160
"""Pixels per em at which runs with joined or stacked letters are drawn to be traced."""

Segment = tuple[str, tuple[int | float, ...]]
"""An operator and its coordinates, in pairs: M begins a contour, L is a line, Q a quadratic curve
(control point, end), C a cubic one (two control points, end), Z closes the contour and has none."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A shape in units of EM, y upwards from the baseline; filled by the nonzero rule. `box` is
    (left, bottom, right, top), all 0 for a blank."""

    segments: tuple[Segment, ...]
    advance: int | float
    box: tuple[float, float, float, float]


class Glyph(NamedTuple):
    """A text that is drawn as one shape: a character of a font, or a run whose letters are
    joined."""

    run: Run

    @property
    def usual(self) -> tuple[Face, str] | None:
        """The face and the character if it belongs to the default typeface, otherwise None."""
        if self.run.shaped:
            return None
        faces = (face for face in Face if DEFAULT.font(face) == self.run.font)
        return next(((face, self.run.text) for face in faces), None)


class Placed(NamedTuple):
    """A glyph at `x` pixels from the left end of its line, `size` pixels per em."""

    glyph: Glyph
    x: float
    size: float


@lru_cache(maxsize=64)
def _names(font: FontFile) -> dict[int, str]:
    names: dict[int, str] = opened(font).getBestCmap()
    return names


@lru_cache(maxsize=64)
def _scale(font: FontFile) -> float:
    """The factor from the units of the font to units of EM."""
    return EM / float(opened(font)["head"].unitsPerEm)


@lru_cache(maxsize=64)
def _kerning(font: FontFile) -> dict[tuple[str, str], int]:
    tables = opened(font)
    if "kern" not in tables or not hasattr(tables["kern"].kernTables[0], "kernTable"):
        return {}
    pairs: dict[tuple[str, str], int] = tables["kern"].kernTables[0].kernTable
    return pairs


def _name(mark: str, font: FontFile) -> str:
    """The name of a character's glyph; that of the replacement box if the font lacks it."""
    return _names(font).get(ord(mark), ".notdef")


@lru_cache(maxsize=2048)
def outline(glyph: Glyph) -> Outline:
    """The shape of a character or of a run."""
    if glyph.run.shaped:
        return _traced(glyph.run)
    with reading(glyph.run.font):
        return _drawn(glyph.run.text, glyph.run.font)


def _drawn(mark: str, font: FontFile) -> Outline:
    """The shape of one character from its font."""
    from fontTools.pens.basePen import BasePen
    from fontTools.pens.boundsPen import BoundsPen

    found: list[Segment] = []
    scale = _scale(font)

    def scaled(*points: Any) -> tuple[int | float, ...]:
        places = (part for point in points for part in point)
        return tuple(places) if scale == 1 else tuple(round(part * scale, 2) for part in places)

    class Pen(BasePen):  # type: ignore[misc]  # the library is untyped
        """Records the segments of a glyph; components and implied points are resolved."""

        def _moveTo(self, pt: Any) -> None:  # noqa: N802
            found.append(("M", scaled(pt)))

        def _lineTo(self, pt: Any) -> None:  # noqa: N802
            found.append(("L", scaled(pt)))

        def _qCurveToOne(self, pt1: Any, pt2: Any) -> None:  # noqa: N802
            found.append(("Q", scaled(pt1, pt2)))

        def _curveToOne(self, pt1: Any, pt2: Any, pt3: Any) -> None:  # noqa: N802
            found.append(("C", scaled(pt1, pt2, pt3)))

        def _closePath(self) -> None:  # noqa: N802
            found.append(("Z", ()))

    glyphs = opened(font).getGlyphSet()
    name = _name(mark, font)
    bounds = BoundsPen(glyphs)
    glyphs[name].draw(Pen(glyphs))
    glyphs[name].draw(bounds)
    left, bottom, right, top = bounds.bounds or (0, 0, 0, 0)
    box = (left * scale, bottom * scale, right * scale, top * scale)
    return Outline(tuple(found), glyphs[name].width * scale, box)


def _traced(run: Run) -> Outline:
    """The shape of a run, traced from a large picture by the text engine: the contours of half
    coverage."""
    from contourpy import LineType, contour_generator
    from matplotlib.path import Path

    coverage, x, y = run_mask(run, _TRACED)
    scale = EM / _TRACED
    found: list[Segment] = []
    # Coverage is known at the centres of pixels.
    generator = contour_generator(z=coverage.astype(np.float64), line_type=LineType.Separate)
    lines = cast("list[NDArray[np.float64]]", generator.lines(127.5))
    corners: list[tuple[float, float]] = []
    for line in lines:
        # Matplotlib leaves out points that are less than a ninth of a unit, two pixels, off a line.
        points = [
            (round((2 * across + 0.5 - x) * scale, 1), round((y - 2 * down - 0.5) * scale, 1))
            for (across, down), _ in Path(line / 2).iter_segments(simplify=True)
        ]
        if len(points) < 4:
            continue
        corners += points
        found.append(("M", points[0]))
        found += [("L", point) for point in points[1:-1]]
        found.append(("Z", ()))
    advance = _shaped_advance(run)
    if not corners:
        return Outline((), advance, (0, 0, 0, 0))
    across, up = zip(*corners, strict=True)
    return Outline(tuple(found), advance, (min(across), min(up), max(across), max(up)))


def _shaped_advance(run: Run) -> float:
    """The width of a run with joined or stacked letters, which need not be traced to know it."""
    return run_width(run, _TRACED) * (EM / _TRACED)


@lru_cache(maxsize=1024)
def _set_run(run: Run) -> tuple[tuple[tuple[Glyph, float], ...], float]:
    """The glyphs of a run with their positions, and the width of the run, in units of EM."""
    if run.shaped:
        glyph = Glyph(run)
        return ((glyph, 0.0),), _shaped_advance(run)
    found, x = [], 0.0
    before = ""
    for mark in drawn_characters(run.text):
        with reading(run.font):
            name = _name(mark, run.font)
            x += _kerning(run.font).get((before, name), 0) * _scale(run.font)
        glyph = Glyph(run._replace(text=mark))
        found.append((glyph, x))
        x += outline(glyph).advance
        before = name
    return tuple(found), x


def set_line(text: str, face: Face, size: int) -> tuple[tuple[Placed, ...], float]:
    """The glyphs of a line of text in the current typeface, with kerning, and the width of the line
    in pixels."""
    found: list[Placed] = []
    width = 0.0
    for run, pixels in set_runs(text, face, size):
        glyphs, wide = _set_run(run)
        found += (Placed(glyph, width + x * pixels / EM, pixels) for glyph, x in glyphs)
        width += wide * pixels / EM
    return tuple(found), width


def glyph_of(mark: str, face: Face) -> Glyph:
    """The glyph of a single character."""
    ((glyph, _, _),), _ = set_line(mark, face, EM)
    return glyph
