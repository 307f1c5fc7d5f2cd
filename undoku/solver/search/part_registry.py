"""The parts of strategies, built-in and registered, each with a name, a sentence, a source.

Another package adds parts through the entry-point group `undoku.strategies`: an entry point
names an iterable of `Part`s, or a function that returns one. A part's function is named as
"module:function" and loaded when a search needs it.
"""

from __future__ import annotations

from collections.abc import Callable

from undoku.errors import StrategyError
from undoku.extensions import add_offers, named_function
from undoku.solver.search.builtin_orders import CELL_ORDERS, VALUE_ORDERS
from undoku.solver.search.strategy_part import LEARNS, Part, PartKind

# In the order in which they run: the cheapest first, and again from the first after each find.
RULES = (
    Part(
        PartKind.INFERENCE,
        "forward",
        "Fails as soon as a cell has no candidate, before the cell is chosen.",
        "Haralick and Elliott 1980, forward checking",
        plain="checks ahead",
        aliases=("FC", "forward checking", "lookahead", "domain pruning", "pencil marks"),
        eliminates=False,
    ),
    Part(
        PartKind.INFERENCE,
        "naked-singles",
        "Places a value where it is the only candidate of its cell.",
        "Norvig 2006, the first rule",
        "undoku.solver.search.singles:NAKED_SINGLES",
        plain="cells with one option",
        aliases=(
            "sole candidate",
            "unit propagation",
            "arc consistency",
            "AC-3",
            "MAC",
            "maintaining arc consistency",
        ),
        eliminates=False,
    ),
    Part(
        PartKind.INFERENCE,
        "hidden-singles",
        "Places a value in the only cell of a unit that can hold it.",
        "Norvig 2006, the second rule",
        "undoku.solver.search.singles:HIDDEN_SINGLES",
        plain="digits with one place",
        aliases=("unique candidate", "pinned digit"),
        eliminates=False,
    ),
    Part(
        PartKind.INFERENCE,
        "singles",
        "Naked and hidden singles.",
        "Norvig 2006, both rules",
        spec="naked-singles+hidden-singles",
        plain="forced digits",
        aliases=("unit propagation", "DPLL"),
    ),
    Part(
        PartKind.INFERENCE,
        "locked",
        "Where a unit can hold a value only in cells of another unit, takes it from the rest of "
        "that one (pointing and claiming).",
        "Sudopedia, locked candidates",
        "undoku.solver.search.singles:LOCKED",
        plain="locked candidates",
        aliases=(
            "pointing pairs",
            "candidate lines",
            "claiming",
            "box-line reduction",
            "intersection removal",
        ),
    ),
    Part(
        PartKind.INFERENCE,
        "pairs",
        "Two cells of a unit with the same two values keep them, naked or hidden.",
        "Sudopedia, naked and hidden subsets",
        "undoku.solver.search.singles:PAIRS",
        plain="pairs",
        aliases=("naked pairs", "hidden pairs", "naked subsets", "hidden subsets", "Hall sets"),
    ),
    Part(
        PartKind.INFERENCE,
        "triples",
        "Three cells of a unit with the same three values keep them, naked or hidden.",
        "Sudopedia, naked and hidden subsets",
        "undoku.solver.search.singles:TRIPLES",
        plain="triples",
        aliases=("naked triples", "hidden triples", "Hall sets"),
    ),
    Part(
        PartKind.INFERENCE,
        "x-wing",
        "Where two rows can hold a value only in the same two columns, takes it from the rest of "
        "the columns; the same with rows and columns exchanged.",
        "Sudopedia, X-Wing",
        "undoku.solver.search.singles:X_WING",
        plain="X-wings",
        aliases=("fish",),
    ),
    Part(
        PartKind.INFERENCE,
        "swordfish",
        "Where three rows can hold a value only in the same three columns, takes it from the rest "
        "of the columns; the same with rows and columns exchanged.",
        "Sudopedia, Swordfish",
        "undoku.solver.search.singles:SWORDFISH",
        plain="swordfish",
        aliases=("fish", "three-line fish"),
    ),
    Part(
        PartKind.INFERENCE,
        "xy-wing",
        "Where a cell holds x or y, and its peers x or z and y or z, takes z from all cells that "
        "see both of these.",
        "Sudopedia, XY-Wing",
        "undoku.solver.search.singles:XY_WING",
        plain="XY-wings",
        aliases=("Y-wing", "bent triple"),
    ),
    Part(
        PartKind.INFERENCE,
        "alldiff",
        "Removes every candidate that occurs in no assignment of the whole unit.",
        "Régin 1994, filtering of the constraint of difference",
        "undoku.solver.search.singles:ALLDIFF",
        plain="whole units at once",
        aliases=(
            "all-different",
            "alldifferent",
            "GAC",
            "generalised arc consistency",
            "generalized arc consistency",
            "matching",
        ),
    ),
    Part(
        PartKind.INFERENCE,
        "sac",
        "Places each candidate in its cell as a probe, runs the other rules, and removes it if "
        "they fail; includes naked singles.",
        "Debruyne and Bessière 1997, singleton arc consistency; Simonis 2005, shaving",
        spec="naked-singles+sac",
        plain="a probe of each candidate",
        aliases=(
            "singleton arc consistency",
            "SAC",
            "shaving",
            "probing",
            "failed literals",
            "Nishio",
        ),
    ),
)


PRESETS = (
    Part(
        PartKind.PRESET,
        "nested-loops",
        "The plain backtracker: cells in reading order, values from 1 upwards.",
        "the articles' recursive solver",
        spec="row-major",
        plain="Nested loops",
        aliases=("brute force", "naive backtracking"),
    ),
    Part(
        PartKind.PRESET,
        "bitmasks",
        "The backtracker with a bit mask per row, column and box: the same tree, faster steps.",
        "the articles' bit mask solver",
        spec="row-major",
        plain="Bit masks",
        aliases=("bitboards", "bit sets"),
    ),
    Part(
        PartKind.PRESET,
        "fewest-options-first",
        "Always the cell with the fewest options, until all solutions are found.",
        "the articles' rewrite of the fifty-minutes solver",
        spec="mrv",
        exhaustive=True,
        plain="Fewest options first",
        aliases=("MRV", "fail first"),
    ),
    Part(
        PartKind.PRESET,
        "propagation",
        "Constraint propagation with naked and hidden singles, guessing where options are fewest.",
        "Norvig 2006, solving every sudoku puzzle",
        spec="mrv+singles",
        plain="Constraint propagation",
    ),
    Part(
        PartKind.PRESET,
        "minimum-remaining-values",
        "The cell with the fewest remaining values, nothing else.",
        "the articles' brute force done right",
        spec="mrv",
        plain="Fewest remaining values",
        aliases=("MRV", "fail first"),
    ),
    Part(
        PartKind.PRESET,
        "mrv-with-logic",
        "Fewest remaining values, with rules of human solvers run to a fixed point at every node.",
        "the articles' solver with logic inside",
        spec="mrv+singles+locked+pairs+triples+x-wing",
        plain="Fewest options first, with logic",
    ),
    Part(
        PartKind.PRESET,
        "presolve",
        "Places all singles before the first guess; then the plain backtracker.",
        "the articles' logic before the search",
        spec="row-major+singles@root",
        plain="Forced digits first, then row by row",
        aliases=("presolving", "preprocessing", "inference at the root"),
    ),
    Part(
        PartKind.PRESET,
        "norvig",
        "Runs Norvig's two rules after every guess; guesses in the first cell of those with the "
        "fewest candidates.",
        "Norvig 2006, Solving Every Sudoku Puzzle",
        spec="mrv+singles",
        plain="Norvig's solver",
        aliases=("constraint propagation and search",),
    ),
    Part(
        PartKind.PRESET,
        "dancing-links",
        "Takes the cell, or the value in a unit, with the fewest options; Knuth's exact cover.",
        "Knuth 2000, Dancing Links",
        spec="exact-cover",
        plain="Dancing links",
        aliases=("DLX", "Algorithm X", "exact cover"),
    ),
)


_PRIORITY = (
    Part(
        PartKind.PRIORITY,
        "last-conflict",
        "Chooses the cell of the last guess before a dead end again, before all others, "
        "until one of its values stands.",
        "Lecoutre, Saïs, Tabary and Vidal 2009, reasoning from last conflicts",
        plain="failed cell first",
        aliases=("LC", "lc(1)", "last conflict"),
        varies=LEARNS,
    ),
)

_BACK = (
    Part(
        PartKind.BACK,
        "chronological",
        "Takes back the last guess.",
        "the textbook loop",
        plain="one step back",
        aliases=("backtracking", "BT", "depth-first search", "DFS", "trial and error"),
    ),
    Part(
        PartKind.BACK,
        "cbj",
        "Takes back all guesses down to the last one that contributed to the failure.",
        "Prosser 1993, conflict-directed backjumping",
        plain="jumps back to the cause",
        aliases=("conflict-directed backjumping", "backjumping", "intelligent backtracking"),
    ),
    Part(
        PartKind.BACK,
        "nogoods",
        "Goes back as cbj, and records which guesses failed together: these rule out values.",
        "Dechter 1990, learning of limited size",
        plain="learns from failures",
        aliases=(
            "nogood recording",
            "clause learning",
            "learning",
            "nogood learning",
            "akin to CDCL of SAT solvers",
        ),
    ),
    Part(
        PartKind.BACK,
        "lds",
        "Searches in waves: first without departing from the first value anywhere, then with "
        "one departure on the way, then two.",
        "Harvey and Ginsberg 1995, limited discrepancy search",
        plain="first choices first",
        aliases=("limited discrepancy search",),
    ),
)

_RESTART = (
    Part(
        PartKind.RESTART,
        "luby",
        "Takes back all guesses after a number of dead ends; runs of 1 1 2 1 1 2 4 … times the "
        "number.",
        "Luby, Sinclair and Zuckerman 1993; against heavy tails: Gomes, Selman and Kautz 1998",
        plain="restarts in Luby's runs of",
        aliases=(
            "restarts",
            "Luby restarts",
            "random restarts",
            "rapid restarts",
            "universal restarts",
        ),
        number="DEAD-ENDS",
    ),
)

REPERTOIRE = (*CELL_ORDERS, *VALUE_ORDERS, *RULES, *_PRIORITY, *_BACK, *_RESTART, *PRESETS)
"""All built-in parts, kind by kind."""


GROUP = "undoku.strategies"
"""The entry-point group."""


_parts = {(part.kind, part.name): part for part in REPERTOIRE}


def register(part: Part) -> None:
    """Add a part under its name. Raises StrategyError if the name is taken or can't be used in a
    specification.

    >>> undoku.register(undoku.parts()[0])
    Traceback (most recent call last):
    ...
    undoku.errors.StrategyError: there is a cell order called 'row-major' already
    """
    name = part.name
    if not name or name != name.lower() or set(name) & set("/+:@ \t"):
        raise StrategyError(
            f"a part can't be called {name!r}", remedy="use small letters, digits and hyphens"
        )
    # Cell orders and presets begin a specification; other parts, except value orders, follow a +:
    # their names must not coincide.
    heads = (PartKind.CELLS, PartKind.PRESET)
    tails = (PartKind.INFERENCE, PartKind.PRIORITY, PartKind.BACK, PartKind.RESTART)
    alike = next((kinds for kinds in (heads, tails) if part.kind in kinds), (part.kind,))
    if any((kind, name) in _parts for kind in alike):
        raise StrategyError(f"there is a {part.kind} called {name!r} already")
    _parts[part.kind, name] = part


def parts(*kinds: PartKind) -> tuple[Part, ...]:
    """All parts of these kinds (of every kind if none is named), in the order of the printed list;
    parts of other packages come last within their kind.

    >>> [part.name for part in undoku.parts(undoku.PartKind.VALUES)][:2]
    ['ascending', 'descending']
    """
    add_offers(GROUP, register, StrategyError)
    wanted = map(PartKind, kinds or PartKind)
    return tuple(part for kind in wanted for part in _parts.values() if part.kind is kind)


def loaded(part: Part) -> Callable[..., int] | int:
    """The function of a part, or its number if it is built in. Raises StrategyError if it can't be
    loaded."""
    return named_function(f"the {part.kind} {part.name!r}", part.function, StrategyError)
