"""The loop of a search with any combination of orders, inference and backtracking."""

from __future__ import annotations

from undoku.h264.loops import U8, inner, loop, low_bit
from undoku.solver.problem.problem import Tables
from undoku.solver.search.conflict_sets import (
    WORD,
    add_reason_levels,
    add_removal_levels,
    highest_level,
)
from undoku.solver.search.dynamic_orders import choose, note_activity, rank, shuffle
from undoku.solver.search.nogoods import learn
from undoku.solver.search.ops import OP_LEARN, OP_PROBE, OP_RESTART
from undoku.solver.search.propagation import begin_probes, infer, next_probe, probe
from undoku.solver.search.search_state import (
    BACKTRACKING,
    CONFLICT_DIRECTED,
    CUT,
    DEAD_ENDS,
    DEPTH,
    FILLED,
    GUESSED,
    GUESSES,
    LIMITED_DISCREPANCY,
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
    PRIORITY,
    PROBES_EVERYWHERE,
    PROBES_NOWHERE,
    RESTARTS,
    RUN_BEGAN,
    SOLUTIONS,
    TRAIL,
    WAVE,
    WRITTEN,
    Output,
    SearchArrays,
    SearchPlan,
    keep_solution,
)
from undoku.solver.search.trail import (
    backtrack,
    place_guess,
    undo_trail,
    write_mark,
    write_trail,
)

NO_CHOICE = -(1 << 40)
"""There has been no dead end."""


@inner
def option_of(tables: Tables, choice: int, number: int) -> int:
    """The option `number`, below the size, of a choice: value << 8 | cell << 16."""
    if choice >= 0:
        return (number + 1) << 8 | choice << 16
    index = (-1 - choice) % tables.size
    return (index + 1) << 8 | int(tables.units[(-1 - choice) // tables.size, number]) << 16


@inner
def is_open(tables: Tables, board: U8, choice: int) -> bool:
    """Whether a choice is still open: the cell is empty, or no cell of the unit holds the value."""
    if choice >= 0 or choice == NO_CHOICE:
        return choice >= 0 and board[choice] == 0
    for number in range(tables.size):
        option = option_of(tables, choice, number)
        if board[option >> 16] == option >> 8 & 0xFF:
            return False
    return True


@inner
def luby(run: int) -> int:
    """The term of the sequence for a run, numbered from 1: 2^(k - 1) for number 2^k - 1; otherwise
    the term for number - (2^(k - 1) - 1), with 2^(k - 1) <= number < 2^k - 1."""
    while True:
        power = 1
        while 2 * power - 1 < run:
            power *= 2
        if 2 * power - 1 == run:
            return power
        run -= power - 1


@inner
def list_options(tables: Tables, arrays: SearchArrays, depth: int, choice: int) -> int:
    """Write the options of a choice to arrays.options[depth], ascending; returns their number."""
    candidates = arrays.candidates[depth]
    count = 0
    left = int(candidates[choice]) if choice >= 0 else (1 << tables.size) - 1
    while left:
        option = option_of(tables, choice, low_bit(left))
        left &= left - 1
        if choice >= 0 or int(candidates[option >> 16]) >> (-1 - choice) % tables.size & 1:
            arrays.options[depth, count] = option
            count += 1
    return count


@inner
def begin_conflict_set(tables: Tables, arrays: SearchArrays, depth: int, choice: int) -> None:
    """Initialise the conflict set of a choice: the guesses that removed its other options."""
    conflicts = arrays.conflict_sets[depth]
    conflicts[:] = 0
    if choice >= 0:
        reason = -1 - choice
        add_reason_levels(
            tables, arrays.candidates[depth], arrays.removal_levels, reason, conflicts
        )
        return
    for number in range(tables.size):
        option = option_of(tables, choice, number)
        cell, bit = option >> 16, 1 << ((option >> 8 & 0xFF) - 1)
        removed = bit & ~int(arrays.candidates[depth, cell])
        add_removal_levels(arrays.removal_levels, cell, removed, tables.size, conflicts)


@inner
def take_back(
    plan: SearchPlan, arrays: SearchArrays, depth: int, recording: bool, output: Output
) -> None:
    """Undo the guess of a depth, which failed, and add the guesses in arrays.cause_levels, which
    caused this, to the conflict set of its choice."""
    if plan.last_conflict:
        arrays.registers[PRIORITY] = arrays.choices[depth]
    backtrack(arrays, depth, recording, output)
    if plan.backtracking != CONFLICT_DIRECTED:
        return
    words = arrays.conflict_sets.shape[1]
    if arrays.cause_levels[0, depth // WORD] >> (depth % WORD) & 1:
        for word in range(words):
            arrays.conflict_sets[depth, word] |= arrays.cause_levels[0, word]
        arrays.conflict_sets[depth, depth // WORD] ^= 1 << (depth % WORD)
    else:
        # This guess did not contribute to the failure, so other options would fail, too.
        arrays.conflict_sets[depth] = arrays.cause_levels[0]
        arrays.end[depth] = 0


@loop
def advance_general(
    tables: Tables,
    arrays: SearchArrays,
    plan: SearchPlan,
    recording: bool,
    room: int,
    output: Output,
) -> int:
    """Continue the search until it ends or fewer than `plan.reserve` events of `room` are left;
    returns the number of events. The outcomes are those of
    `undoku.solver.search.plain_loops.advance`.
    """
    order, node_rules = plan.order, plan.node_rules
    strict, backtracking, last_conflict = plan.strict, plan.backtracking, plan.last_conflict
    exhaustive, reserve = plan.exhaustive, plan.reserve
    registers = arrays.registers
    explaining = backtracking == CONFLICT_DIRECTED
    cells = len(arrays.board)
    root_rules = (1 << len(plan.rules)) - 1
    words = arrays.conflict_sets.shape[1]
    depth = registers[DEPTH]
    phase = registers[PHASE]
    registers[WRITTEN] = 0

    while registers[WRITTEN] + reserve <= room:
        if phase == PHASE_ROOT:
            arrays.stale[:] = root_rules
            consistent = 0
            if not plan.root_fails:
                consistent = infer(plan, root_rules, tables, arrays, depth, explaining)
            write_trail(arrays, depth, recording, output)
            if not consistent:
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
            active_rules = node_rules if depth else root_rules
            mark = registers[TRAIL]
            write_mark(arrays, option | OP_PROBE, recording, output)
            consistent = probe(
                plan, active_rules, tables, arrays, depth, option, explaining, output
            )
            write_trail(arrays, mark, recording, output)
            if consistent:
                continue
            if depth == 0:
                registers[DEAD_ENDS] += 1
                phase = PHASE_EXHAUSTED
                break
            depth -= 1
            phase = PHASE_TRY
            take_back(plan, arrays, depth, recording, output)
            continue
        if phase == PHASE_ENTER:
            phase = PHASE_TRY
            arrays.next[depth] = 0
            if registers[FILLED] == cells:
                if registers[SOLUTIONS] == 0:
                    keep_solution(arrays.board, output)
                registers[SOLUTIONS] += 1
                registers[PRIORITY] = NO_CHOICE
                if not exhaustive:
                    phase = PHASE_SOLVED
                    break
                arrays.end[depth] = 0
                if explaining:
                    # Further solutions may differ in any guess, so all guesses belong to the
                    # conflict set.
                    arrays.conflict_sets[depth, :] = 0
                    for level in range(depth):
                        arrays.conflict_sets[depth, level // WORD] |= 1 << (level % WORD)
            else:
                candidates = arrays.candidates[depth]
                choice = int(registers[PRIORITY])
                if not is_open(tables, arrays.board, choice):
                    choice = choose(
                        plan.cell_order,
                        plan.outside,
                        depth,
                        tables,
                        candidates,
                        arrays.board,
                        order,
                        arrays.learned,
                    )
                arrays.choices[depth] = choice
                end = list_options(tables, arrays, depth, choice)
                arrays.end[depth] = end
                options = arrays.options[depth, :end]
                if plan.shuffling:
                    shuffle(arrays.learned.dice, options)
                rank(
                    plan.value_order,
                    plan.outside,
                    depth,
                    plan.preference,
                    tables,
                    candidates,
                    arrays.board,
                    arrays.scratch,
                    options,
                )
                if explaining:
                    begin_conflict_set(tables, arrays, depth, choice)
                if end == 0 and depth == 0:
                    registers[DEAD_ENDS] += 1
                elif end == 0 and last_conflict:
                    registers[PRIORITY] = arrays.choices[depth - 1]

        at = int(arrays.next[depth])
        allowed = (
            backtracking != LIMITED_DISCREPANCY
            or at == 0
            or arrays.discrepancies[depth] < registers[WAVE]
        )
        if at < arrays.end[depth] and allowed:
            # The limit is read each time: a part of another package that fails sets it.
            if registers[NODE_LIMIT] > 0 and registers[GUESSES] >= registers[NODE_LIMIT] - 1:
                phase = PHASE_CAPPED
                break
            ends = registers[DEAD_ENDS] - registers[RUN_BEGAN]
            over = plan.restart and ends >= plan.restart * luby(registers[RESTARTS] + 1)
            if over and registers[SOLUTIONS] == 0:
                registers[RESTARTS] += 1
                registers[RUN_BEGAN] = registers[DEAD_ENDS]
                write_mark(arrays, OP_RESTART, recording, output)
                if depth:
                    undo_trail(arrays, arrays.marks[0], True, recording, output)
                depth = 0
                phase = PHASE_ENTER
                continue
            arrays.next[depth] = at + 1
            arrays.discrepancies[depth + 1] = arrays.discrepancies[depth] + (at > 0)
            mark = registers[TRAIL]
            arrays.marks[depth] = mark
            option = arrays.options[depth, at]
            consistent = place_guess(tables, arrays, depth, option, strict, node_rules, explaining)
            if consistent:
                consistent = infer(plan, node_rules, tables, arrays, depth + 1, explaining)
            if not consistent:
                arrays.stale[:] = 0
            if plan.activity:
                activity = arrays.learned.activity
                note_activity(activity, arrays.candidates[depth], arrays.candidates[depth + 1])
            repeated = (
                backtracking == LIMITED_DISCREPANCY
                and arrays.discrepancies[depth + 1] < registers[WAVE]
            )
            if repeated and registers[FILLED] == cells:
                # An earlier wave has shown this board: it is skipped without an event.
                undo_trail(arrays, mark, False, False, output)
                continue
            write_trail(arrays, mark, recording, output)
            registers[GUESSES] += 1
            fitting = int(arrays.candidates[depth, option >> 16])
            registers[GUESSED] += fitting & (fitting - 1) != 0
            registers[BACKTRACKING] = 0
            registers[MAX_DEPTH] = max(registers[MAX_DEPTH], depth + 1)
            if consistent:
                depth += 1
                phase = PHASE_ENTER
                if plan.probing == PROBES_EVERYWHERE:
                    begin_probes(tables, arrays)
                    phase = PHASE_PROBE
                continue
            take_back(plan, arrays, depth, recording, output)
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
            target = highest_level(arrays.conflict_sets[depth])
            if len(arrays.nogoods.lengths):
                levels = arrays.conflict_sets[depth]
                length = learn(arrays.nogoods, levels, arrays.options, arrays.next)
                if length:
                    write_mark(arrays, OP_LEARN | length << 16, recording, output)
        for level in range(depth - 1, max(target, 0) - 1, -1):
            backtrack(arrays, level, recording, output)
        if target < 0:
            depth = 0
            phase = PHASE_EXHAUSTED
            break
        if explaining:
            for word in range(words):
                arrays.conflict_sets[target, word] |= arrays.conflict_sets[depth, word]
            arrays.conflict_sets[target, target // WORD] ^= 1 << (target % WORD)
        depth = target

    registers[DEPTH] = depth
    registers[PHASE] = phase
    return int(registers[WRITTEN])
