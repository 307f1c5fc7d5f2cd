"""Restarts: after a number of dead ends a search begins again at the root.

The numbers of dead ends follow the sequence of Luby, Sinclair and Zuckerman (1993):
1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …, each times the scale that a strategy names.
"""

from __future__ import annotations

from undoku.machine_code.jit import inner

__all__ = ["luby"]


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
