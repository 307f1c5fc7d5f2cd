"""Queens, a map, a graph and problems from files, searched and counted by the loops that search
sudokus."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path
from statistics import median

import pytest

from tests.support.puzzles import EASY, EXTREME, FIFTY_MINUTES, SPECS, solutions
from tests.support.system import ROOT
from undoku.errors import PuzzleError
from undoku.solver.problem.appearance import Variable
from undoku.solver.problem.problem import Problem, Unit
from undoku.solver.problem.puzzle import Geometry, Puzzle
from undoku.solver.problem.queens import queens_problem
from undoku.solver.problem.sources import parse_puzzle, read
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.trace import Op, Outcome, Trace


def one_diagonal(size: int) -> Problem:
    """Queens that attack along the columns and along the diagonals of equal row + column."""
    problem = queens_problem(size)
    return Problem(size, problem.units[:2], variables=problem.variables)


def queens(size: int, *, one: bool = False) -> set[tuple[int, ...]]:
    """All boards of queens; with `one` those on which they attack along one kind of diagonal."""
    boards = set()
    for board in permutations(range(1, size + 1)):
        sums = {value + row for row, value in enumerate(board)}
        differences = {value - row for row, value in enumerate(board)}
        if len(sums) == size and (one or len(differences) == size):
            boards.add(board)
    return boards


def separate(values: int, names: str, pairs: str) -> set[tuple[int, ...]]:
    """All assignments to variables named by one letter in which the two of each pair differ."""
    at = [(names.index(pair[0]), names.index(pair[1])) for pair in pairs.split()]
    boards = product(range(1, values + 1), repeat=len(names))
    return {board for board in boards if all(board[one] != board[other] for one, other in at)}


BORDERS = "wn ws ns nq sq sh sv qh hv"
"""Of Western Australia, Northern Territory, South Australia, Queensland, Victoria, New South Wales
(h) and Tasmania."""

FILES = ROOT / "examples" / "problems"

AUSTRALIA = parse_puzzle("map:australia")
STATES = {"WA": "w", "NT": "n", "SA": "s", "Q": "q", "NSW": "h", "V": "v", "T": "t"}
ORDER = "".join(STATES[variable.name] for variable in AUSTRALIA.problem.variables)
PROBLEMS: dict[str, tuple[Puzzle, set[tuple[int, ...]]]] = {
    "one diagonal": (Puzzle((0,) * 5, one_diagonal(5)), queens(5, one=True)),
    "8 queens": (parse_puzzle("queens:8"), queens(8)),
    "6 queens": (parse_puzzle("queens:6"), queens(6)),
    "map": (AUSTRALIA, separate(3, ORDER, BORDERS)),
    "graph": (
        parse_puzzle(f"graph:{FILES / 'house.col'}:3"),
        separate(3, "12345", "12 23 34 45 51 13"),
    ),
    "file with differences": (
        read(str(FILES / "masts.json")),
        {
            board
            for board in separate(6, "neswm", "ne es sw wn")
            if board[4] <= 3 and all(abs(value - board[4]) > 1 for value in board[:4])
        },
    ),
    "file of a riddle": (
        read(str(FILES / "zebra.toml")),
        {(3, 4, 5, 2, 1, 3, 5, 4, 1, 2, 4, 3, 1, 2, 5, 5, 2, 3, 4, 1, 1, 3, 4, 2, 5)},
    ),
}
"""Each with its solutions, by trying everything; that of the riddle is known."""


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_strategy_finds_all_solutions_and_each_once(name: str) -> None:
    puzzle, expected = PROBLEMS[name]
    for spec in SPECS:
        trace = search(puzzle, spec, Limits(exhaustive=True))
        assert solutions(trace) == sorted(expected), spec
        assert trace.tally().solutions == len(expected), spec


def test_candidates_and_clashes_follow_from_the_units() -> None:
    problem = queens_problem(4)
    assert problem.candidates([2, 0, 0, 0]) == [0b0010, 0b1000, 0b0101, 0b1101]
    assert problem.peers[0] == (1, 2, 3)
    assert one_diagonal(4).candidates([2, 0, 0, 0]) == [0b0010, 0b1100, 0b1101, 0b1101]
    clash = problem.clash([1, 3, 0, 2])
    assert clash is None
    for board, unit in (([1, 0, 0, 1], 0), ([0, 3, 2, 0], 1), ([1, 0, 3, 0], 2)):
        clash = problem.clash(board)
        assert clash is not None
        assert clash[0] == problem.units[unit]
        assert [board[cell] > 0 for cell in clash[1:]] == [True, True]


@pytest.mark.parametrize(
    ("units", "words"),
    [
        ([Unit("a", 1, (0, 1), (1, 0)), Unit("b", 1, (0, 1))], "must follow"),
        ([Unit("a", 1, (0, 1), (1,))], "a 1 needs a shift"),
        ([Unit("a", 1, (0, 1), (-1, 0))], "a 1 needs a shift"),
        ([Unit("a", 1, (0, 1), (62, 0))], "a 1 needs a shift"),
        ([Unit("a", 1, (0,))], "cell 1 is in no unit"),
        ([Unit("a", 1, (0, 2)), Unit("a", 2, (1,))], "no cell 2"),
    ],
)
def test_wrong_units_are_refused(units: list[Unit], words: str) -> None:
    variables = (Variable("one", (0, 0)), Variable("two", (0, 1)))
    with pytest.raises(PuzzleError, match=words):
        Problem(3, tuple(units), variables=variables)


# Searches whose figures are published: of queens and maps, in Norvig's essay, in
# docs/strategies.md.


ALL = Limits(exhaustive=True)
SOLUTIONS_OF_QUEENS = (1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200)


def events(trace: Trace) -> Iterator[tuple[int, int, int]]:
    for chunk in trace.chunks():
        yield from chunk.tolist()


def fields_tested(trace: Trace) -> int:
    """How many fields a program tests that places queens row by row and tries the columns one after
    the other: up to that of the queen that it places, or all that are left before it goes back."""
    size, tried, tests = trace.header.puzzle.size, [0], 0
    for op, value, _ in events(trace):
        if op == Op.UNDO:
            tests += size - tried.pop()
        else:
            tests += value - tried[-1]
            tried[-1] = value
            tried.append(0)
    return tests


def test_wirths_program_finds_the_first_solution_of_eight_queens() -> None:
    """Wirth 1976, Algorithms + Data Structures = Programs: 876 tests of a field; the 113 places
    are the entries of his recursive procedure."""
    trace = search("queens:8", "row-major")
    assert trace.tally().solution == (1, 5, 8, 6, 3, 7, 2, 4)
    assert trace.tally().places == 113
    assert fields_tested(trace) == 876


def test_the_tree_of_eight_queens_is_knuths() -> None:
    """Knuth, The Art of Computer Programming 4B, 7.2.2: the nodes on each level."""
    trace, depth, levels = search("queens:8", "row-major", ALL), 0, Counter({0: 1})
    for op, _, _ in events(trace):
        depth += -1 if op == Op.UNDO else 1
        levels[depth] += op != Op.UNDO
    assert [levels[level] for level in range(9)] == [1, 8, 42, 140, 344, 568, 550, 312, 92]
    assert trace.tally().nodes == 2057


@pytest.mark.parametrize("size", range(1, 13))
@pytest.mark.parametrize("strategy", ["row-major", "mrv", "exact-cover"])
def test_the_numbers_of_solutions_of_queens(size: int, strategy: str) -> None:
    if strategy == "exact-cover" and size > 9:
        return
    tally = search(f"queens:{size}", strategy, ALL).tally()
    assert tally.solutions == SOLUTIONS_OF_QUEENS[size - 1]


@pytest.mark.parametrize("colours", range(2, 7))
def test_australia_has_as_many_colourings_as_its_chromatic_polynomial_says(colours: int) -> None:
    """k for Tasmania; the mainland is a chain of triangles: 18 with three colours, 768 with
    four."""
    tally = search(f"map:australia:{colours}", "mrv", ALL).tally()
    expected = colours * colours * (colours - 1) * (colours - 2) ** 4
    assert tally.solutions == expected


def test_the_usa_needs_four_colours() -> None:
    assert search("map:usa:3", "mrv", ALL).tally().outcome is Outcome.EXHAUSTED
    assert search("map:usa", "mrv").tally().nodes == 49


def test_mycielskis_graph_has_no_triangle_and_needs_four_colours(tmp_path: Path) -> None:
    """myciel3 of DIMACS: 11 nodes, 20 edges."""
    ring = [(k, k % 5 + 1) for k in range(1, 6)]
    edges = ring + [(a + 5, b) for a, b in ring] + [(a, b + 5) for a, b in ring]
    edges += [(k + 5, 11) for k in range(1, 6)]
    lines = ["c Mycielski", "p edge 11 20", *(f"e {a} {b}" for a, b in edges)]
    file = tmp_path / "myciel3.col"
    file.write_text("\n".join(lines) + "\n")
    assert len(read(f"graph:{file}:3").problem.edges) == 20
    assert search(f"graph:{file}:3", "dom-wdeg+cbj", ALL).tally().solutions == 0
    assert search(f"graph:{file}:4").tally().outcome is Outcome.SOLVED


def test_the_japanese_owns_the_zebra_and_the_norwegian_drinks_water() -> None:
    puzzle = read(str(ROOT / "examples" / "problems" / "zebra.toml"))
    tally = search(puzzle, "mrv", ALL).tally()
    assert tally.solutions == 1 and tally.solution is not None
    names = [variable.name for variable in puzzle.problem.variables]
    house = dict(zip(names, tally.solution, strict=True))
    assert house["Japanese"] == house["zebra"] and house["Norwegian"] == house["water"]


def test_the_comparison_says_that_its_whole_trees_are_not_the_published_ones() -> None:
    path = ROOT / "examples" / "puzzles" / "comparison.txt"
    nodes = [search(read(str(path)), name, ALL).tally().nodes for name in ("row-major", "mrv")]
    there = "84,015 and 1,429 calls there, {:,} and {:,} here"
    assert there.format(*nodes) in path.read_text("utf-8")


def textbook_search(problem: Problem, *, mrv: bool, forward: bool) -> tuple[int, int]:
    """(nodes, consistency checks) up to the first solution by the recursive program of Russell and
    Norvig's Artificial Intelligence: a check asks whether two values of two variables exclude each
    other. Looking back it asks for a value, one peer on the board after the other, until one
    excludes it; looking forward, after each place, for each value that is left to an empty peer.
    """
    offsets = [dict[int, set[int]]() for _ in range(problem.cells)]
    for cell, pairs in enumerate(problem.exclusions):
        for peer, offset in pairs:
            offsets[cell].setdefault(peer, set()).add(offset)
    board = [0] * problem.cells
    left = [set(range(1, problem.size + 1)) for _ in board]
    nodes, checks = 1, 0

    def excludes(cell: int, value: int, peer: int, other: int) -> bool:
        nonlocal checks
        checks += 1
        return other - value in offsets[cell][peer]

    def solve() -> bool:
        nonlocal nodes
        empty = [cell for cell, value in enumerate(board) if not value]
        if not empty:
            return True
        cell = min(empty, key=lambda each: len(left[each])) if mrv else empty[0]
        placed = [peer for peer in offsets[cell] if board[peer]]
        ahead = [peer for peer in offsets[cell] if not board[peer]] if forward else []
        for value in sorted(left[cell]):
            if not forward and any(excludes(cell, value, peer, board[peer]) for peer in placed):
                continue
            board[cell] = value
            nodes += 1
            lost = [(p, v) for p in ahead for v in left[p] if excludes(cell, value, p, v)]
            for peer, other in lost:
                left[peer].discard(other)
            if all(left[peer] for peer in ahead) and solve():
                return True
            for peer, other in lost:
                left[peer].add(other)
            board[cell] = 0
        return False

    solve()
    return nodes, checks


@pytest.mark.parametrize(
    ("name", "looking_back", "looking_forward", "by_fewest"),
    [
        ("map:usa", 26_361, 1_183, 348),
        ("queens:8", 2_438, 902, 826),
        ("queens:12", 11_755, 3_043, 2_574),
        ("queens:16", 827_932, 133_555, 1_427),
    ],
)
def test_consistency_checks_as_the_textbook_counts_them(
    name: str, looking_back: int, looking_forward: int, by_fewest: int
) -> None:
    """docs/strategies.md compares these figures with those of the book."""
    problem, found = read(name).problem, []
    for strategy in ("row-major", "row-major+forward", "mrv+forward"):
        mrv, forward = strategy.startswith("mrv"), strategy.endswith("forward")
        nodes, checks = textbook_search(problem, mrv=mrv, forward=forward)
        assert search(name, strategy).tally().nodes == nodes
        found.append(checks)
    assert found == [looking_back, looking_forward, by_fewest]


def test_pairs_alone_depend_on_the_order_of_the_units_and_with_singles_and_locked_they_do_not() -> (
    None
):
    puzzle = read(str(ROOT / "examples" / "puzzles" / "hard.txt"))
    turned = Puzzle(puzzle.givens, Geometry(9, puzzle.problem.units[::-1]))

    def nodes(strategy: str) -> list[int]:
        return [search(board, strategy).tally().nodes for board in (puzzle, turned)]

    assert nodes("row-major+pairs") == [3827, 3825]
    for strategy in ("row-major+singles+locked+pairs", "mrv+singles+locked+pairs"):
        one, other = nodes(strategy)
        assert one == other


def test_random_searches_of_the_quasigroup_have_a_heavy_tail_that_restarts_remove() -> None:
    """Half of the searches need about a hundred nodes, a tenth more than ten thousand; with
    restarts none needs a thousand."""
    puzzle = read(str(ROOT / "examples" / "puzzles" / "quasigroup.txt"))

    def nodes(restarts: str) -> list[int]:
        specs = [f"mrv-random:{seed}/shuffled:{seed}{restarts}" for seed in range(1, 101)]
        tallies = [search(puzzle, spec, Limits(max_nodes=10_000)).tally() for spec in specs]
        assert all(tally.outcome is not Outcome.EXHAUSTED for tally in tallies)
        return [tally.nodes for tally in tallies]

    without, restarted = nodes(""), nodes("+luby:10")
    assert median(without) == median(restarted) < 110
    assert 5 <= sum(count == 10_000 for count in without) <= 15
    assert max(restarted) < 1_000


def test_a_priority_can_help_and_harm() -> None:
    specs = ("mrv", "mrv+last-conflict", "mrv+singles", "mrv+singles+last-conflict")
    for puzzle, nodes in (
        (FIFTY_MINUTES, [1_242_258, 373_227, 54, 33]),
        (EXTREME.grid, [140, 193, 3, 3]),
    ):
        assert [search(puzzle, spec).tally().nodes for spec in specs] == nodes


def test_norvigs_own_grids_are_searched_as_his_essay_says() -> None:
    """His first grid needs no search. Of the second the two rules leave what he prints, with 61
    squares unfilled; he counts 25 possibilities, in 9 of them."""
    first = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
    assert search(first, "norvig").tally().decisions == 0
    second = read(
        "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    )
    left, events = list(second.givens), search(second, "norvig").read().tolist()
    start = next(at for at, (op, _, _) in enumerate(events) if op == Op.GUESS)
    for _, value, cell in events[:start]:
        left[cell] = value
    row = [
        str(left[cell]) if left[cell] else "".join(
            str(value) for value in range(1, 10)
            if value not in {left[peer] for peer in second.problem.peers[cell]}
        )
        for cell in range(9)
    ]  # fmt: skip
    assert row == ["4", "1679", "12679", "139", "2369", "269", "8", "1239", "5"]
    assert left.count(0) == 61
    guessed = [cell for op, _, cell in events if op == Op.GUESS]
    assert (len(guessed), len(set(guessed))) == (25, 9)


def test_norvigs_hard_grid_is_bimodal_by_random_values() -> None:
    """27 of his 30 trials took a ten-thousandth of the time of the 3 others; of these 30 searches
    some end within fifty nodes, the others reach a limit far above."""
    grid = ".....6....59.....82....8....45........3........6..3.54...325..6.................."
    specs = [f"mrv/shuffled:{seed}+singles" for seed in range(1, 31)]
    nodes = [search(grid, spec, Limits(max_nodes=20_000)).tally().nodes for spec in specs]
    assert all(count < 50 or count == 20_000 for count in nodes)
    assert 1 <= nodes.count(20_000) <= 8
    assert search(grid, "norvig", Limits(max_nodes=20_000)).tally().nodes == 20_000


# Parts of strategies from other packages: Python functions that the search calls.


MODULE = """
import numpy as np
from undoku import Part, PartKind
from undoku.solver.search.part_registry import register

def first(tables, candidates, board, order, learned):
    return int(np.flatnonzero(board == 0)[0])

def filled(tables, candidates, board, order, learned):
    return int(np.flatnonzero(board)[0])

def far(tables, candidates, board, order, learned):
    return 10**6

def failing(tables, candidates, board, order, learned):
    raise ZeroDivisionError("in an order")

def backwards(tables, candidates, board, scores, options):
    options[:] = options[::-1].copy()
    return 0

def losing(tables, candidates, board, scores, options):
    options[:] = 0
    return 0

def hidden(tables, candidates, board, stale, turn, scratch, found):
    return 0

def greedy(tables, candidates, board, stale, turn, scratch, found):
    return 10**6

def wrong(tables, candidates, board, stale, turn, scratch, found):
    found[0] = 1 | 99 << 8 | 5 << 16, 0
    return 1

def drawn(tables, candidates, board, order, learned):
    return int(np.flatnonzero(board == 0)[-1])

KINDS = {
    PartKind.CELLS: (first, filled, far, failing),
    PartKind.VALUES: (backwards, losing),
    PartKind.INFERENCE: (hidden, greedy, wrong),
}
for kind, functions in KINDS.items():
    for one in functions:
        register(Part(kind, "my-" + one.__name__, "A test.", "a test", "my_parts:" + one.__name__))
register(Part(PartKind.CELLS, "my-drawn", "A test.", "a test", "my_parts:drawn", varies="forgets"))
register(Part(PartKind.INFERENCE, "my-placing", "A.", "a", "my_parts:hidden", eliminates=False))
"""

SEARCH = """
import sys, warnings
warnings.simplefilter("ignore")
import my_parts, undoku
puzzle = undoku.parse_puzzle(sys.argv[1])
for spec in sys.argv[2:]:
    try:
        print(undoku.search(puzzle, spec).tally().nodes, undoku.Strategy.parse(spec).eliminates)
    except (undoku.UndokuError, ZeroDivisionError) as error:
        print(type(error).__name__, error)
"""

ALIKE = {
    "my-first": "row-major",
    "row-major/my-backwards": "row-major/descending",
    "my-first+my-hidden+forward": "row-major+forward",
}
RULES = {"mrv+my-placing": "False", "mrv+my-hidden": "True"}
"""Whether the rule eliminates candidates; a film shows no reasons of removals if not."""
WRONG = {
    "my-filled": "StrategyError a cell order returned 0, which is no empty cell",
    "my-far": "StrategyError a cell order returned 1000000, which is no empty cell",
    "my-failing": "ZeroDivisionError in an order",
    "my-drawn+lds": "StrategyError lds searches one tree again and again, but my-drawn forgets; "
    "combine lds with orders that neither learn nor draw, such as mrv+lds",
    "mrv/my-losing": "StrategyError a value order changed the options that it was to sort",
    "mrv+my-greedy": "StrategyError a rule returned 1000000 deductions, which is impossible",
    "mrv+my-wrong": "StrategyError a rule deduced 353025, which is no event of this puzzle",
}


def searched(folder: Path, *specs: str, **environment: str) -> list[str]:
    """What searches print that run in one process: nodes and whether candidates are eliminated, or
    the error."""
    (folder / "my_parts.py").write_text(MODULE)
    done = subprocess.run(
        [sys.executable, "-c", SEARCH, EASY.grid, *specs],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_part_of_another_package_searches_as_the_built_in_one(tmp_path: Path) -> None:
    """In compiled and in plain loops."""
    specs = (*ALIKE, *ALIKE.values())
    compiled, plain = (searched(tmp_path, *specs, UNDOKU_PLAIN=plain) for plain in ("", "1"))
    assert compiled == plain
    nodes = [int(found.split()[0]) for found in compiled]
    assert nodes[: len(ALIKE)] == nodes[len(ALIKE) :] and min(nodes) > 10


def test_a_part_that_fails_or_breaks_its_contract_ends_the_search_with_a_sentence(
    tmp_path: Path,
) -> None:
    assert searched(tmp_path, *WRONG) == [*WRONG.values()]


def test_a_rule_says_whether_it_eliminates_candidates(tmp_path: Path) -> None:
    assert [found.split()[1] for found in searched(tmp_path, *RULES)] == [*RULES.values()]
