# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The function of compiled_order.py. Cython compiles it when the package is built."""


def diagonal(
    tables,
    long long[::1] candidates,
    unsigned char[::1] board,
    long long[::1] order,
    learned,
):
    """The empty cell with the smallest sum of row and column; on a tie the one in the highest row.
    The arguments are those of `undoku.solver.search.dynamic_orders`."""
    cdef long long size = tables.size
    cdef long long cell, distance, best = 0, least = 1 << 30
    for cell in range(board.shape[0]):
        if board[cell] == 0:
            distance = cell // size + cell % size
            if distance < least:
                best, least = cell, distance
    return best
