"""The built-in rules of inference."""

from __future__ import annotations

from undoku.solver.search.strategy_part import Part, PartKind

__all__ = ["RULES"]

# In the order in which they run: the cheapest first, and again from the first after each find.
RULES = (
    Part(
        PartKind.INFERENCE,
        "forward",
        "Fails as soon as a cell has no candidate, before the cell is chosen.",
        "Haralick and Elliott 1980, forward checking",
        plain="checks ahead",
        aliases=("FC", "forward checking", "lookahead", "domain pruning", "pencil marks"),
    ),
    Part(
        PartKind.INFERENCE,
        "naked-singles",
        "Places a value where it is the only candidate of its cell.",
        "Norvig 2006, the first rule",
        "undoku.solver.search.singles:naked_singles",
        plain="cells with one option",
        aliases=(
            "sole candidate",
            "unit propagation",
            "arc consistency",
            "AC-3",
            "MAC",
            "maintaining arc consistency",
        ),
    ),
    Part(
        PartKind.INFERENCE,
        "hidden-singles",
        "Places a value in the only cell of a unit that can hold it.",
        "Norvig 2006, the second rule",
        "undoku.solver.search.singles:hidden_singles",
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
        "undoku.solver.search.singles:locked",
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
        "undoku.solver.search.subsets:pairs",
        plain="pairs",
        aliases=("naked pairs", "hidden pairs", "naked subsets", "hidden subsets", "Hall sets"),
    ),
    Part(
        PartKind.INFERENCE,
        "triples",
        "Three cells of a unit with the same three values keep them, naked or hidden.",
        "Sudopedia, naked and hidden subsets",
        "undoku.solver.search.subsets:triples",
        plain="triples",
        aliases=("naked triples", "hidden triples", "Hall sets"),
    ),
    Part(
        PartKind.INFERENCE,
        "x-wing",
        "Where two rows can hold a value only in the same two columns, takes it from the rest of "
        "the columns; the same with rows and columns exchanged.",
        "Sudopedia, X-Wing",
        "undoku.solver.search.lines:x_wing",
        plain="X-wings",
        aliases=("fish",),
    ),
    Part(
        PartKind.INFERENCE,
        "swordfish",
        "Where three rows can hold a value only in the same three columns, takes it from the rest "
        "of the columns; the same with rows and columns exchanged.",
        "Sudopedia, Swordfish",
        "undoku.solver.search.lines:swordfish",
        plain="swordfish",
        aliases=("fish", "three-line fish"),
    ),
    Part(
        PartKind.INFERENCE,
        "xy-wing",
        "Where a cell holds x or y, and its peers x or z and y or z, takes z from all cells that "
        "see both of these.",
        "Sudopedia, XY-Wing",
        "undoku.solver.search.wings:xy_wing",
        plain="XY-wings",
        aliases=("Y-wing", "bent triple"),
    ),
    Part(
        PartKind.INFERENCE,
        "alldiff",
        "Removes every candidate that occurs in no assignment of the whole unit.",
        "Régin 1994, filtering of the constraint of difference",
        "undoku.solver.search.alldiff:alldiff",
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
