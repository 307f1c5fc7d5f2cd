"""The candidates that inference has removed since the last step of a search, and the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from undoku.render.draw.look import Look
from undoku.solver.problem.appearance import Form
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.search_state import BY_NOGOOD, BY_PROBE
from undoku.solver.search.strategy_part import PartKind
from undoku.solver.trace.reasons import Reason, Reasons
from undoku.solver.trace.trace import Inferences
from undoku.texts import wording as say
from undoku.texts.strategy_texts import part_name
from undoku.texts.wording import cell_name, listed

_FIELD = 0xFFFF


class Removal(NamedTuple):
    """One deduction of a rule: `candidates` are the (cell, value) that were removed. `rule` is the
    name of the rule, "nogood" or "probe". The deduction follows from the candidates of `units`,
    numbers of units of the puzzle, or of `cells`."""

    rule: str
    candidates: tuple[tuple[int, int], ...]
    units: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()

    @property
    def values(self) -> tuple[int, ...]:
        return tuple(sorted({value for _, value in self.candidates}))

    def pattern(self, puzzle: Puzzle) -> tuple[int, ...]:
        """The cells from whose candidates it follows, each once."""
        of_units = [cell for unit in self.units for cell in puzzle.problem.units[unit].cells]
        return tuple(dict.fromkeys([*self.cells, *of_units]))


def removals_of(
    removed: Sequence[tuple[int, int, int]], inferences: Inferences
) -> tuple[Removal, ...]:
    """The deductions that removed candidates, (index of the event, cell, value), in their order;
    `inferences` holds the reasons of the events."""
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for number, cell, value in removed:
        rule, reason = inferences.reasons[number].tolist()
        found.setdefault((rule, reason), []).append((cell, value))
    return tuple(
        _removal(rule, reason, tuple(candidates), inferences.rules)
        for (rule, reason), candidates in found.items()
    )


def removals_given(
    removed: Sequence[tuple[int, int, int]], before: int, reasons: Reasons, puzzle: Puzzle
) -> tuple[Removal, ...]:
    """Like `removals_of`, from the reasons that a recorded trace gives; `before` events precede
    index 0."""
    found: dict[Reason, list[tuple[int, int]]] = {}
    for number, cell, value in removed:
        if reason := reasons.at(before + number):
            found.setdefault(reason, []).append((cell, value))
    names = [unit.name.casefold() for unit in puzzle.problem.units]
    return tuple(
        Removal(
            reason.rule,
            tuple(candidates),
            units=tuple(n for n, name in enumerate(names) if name == reason.unit.casefold()),
        )
        for reason, candidates in found.items()
    )


def _removal(
    rule: int, reason: int, candidates: tuple[tuple[int, int], ...], rules: tuple[str, ...]
) -> Removal:
    if rule < 0:
        return Removal({BY_NOGOOD: "nogood", BY_PROBE: "probe"}[rule], candidates)
    packed = reason if reason >= 0 else -1 - reason
    fields = (packed & _FIELD, (packed >> 16 & _FIELD) - 1, (packed >> 32) - 1)
    held = tuple(field for field in fields if field >= 0)
    if reason < 0:
        return Removal(rules[rule], candidates, cells=held)
    return Removal(rules[rule], candidates, units=held)


def removal_sentence(puzzle: Puzzle, removal: Removal) -> str:
    """What was removed and why, as a part of a sentence: "X-wing in row 2 and row 7: 4 removed from
    3 cells"."""
    symbols = _values_text(puzzle, removal)
    places = {cell for cell, _ in removal.candidates}
    name = cell_name(puzzle.problem, min(places))
    if removal.rule == "nogood":
        return say.STEP_RULED_OUT(value=symbols, cell=name)
    if removal.rule == "probe":
        values, refuted = len(removal.candidates), say.STEP_REFUTED
        if len(places) > 1:
            refuted = say.STEP_REFUTED_CELLS
        elif values > 1:
            refuted = say.STEP_REFUTED_VALUES
        return refuted(value=symbols, values=symbols, cell=name, count=values, cells=len(places))
    rule = _rule_text(removal)
    names = [say.unit_text(puzzle.problem.units[unit]) for unit in removal.units]
    names += [_short_name(puzzle, cell) for cell in removal.cells]
    if not names:
        return brief_removal(puzzle, removal)
    return say.STEP_REMOVES_IN(rule=rule, units=listed(names), value=symbols, count=len(places))


def brief_removal(puzzle: Puzzle, removal: Removal) -> str:
    """What was removed, in fewer words and without the reason; "" for nogoods and probes."""
    if removal.rule in ("nogood", "probe"):
        return ""
    count = len({cell for cell, _ in removal.candidates})
    values = _values_text(puzzle, removal)
    return say.STEP_REMOVES(rule=_rule_text(removal), value=values, count=count)


def _rule_text(removal: Removal) -> str:
    return say.find_text(removal.rule) or part_name(PartKind.INFERENCE, removal.rule)


def _values_text(puzzle: Puzzle, removal: Removal) -> str:
    return say.values_text([*map(Look(puzzle.problem).value_name, removal.values)])


def _short_name(puzzle: Puzzle, cell: int) -> str:
    if puzzle.problem.appearance.form is not Form.GRID:
        return cell_name(puzzle.problem, cell)
    row, column = map(int, puzzle.problem.position(cell))
    return say.STEP_SHORT_CELL(row=row + 1, column=column + 1)
