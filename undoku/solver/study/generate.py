"""Makes puzzles with one solution and given properties.

Givens of a random full board are removed in random order, symmetric cells together, as long as the
solution is unique. To reach few givens, some are put back and the board is reduced again in another
order. The loop that removes givens proves uniqueness by plain search, which can take long on boards
with extra units; if it gives up, a search with inference decides. Values are then renamed at
random: this preserves the pattern of the givens and the number of solutions, but changes the search
of strategies that try values in order.

All random numbers come from `random.Random(text).random()`, which Python guarantees not to change.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count

import numpy as np
from numpy.typing import NDArray

from undoku.errors import SettingsError, did_you_mean
from undoku.solver.problem.puzzle import Geometry, Puzzle, standard_geometry
from undoku.solver.search.many_searches import count_many, remove_givens
from undoku.solver.search.plain_loops import plain_arrays
from undoku.solver.search.search_state import REGISTERS, SOLUTIONS, no_output
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.trace import Outcome

_Move = Callable[[int, int, int], tuple[int, int]]
"""From row, column and the last row to the place that the cell moves to."""

SYMMETRIES: dict[str, tuple[_Move, ...]] = {
    "none": (),
    "half-turn": (lambda row, column, last: (last - row, last - column),),
    "quarter-turn": (lambda row, column, last: (column, last - row),),
    "left-right": (lambda row, column, last: (row, last - column),),
    "top-bottom": (lambda row, column, last: (last - row, column),),
    "diagonal": (lambda row, column, last: (column, row),),
}
SYMMETRIES["both-mirrors"] = SYMMETRIES["left-right"] + SYMMETRIES["top-bottom"]
SYMMETRIES["full"] = SYMMETRIES["quarter-turn"] + SYMMETRIES["left-right"]
"""The transformations that leave the pattern unchanged; newspapers print half-turn."""


@lru_cache(maxsize=64)
def orbits_of(size: int, symmetry: str) -> NDArray[np.int16]:
    """(n, w) int16, read-only: the sets of cells that a symmetry of a board of size × size cells
    maps to each other, ascending, padded with -1. Raises SettingsError for an unknown name."""
    if symmetry not in SYMMETRIES:
        raise SettingsError(
            f"there is no symmetry {symmetry!r}",
            remedy=did_you_mean(symmetry, SYMMETRIES, f"choose {', '.join(SYMMETRIES)}"),
        )
    found: list[list[int]] = []
    for start in range(size * size):
        if any(start in orbit for orbit in found):
            continue
        orbit = [start]
        for cell in orbit:  # which grows meanwhile
            row, column = divmod(cell, size)
            for move in SYMMETRIES[symmetry]:
                moved_row, moved_column = move(row, column, size - 1)
                orbit += {moved_row * size + moved_column}.difference(orbit)
        found.append(sorted(orbit))
    table = np.full((len(found), max(map(len, found))), -1, np.int16)
    for number, cells in enumerate(found):
        table[number, : len(cells)] = cells
    table.setflags(write=False)
    return table


_PROOF = 20_000  # nodes: a longer proof is left to a search with inference
_PROVER = "mrv+singles"
_PROVER_NODES = 5_000  # of one proof: a longer one is given up, and the givens stay
_PROVER_TOTAL = 100_000  # of all proofs for one board
_FILL = 50_000  # nodes: a board that is not full by then is started again
_FILLS = 200
_REFINED = 40  # times that a board with too many givens is reduced again
_PUT_BACK = 3  # orbits each time
_RENAMED = 24  # times that the values of one board are renamed to meet the targets
_HOPELESS = 10  # if no board of the first tenth of the attempts has the givens, none will
_TARGET = re.compile(r"\s*(.+?)\s*(>=|<=|≥|≤)\s*(\d[\d,_]{0,17})\s*")


@dataclass(frozen=True, slots=True)
class Target:
    """The number of nodes that a strategy must need: at least or at most `nodes`."""

    strategy: Strategy
    nodes: int
    at_least: bool

    @classmethod
    def parse(cls, text: str) -> Target:
        """Read "row-major>=50000" or "mrv<=1,500". Raises SettingsError, StrategyError."""
        match = _TARGET.fullmatch(text)
        if not match:
            raise SettingsError(
                f"{text!r} is not a target", remedy='write one such as "row-major>=50000"'
            )
        nodes = int(re.sub("[,_]", "", match[3]))
        if nodes < 1:
            raise SettingsError(f"{text!r}: the number of nodes must be at least 1")
        return cls(Strategy.parse(match[1]), nodes, match[2] in ">=≥")

    def nodes_on(self, puzzle: Puzzle) -> int:
        """The nodes of the strategy on `puzzle`, counted only as far as the decision requires."""
        limit = self.nodes if self.at_least else self.nodes + 1
        return search(puzzle, self.strategy, Limits(limit)).tally().nodes

    def met_by(self, nodes: int) -> bool:
        return nodes >= self.nodes if self.at_least else nodes <= self.nodes

    def __str__(self) -> str:
        return f"{self.strategy}{'>=' if self.at_least else '<='}{self.nodes}"


@dataclass(frozen=True, slots=True)
class PuzzleRequirements:
    """The required properties of a puzzle. `givens` are the least and the greatest number of givens
    (None: as many as remain after reduction); `symmetry` names one of
    undoku.solver.study.generate.SYMMETRIES; all `targets` must be met. At most `attempts` boards
    are tried, and a tenth of them if none has the required number of givens. Raises SettingsError
    if no puzzle can have these properties.
    """

    geometry: Geometry = field(default_factory=standard_geometry)
    givens: tuple[int, int] | None = None
    symmetry: str = "none"
    targets: tuple[Target, ...] = ()
    attempts: int = 2000

    def __post_init__(self) -> None:
        orbits_of(self.geometry.size, self.symmetry)  # refuses an unknown name
        cells = self.geometry.cells
        if self.givens is not None:
            least, most = self.givens
            if not 0 <= least <= most <= cells:
                raise SettingsError(
                    f"{least} to {most} givens are impossible on {cells} cells",
                    remedy=f"give a range within 0 to {cells}",
                )
            # Two values that are not given can be exchanged, which makes a second solution.
            if most < self.geometry.size - 1:
                raise SettingsError(
                    f"no puzzle of size {self.geometry.size} with {most} givens has one "
                    "solution: two values could change places",
                    remedy=f"allow {self.geometry.size - 1} givens or more",
                )
        if self.attempts < 1:
            raise SettingsError(f"attempts must be at least 1, not {self.attempts}")
        for one in self.targets:
            for other in self.targets:
                alike = one.strategy == other.strategy and one.at_least > other.at_least
                if alike and one.nodes > other.nodes:
                    raise SettingsError(
                        f"{one} and {other} contradict each other", remedy="relax one of them"
                    )


_ANY = PuzzleRequirements()
Tried = Callable[[], None]
"""Called before each board that is tried."""


def puzzles(
    required: PuzzleRequirements = _ANY, *, seed: int = 0, tried: Tried | None = None
) -> Iterator[Puzzle]:
    """An endless sequence of puzzles: those of the seeds (seed, 0), (seed, 1), … Puzzle k does not
    depend on how many are taken. Raises the errors of `generate`.
    """
    for number in count():
        yield generate(required, seed=seed, number=number, tried=tried)


def generate(
    required: PuzzleRequirements = _ANY,
    *,
    seed: int = 0,
    number: int = 0,
    tried: Tried | None = None,
) -> Puzzle:
    """One puzzle with exactly one solution. `seed` and `number` determine it.

    Without bounds on the givens none of them (with a symmetry: no set of symmetric ones) can be
    removed. On large boards, where the proof can take too long, an unnecessary given may stay.
    Raises SettingsError if none was found within the attempts; the message states the nearest
    number of givens, or which targets were missed.
    """
    least, most = required.givens or (0, required.geometry.cells)
    unfit: list[int] = []
    """Numbers of givens outside the bounds."""
    misses: Counter[Target] = Counter()
    reached: dict[Target, int] = {}
    attempts = 0
    while attempts < (required.attempts if misses else -(-required.attempts // _HOPELESS)):
        if tried:
            tried()
        rng = random.Random(f"{seed}/{number}/{attempts}")
        attempts += 1
        board = _thinned(required, rng)
        givens = int(np.count_nonzero(board))
        if not least <= givens <= most:
            unfit.append(givens)
            continue
        for _ in range(_RENAMED if required.targets else 1):
            puzzle = _renamed(board, required.geometry, rng)
            for target in required.targets:
                nodes = target.nodes_on(puzzle)
                reached[target] = max(nodes, reached.get(target, 0))
                if not target.met_by(nodes):
                    misses[target] += 1
                    break
            else:
                return puzzle
    what = f"no such puzzle in {attempts:,} attempt{'s' * (attempts != 1)}"
    if number:
        what = f"puzzle {number + 1:,}: {what}"
    if misses:
        missed = _shortfall(misses, reached)
    else:
        nearest = min(unfit, key=lambda givens: max(least - givens, givens - most))
        missed = f"the nearest had {nearest} givens"
    raise SettingsError(
        f"{what}; {missed}",
        remedy="relax the requirements, give another seed, or allow more attempts",
    )


def _shortfall(misses: Counter[Target], reached: dict[Target, int]) -> str:
    """Which targets were missed how often. Counting stops at an upper bound, so only numbers of
    nodes below a lower bound are stated."""
    total = sum(misses.values())
    parts = []
    for target, number in misses.most_common():
        below = "" if not target.at_least else f" (the most were {reached[target]:,} nodes)"
        parts.append(f"{'all' if number == total else f'{number:,}'} missed {target}{below}")
    return f"of {total:,} puzzles {', '.join(parts)}"


def _thinned(required: PuzzleRequirements, rng: random.Random) -> NDArray[np.uint8]:
    geometry = required.geometry
    board = _full_board(geometry, rng)
    orbits = orbits_of(geometry.size, required.symmetry)
    target, most = 0, geometry.cells
    if required.givens:
        least, most = required.givens
        target = least + int(rng.random() * (most - least + 1))
    solution = board.copy()
    arrays, output = plain_arrays(geometry, fewest=True), no_output(geometry)
    registers = np.zeros(REGISTERS, np.int64)
    kept = np.zeros(orbits.shape[1], np.uint8)

    def thin_to(board: NDArray[np.uint8]) -> tuple[int, NDArray[np.int16]]:
        """Reduce the board; returns the number of givens left, and the orbits that could not be
        decided."""
        shuffled = orbits[_permutation(len(orbits), rng)]
        undecided = np.zeros(len(orbits), np.uint8)
        left = remove_givens(
            _PROOF, target, board, arrays, output, shuffled, undecided, registers, kept
        )
        return int(left), shuffled[undecided > 0]

    givens, undecided = thin_to(board)
    for _ in range(_REFINED):
        if givens <= most:
            break
        changed = board.copy()
        for row in orbits[_permutation(len(orbits), rng)[:_PUT_BACK]]:
            cells = row[row >= 0]
            changed[cells] = solution[cells]
        left, open_orbits = thin_to(changed)
        if left <= givens:
            board, givens, undecided = changed, left, open_orbits
    nodes = 0
    for row in undecided:
        if nodes < _PROVER_TOTAL:
            nodes += _take_away(board, row[row >= 0], target, geometry)
    return board


def _take_away(
    board: NDArray[np.uint8], cells: NDArray[np.int16], fewest: int, geometry: Geometry
) -> int:
    """Remove the givens of `cells` if the solution is unique without them and at least `fewest` are
    left; returns the number of nodes of the proof. If it takes too many, the givens stay."""
    without = board.copy()
    without[cells] = 0
    if np.count_nonzero(without) < fewest:
        return 0
    puzzle = Puzzle(tuple(without.tolist()), geometry)
    tally = search(puzzle, _PROVER, Limits(_PROVER_NODES, exhaustive=True)).tally()
    if tally.outcome is Outcome.EXHAUSTED and tally.solutions == 1:
        board[cells] = 0
    return tally.nodes


def _full_board(geometry: Geometry, rng: random.Random) -> NDArray[np.uint8]:
    """A random solution of the empty board. Raises SettingsError when none is found."""
    cells, size = geometry.cells, geometry.size
    empty, output = np.zeros((1, cells), np.uint8), no_output(geometry)
    counts = np.zeros((1, REGISTERS), np.int64)
    for _ in range(_FILLS):
        chances = np.array([rng.random() for _ in range(cells * size)]).reshape(cells, size)
        trials = np.argsort(chances, axis=1, kind="stable").astype(np.uint8)
        arrays = plain_arrays(geometry, fewest=True, trials=trials)
        count_many(True, False, _FILL + 1, empty, arrays, output, counts)
        if counts[0, SOLUTIONS]:
            return output.solution
        counts[:] = 0
    raise SettingsError(
        f"no full board of size {size} was found", remedy="take a smaller board or fewer units"
    )


def _permutation(count: int, rng: random.Random) -> NDArray[np.intp]:
    return np.argsort(np.array([rng.random() for _ in range(count)]), kind="stable")


def _renamed(board: NDArray[np.uint8], geometry: Geometry, rng: random.Random) -> Puzzle:
    names = np.concatenate([[0], _permutation(geometry.size, rng) + 1])
    return Puzzle(tuple(names[board].tolist()), geometry)
