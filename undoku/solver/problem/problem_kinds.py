"""Problems by name, such as queens:8; another package adds kinds of them.

A text NAME:REST names a problem of the kind NAME; REST is for the kind alone. Another package adds
kinds through the entry-point group `undoku.problems`: an entry point names an iterable of
`ProblemKind`s, or a function that returns one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from undoku.errors import PuzzleError
from undoku.extensions import add_offers, named_function
from undoku.solver.problem.puzzle import Puzzle

GROUP = "undoku.problems"
"""The entry-point group."""

_NAMED = re.compile(r"([a-z][a-z-]*):([^\n]*)")


class ProblemKind(NamedTuple):
    """A kind of problem. `written` is its form, "queens:ROWS[:FIELDS]". `function` is
    "module:function": it takes the text after "NAME:" and returns a Puzzle, or raises PuzzleError
    with a remedy."""

    name: str
    written: str
    sentence: str
    function: str


_kinds = {
    kind.name: kind
    for kind in (
        ProblemKind(
            "queens",
            "queens:ROWS[:FIELDS]",
            "Queens that do not attack each other, one in each row; a1,c5 are placed already.",
            "undoku.solver.problem.queens:queens",
        ),
        ProblemKind(
            "map",
            "map:NAME[:COLOURS]",
            "The regions of australia or usa in colours, different ones on both sides of a border.",
            "undoku.solver.problem.colouring:map_colouring",
        ),
        ProblemKind(
            "graph",
            "graph:FILE:COLOURS",
            "The nodes of a graph (a DIMACS .col file) in colours, different ones along an edge.",
            "undoku.solver.problem.colouring:graph_colouring",
        ),
    )
}


def register(kind: ProblemKind) -> None:
    """Add a kind. Raises PuzzleError if its name is taken or is not a word of small letters."""
    if kind.name in _kinds or not _NAMED.fullmatch(f"{kind.name}:"):
        raise PuzzleError(f"a kind of problem can't be called {kind.name!r}")
    _kinds[kind.name] = kind


def kinds() -> tuple[ProblemKind, ...]:
    """All kinds; those of other packages come last."""
    add_offers(GROUP, register, PuzzleError)
    return tuple(_kinds.values())


def is_named(text: str) -> bool:
    """Whether a text names a problem."""
    found = _NAMED.fullmatch(text)
    return found is not None and any(kind.name == found[1] for kind in kinds())


def named_problem(text: str) -> Puzzle:
    """The problem that a text names, for which `is_named` is true. Raises PuzzleError."""
    name, _, rest = text.partition(":")
    kind = next(kind for kind in kinds() if kind.name == name)
    build = named_function(f"the kind of problem {name!r}", kind.function, PuzzleError)
    try:
        puzzle: Puzzle = build(rest.strip())
    except PuzzleError as error:
        raise PuzzleError(
            error.message, place=error.place, remedy=error.remedy or f"write {kind.written}"
        ) from None
    return puzzle
