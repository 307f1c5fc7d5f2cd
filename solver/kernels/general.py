"""The compiled loop of a search that chooses, infers and goes back in any of the ways there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.geometry_arrays import Tables
from solver.jit import inner, lean
from solver.kernels.bookkeeping import (
    BACKTRACKS,
    CUT,
    DEAD_ENDS,
    DEPTH,
    FILLED,
    FORCED,
    GUESSES,
    MAX_DEPTH,
    NODE_LIMIT,
    OTHERS,
    PHASE,
    PHASE_CAPPED,
    PHASE_ENTER,
    PHASE_EXHAUSTED,
    PHASE_PROBE,
    PHASE_ROOT,
    PHASE_SOLVED,
    PHASE_TRY,
    RESTARTS,
    RETREATING,
    RUN_BEGAN,
    SOLUTIONS,
    TRAIL,
    UNDOS,
    WAVE,
    WRITTEN,
    Output,
    keep_solution,
)
from solver.kernels.conflict_sets import WORD, explain, level_of
from solver.kernels.last_conflict import NO_CHOICE, is_open
from solver.kernels.nogoods import learn
from solver.kernels.probing import begin_probes, next_probe, probe
from solver.kernels.propagation import SearchArrays, infer, settle, take_back
from solver.kernels.restarts import luby
from solver.ops import OP_ELIMINATE, OP_FORCED, OP_LEARN, OP_PROBE, OP_RESTART
from solver.strategies.activity import note_activity
from solver.strategies.random_choices import shuffle

__all__ = [
    "CHRONOLOGICAL",
    "CONFLICT_DIRECTED",
    "LIMITED_DISCREPANCY",
    "PROBES_AT_ROOT",
    "PROBES_EVERYWHERE",
    "PROBES_NOWHERE",
    "Function",
    "Loop",
    "SearchPlan",
    "advance_general",
]

CHRONOLOGICAL, CONFLICT_DIRECTED, LIMITED_DISCREPANCY = range(3)
PROBES_NOWHERE, PROBES_AT_ROOT, PROBES_EVERYWHERE = range(3)


Function = Callable[..., int]


@inner
def _list_options(tables: Tables, arrays: SearchArrays, depth: int, choice: int) -> int:
    """Write what a choice can try to arrays.options[depth], ascending; returns how many."""
    candidates = arrays.candidates[depth]
    size = tables.size
    count = 0
    if choice >= 0:
        for index in range(size):
            if int(candidates[choice]) >> index & 1:
                arrays.options[depth, count] = (index + 1) << 8 | choice << 16
                count += 1
    else:
        unit = (-1 - choice) // size
        index = (-1 - choice) % size
        for at in range(size):
            cell = int(tables.units[unit, at])
            if int(candidates[cell]) >> index & 1:
                arrays.options[depth, count] = (index + 1) << 8 | cell << 16
                count += 1
    return count


@inner
def _excuse(tables: Tables, arrays: SearchArrays, depth: int, choice: int) -> None:
    """Begin the conflicts of a choice: why it has no more options than it has."""
    conflicts = arrays.conflicts[depth]
    for word in range(len(conflicts)):
        conflicts[word] = 0
    candidates = arrays.candidates[depth]
    size = tables.size
    if choice >= 0:
        explain(tables, candidates, arrays.why, -1 - choice, conflicts)
        return
    unit = (-1 - choice) // size
    index = (-1 - choice) % size
    for at in range(size):
        cell = int(tables.units[unit, at])
        if not int(candidates[cell]) >> index & 1:
            for word in range(len(conflicts)):
                conflicts[word] |= arrays.why[cell * size + index, word]


@inner
def _tell(
    arrays: SearchArrays,
    mark: int,
    recording: bool,
    output: Output,
) -> None:
    """Write the trail from `mark` on as events, and count what is forced and eliminated."""
    registers, labels, events = arrays.registers, output.labels, output.events
    for at in range(mark, registers[TRAIL]):
        event = int(arrays.trail[at])
        registers[FORCED] += event & 0xFF == OP_FORCED
        registers[OTHERS] += event & 0xFF == OP_ELIMINATE
        if recording:
            label = int(labels[(event >> 8 & 0xFF) - 1])
            events[registers[WRITTEN]] = event & 0xFF | label << 8 | event >> 16 << 16
            if len(output.reasons):
                output.reasons[registers[WRITTEN], 0] = arrays.reasons[at, 0]
                output.reasons[registers[WRITTEN], 1] = arrays.reasons[at, 1]
        registers[WRITTEN] += 1


@inner
def _labelled(event: int, output: Output) -> int:
    """An event of the loop's own value as it is told."""
    return event & 0xFF | int(output.labels[(event >> 8 & 0xFF) - 1]) << 8 | event >> 16 << 16


@inner
def _mark(arrays: SearchArrays, event: int, recording: bool, output: Output) -> None:
    """Write an event that changes nothing on the board."""
    registers = arrays.registers
    registers[OTHERS] += 1
    if recording:
        output.events[registers[WRITTEN]] = event
    registers[WRITTEN] += 1


@inner
def _retreat(
    arrays: SearchArrays,
    mark: int,
    recording: bool,
    output: Output,
) -> None:
    """Take a guess and its consequences back, tell it, and count it: the first guess taken back
    after a place met a dead end, unless it completed a solution; each further one is a
    backtrack."""
    registers = arrays.registers
    full = registers[FILLED] == len(arrays.board)
    if registers[RETREATING]:
        registers[BACKTRACKS] += 1
    elif not full:
        registers[DEAD_ENDS] += 1
    registers[RETREATING] = 1
    _withdraw(arrays, mark, recording, output)


@inner
def _withdraw(
    arrays: SearchArrays,
    mark: int,
    recording: bool,
    output: Output,
) -> None:
    """Take the trail back to `mark` and tell it."""
    registers = arrays.registers
    for at in range(mark, registers[TRAIL]):
        eliminated = int(arrays.trail[at]) & 0xFF == OP_ELIMINATE
        registers[OTHERS] += eliminated
        registers[UNDOS] += not eliminated
    if not recording:
        registers[WRITTEN] += registers[TRAIL] - mark
    take_back(arrays, mark, recording, output)


@inner
def _charge(arrays: SearchArrays, depth: int) -> None:
    """Note, of a guess at `depth` that has failed for the guesses in arrays.cause, what its choice
    has failed for so far."""
    words = arrays.conflicts.shape[1]
    if arrays.cause[0, depth // WORD] >> (depth % WORD) & 1:
        for word in range(words):
            arrays.conflicts[depth, word] |= arrays.cause[0, word]
        arrays.conflicts[depth, depth // WORD] ^= 1 << (depth % WORD)
    else:
        # This guess had no part in the failure, so no other one in its place helps.
        for word in range(words):
            arrays.conflicts[depth, word] = arrays.cause[0, word]
        arrays.end[depth] = 0


class SearchPlan(NamedTuple):
    """How the search goes about it.

    order       (n,) int64: the empty cells of the puzzle in the strategy's fixed order
    rule_count  how many of the rules are run
    everywhere  those that run at every node, bit k for rule k; the others run at the root only
    strict      whether a cell without candidates is a failure at once, not only when it is chosen
    strict_root the same at the root
    back        CHRONOLOGICAL, CONFLICT_DIRECTED or LIMITED_DISCREPANCY
    last_conflict  whether the choice of the last guess before a dead end comes before all others
    shuffling   whether the options of a choice are shuffled before they are ranked
    activity    whether activities are counted
    learning    whether failed sets of guesses are recorded as nogoods
    probing     PROBES_NOWHERE, PROBES_AT_ROOT or PROBES_EVERYWHERE
    restart     the scale of the runs: see `solver.kernels.restarts`; 0 for a search of one run
    exhaustive  whether it goes on after the first solution
    reserve     the most events that a guess and its undo, or a whole way back, can make
    """

    order: NDArray[np.int64]
    rule_count: int
    everywhere: int
    strict: bool
    strict_root: bool
    back: int
    last_conflict: bool
    shuffling: bool
    activity: bool
    learning: bool
    probing: int
    restart: int
    exhaustive: bool
    reserve: int


@lean
def advance_general(
    choose: tuple[Function, ...],
    rank: tuple[Function, ...],
    rules: tuple[Function, ...],
    tables: Tables,
    arrays: SearchArrays,
    plan: SearchPlan,
    recording: bool,
    room: int,
    output: Output,
) -> int:
    """Go on with the search until it ends or fewer than `plan.reserve` events of `room` are left;
    returns how many events happened. As `solver.kernels.fixed_order.advance` in what it ends with.

    choose, rank  one function each: see `solver.strategies.dynamic_orders`
    rules         SLOTS functions, of which the first `plan.rule_count` are run: see
                  `solver.inference.singles`
    """
    order, rule_count, everyone = plan.order, plan.rule_count, plan.everywhere
    strict, strict_root, back = plan.strict, plan.strict_root, plan.back
    last_conflict, exhaustive, reserve = plan.last_conflict, plan.exhaustive, plan.reserve
    registers = arrays.registers
    explaining = back == CONFLICT_DIRECTED
    cells = len(arrays.board)
    at_root = (1 << rule_count) - 1
    words = arrays.conflicts.shape[1]
    guess_limit = registers[NODE_LIMIT] - 1
    depth = registers[DEPTH]
    phase = registers[PHASE]
    registers[WRITTEN] = 0

    while registers[WRITTEN] + reserve <= room:
        if phase == PHASE_ROOT:
            for unit in range(len(arrays.stale)):
                arrays.stale[unit] = at_root
            sound = 1
            for cell in range(cells):
                if strict_root and arrays.candidates[0, cell] == 0:
                    sound = 0
            if sound:
                sound = infer(rules, rule_count, at_root, tables, arrays, depth, explaining)
            _tell(arrays, depth, recording, output)
            if not sound:
                registers[DEAD_ENDS] += 1
                phase = PHASE_EXHAUSTED
                break
            phase = PHASE_ENTER
            if plan.probing != PROBES_NOWHERE:
                begin_probes(tables, arrays)
                phase = PHASE_PROBE
            continue
        if phase == PHASE_PROBE:
            option = next_probe(tables, arrays, depth)
            if option < 0:
                phase = PHASE_ENTER
                continue
            here = everyone if depth else at_root
            mark = registers[TRAIL]
            _mark(arrays, _labelled(option | OP_PROBE, output), recording, output)
            sound = probe(
                rules, rule_count, here, tables, arrays, depth, option, explaining, output
            )
            _tell(arrays, mark, recording, output)
            if sound:
                continue
            if depth == 0:
                registers[DEAD_ENDS] += 1
                phase = PHASE_EXHAUSTED
                break
            depth -= 1
            phase = PHASE_TRY
            if last_conflict:
                arrays.conflict[0] = arrays.choices[depth]
            _retreat(arrays, arrays.marks[depth], recording, output)
            if explaining:
                _charge(arrays, depth)
            continue
        if phase == PHASE_ENTER:
            phase = PHASE_TRY
            arrays.next[depth] = 0
            if registers[FILLED] == cells:
                if registers[SOLUTIONS] == 0:
                    keep_solution(arrays.board, output)
                registers[SOLUTIONS] += 1
                arrays.conflict[0] = NO_CHOICE
                if not exhaustive:
                    phase = PHASE_SOLVED
                    break
                arrays.end[depth] = 0
                if explaining:
                    # Further solutions may differ in any guess, so all of them are at fault.
                    for word in range(words):
                        arrays.conflicts[depth, word] = 0
                    for level in range(depth):
                        arrays.conflicts[depth, level // WORD] |= 1 << (level % WORD)
            else:
                candidates = arrays.candidates[depth]
                choice = int(arrays.conflict[0])
                if not is_open(tables, arrays.board, choice):
                    choice = choose[0](tables, candidates, arrays.board, order, arrays.learned)
                arrays.choices[depth] = choice
                end = _list_options(tables, arrays, depth, choice)
                options = arrays.options[depth, :end]
                if plan.shuffling:
                    shuffle(arrays.learned.dice, options)
                rank[0](tables, candidates, arrays.board, arrays.scratch, options)
                arrays.end[depth] = end
                if explaining:
                    _excuse(tables, arrays, depth, choice)
                if end == 0 and depth == 0:
                    registers[DEAD_ENDS] += 1
                elif end == 0 and last_conflict:
                    arrays.conflict[0] = arrays.choices[depth - 1]

        at = int(arrays.next[depth])
        allowed = back != LIMITED_DISCREPANCY or at == 0 or arrays.spent[depth] < registers[WAVE]
        if at < arrays.end[depth] and allowed:
            if guess_limit >= 0 and registers[GUESSES] >= guess_limit:
                phase = PHASE_CAPPED
                break
            ends = registers[DEAD_ENDS] - registers[RUN_BEGAN]
            over = plan.restart and ends >= plan.restart * luby(registers[RESTARTS] + 1)
            if over and registers[SOLUTIONS] == 0:
                registers[RESTARTS] += 1
                registers[RUN_BEGAN] = registers[DEAD_ENDS]
                _mark(arrays, OP_RESTART, recording, output)
                if depth:
                    _withdraw(arrays, arrays.marks[0], recording, output)
                depth = 0
                phase = PHASE_ENTER
                continue
            arrays.next[depth] = at + 1
            arrays.spent[depth + 1] = arrays.spent[depth] + (at > 0)
            mark = registers[TRAIL]
            arrays.marks[depth] = mark
            option = arrays.options[depth, at]
            sound = settle(tables, arrays, depth, option, strict, everyone, explaining)
            if sound:
                sound = infer(rules, rule_count, everyone, tables, arrays, depth + 1, explaining)
            if not sound:
                for unit in range(len(arrays.stale)):
                    arrays.stale[unit] = 0
            if plan.activity:
                activity = arrays.learned.activity
                note_activity(activity, arrays.candidates[depth], arrays.candidates[depth + 1])
            repeated = back == LIMITED_DISCREPANCY and arrays.spent[depth + 1] < registers[WAVE]
            if repeated and registers[FILLED] == cells:
                # An earlier wave has shown this board: it is passed over without a word.
                take_back(arrays, mark, False, output)
                continue
            _tell(arrays, mark, recording, output)
            registers[GUESSES] += 1
            registers[RETREATING] = 0
            registers[MAX_DEPTH] = max(registers[MAX_DEPTH], depth + 1)
            if sound:
                depth += 1
                phase = PHASE_ENTER
                if plan.probing == PROBES_EVERYWHERE:
                    begin_probes(tables, arrays)
                    phase = PHASE_PROBE
                continue
            if last_conflict:
                arrays.conflict[0] = arrays.choices[depth]
            _retreat(arrays, mark, recording, output)
            if explaining:
                _charge(arrays, depth)
            continue

        if at < arrays.end[depth]:
            registers[CUT] = 1
        if depth == 0:
            if registers[CUT]:
                registers[CUT] = 0
                registers[WAVE] += 1
                phase = PHASE_ENTER
                continue
            phase = PHASE_EXHAUSTED
            break
        target = depth - 1
        if explaining:
            target = level_of(arrays.conflicts[depth])
            if plan.learning:
                levels = arrays.conflicts[depth]
                length = learn(
                    arrays.nogoods, levels, arrays.options, arrays.next, arrays.board, tables.size
                )
                if length:
                    _mark(arrays, OP_LEARN | length << 16, recording, output)
        last = max(target, 0)
        for level in range(depth - 1, last - 1, -1):
            _retreat(arrays, arrays.marks[level], recording, output)
        if target < 0:
            depth = 0
            phase = PHASE_EXHAUSTED
            break
        if explaining:
            for word in range(words):
                arrays.conflicts[target, word] |= arrays.conflicts[depth, word]
            arrays.conflicts[target, target // WORD] ^= 1 << (target % WORD)
        depth = target

    registers[DEPTH] = depth
    registers[PHASE] = phase
    return int(registers[WRITTEN])


Loop = Callable[
    [
        tuple[Function, ...],
        tuple[Function, ...],
        tuple[Function, ...],
        Tables,
        SearchArrays,
        SearchPlan,
        bool,
        int,
        Output,
    ],
    int,
]
"""The type of `advance_general`."""
