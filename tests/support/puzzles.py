"""Puzzles that many tests use. The published ones come with the articles' call counts."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from typing import NamedTuple, TypeVar

import numpy as np
from hypothesis import strategies as st

from undoku.solver.problem.problem import Unit
from undoku.solver.problem.puzzle import Geometry, Puzzle, standard_geometry
from undoku.solver.problem.variants import (
    EXTRAS,
    jigsaw_geometry,
    latin_geometry,
    with_diagonals,
    with_units,
    with_windows,
)
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.search_trace import search
from undoku.solver.trace.trace import Op, Trace


class Published(NamedTuple):
    """A published puzzle: how often the plain solver's function is entered, and the solution."""

    grid: str
    calls: int
    solution: str


EASY = Published(
    "500080106000073284407120003709260000003045010001000625090704030070002890125900000",
    52,
    "532489176916573284487126953759261348263845719841397625698714532374652891125938467",
)
MEDIUM = Published(
    "000670020701000900800053000010020060009006000300000780005000307200300500000005040",
    8797,
    "953671824761248935842953671518729463479836152326514789185462397294387516637195248",
)
HARD = Published(
    "007000430300800056500000000070000800000602000020309060000060904200401000050000300",
    72686,
    "817526439349817256562943718673154892985672143124389567731265984298431675456798321",
)
VERY_HARD = Published(
    "100039008005070000000806005906003000051407230000600901700905000000020400500340007",
    3307,
    "164539728385274169279816345926183574851497236437652981743965812698721453512348697",
)
EXTREME = Published(
    "005400009020060070600005100100003700070090040003200006001800007060070020900002800",
    4428,
    "715438269324961578689725134196543782872196345453287916231854697568379421947612853",
)
PUBLISHED = {
    "easy": EASY,
    "medium": MEDIUM,
    "hard": HARD,
    "very-hard": VERY_HARD,
    "extreme": EXTREME,
}
# The published fifty-minutes puzzle: both articles enumerate all solutions; there is one.
FIFTY_MINUTES = "000060080020000000001000000070000102500030000000000400004201000300700600000000050"
FIFTY_MINUTES_SOLUTION = (
    "947165283823974516651328947478596132516432879239817465764251398385749621192683754"
)
# Any valid puzzle without a solution: r1c9 needs a 9, which column 9 holds already.
UNSOLVABLE = "12345678." + "." * 8 + "9" + "." * 63
# A grid whose solutions are many.
OPEN = "123456789" + "." * 72

# Random boards and puzzles for property tests: every size, every kind of unit.


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


# Puzzles made from seeds, and a plain recursive solver that tells what is true of them.


GEOMETRIES: dict[str, Geometry] = {
    "4": standard_geometry(4),
    "6": standard_geometry(6),
    "6 turned": standard_geometry(6, (3, 2)),
    "latin 5": latin_geometry(5),
    "jigsaw 5": jigsaw_geometry("AABBB AACBB ACCCD EECDD EEEDD"),
    "4 with diagonals": with_diagonals(standard_geometry(4)),
    "9": standard_geometry(9),
    "9 with windows": with_windows(standard_geometry(9)),
}

# One of every part, and the joints between them.
SPECS = (
    "row-major",
    "column-major/descending",
    "box-major",
    "spiral/random:3",
    "random:7",
    "static",
    "row-major/lcv",
    "mrv",
    "mrv/random:5",
    "mrv/lcv",
    "mrv/most-constraining",
    "mrv-degree",
    "bivalue",
    "bivalue+singles+last-conflict",
    "mrv/lcv+last-conflict",
    "dom-wdeg",
    "most+forward",
    "exact-cover",
    "exact-cover/lcv+singles",
    "row-major+forward",
    "mrv+naked-singles",
    "mrv/descending+hidden-singles",
    "mrv+singles",
    "row-major+locked",
    "row-major+pairs",
    "row-major+triples",
    "row-major+x-wing",
    "row-major+alldiff",
    "mrv+singles+locked+pairs+triples+x-wing+alldiff",
    "row-major+cbj",
    "mrv+cbj",
    "dom-wdeg/lcv+singles+cbj",
    "exact-cover+cbj",
    "static+locked+pairs+cbj",
    "row-major+singles+triples+x-wing+alldiff+cbj",
    "mrv+singles+last-conflict+cbj",
    "exact-cover+last-conflict+cbj",
    "mrv+lds",
    "mrv/lcv+singles+lds",
    "exact-cover+forward+lds",
    "mrv-random:3/shuffled:4+luby:2",
    "activity+naked-singles",
    "row-major+swordfish+xy-wing",
    "mrv/lcv+sac",
    "mrv/descending+sac@root+nogoods",
    "exact-cover/shuffled:1+nogoods+luby:1",
    "dom-wdeg+sac+cbj+luby:3",
    "row-major+singles@root",
    "mrv/lcv+forward+singles@root+locked@root+lds",
    "dom-wdeg+naked-singles+pairs@root+cbj",
)
assert len({str(Strategy.parse(spec)) for spec in SPECS}) == len(SPECS)


def brute_force(puzzle: Puzzle, most: int = 1000) -> list[tuple[int, ...]]:
    """The solutions of a puzzle, sorted; the first `most` found where there are more."""
    peers = puzzle.problem.peers
    board = list(puzzle.givens)
    found: list[tuple[int, ...]] = []

    def open_values(cell: int) -> set[int]:
        return set(range(1, puzzle.size + 1)) - {board[peer] for peer in peers[cell]}

    def solve() -> None:
        if len(found) >= most:
            return
        empty = [cell for cell, value in enumerate(board) if not value]
        if not empty:
            found.append(tuple(board))
            return
        cell = min(empty, key=lambda cell: len(open_values(cell)))
        for value in open_values(cell):
            board[cell] = value
            solve()
            board[cell] = 0

    solve()
    return sorted(found)


@cache
def full_board(geometry: Geometry, seed: int) -> tuple[int, ...]:
    """A filled board without conflict; of more than nine values a regular pattern, renamed."""
    dice = random.Random(seed)
    if geometry.size > 9 and geometry.box:
        height, width = geometry.box
        names = dice.sample(range(1, geometry.size + 1), geometry.size)
        span = range(geometry.size)
        return tuple(
            names[(row % height * width + row // height + column) % geometry.size]
            for row in span
            for column in span
        )
    order = f"mrv-random:{seed}/shuffled:{seed}+luby:100"
    solution = search(Puzzle((0,) * geometry.cells, geometry), order).tally().solution
    assert solution is not None
    return solution


def dug(geometry: Geometry, seed: int, share: float) -> Puzzle:
    """A filled board with this share of its values left as givens."""
    dice = random.Random(seed)
    return Puzzle(
        tuple(v if dice.random() < share else 0 for v in full_board(geometry, seed)), geometry
    )


def spoilt(puzzle: Puzzle, seed: int) -> Puzzle:
    """A puzzle that was dug with this seed, with one more given, of a value that no peer holds, but
    a wrong one if there is such a cell."""
    solution = full_board(puzzle.problem, seed)
    for cell in random.Random(seed).sample(puzzle.empty_cells, len(puzzle.empty_cells)):
        taken = {puzzle.givens[peer] for peer in puzzle.problem.peers[cell]} | {solution[cell]}
        if free := set(range(1, puzzle.size + 1)) - taken:
            givens = list(puzzle.givens)
            givens[cell] = min(free)
            return Puzzle(tuple(givens), puzzle.problem)
    return puzzle


@cache
def sample() -> Mapping[str, Puzzle]:
    """Named puzzles with none, one and many solutions on every geometry. They take a while to make,
    for which other tests need not wait: so tests call this, their modules do not."""
    puzzles = {}
    for number, (name, geometry) in enumerate(GEOMETRIES.items()):
        for share in (0.3, 0.5) if geometry.size < 9 else (0.42, 0.5):
            puzzle = dug(geometry, number, share)
            puzzles[f"{name}, {share}"] = puzzle
            puzzles[f"{name}, {share}, spoilt"] = spoilt(puzzle, number)
    return puzzles


def solutions(trace: Trace) -> list[tuple[int, ...]]:
    """All full boards of a trace, sorted."""
    board = trace.header.puzzle.board.copy()
    if board.all():
        return [tuple(board.tolist())]
    events = trace.read()
    steps = events[events["op"] <= Op.UNDO]
    undone = steps["op"] == Op.UNDO
    values = np.where(undone, 0, steps["value"])
    filled = np.count_nonzero(board) + np.cumsum(np.where(undone, -1, 1))
    found, done = [], 0
    for end in np.flatnonzero(filled == len(board)).tolist():
        board[steps["cell"][done : end + 1]] = values[done : end + 1]  # the last one counts
        found.append(tuple(board.tolist()))
        done = end + 1
    return sorted(found)


# Texts of puzzles as other programs write them.


LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]

SDK_PLAIN = "#ARuud\n#DA random puzzle\n#CJust start\n#B03-08-2006\n#LEasy\n" + "\n".join(ROWS)
SIMPLE = " *-----------*\n"
for number, row in enumerate(ROWS):
    SIMPLE += " |---+---+---|\n" if number in (3, 6) else ""
    SIMPLE += f" |{row[:3]}|{row[3:6]}|{row[6:]}|\n"
SIMPLE += " *-----------*\n Simple Sudoku\n  Version 4.2n\n"

PAIRS = "5NlQ19j9mGca3OIN1bWGk2m41TjS79"
"""A puzzle in SudokuPad's newer code: a mark for each cell and the empty cells after it."""

# A published link: an X-Sudoku, made with f-puzzles itself.
X_LINK = (
    "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSQA3AQwBsBXOeAdlTQgpgDsEAXD"
    "BkmSGDBlWgwQBmVuy69+MUdXqMArDI7d4fAQF1khMSoQAODXO0KRpa8PLKJSc1p2KbN/YSXjGAJmfyAu6gDowAbAGWQSE+"
    "CCzosi5WwbZEnnYZ3sbw0gmagW4x2ep5Fq5ZjhGlSdFpBpnBRo4AjJHlKY2hUm1W6bZNfj219rHwZtUFqSPZACxDhXVeHU"
    "Ut8xWMKBNRC52jJWz52yJ9y+sI+4mTywNxax71Uw0ZN/BzW+W6+iDYEFRoAPacWgAagKqB+f0BtAAtJMgA==="
)

_COLLECTIONS = {
    "sdm": ("", "{0}\n", ""),
    "hodoku": ("", ":0000:x:{0}:::{1}\n", ""),
    "kaggle": ("id,puzzle,solution,clues,difficulty\n", "1,{0},,30,\n", ""),
    "opensudoku": (
        '<opensudoku version="2">\n<folder name="f">\n',
        '<game data="{0}" note="{1}"/>\n',
        "</folder>\n</opensudoku>\n",
    ),
}
"""For each format of collections its beginning, a puzzle (its cells, its title), and its end."""


def collection_text(puzzles: Iterable[Puzzle], name: str) -> str:
    """A collection of puzzles of 9×9 cells in the format with this name."""
    begin, entry, end = _COLLECTIONS[name]
    entries = (entry.format(puzzle, escape(puzzle.title)) for puzzle in puzzles)
    return begin + "".join(entries) + end


# Texts and bytes with random damage.


T = TypeVar("T", str, bytes)


def damaged(text: T, other: T, spice: Sequence[T], chance: random.Random) -> T:
    """A text in which something of `spice` comes in or takes a place, something is lost or
    repeated, lines are lost, repeated or exchanged, or which ends as `other` does; often once,
    sometimes several times."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        at = chance.randrange(len(text) + 1)
        end = min(len(text), at + chance.choice((0, 1, 1, 2, 9, 40)))
        lines = text.splitlines(keepends=True) or [text]
        line, another = chance.randrange(len(lines)), chance.randrange(len(lines))
        kind = chance.randrange(7)
        if kind <= 2:
            text = text[:at] + chance.choice(spice) + text[end:]
        elif kind == 3:
            text = text[:at] + text[at:end] * chance.choice((0, 2, 50)) + text[end:]
        elif kind == 4:
            text = text[:at] + other[chance.randrange(len(other)) :]
        elif kind == 5:
            text = text.replace(lines[line], lines[line] * chance.choice((0, 2)), 1)
        else:
            lines[line], lines[another] = lines[another], lines[line]
            text = text[:0].join(lines)
    return text
