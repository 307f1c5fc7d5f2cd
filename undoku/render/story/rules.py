"""The rule of a strategy, as far as it can be shown on a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from undoku.render.playback.step_reasons import candidates
from undoku.render.story.derived_claims import cell_weight, failures_after, weighs_failures
from undoku.render.story.first_moves import first_moves
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.notes import Rule
from undoku.render.timeline.solo_sequence import first_solo
from undoku.render.timeline.timeline import Timeline
from undoku.solver.search.fixed_orders import fixed_cells
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.state import State
from undoku.solver.trace.steps import next_mark, steps_of
from undoku.solver.trace.trace import Op, Trace

_WEIGHED = "dom-wdeg"

_BEST: dict[str, Callable[..., Fraction]] = {
    "mrv": min,
    "mrv-degree": min,
    "most": max,
    _WEIGHED: min,
}
"""The cell orders that go by the options of cells, and which number of them they take first."""


def rule_of(trace: Trace, step: int = 0) -> Rule | None:
    """The rule of the cell order of a search on the board after `step` steps; None if it is not
    known, or if it depends on more than the options of cells. Only the first steps of the trace are
    read, unless its strategy is not known: then all steps are, to find out whether they keep to the
    order of reading."""
    header = trace.header
    strategy, puzzle = Strategy.known(header.strategy), header.puzzle
    if not puzzle.empty_cells:
        return None
    if strategy is None or strategy.has_fixed_order:
        order = (
            puzzle.empty_cells
            if strategy is None
            else fixed_cells(puzzle.geometry, puzzle.givens, strategy)
        )
        if strategy is None and not _keeps_order(trace, order):
            return None
        board = _Node(trace, step).before if step else puzzle.board
        return Rule(order=tuple(cell for cell in order if not board[cell]))
    choose = _BEST.get(strategy.cells)
    if choose is None:
        return None
    node = _Node(trace, step)
    options = {cell: node.options(cell) for cell in node.open_cells}
    best = list(node.forced)
    if not options and not best:
        return None  # no cell is empty
    if best:
        # The same numbers as on the boards of other searches: what differs are the cells.
        nothing_left = not options
        empty = sorted((*options, *best))
        options = {cell: len(candidates(puzzle, node.before, cell)) for cell in empty}
        if nothing_left:
            fewest = choose(options.values())
            best = [cell for cell in empty if options[cell] == fewest or cell == best[0]]
    else:
        measures = {cell: Fraction(count) for cell, count in options.items()}
        if strategy.cells == _WEIGHED:
            failures = _failures_of_units(trace, step)
            if failures is None:
                measures = {}
            for cell in measures:
                measures[cell] /= cell_weight(puzzle, node.before, failures or (), cell)
        wanted = choose(measures.values()) if measures else None
        best = [cell for cell, measure in measures.items() if measure == wanted]
    return Rule(
        options=tuple(sorted(options.items())),
        best=tuple(best),
        forced=tuple((cell, node.forced[cell]) for cell in best if cell in node.forced),
        failures=_failures_of_cells(trace) if weighs_failures(header) else (),
    )


def rules_shown(
    traces: Sequence[Trace], rules: Sequence[Rule | None], timeline: Timeline
) -> tuple[Rule | None, ...]:
    """The `rules` of searches as a film shows them: if two searches take turns, that of the second
    one is the rule on its board when its turn begins."""
    beats = [beat for beat in timeline.beats if beat.kind is BeatKind.RULES]
    shown = [*rules]
    if len(beats) > 1 and rules:
        second = 1 - first_solo(timeline.totals)
        shown[second] = rule_of(traces[second], beats[1].step)
    return tuple(shown)


def _keeps_order(trace: Trace, order: Sequence[int]) -> bool:
    """Whether every step of a search that takes steps is in the cell that a fixed order gives for
    the number of values on the board."""
    cells, placed = np.array([*order, -1], np.int64), 0
    for steps in steps_of(trace):
        after = placed + np.cumsum(np.where(steps.placed, 1, -1))
        if (cells[after - steps.placed] != steps.cells).any():
            return False
        placed = int(after[-1]) if len(after) else placed
    return trace.tally().steps > 0


class _Node:
    """The deductions between step `step` and the next guess or probe: the values of the cells that
    inference fills, in order, and the candidates that it has removed by then. `before` (cells,)
    uint8 is the board after that step."""

    def __init__(self, trace: Trace, step: int) -> None:
        self._puzzle = puzzle = trace.header.puzzle
        self._state = state = State(puzzle)
        self.forced: dict[int, int] = {}
        self.before = puzzle.board.copy()
        for steps in steps_of(trace):
            row = step - steps.first
            if row > len(steps.cells):
                state.apply_events(steps.events)
                continue
            first = int(steps.starts[row - 1]) + 1 if row > 0 else 0
            state.apply_events(steps.events[:first])
            if row >= 0:
                self.before = state.board.copy()
            row = max(0, row)
            others = np.flatnonzero(steps.decisions[row:] | (1 - steps.placed[row:]))
            stop = row + int(others[0]) if len(others) else len(steps.cells)
            end = next_mark(steps, first, int(steps.starts[stop]))
            state.apply_events(steps.events[first:end])
            forced = slice(row, row + int(np.searchsorted(steps.starts[row:stop], end)))
            self.forced |= zip(
                steps.cells[forced].tolist(), steps.values[forced].tolist(), strict=True
            )
            if len(others) or end < steps.starts[stop]:
                return

    @property
    def open_cells(self) -> list[int]:
        """The cells that are still empty."""
        return [cell for cell in self._puzzle.empty_cells if not self._state.board[cell]]

    def options(self, cell: int) -> int:
        """The number of values that inference leaves for a cell."""
        state = self._state
        return len(candidates(self._puzzle, state.board, cell, state.removed))


def _failures_of_units(trace: Trace, step: int) -> Sequence[int] | None:
    """The failures of each unit by which a `dom-wdeg` search chooses the cell of the step after
    `step`; None if they are not known. After an undo, that cell was chosen before the last
    failure; a trace does not contain the units of failures that inference finds."""
    steps = first_moves(trace, None).steps[:step]
    if len(steps) < step or (steps and steps[-1].op is Op.UNDO):
        return None
    puzzle = trace.header.puzzle
    if weighs_failures(trace.header):
        return failures_after(steps, puzzle)[step]
    failed = any(each.op is Op.UNDO for each in steps)
    return None if failed else [0] * len(puzzle.geometry.units)


def _failures_of_cells(trace: Trace) -> tuple[tuple[int, ...], ...]:
    """The failures of the units of each cell, before the first step and after each of the first
    steps."""
    puzzle, moves = trace.header.puzzle, first_moves(trace, None)
    units = puzzle.geometry.units_of
    return tuple(
        tuple(sum(failures[unit] for unit in units[cell]) for cell in range(puzzle.geometry.cells))
        for failures in failures_after(moves.steps, puzzle)
    )
