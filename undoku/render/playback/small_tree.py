"""The search tree, node by node, as long as it is small: a compiled loop over arrays.

parents   (most,) int32    the parent of each node, in the order in which nodes were created; the
                           root is node 0 and its own parent
forced    (cells,) uint8   1 if inference placed the current value
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import lean
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.ops import OP_FORCED, OP_GUESS, OP_UNDO

__all__ = ["MAX_NODES", "Tree"]

MAX_NODES = 400
"""The maximum number of nodes of a tree that is shown node by node."""

_COUNT, _CURRENT = range(2)


@lean
def _fold(
    events: NDArray[np.uint32],
    parents: NDArray[np.int32],
    forced: NDArray[np.uint8],
    registers: NDArray[np.int64],
) -> None:
    """Record packed events, until there are too many nodes."""
    most = len(parents)
    count = registers[_COUNT]
    current = registers[_CURRENT]
    for event in events:
        if count > most:
            break
        op = event & 0xFF
        cell = event >> 16
        if op == OP_GUESS:
            forced[cell] = 0
            if count < most:
                parents[count] = current
                current = count
            count += 1
        elif op == OP_FORCED:
            forced[cell] = 1
        elif op == OP_UNDO and not forced[cell]:
            current = parents[current]
    registers[_COUNT] = count
    registers[_CURRENT] = current


class Tree:
    """A recorder (`undoku.render.playback.player.Recorder`) of trees with up to `most` nodes."""

    def __init__(self, puzzle: Puzzle, most: int) -> None:
        self.parents = np.zeros(most, np.int32)
        self._forced = np.zeros(puzzle.geometry.cells, np.uint8)
        self._registers = np.array([1, 0], np.int64)

    def record(self, events: NDArray[np.uint32]) -> None:
        """Record packed events (n,) uint32."""
        _fold(events, self.parents, self._forced, self._registers)

    @property
    def count(self) -> int:
        """The number of nodes so far, including the root; more than `most` if there are too
        many."""
        return int(self._registers[_COUNT])

    @property
    def whole(self) -> bool:
        """Whether all nodes were recorded."""
        return self.count <= len(self.parents)

    @property
    def current(self) -> int:
        """The number of the current node."""
        return int(self._registers[_CURRENT])
