"""Boards other than the standard one: Latin squares, jigsaws, and extra units on any board.

Every board has rows and columns. `geometry_options` describes a board by a few plain options, from
which `geometry_of` builds it again; text formats and trace headers use the same options:

    size      how many values                     9
    box       rows and columns of a box           [3, 3], or "none" for a Latin square
    regions   a letter per cell, in place of box  "AAAB…"
    extra     named sets of extra units           ["diagonals", "windows"]
    units     any further units                   [{"name": "ring", "cells": [0, 1, 9]}]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import isqrt
from typing import Any

from undoku.errors import PuzzleError
from undoku.solver.problem.problem import Unit
from undoku.solver.problem.puzzle import (
    LARGEST,
    SMALLEST,
    Geometry,
    box_shape,
    lines,
    standard_geometry,
)

# Extra units follow the basic ones in this order, regardless of the order in which they were added.
_ORDER = ("row", "column", "box", "region", "diagonal", "window", "group")
_NAME = re.compile(r"\w+([ -]\w+)*")
_DIAGONALS = {(1, 2): "diagonals", (1,): "diagonal-down", (2,): "diagonal-up"}
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@lru_cache(maxsize=32)
def latin_geometry(size: int) -> Geometry:
    """Only rows and columns: a Latin square. `size` 4..25. Raises PuzzleError."""
    return Geometry(size, lines(size))


def jigsaw_geometry(regions: str | Sequence[object]) -> Geometry:
    """Rows, columns and regions of any shape.

    `regions` names the region of each cell, row by row: a text with one mark per cell (white space
    and `/` are ignored), or a sequence with one label per cell. There must be as many regions as
    values, each of as many cells. Regions that are plain boxes give the standard board. Raises
    PuzzleError.
    """
    labels = "".join(regions.split()).replace("/", "") if isinstance(regions, str) else regions
    numbers: dict[object, int] = {}
    return _jigsaw(tuple(numbers.setdefault(label, len(numbers)) for label in labels))


@lru_cache(maxsize=64)
def _jigsaw(numbers: tuple[int, ...]) -> Geometry:
    size = isqrt(len(numbers))
    if size * size != len(numbers) or not SMALLEST <= size <= LARGEST:
        raise PuzzleError(
            f"the regions name {len(numbers)} cells, which don't form a square",
            remedy=f"name the region of every cell, {SMALLEST}×{SMALLEST} to {LARGEST}×{LARGEST}",
        )
    for number, count in Counter(numbers).items():
        if count != size:
            raise PuzzleError(
                f"region {number + 1} has {count} cells where {size} are needed",
                remedy=f"give each of the {size} regions {size} cells",
            )
    regions = [
        Unit("region", number + 1, tuple(c for c, n in enumerate(numbers) if n == number))
        for number in range(size)
    ]
    shapes = {unit.cells for unit in regions}
    for height in range(2, size // 2 + 1):
        if size % height == 0:
            plain = standard_geometry(size, (height, size // height))
            if shapes == {unit.cells for unit in plain.units if unit.kind == "box"}:
                return plain
    return Geometry(size, (*lines(size), *regions))


def with_units(geometry: Geometry, units: Iterable[Unit]) -> Geometry:
    """The board with additional units; units that it already has are not added again. Units of a
    new kind are numbered in the order in which they are added. Raises PuzzleError for a kind that
    is not a plain name (words, with blanks or hyphens between them).
    """
    known = {(unit.kind, unit.cells) for unit in geometry.units}
    count = Counter(unit.kind for unit in geometry.units)
    added = []
    for unit in units:
        if (unit.kind, unit.cells) in known:
            continue
        if not _NAME.fullmatch(unit.kind):
            raise PuzzleError(
                f"a unit can't be called {unit.kind!r}", remedy="use words, such as ring"
            )
        known.add((unit.kind, unit.cells))
        count[unit.kind] += 1
        own = unit.kind not in _ORDER
        added.append(replace(unit, index=count[unit.kind]) if own else unit)
    if not added:
        return geometry
    ranked = sorted(
        (*geometry.units, *added),
        key=lambda unit: (
            (_ORDER.index(unit.kind), unit.index) if unit.kind in _ORDER else (len(_ORDER), 0)
        ),
    )
    return replace(geometry, units=tuple(ranked))


def with_diagonals(geometry: Geometry, *, down: bool = True, up: bool = True) -> Geometry:
    """The board with its diagonals as units ("X"): `down` from the top left, `up` from the
    bottom left."""
    size = geometry.size
    falling = Unit("diagonal", 1, tuple(k * size + k for k in range(size)))
    rising = Unit("diagonal", 2, tuple((size - 1 - k) * size + k for k in range(size)))
    return with_units(geometry, [falling] * down + [rising] * up)


def with_windows(geometry: Geometry) -> Geometry:
    """The board with windows ("windoku", "hyper"): units of a box's shape, one cell apart, one
    cell in from the edge; four of them on a 9×9 board. Raises PuzzleError without boxes."""
    height, width = _box(geometry, "windows")
    tops = range(1, geometry.size - height + 1, height + 1)
    lefts = range(1, geometry.size - width + 1, width + 1)
    corners = [top * geometry.size + left for top in tops for left in lefts]
    windows = (
        tuple(corner + r * geometry.size + c for r in range(height) for c in range(width))
        for corner in corners
    )
    return with_units(geometry, (Unit("window", k, cells) for k, cells in enumerate(windows, 1)))


def with_groups(geometry: Geometry) -> Geometry:
    """The board with disjoint groups: the cells at the same place of every box are a unit.
    Raises PuzzleError without boxes."""
    _box(geometry, "groups")
    boxes = [unit.cells for unit in geometry.units if unit.kind == "box"]
    groups = zip(*boxes, strict=True)
    return with_units(geometry, (Unit("group", k, cells) for k, cells in enumerate(groups, 1)))


def _box(geometry: Geometry, what: str) -> tuple[int, int]:
    if geometry.box is None:
        raise PuzzleError(f"{what} need boxes, which this board does not have")
    return geometry.box


# The named sets of extra units, in the order in which options list them.
EXTRAS: Mapping[str, Callable[[Geometry], Geometry]] = {
    "diagonals": with_diagonals,
    "diagonal-down": lambda geometry: with_diagonals(geometry, up=False),
    "diagonal-up": lambda geometry: with_diagonals(geometry, down=False),
    "windows": with_windows,
    "groups": with_groups,
}


def geometry_options(geometry: Geometry) -> dict[str, Any]:
    """The board as plain options (see the top of this file), for JSON. Raises PuzzleError for a
    board that the functions of this module can't make, such as one whose units have another order.
    """
    options: dict[str, Any] = {"size": geometry.size}
    regions = [unit for unit in geometry.units if unit.kind == "region"]
    if geometry.box:
        options["box"] = list(geometry.box)
    elif regions:
        letters = (_LETTERS[number % len(_LETTERS)] for number in geometry.region_of.tolist())
        options["regions"] = "".join(letters)
    else:
        options["box"] = "none"
    kinds = Counter(unit.kind for unit in geometry.units)
    extra = [name for name in ("windows", "groups") if kinds[name[:-1]]]
    diagonals = tuple(unit.index for unit in geometry.units if unit.kind == "diagonal")
    if diagonals:
        extra.insert(0, _DIAGONALS.get(diagonals, "diagonals"))
    if extra:
        options["extra"] = extra
    units = [unit for unit in geometry.units if unit.kind not in _ORDER]
    if units:
        options["units"] = [{"name": unit.kind, "cells": list(unit.cells)} for unit in units]
    if not _spell(options, geometry):
        raise PuzzleError(
            "the units of this board can't be expressed as options",
            remedy="make the board with the functions of undoku.solver.problem.variants",
        )
    return options


def _spell(options: Mapping[str, Any], geometry: Geometry) -> bool:
    try:
        return geometry_of(options) == geometry
    except PuzzleError:
        return False


def geometry_of(options: Mapping[str, Any]) -> Geometry:
    """The board described by `options` (see the top of this file). Without `box` and `regions` it
    has the usual boxes of its size. Raises PuzzleError for invalid options."""
    size, box, regions = options.get("size"), options.get("box"), options.get("regions")
    if regions is not None and box is not None:
        raise PuzzleError("both box and regions are given", remedy="keep one of the two")
    if regions is not None:
        if not isinstance(regions, str):
            raise PuzzleError("regions is not text with a letter per cell")
        geometry = jigsaw_geometry(regions)
        if size is not None and size != geometry.size:
            raise PuzzleError(f"size is {size}, but the regions are for {geometry.size} values")
    else:
        geometry = _plain(9 if size is None else size, box)
    for name in _listed(options, "extra"):
        if not isinstance(name, str) or name not in EXTRAS:
            raise PuzzleError(
                f"there are no extra units called {name!r}", remedy=f"choose {', '.join(EXTRAS)}"
            )
        geometry = EXTRAS[name](geometry)
    units: list[Unit] = []
    for unit in _listed(options, "units"):
        if not isinstance(unit, Mapping):
            raise PuzzleError("a unit is not an object with name and cells")
        name, cells = unit.get("name"), unit.get("cells")
        if not isinstance(name, str) or not name or name in _ORDER:
            raise PuzzleError(f"a unit can't be called {name!r}", remedy="choose another name")
        if (
            not isinstance(cells, list | tuple)
            or not cells
            or {type(cell) for cell in cells} != {int}
        ):
            raise PuzzleError(f"the cells of unit {name} are not a list of cell numbers")
        units.append(Unit(name, len(units) + 1, tuple(cells)))
    return with_units(geometry, units)


def _listed(options: Mapping[str, Any], name: str) -> Sequence[Any]:
    listed = options.get(name, ())
    if not isinstance(listed, list | tuple):
        raise PuzzleError(f"{name} {listed!r} is not a list")
    return listed


def _plain(size: Any, box: Any) -> Geometry:
    if type(size) is not int:
        raise PuzzleError(f"size {size!r} is not a whole number")
    if box == "none":
        return latin_geometry(size)
    if box is None:
        return standard_geometry(size, box_shape(size))
    if not isinstance(box, list | tuple) or [type(side) for side in box] != [int, int]:
        raise PuzzleError(f'box {box!r} is neither [rows, columns] nor "none"')
    return standard_geometry(size, (box[0], box[1]))
