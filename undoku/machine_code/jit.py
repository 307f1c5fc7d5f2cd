"""Compiles the inner loops with numba, or leaves them plain Python if UNDOKU_PLAIN is set.

The same source runs both ways: plain Python is the reference for tests of the compiled loops.
Import modules with compiled functions where they are called, not at the top of a module that a
short command needs.

A loop that calls functions of the caller's choice (a cell order, a list of inference rules) takes
them as arguments. Each is compiled separately, once, and the loop calls it through a pointer, so
that one compiled loop serves every combination and only functions that are used are compiled.

Compiled loops are those of `undoku.machine_code`, which imports numba only to compile a loop, or,
if UNDOKU_NUMBA is "documented", numba's own through `undoku.machine_code.documented`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

__all__ = [
    "compiled",
    "count_bits",
    "entry_point",
    "exact",
    "inner",
    "lean",
    "low_bit",
    "superword",
]

P = ParamSpec("P")
R = TypeVar("R")

if TYPE_CHECKING or os.environ.get("UNDOKU_PLAIN"):

    def compiled(function: Callable[P, R]) -> Callable[P, R]:
        """Leave `function` as it is."""
        return function

    def lean(function: Callable[P, R]) -> Callable[P, R]:
        """Leave `function` as it is. When compiled, it must not allocate arrays, and references to
        them are not counted, which makes it six times as fast with arrays in a tuple."""
        return function

    def inner(function: Callable[P, R]) -> Callable[P, R]:
        """Leave `function` as it is. When compiled, it is lean, and only other loops may call
        it."""
        return function

    def exact(function: Callable[P, R]) -> Callable[P, R]:
        """Leave `function` as it is. When compiled, it is lean, and accepts integers from other
        loops in their own width, which is faster for computations with many of them."""
        return function

    def superword(function: Callable[P, R]) -> Callable[P, R]:
        """Leave `function` as it is. When compiled, it is lean, and straight-line code in it and in
        all loops that it calls becomes vector instructions, too (LLVM's superword-level
        parallelism). Sums of short rows take an eighth of the time; searches get slower."""
        return function

    def low_bit(mask: int) -> int:
        """The index of the lowest set bit of a mask, 1 <= mask < 2^63."""
        mask = int(mask)
        return (mask & -mask).bit_length() - 1

    def count_bits(mask: int) -> int:
        """The number of bits set in a mask, 0 <= mask < 2^63."""
        return int(mask).bit_count()

    def entry_point(
        loop: Callable[..., int],
        slots: tuple[tuple[Callable[..., int], ...], ...],
        examples: tuple[tuple[Any, ...], ...],
        arguments: tuple[Any, ...],
    ) -> Callable[..., int]:
        """Compile `loop(*slots, *arguments)` for any choice of functions; returns a function to
        call in its place, with the same arguments.

        `slots` holds tuples of functions; those of one slot are called with arguments of the types
        at the same index of `examples`, and return an int. The types of a loop's arguments must
        always be the same.
        """
        return loop

elif os.environ.get("UNDOKU_NUMBA") == "documented":
    from undoku.machine_code.documented import (
        compiled,
        count_bits,
        entry_point,
        exact,
        inner,
        lean,
        low_bit,
        superword,
    )

else:
    from undoku.machine_code.loop import Loop, count_bits, low_bit
    from undoku.machine_code.pointers import entry_point

    class _Compiler:
        """Numba, which is imported when a loop must be compiled."""

        def make(self, *arguments):
            from undoku.machine_code.filling import make

            return make(*arguments)

        def own(self, loop):
            from undoku.machine_code.compiling import numbas_own

            return numbas_own(loop)

    def compiled(function):
        from undoku.machine_code.compiling import allocating

        return allocating(function)

    def lean(function):
        return Loop(function, _Compiler())

    def inner(function):
        return Loop(function, _Compiler())

    def exact(function):
        return Loop(function, _Compiler(), exact=True)

    def superword(function):
        return Loop(function, _Compiler(), superword=True)
