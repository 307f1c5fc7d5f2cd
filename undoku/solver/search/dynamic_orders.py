"""The orders of cells and of values that depend on the state.

A cell order is a function `choose(tables, candidates, board, order, learned)`, a loop or a Python
function of another package, that returns the cell to branch on, or -(1 + unit × size + value - 1)
to branch over the cells of a unit that can hold a value. A value order is `rank(tables, candidates,
board, scores, options)`, which sorts `options` in place and returns 0.

    tables      undoku.solver.problem.problem.Tables
    candidates  (cells,) int64: bit v-1 set while a cell may hold v; a filled cell has one bit
    board       (cells,) uint8: 0 where a cell is empty; at least one is
    order       (n,) int64: the empty cells of the puzzle in the strategy's fixed order
    learned     undoku.solver.search.search_state.Learned: the memory of the search
    options     (m,) int64: what may be tried: value << 8 | cell << 16
    scores      (size,) int64: working memory

Random numbers come from Marsaglia's xorshift with 32 bits (2003, shifts 13, 17, 5); its state is
never 0. A random number below n is state × n >> 32.
"""

from __future__ import annotations

from undoku.h264.loops import F64, I64, U8, call_outside, count_bits, inner
from undoku.solver.problem.problem import WIDE, Tables
from undoku.solver.search.search_state import CHOOSE, OUTSIDE, RANK, Learned, OutsideParts

CELL_DICE, VALUE_DICE = range(2)
"""The generators in `Learned.dice`: one for the cell, one for its values."""

_WORD = 0xFFFFFFFF


def register_of(seed: int) -> int:
    """The initial state for a seed >= 0: its bits mixed by the finaliser of MurmurHash3 (64 bits),
    so that neighbouring seeds give different numbers."""
    mixed = (seed + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        mixed = (mixed ^ mixed >> 33) * factor & 0xFFFFFFFFFFFFFFFF
    return (mixed >> 32) or 1


@inner
def draw(dice: I64, which: int, below: int) -> int:
    """A random number from 0 to below - 1, below < 2^31."""
    register = int(dice[which])
    register ^= register << 13 & _WORD
    register ^= register >> 17
    register ^= register << 5 & _WORD
    dice[which] = register
    return register * below >> 32


@inner
def shuffle(dice: I64, options: I64) -> None:
    """Shuffle the options in place (Fisher and Yates), from the last one down to the second."""
    for last in range(len(options) - 1, 0, -1):
        other = draw(dice, VALUE_DICE, last + 1)
        kept = options[last]
        options[last] = options[other]
        options[other] = kept


DECAY = 0.999


@inner
def note_activity(activity: F64, before: I64, after: I64) -> None:
    """Count a guess that turned the candidates `before` it into those `after` it."""
    for cell in range(len(activity)):
        mask = int(before[cell])
        if mask & (mask - 1):
            activity[cell] *= DECAY
            if int(after[cell]) != mask:
                activity[cell] += 1.0


@inner
def listed(board: U8, order: I64) -> int:
    """The first empty cell of the fixed order."""
    for cell in order:
        if board[cell] == 0:
            return int(cell)
    return 0


LISTED, FEWEST, AT_RANDOM, AT_MOST_TWO, THEN_DEGREE, PER_FAILURE, ACTIVE, MOST, COVER = range(
    OUTSIDE + 1, OUTSIDE + 10
)
"""The numbers of cell orders. FEWEST, AT_MOST_TWO, THEN_DEGREE, PER_FAILURE, ACTIVE and MOST take
the cell with the smallest quotient of size and weight, the lowest of several."""


@inner
def _size(number: int, mask: int) -> int:
    """The size of a cell with these candidates."""
    count = count_bits(mask)
    if number == MOST:
        return 64 - count
    if number == AT_MOST_TWO:
        return int(count > 2)
    return count


@inner
def _failures(tables: Tables, board: U8, weights: I64, cell: int) -> int:
    """The sum of the weights of those units of a cell that have another empty cell, at least 1."""
    weight = 0
    for k in range(tables.cell_units.shape[1]):
        unit = tables.cell_units[cell, k]
        if k > 0 and unit == tables.cell_units[cell, 0]:
            continue
        for at in range(tables.units.shape[1]):
            other = tables.units[unit, at]
            if other < 0:
                break
            if other != cell and board[other] == 0:
                weight += weights[unit]
                break
    return max(weight, 1)


@inner
def _degree(tables: Tables, board: U8, cell: int) -> int:
    """The number of empty peers of a cell."""
    degree = 0
    for at in range(tables.peers.shape[1]):
        peer = tables.peers[cell, at]
        if peer < 0:
            break
        if at == 0 or tables.peers[cell, at - 1] != peer:
            degree += board[peer] == 0
    return degree


@inner
def smallest(number: int, tables: Tables, candidates: I64, board: U8, learned: Learned) -> int:
    """The empty cell with the smallest quotient of size and weight; THEN_DEGREE takes of several
    the one with the most empty peers."""
    best = -1
    least = 0
    heaviest = 1.0
    most = 0
    for cell in range(len(board)):
        if board[cell] == 0:
            size = _size(number, candidates[cell])
            weight, degree = 1.0, 0
            if number == ACTIVE:
                weight = learned.activity[cell]
            elif number == PER_FAILURE:
                # Units without another empty cell, which take longer to find, do not matter where
                # the weights of all units would not suffice.
                whole = 1
                for unit in tables.cell_units[cell]:
                    whole += learned.weights[unit]
                if best >= 0 and size * heaviest >= least * whole:
                    continue
                weight = float(_failures(tables, board, learned.weights, cell))
            elif number == THEN_DEGREE:
                if best >= 0 and size > least:
                    continue
                degree = _degree(tables, board, cell)
            smaller = size < least if weight == heaviest else size * heaviest < least * weight
            if best < 0 or smaller or degree > most:
                best, least, heaviest, most = cell, size, weight, degree
                if size == 0 and number != THEN_DEGREE:
                    break
    return best


@inner
def fewest_at_random(candidates: I64, board: U8, learned: Learned) -> int:
    """One of the cells with the fewest candidates; a number is drawn for every choice, even if
    there is only one such cell."""
    least = 64
    equals = 0
    for cell in range(len(board)):
        if board[cell] == 0:
            count = count_bits(candidates[cell])
            if count < least:
                least = count
                equals = 0
            equals += count == least
    wanted = draw(learned.dice, CELL_DICE, equals)
    for cell in range(len(board)):
        if board[cell] == 0 and count_bits(candidates[cell]) == least:
            if wanted == 0:
                return cell
            wanted -= 1
    return 0


@inner
def smallest_cover(tables: Tables, candidates: I64, board: U8, learned: Learned) -> int:
    """The smallest choice among the cells, by candidates, and the values that a unit still needs,
    by cells. Of several, the first cell, otherwise the lowest value of the first unit."""
    size = tables.size
    best = smallest(FEWEST, tables, candidates, board, learned)
    least = count_bits(candidates[best])
    for unit in range(tables.aligned):
        if least == 0:
            break
        if tables.units[unit, size - 1] < 0:
            continue
        # The values with at least one, two, … cells, as long as the choice could be smaller.
        held = 0
        once = 0
        twice = 0
        for at in range(size):
            cell = tables.units[unit, at]
            held |= (board[cell] != 0) * int(candidates[cell])
            twice |= once & int(candidates[cell])
            once |= int(candidates[cell])
        needed = ((1 << size) - 1) & ~held
        if needed & once == needed and needed & ~twice == 0 and least <= 2:
            continue
        for index in range(size):
            if needed >> index & 1:
                count = 0
                for at in range(size):
                    count += int(candidates[tables.units[unit, at]]) >> index & 1
                if count < least:
                    least = count
                    best = -(1 + unit * size + index)
    return best


@inner
def _insert(number: int, score: int, scores: I64, options: I64) -> None:
    """Insert option `number` into the sorted ones before it, behind those of the same score."""
    option = options[number]
    slot = number
    while slot > 0 and scores[slot - 1] > score:
        scores[slot] = scores[slot - 1]
        options[slot] = options[slot - 1]
        slot -= 1
    scores[slot] = score
    options[slot] = option


@inner
def _sort_by_loss(
    tables: Tables,
    candidates: I64,
    board: U8,
    scores: I64,
    options: I64,
    sign: int,
) -> None:
    """Stable sort by the number of candidates that an option removes from the empty peers. `sign` 1
    puts the smallest first, -1 the largest."""
    for number in range(len(options)):
        option = options[number]
        cell = option >> 16
        wide = 1 << ((option >> 8 & 0xFF) - 1 + WIDE)
        lost = 0
        for at in range(tables.peers.shape[1]):
            peer = tables.peers[cell, at]
            if peer < 0:
                break
            excluded = wide >> tables.falls[cell, at]
            lost += board[peer] == 0 and int(candidates[peer]) & excluded != 0
        _insert(number, lost * sign, scores, options)


@inner
def choose(
    number: int,
    outside: OutsideParts,
    depth: int,
    tables: Tables,
    candidates: I64,
    board: U8,
    order: I64,
    learned: Learned,
) -> int:
    """The choice of a cell order."""
    if number == OUTSIDE:
        return call_outside(outside, CHOOSE, depth)
    if number == LISTED:
        return listed(board, order)
    if number == AT_RANDOM:
        return fewest_at_random(candidates, board, learned)
    if number == COVER:
        return smallest_cover(tables, candidates, board, learned)
    # The number is a constant in these calls, for which the compiler makes loops of their own.
    if number == FEWEST:
        return smallest(FEWEST, tables, candidates, board, learned)
    if number == AT_MOST_TWO:
        return smallest(AT_MOST_TWO, tables, candidates, board, learned)
    if number == ACTIVE:
        return smallest(ACTIVE, tables, candidates, board, learned)
    if number == MOST:
        return smallest(MOST, tables, candidates, board, learned)
    return smallest(number, tables, candidates, board, learned)


AS_THEY_COME, LEAST_CONSTRAINING, MOST_CONSTRAINING, AS_PREFERRED = range(OUTSIDE + 1, OUTSIDE + 5)
"""The numbers of value orders."""


@inner
def rank(
    number: int,
    outside: OutsideParts,
    depth: int,
    preference: I64,
    tables: Tables,
    candidates: I64,
    board: U8,
    scores: I64,
    options: I64,
) -> None:
    """Sort the options of a depth; `preference` has the place of each value in a fixed order."""
    if number == LEAST_CONSTRAINING:
        _sort_by_loss(tables, candidates, board, scores, options, 1)
    elif number == MOST_CONSTRAINING:
        _sort_by_loss(tables, candidates, board, scores, options, -1)
    elif number == AS_PREFERRED:
        for at in range(len(options)):
            _insert(at, preference[(options[at] >> 8 & 0xFF) - 1], scores, options)
    elif number == OUTSIDE:
        call_outside(outside, RANK, depth)
