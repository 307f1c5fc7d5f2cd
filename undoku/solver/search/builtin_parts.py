"""All built-in parts in one list: orders, rules, priorities, backtracking methods, restarts, and
presets."""

from __future__ import annotations

from undoku.solver.search.builtin_orders import CELL_ORDERS, VALUE_ORDERS
from undoku.solver.search.builtin_presets import PRESETS
from undoku.solver.search.builtin_rules import RULES
from undoku.solver.search.strategy_part import Part, PartKind

__all__ = ["REPERTOIRE"]

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
