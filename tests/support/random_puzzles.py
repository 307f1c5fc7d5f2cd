"""Random boards and puzzles for property tests: every size, every kind of unit."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from undoku.solver.problem.problem import Unit
from undoku.solver.problem.puzzle import Geometry, Puzzle, standard_geometry
from undoku.solver.problem.variants import EXTRAS, jigsaw_geometry, latin_geometry, with_units

SIZES = (4, 6, 8, 9, 10, 12, 15, 16, 25)

TITLES = st.lists(
    st.text("abcXYZéß漢09-'&<>\"", min_size=1, max_size=8).filter(lambda word: word[0].isalpha()),
    max_size=4,
).map(" ".join)


def jigsaw(size: int, dice: random.Random) -> Geometry:
    """Regions that start as rows and trade cells at random, whether or not they hold together."""
    labels = [cell // size for cell in range(size * size)]
    dice.shuffle(labels)
    return jigsaw_geometry(labels)


@st.composite
def boards(draw: st.DrawFn) -> Geometry:
    dice = random.Random(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(["standard", "standard", "turned", "latin", "jigsaw"]))
    if kind == "standard":
        geometry = standard_geometry(draw(st.sampled_from(SIZES)))
    elif kind == "turned":
        geometry = standard_geometry(6, (3, 2))
    elif kind == "latin":
        geometry = latin_geometry(draw(st.integers(4, 11)))
    else:
        geometry = jigsaw(draw(st.integers(4, 10)), dice)
    for name in draw(st.lists(st.sampled_from(list(EXTRAS)), max_size=2)):
        if geometry.box or name.startswith("diagonal"):
            geometry = EXTRAS[name](geometry)
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        cells = dice.sample(range(geometry.cells), dice.randint(1, geometry.size))
        geometry = with_units(geometry, [Unit("extra", 1, tuple(cells))])
    return geometry


def fill(geometry: Geometry, title: str, share: float, dice: random.Random) -> Puzzle:
    """A puzzle with givens in about this share of its cells, none of them equal to a peer."""
    givens = [0] * geometry.cells
    for cell in range(geometry.cells):
        if dice.random() < share:
            taken = {givens[peer] for peer in geometry.peers[cell]}
            free = [value for value in range(1, geometry.size + 1) if value not in taken]
            givens[cell] = dice.choice(free) if free else 0
    return Puzzle(tuple(givens), geometry, title)


@st.composite
def puzzles(draw: st.DrawFn, geometries: st.SearchStrategy[Geometry] | None = None) -> Puzzle:
    geometry = draw(boards() if geometries is None else geometries)
    dice = random.Random(draw(st.integers(0, 2**32)))
    return fill(geometry, draw(TITLES), draw(st.sampled_from([0.0, 0.1, 0.3, 0.7])), dice)
