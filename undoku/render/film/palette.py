"""A few colours that represent all colours of a film.

A theme's colours are known before anything is drawn: the backgrounds of cells, the colours of
digits, the shades of the edges of letters, the tints of charts. They are clustered in OKLab by
Ward's criterion (Ward, "Hierarchical grouping to optimize an objective function", 1963): the pair
of groups whose union adds least to the variance is merged, with colours weighted by their share of
a picture. A group is represented by its heaviest colour, so backgrounds and digits keep their
colours. The palette depends only on the theme and the number of colours, so that a colour never
differs between frames or films. There is no dithering."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import packed
from undoku.render.draw.cell_look import FADES, CellKind, CellLook, StepMark
from undoku.render.draw.cells import draw_cell, ramp
from undoku.render.draw.colour_space import lab
from undoku.render.draw.theme import HEATS, SEARCHES, SHADES, TINTS, Theme
from undoku.render.panels.tree_panel import tree_colours

_SIDE = 48
"""The side in pixels of the cells whose pixels give the weights of colours."""
_RESERVED = 100
"""The number of reserved colours. A theme's others are shades of the edges of letters and lines."""
_LETTERS = 40
"""The weight, in pixels, of a shade of the edges of letters, and of a tint of a chart."""


def _looks(*, overlay: bool) -> list[CellLook]:
    """Looks with all backgrounds and all digit colours that cells can have, with or without heat on
    the boards (`overlay`)."""
    looks = [
        CellLook(CellKind.GIVEN, 8, left=True, top=True),
        CellLook(CellKind.GIVEN, 8, cages=15, slots=3, tabs=2),
        CellLook(CellKind.GUESS, 8, mark=StepMark.TRYING),
        CellLook(CellKind.EMPTY, 8, mark=StepMark.UNDOING),
        CellLook(CellKind.PENCIL),
        *(_heat_looks() if overlay else _plain_looks()),
    ]
    extra = [look._replace(extra=True) for look in looks if look.mark is StepMark.NONE]
    return [*looks, *extra, CellLook(CellKind.GUESS, 8, mark=StepMark.PASSING)]


def _heat_looks() -> list[CellLook]:
    """The looks of cells on shades of heat."""
    shades = range(1, SHADES + 1)
    return [
        *(CellLook(CellKind.GUESS, 8, tries=tries, failed=1) for tries in shades),
        *(CellLook(CellKind.GUESS, 8, tries=tries, cages=15) for tries in shades),
        CellLook(CellKind.PENCIL, mark=StepMark.PASSING),
    ]


def _plain_looks() -> list[CellLook]:
    """The looks of other cells."""
    return [
        CellLook(CellKind.EMPTY),
        *(CellLook(CellKind.GUESS, 8, tint) for tint in range(TINTS)),
        *(CellLook(CellKind.FORCED, 8, tint) for tint in range(TINTS)),
        *(CellLook(CellKind.FADING, 8, level) for level in range(1, FADES + 1)),
        *(CellLook(CellKind.GHOST, 8, 0, heat=warmth) for warmth in range(1, HEATS)),
        *(CellLook(CellKind.GHOST, 8, 1, heat=warmth) for warmth in range(1, HEATS)),
        CellLook(CellKind.PENCIL, candidates=0b111011, struck=0b100),
        CellLook(CellKind.EMPTY, failed=1),
    ]


def all_colours(theme: Theme, *, overlay: bool = False, searches: int = SEARCHES) -> dict[int, int]:
    """Every colour, 0xRRGGBB, that a panel can draw in a film of up to `searches` searches, with
    its weight: approximately its number of pixels. `overlay` states whether boards show heat. The
    blends of texts that fade and of boards that move are not among them."""
    found: dict[int, int] = {}

    def add(pixels: NDArray[np.uint8], weight: int) -> None:
        colours, counts = np.unique(packed(pixels), return_counts=True)
        for colour, count in zip(colours.tolist(), counts.tolist(), strict=True):
            found[colour] = found.get(colour, 0) + count * weight

    for look in _looks(overlay=overlay):
        add(draw_cell(look, _SIDE, theme), 1)
    names = [theme.search_colour(number) for number in range(min(searches, SEARCHES))]
    on_background = (theme.text, theme.muted, theme.accent, theme.undoing, *names)
    # Which shades the cross in a cell without candidates has depends on its size.
    on_cells = (theme.text, theme.muted, theme.accent)
    for inks, background in ((on_background, theme.background), (on_cells, theme.cell)):
        for ink in inks:
            add(ramp(ink, background), _LETTERS)
    add(np.array(tree_colours(theme), np.uint8), _LETTERS)
    add(np.array([*theme.shades, *theme.scale, *theme.scale_cells], np.uint8), _LETTERS)
    add(np.array([theme.search_colour(n) for n in range(SEARCHES)], np.uint8), _SIDE)
    add(np.array([theme.background, theme.track], np.uint8), _SIDE * _SIDE)
    return found


class Palette:
    """At most `most` colours that represent all colours of a theme.

    `known` (n,) uint32 are the theme's colours, ascending, `becomes` (n,) uint32 the colour that
    represents each, and `colours` (m <= most,) uint32 the palette; all are 0xRRGGBB.
    """

    def __init__(self, theme: Theme, most: int, *, overlay: bool = False) -> None:
        weights = all_colours(theme, overlay=overlay)
        self.known = np.array(sorted(weights), np.uint32)
        labs = np.array([lab((c >> 16, c >> 8 & 255, c & 255)) for c in self.known.tolist()])
        weight = np.array([weights[colour] for colour in self.known.tolist()], np.float64)
        groups = _grouped(labs, weight, most)
        heaviest = {group: int(np.argmax(np.where(groups == group, weight, -1)))
                    for group in np.unique(groups).tolist()}  # fmt: skip
        self.becomes = self.known[[heaviest[group] for group in groups.tolist()]]
        self.colours = np.unique(self.becomes)


def _grouped(labs: NDArray[np.float64], weight: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    """(n,): the group of each colour, at most `most` groups."""
    group = np.arange(len(labs))
    centre, mass = labs.copy(), weight.copy()

    def loss_of(one: int) -> NDArray[np.float64]:
        """(n,): what is lost when the group of colour `one` becomes one with each other."""
        apart = ((centre - centre[one]) ** 2).sum(axis=1)
        lost = apart * (mass[one] * mass / (mass[one] + mass))
        lost[~alive] = lost[one] = np.inf
        return np.asarray(lost)

    alive = np.ones(len(labs), bool)
    loss = np.stack([loss_of(one) for one in range(len(labs))])
    for _ in range(len(labs) - most):
        first, second = map(int, divmod(int(loss.argmin()), len(labs)))
        whole = mass[first] + mass[second]
        centre[first] = (centre[first] * mass[first] + centre[second] * mass[second]) / whole
        mass[first] = whole
        alive[second] = False
        group[group == second] = first
        loss[second] = loss[:, second] = np.inf
        loss[first] = loss[:, first] = loss_of(first)
    return group


@lru_cache(maxsize=8)
def palette_of(theme: Theme, most: int, *, overlay: bool = False) -> Palette:
    """The palette of these arguments; it is cached."""
    return Palette(theme, most, overlay=overlay)


def main_colours(theme: Theme, searches: int) -> tuple[int, ...]:
    """The colours, 0xRRGGBB, that a format with a palette reserves for a film of so many searches
    that has more colours than the palette holds. Some numbers are left for blends, such as those of
    texts that fade."""
    weights = all_colours(theme, searches=searches)
    return tuple(sorted(weights, key=lambda colour: (-weights[colour], colour))[:_RESERVED])
