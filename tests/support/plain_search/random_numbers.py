"""Random numbers and lengths of runs, as published."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["XorShift", "luby_sequence"]


class XorShift:
    """Marsaglia 2003, 32 bits, shifts 13, 17, 5; a number below n is the register times n, divided
    by 2^32."""

    def __init__(self, register: int) -> None:
        self.register = register

    def below(self, count: int) -> int:
        x = self.register
        x ^= (x << 13) % 2**32
        x ^= x >> 17
        x ^= (x << 5) % 2**32
        self.register = x
        return x * count // 2**32


def luby_sequence() -> Iterator[int]:
    """Luby, Sinclair and Zuckerman 1993: every second time that 2^k has been said twice as many
    times as needed, 2^(k + 1) is said once. (Knuth's reluctant doubling.)"""
    u, v = 1, 1
    while True:
        yield v
        u, v = (u + 1, 1) if u & -u == v else (u, 2 * v)
