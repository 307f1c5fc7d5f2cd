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
from undoku.solver.search.search_state import OUTSIDE, Learned, Outside

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


@inner
def fewest_at_random(
    tables: Tables,
    candidates: I64,
    board: U8,
    order: I64,
    learned: Learned,
) -> int:
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
def most_active(
    tables: Tables,
    candidates: I64,
    board: U8,
    order: I64,
    learned: Learned,
) -> int:
    """The cell with the most activity per candidate, the lowest of several; cells without
    candidates come before all others."""
    best = 0
    highest = -1.0
    share = 1
    for cell in range(len(board)):
        if board[cell] == 0:
            count = count_bits(candidates[cell])
            if count == 0:
                return cell
            if learned.activity[cell] * share > highest * count:
                best = cell
                highest = learned.activity[cell]
                share = count
    return best


@inner
def listed(tables: Tables, candidates: I64, board: U8, order: I64, learned: Learned) -> int:
    """The first empty cell of the fixed order."""
    for cell in order:
        if board[cell] == 0:
            return int(cell)
    return 0


@inner
def fewest(tables: Tables, candidates: I64, board: U8, order: I64, learned: Learned) -> int:
    """The cell with the fewest candidates, the lowest of several."""
    best = 0
    least = 64
    for cell in range(len(board)):
        if board[cell] == 0:
            count = count_bits(candidates[cell])
            if count < least:
                best = cell
                least = count
                if count == 0:
                    break
    return best


@inner
def at_most_two(tables: Tables, candidates: I64, board: U8, order: I64, learned: Learned) -> int:
    """The lowest cell with at most two candidates; if there is none, the lowest empty one."""
    first = -1
    for cell in range(len(board)):
        if board[cell] == 0:
            mask = int(candidates[cell])
            mask &= mask - 1
            if mask & (mask - 1) == 0:
                return cell
            if first < 0:
                first = cell
    return first


@inner
def fewest_then_degree(
    tables: Tables, candidates: I64, board: U8, order: I64, learned: Learned
) -> int:
    """The cell with the fewest candidates; of several the one with most empty peers."""
    best = 0
    least = 64
    degree_of_best = -1
    for cell in range(len(board)):
        if board[cell] == 0:
            count = count_bits(candidates[cell])
            if count > least:
                continue
            degree = 0
            for at in range(tables.peers.shape[1]):
                peer = tables.peers[cell, at]
                if peer < 0:
                    break
                if at == 0 or tables.peers[cell, at - 1] != peer:
                    degree += board[peer] == 0
            if count < least or degree > degree_of_best:
                best = cell
                least = count
                degree_of_best = degree
    return best


@inner
def fewest_per_failure(
    tables: Tables, candidates: I64, board: U8, order: I64, learned: Learned
) -> int:
    """The cell with the smallest quotient of candidates and weight, the lowest of several. Its
    weight is the sum of the weights of its units that have another empty cell."""
    best = 0
    least = 64
    heaviest = 0
    for cell in range(len(board)):
        if board[cell] == 0:
            count = count_bits(candidates[cell])
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
                        weight += learned.weights[unit]
                        break
            weight = max(weight, 1)
            if heaviest == 0 or count * heaviest < least * weight:
                best = cell
                least = count
                heaviest = weight
    return best


@inner
def most(tables: Tables, candidates: I64, board: U8, order: I64, learned: Learned) -> int:
    """The cell with the most candidates, the lowest of several."""
    best = 0
    largest = -1
    for cell in range(len(board)):
        if board[cell] == 0:
            count = count_bits(candidates[cell])
            if count > largest:
                best = cell
                largest = count
    return best


@inner
def smallest_cover(tables: Tables, candidates: I64, board: U8, order: I64, learned: Learned) -> int:
    """The smallest choice among the cells, by candidates, and the values that a unit still needs,
    by cells. Of several, the first cell, otherwise the lowest value of the first unit."""
    size = tables.size
    best = 0
    least = 64
    for cell in range(len(board)):
        if board[cell] == 0:
            count = count_bits(candidates[cell])
            if count < least:
                best = cell
                least = count
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
) -> int:
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
    return 0


@inner
def least_constraining(
    tables: Tables, candidates: I64, board: U8, scores: I64, options: I64
) -> int:
    """Options that remove the fewest candidates from the peers come first."""
    return _sort_by_loss(tables, candidates, board, scores, options, 1)


@inner
def most_constraining(tables: Tables, candidates: I64, board: U8, scores: I64, options: I64) -> int:
    """Options that remove the most candidates from the peers come first."""
    return _sort_by_loss(tables, candidates, board, scores, options, -1)


LISTED, FEWEST, AT_RANDOM, AT_MOST_TWO, THEN_DEGREE, PER_FAILURE, ACTIVE, MOST, COVER = range(
    OUTSIDE + 1, OUTSIDE + 10
)
"""The numbers of cell orders."""


@inner
def choose(
    number: int,
    outside: Outside,
    depth: int,
    tables: Tables,
    candidates: I64,
    board: U8,
    order: I64,
    learned: Learned,
) -> int:
    """The choice of a cell order."""
    if number == LISTED:
        return listed(tables, candidates, board, order, learned)
    if number == FEWEST:
        return fewest(tables, candidates, board, order, learned)
    if number == AT_RANDOM:
        return fewest_at_random(tables, candidates, board, order, learned)
    if number == AT_MOST_TWO:
        return at_most_two(tables, candidates, board, order, learned)
    if number == THEN_DEGREE:
        return fewest_then_degree(tables, candidates, board, order, learned)
    if number == PER_FAILURE:
        return fewest_per_failure(tables, candidates, board, order, learned)
    if number == ACTIVE:
        return most_active(tables, candidates, board, order, learned)
    if number == MOST:
        return most(tables, candidates, board, order, learned)
    if number == COVER:
        return smallest_cover(tables, candidates, board, order, learned)
    return call_outside(outside.choose, depth, 0)


AS_THEY_COME, LEAST_CONSTRAINING, MOST_CONSTRAINING, AS_PREFERRED = range(OUTSIDE + 1, OUTSIDE + 5)
"""The numbers of value orders."""


@inner
def rank(
    number: int,
    outside: Outside,
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
        least_constraining(tables, candidates, board, scores, options)
    elif number == MOST_CONSTRAINING:
        most_constraining(tables, candidates, board, scores, options)
    elif number == AS_PREFERRED:
        for at in range(len(options)):
            _insert(at, preference[(options[at] >> 8 & 0xFF) - 1], scores, options)
    elif number == OUTSIDE:
        call_outside(outside.rank, depth, len(options))
