"""Pseudocode of a search, and the line that each step runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from undoku.errors import SettingsError
from undoku.render.playback.player import Snapshot
from undoku.solver.search.strategy import Strategy
from undoku.solver.search.strategy_part import PartKind
from undoku.solver.trace.state import DEAD_ENDS, DECISIONS, DEPTH, PLACES, RESTARTS, SOLUTIONS
from undoku.texts import wording as say
from undoku.texts.strategy_texts import part_name
from undoku.texts.wording import listed

_MARK = re.compile(r"\s*#\s*@(place|undo|dead-end)\s*$")


class LineRole(StrEnum):
    """What the search does when a line runs. Lines without such a meaning have OTHER."""

    NODE = "node"
    """It enters a node of the search tree."""
    FULL = "full"
    """The board is full."""
    CELL = "cell"
    """It chooses a cell."""
    GUESS = "guess"
    """It tries the next digit of a cell."""
    PLACE = "place"
    """It writes a digit."""
    INFER = "infer"
    """It writes a digit that inference found."""
    UNDO = "undo"
    """It undoes a digit."""
    RESTART = "restart"
    """It undoes all guesses and starts again."""
    DEAD_END = "dead-end"
    """A digit was undone before another one was tried below it."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line of code, indented by `indent` >= 0 levels."""

    text: str
    indent: int
    role: LineRole


def code_of(strategy: str) -> list[CodeLine]:
    """About eight lines of pseudocode for a strategy, generated from its parts; for an unknown
    strategy, such as that of another program, the lines that all searches have in common."""
    parts = Strategy.known(strategy)
    cell, each, undo = say.CODE_ANY_CELL(), say.CODE_EACH(), say.CODE_UNDO()
    first: list[CodeLine] = []
    rules: list[CodeLine] = []
    last: list[CodeLine] = []
    if parts is not None:
        cell = say.CODE_CELL(order=_named(PartKind.CELLS, parts.cells))
        each = say.CODE_EACH_IN_ORDER(order=_named(PartKind.VALUES, parts.values))
        if parts.presolve:
            once = listed([_named(PartKind.INFERENCE, rule) for rule in parts.presolve])
            role = LineRole.OTHER if _PLACING & {*parts.inference} else LineRole.INFER
            first = [CodeLine(say.CODE_ONCE(rules=once), 0, role)]
        rules = _rule_lines(parts.inference)
        if parts.restart:
            last = [CodeLine(say.CODE_RESTART(), 0, LineRole.RESTART)]
        if parts.back != "chronological":
            undo = say.CODE_UNDO_WAY(way=_named(PartKind.BACK, parts.back))
    return [
        *first,
        CodeLine(say.CODE_SOLVE(), 0, LineRole.NODE),
        CodeLine(say.CODE_FULL(), 1, LineRole.FULL),
        CodeLine(cell, 1, LineRole.CELL),
        CodeLine(each, 1, LineRole.GUESS),
        CodeLine(say.CODE_PLACE(), 2, LineRole.PLACE),
        *rules,
        CodeLine(say.CODE_DEEPER(), 2, LineRole.OTHER),
        CodeLine(undo, 2, LineRole.UNDO),
        CodeLine(say.CODE_DEAD_END(), 1, LineRole.DEAD_END),
        *last,
    ]


_PLACING = frozenset({"naked-singles", "hidden-singles"})
"""The rules that write digits; the others remove candidates, and "forward" only looks at them."""


def _rule_lines(rules: Sequence[str]) -> list[CodeLine]:
    """One line for the rules that remove candidates, and one for those that place digits."""
    placing = [_named(PartKind.INFERENCE, rule) for rule in rules if rule in _PLACING]
    removing = [
        _named(PartKind.INFERENCE, rule) for rule in rules if rule not in {*_PLACING, "forward"}
    ]
    lines = []
    if removing:
        removed = say.CODE_ELIMINATE(rules=listed(removing))
        lines.append(CodeLine(removed, 2, LineRole.OTHER))
    if placing:
        lines.append(CodeLine(say.CODE_INFER(rules=listed(placing)), 2, LineRole.INFER))
    return lines or ([CodeLine(say.CODE_CHECK(), 2, LineRole.OTHER)] if rules else [])


def _named(kind: PartKind, written: str) -> str:
    """The plain name of a part in the form used within a sentence. Where nouns are capitalised, its
    first word may be one."""
    name = part_name(kind, written.partition(":")[0])
    return name if say.nouns()["field"].istitle() else name[:1].lower() + name[1:]


def parsed_code(lines: Sequence[str]) -> list[CodeLine]:
    """The user's own code: the indentation of each line, and its role from the mark at its end,
    as in "board[cell] = digit # @place". Raises SettingsError if no line is marked."""
    found = []
    widths = sorted({len(line) - len(line.lstrip()) for line in lines if line.strip()})
    for line in lines:
        mark = _MARK.search(line)
        role = LineRole(mark[1]) if mark else LineRole.OTHER
        indent = widths.index(len(line) - len(line.lstrip())) if line.strip() else 0
        found.append(CodeLine(_MARK.sub("", line).strip(), indent, role))
    if all(line.role is LineRole.OTHER for line in found):
        raise SettingsError(
            "no line of the code is marked", remedy="end lines in # @place, # @undo, # @dead-end"
        )
    return found


def runs_of(role: LineRole, snapshot: Snapshot, *, forced_apart: bool) -> int | None:
    """How often the lines of a role have run; None for roles that are not counted. `forced_apart`
    states that digits found by inference have a line of their own."""
    registers = snapshot.registers
    guesses, places = int(registers[DECISIONS]), int(registers[PLACES])
    solutions, restarts = int(registers[SOLUTIONS]), int(registers[RESTARTS])
    nodes = guesses + 1 + restarts  # the root is entered again
    return {
        LineRole.NODE: nodes,
        LineRole.FULL: solutions,
        LineRole.CELL: nodes - solutions,
        LineRole.GUESS: guesses,
        LineRole.PLACE: guesses if forced_apart else places,
        LineRole.INFER: places - guesses,
        LineRole.UNDO: guesses - int(registers[DEPTH]) if forced_apart else int(snapshot.undos),
        LineRole.RESTART: restarts,
        LineRole.DEAD_END: int(registers[DEAD_ENDS]),
    }.get(role)


def running(snapshot: Snapshot, dead_ends: int) -> LineRole:
    """The role of the line that the last step ran; `dead_ends` is the number of dead ends one step
    before."""
    if snapshot.last is None:
        return LineRole.NODE
    if snapshot.last.undone:
        return LineRole.DEAD_END if snapshot.dead_ends > dead_ends else LineRole.UNDO
    if snapshot.finished and snapshot.solutions:
        return LineRole.FULL
    return LineRole.INFER if snapshot.last.forced else LineRole.PLACE
