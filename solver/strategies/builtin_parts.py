"""The parts that undoku itself has: every cell order, value order, rule, priority, way back and
restart, and the presets made of them."""

from __future__ import annotations

from solver.strategies.builtin_presets import PRESETS
from solver.strategies.part import Part, PartKind

__all__ = ["REPERTOIRE"]

_CELLS = (
    Part(
        PartKind.CELLS,
        "row-major",
        "Takes the empty cells in reading order.",
        "the textbook loop",
        plain="Row by row",
        aliases=("reading order", "brute force", "naive backtracking"),
    ),
    Part(
        PartKind.CELLS,
        "column-major",
        "Takes the empty cells column by column, each from the top.",
        "the textbook loop, turned",
        plain="Column by column",
    ),
    Part(
        PartKind.CELLS,
        "box-major",
        "Takes the empty cells box by box, each in reading order.",
        "the textbook loop, by boxes",
        plain="Box by box",
    ),
    Part(
        PartKind.CELLS,
        "spiral",
        "Takes the empty cells from the top left corner clockwise inwards.",
        "for contrast: an order that follows no unit for long",
        plain="Spiral inwards",
    ),
    Part(
        PartKind.CELLS,
        "random",
        "Takes the empty cells in one order, drawn at random from the seed.",
        "for contrast: what any order costs",
        seeded=True,
        plain="Random order",
    ),
    Part(
        PartKind.CELLS,
        "static",
        "Sorts the empty cells once, by their candidates at the start; ties go to the lowest.",
        "Haralick and Elliott 1980, the order fixed in advance",
        plain="Fewest options at the start",
        aliases=("static ordering", "static variable ordering"),
    ),
    Part(
        PartKind.CELLS,
        "mrv",
        "Takes the cell with the fewest candidates; ties go to the lowest cell.",
        "Haralick and Elliott 1980, fail first; Skiena, most constrained square",
        "solver.strategies.dynamic_orders:fewest",
        plain="Fewest options first",
        aliases=(
            "minimum remaining values",
            "dom",
            "smallest domain first",
            "most constrained variable",
        ),
    ),
    Part(
        PartKind.CELLS,
        "mrv-random",
        "Takes a cell with the fewest candidates, drawn at random from several.",
        "Gomes, Selman and Kautz 1998, random ties",
        "solver.strategies.random_choices:fewest_at_random",
        seeded=True,
        plain="Fewest options first, ties at random",
        aliases=("random tie-breaking", "randomised backtracking", "randomized backtracking"),
    ),
    Part(
        PartKind.CELLS,
        "bivalue",
        "Takes the lowest cell with at most two candidates; where there is none, the lowest.",
        "Sudopedia, bivalue cell",
        "solver.strategies.dynamic_orders:at_most_two",
        plain="Two options first",
        aliases=("bi-value cells", "two candidates"),
    ),
    Part(
        PartKind.CELLS,
        "mrv-degree",
        "Takes the cell with the fewest candidates; ties go to the one with most empty peers.",
        "Brélaz 1979, saturation then degree",
        "solver.strategies.dynamic_orders:fewest_then_degree",
        plain="Fewest options, then most empty peers",
        aliases=("DSATUR", "MRV with degree heuristic", "dom+deg", "graph colouring"),
    ),
    Part(
        PartKind.CELLS,
        "dom-wdeg",
        "Takes the cell with the fewest candidates per failure that its units have seen.",
        "Boussemart, Hemery, Lecoutre and Sais 2004",
        "solver.strategies.dynamic_orders:fewest_per_failure",
        plain="Fewest options per failure",
        aliases=("dom/wdeg", "weighted degree", "conflict-driven variable ordering"),
    ),
    Part(
        PartKind.CELLS,
        "activity",
        "Takes the cell whose candidates have changed most often, per candidate that it has.",
        "Michel and Van Hentenryck 2012, activity-based search",
        "solver.strategies.activity:most_active",
        plain="Most active cell first",
        aliases=("ABS", "activity-based search", "akin to VSIDS"),
    ),
    Part(
        PartKind.CELLS,
        "most",
        "Takes the cell with the most candidates: the worst choice, for contrast.",
        "Haralick and Elliott 1980, turned around",
        "solver.strategies.dynamic_orders:most",
        plain="Most options first",
    ),
    Part(
        PartKind.CELLS,
        "exact-cover",
        "Takes the smallest choice among cells (by values) and values in a unit (by cells, "
        "the lowest tried first); ties go to cells.",
        "Knuth 2000, Dancing Links",
        "solver.strategies.dynamic_orders:smallest_cover",
        plain="Fewest options or places first",
        aliases=("Algorithm X", "S heuristic", "dancing links", "DLX"),
    ),
)

_VALUES = (
    Part(
        PartKind.VALUES,
        "ascending",
        "Tries the values from 1 upwards.",
        "the textbook loop",
        plain="lowest values first",
    ),
    Part(
        PartKind.VALUES,
        "descending",
        "Tries the values from the highest down.",
        "for contrast",
        plain="highest values first",
    ),
    Part(
        PartKind.VALUES,
        "random",
        "Tries the values in one order, drawn at random from the seed.",
        "for contrast: luck",
        seeded=True,
        plain="values in random order",
    ),
    Part(
        PartKind.VALUES,
        "shuffled",
        "Tries the values of a cell in an order drawn at random at each node.",
        "Gomes, Selman and Kautz 1998, random values",
        seeded=True,
        plain="values shuffled at each guess",
        aliases=("random values", "randomised backtracking", "randomized backtracking"),
    ),
    Part(
        PartKind.VALUES,
        "lcv",
        "Tries first the value that takes the fewest candidates from the peers.",
        "Haralick and Elliott 1980; Russell and Norvig, least constraining value",
        "solver.strategies.dynamic_orders:least_constraining",
        plain="least restricting value first",
        aliases=("least constraining value",),
    ),
    Part(
        PartKind.VALUES,
        "most-constraining",
        "Tries first the value that takes the most candidates from the peers, for contrast.",
        "least constraining value, turned around",
        "solver.strategies.dynamic_orders:most_constraining",
        plain="most restricting value first",
    ),
)

# In the order in which they run: the cheapest first, and again from the first after each find.
_INFERENCE = (
    Part(
        PartKind.INFERENCE,
        "forward",
        "Fails as soon as a cell has no candidate, before it is that cell's turn.",
        "Haralick and Elliott 1980, forward checking",
        plain="checks ahead",
        aliases=("FC", "forward checking"),
    ),
    Part(
        PartKind.INFERENCE,
        "naked-singles",
        "Places a value where it is the only candidate of its cell.",
        "Norvig 2006, the first rule",
        "solver.inference.singles:naked_singles",
        plain="cells with one option",
        aliases=("sole candidate", "unit propagation", "arc consistency", "AC-3", "MAC"),
    ),
    Part(
        PartKind.INFERENCE,
        "hidden-singles",
        "Places a value in the only cell of a unit that can hold it.",
        "Norvig 2006, the second rule",
        "solver.inference.singles:hidden_singles",
        plain="digits with one place",
        aliases=("unique candidate", "pinned digit"),
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
        "solver.inference.singles:locked",
        plain="locked candidates",
        aliases=("pointing pairs", "claiming", "box-line reduction", "intersection removal"),
    ),
    Part(
        PartKind.INFERENCE,
        "pairs",
        "Two cells of a unit with the same two values keep them, naked or hidden.",
        "Sudopedia, naked and hidden subsets",
        "solver.inference.subsets:pairs",
        plain="pairs",
        aliases=("naked pairs", "hidden pairs", "naked subsets", "hidden subsets", "Hall sets"),
    ),
    Part(
        PartKind.INFERENCE,
        "triples",
        "Three cells of a unit with the same three values keep them, naked or hidden.",
        "Sudopedia, naked and hidden subsets",
        "solver.inference.subsets:triples",
        plain="triples",
        aliases=("naked triples", "hidden triples", "Hall sets"),
    ),
    Part(
        PartKind.INFERENCE,
        "x-wing",
        "Where two rows can hold a value only in the same two columns, takes it from the rest of "
        "the columns; the same with rows and columns exchanged.",
        "Sudopedia, X-Wing",
        "solver.inference.lines:x_wing",
        plain="X-wings",
        aliases=("fish",),
    ),
    Part(
        PartKind.INFERENCE,
        "swordfish",
        "Where three rows can hold a value only in the same three columns, takes it from the rest "
        "of the columns; the same with rows and columns exchanged.",
        "Sudopedia, Swordfish",
        "solver.inference.lines:swordfish",
        plain="swordfish",
        aliases=("fish", "three-line fish"),
    ),
    Part(
        PartKind.INFERENCE,
        "xy-wing",
        "Where a cell holds x or y, and its peers x or z and y or z, takes z from all cells that "
        "see both of these.",
        "Sudopedia, XY-Wing",
        "solver.inference.wings:xy_wing",
        plain="XY-wings",
        aliases=("Y-wing", "bent triple"),
    ),
    Part(
        PartKind.INFERENCE,
        "alldiff",
        "Takes from a unit every candidate that is in no way of filling the whole unit.",
        "Régin 1994, filtering of the constraint of difference",
        "solver.inference.alldiff:alldiff",
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
        "Puts each candidate into its cell for a probe, runs the other rules, and removes it where "
        "they fail; brings naked singles.",
        "Debruyne and Bessière 1997, singleton arc consistency",
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

_PRIORITY = (
    Part(
        PartKind.PRIORITY,
        "last-conflict",
        "Chooses the cell of the last guess before a dead end again, before all others, "
        "until one of its values stands.",
        "Lecoutre, Saïs, Tabary and Vidal 2009, reasoning from last conflicts",
        plain="last failure first",
        aliases=("LC", "lc(1)", "last conflict"),
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
        "Takes back all guesses down to the last one that had a part in the failure.",
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
            "akin to CDCL",
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
        "Gives up all guesses after so many dead ends; runs of 1 1 2 1 1 2 4 … times the number.",
        "Luby, Sinclair and Zuckerman 1993",
        plain="restarts in Luby's runs of",
        aliases=("restarts", "Luby restarts", "rapid restarts", "universal restarts"),
        number="DEAD-ENDS",
    ),
)

REPERTOIRE = (*_CELLS, *_VALUES, *_INFERENCE, *_PRIORITY, *_BACK, *_RESTART, *PRESETS)
"""All of them, kind by kind."""
