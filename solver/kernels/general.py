"""The compiled loop of a search with any combination of orders, inference and backtracking."""

from __future__ import annotations

from collections.abc import Callable

from solver.geometry_arrays import Tables
from solver.jit import lean
from solver.kernels.board_changes import settle, take_back
from solver.kernels.bookkeeping import (
    CUT,
    DEAD_ENDS,
    DEPTH,
    FILLED,
    GUESSES,
    MAX_DEPTH,
    NODE_LIMIT,
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
    WAVE,
    WRITTEN,
    Output,
    keep_solution,
)
from solver.kernels.choice_options import charge, excuse, list_options
from solver.kernels.conflict_sets import WORD, level_of
from solver.kernels.last_conflict import NO_CHOICE, is_open
from solver.kernels.nogoods import learn
from solver.kernels.probing import begin_probes, next_probe, probe
from solver.kernels.propagation import infer
from solver.kernels.restarts import luby
from solver.kernels.search_arrays import SearchArrays
from solver.kernels.search_plan import (
    CONFLICT_DIRECTED,
    LIMITED_DISCREPANCY,
    PROBES_EVERYWHERE,
    PROBES_NOWHERE,
    SearchPlan,
)
from solver.kernels.trail_events import labelled, retreat, tell_mark, tell_trail, withdraw
from solver.ops import OP_LEARN, OP_PROBE, OP_RESTART
from solver.strategies.activity import note_activity
from solver.strategies.random_choices import shuffle

__all__ = ["Function", "Loop", "advance_general"]

Function = Callable[..., int]


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
    """Continue the search until it ends or fewer than `plan.reserve` events of `room` are left;
    returns the number of events. The outcomes are those of `solver.kernels.fixed_order.advance`.

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
            tell_trail(arrays, depth, recording, output)
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
            tell_mark(arrays, labelled(option | OP_PROBE, output), recording, output)
            sound = probe(
                rules, rule_count, here, tables, arrays, depth, option, explaining, output
            )
            tell_trail(arrays, mark, recording, output)
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
            retreat(arrays, arrays.marks[depth], recording, output)
            if explaining:
                charge(arrays, depth)
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
                    # Further solutions may differ in any guess, so all guesses belong to the
                    # conflict set.
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
                end = list_options(tables, arrays, depth, choice)
                options = arrays.options[depth, :end]
                if plan.shuffling:
                    shuffle(arrays.learned.dice, options)
                rank[0](tables, candidates, arrays.board, arrays.scratch, options)
                arrays.end[depth] = end
                if explaining:
                    excuse(tables, arrays, depth, choice)
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
                tell_mark(arrays, OP_RESTART, recording, output)
                if depth:
                    withdraw(arrays, arrays.marks[0], recording, output)
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
                # An earlier wave has shown this board: it is skipped without an event.
                take_back(arrays, mark, False, output)
                continue
            tell_trail(arrays, mark, recording, output)
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
            retreat(arrays, mark, recording, output)
            if explaining:
                charge(arrays, depth)
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
                length = learn(arrays.nogoods, levels, arrays.options, arrays.next)
                if length:
                    tell_mark(arrays, OP_LEARN | length << 16, recording, output)
        last = max(target, 0)
        for level in range(depth - 1, last - 1, -1):
            retreat(arrays, arrays.marks[level], recording, output)
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
