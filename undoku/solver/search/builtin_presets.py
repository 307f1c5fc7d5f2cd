"""The built-in presets: whole strategies with well-known names."""

from __future__ import annotations

from undoku.solver.search.strategy_part import Part, PartKind

__all__ = ["PRESETS"]

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
