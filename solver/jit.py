"""Compiles the inner loops with numba, or leaves them plain Python when UNDOKU_PLAIN is set.

The same source runs both ways: plain Python is the reference that the compiled loops are tested
against. Modules with compiled functions take half a second to load; import them where they are
called, not at the top of a module that a short command needs.

A loop that calls functions of the caller's choice (a cell order, a list of inference rules) takes
them as arguments. Each is compiled by itself, once, and the loop calls it through a pointer, so
that one compiled loop serves every combination and only what a strategy uses is ever compiled.

Compiled loops are made by `solver.jit_fast_loading`, or, with a numba that it was not tested with
and where UNDOKU_NUMBA is "documented", by `solver.jit_documented`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

__all__ = ["compiled", "count_bits", "entry_point", "exact", "inner", "lean", "low_bit"]

P = ParamSpec("P")
R = TypeVar("R")

if TYPE_CHECKING or os.environ.get("UNDOKU_PLAIN"):

    def compiled(function: Callable[P, R]) -> Callable[P, R]:
        """Leave `function` as it is."""
        return function

    def lean(function: Callable[P, R]) -> Callable[P, R]:
        """Leave `function` as it is. Compiled, it may not allocate arrays, and references to them
        are not counted: with arrays in a tuple that makes it six times as fast."""
        return function

    def inner(function: Callable[P, R]) -> Callable[P, R]:
        """Leave `function` as it is. Compiled, it is lean, and can be called by compiled functions
        alone, which saves a third of the time it takes to compile."""
        return function

    def exact(function: Callable[P, R]) -> Callable[P, R]:
        """Leave `function` as it is. Compiled, it is lean, and takes whole numbers from other loops
        in the width that they have: quicker where it computes with many of them."""
        return function

    def low_bit(mask: int) -> int:
        """The index of the lowest set bit of a mask, 1 <= mask < 2^63."""
        mask = int(mask)
        return (mask & -mask).bit_length() - 1

    def count_bits(mask: int) -> int:
        """How many bits are set in a mask, 0 <= mask < 2^63."""
        return int(mask).bit_count()

    def entry_point(
        loop: Callable[..., int],
        slots: tuple[tuple[Callable[..., int], ...], ...],
        examples: tuple[tuple[Any, ...], ...],
        arguments: tuple[Any, ...],
    ) -> Callable[..., int]:
        """Compile `loop(*slots, *arguments)` for functions of any choice; returns what to call in
        its place, with the same arguments.

        `slots` holds tuples of functions; those of one slot are called with arguments of the
        types of `examples` at the same place, and return an int. A loop takes arguments of one
        set of types only.
        """
        return loop

elif os.environ.get("UNDOKU_NUMBA") == "documented":
    from solver.jit_documented import (
        compiled,
        count_bits,
        entry_point,
        exact,
        inner,
        lean,
        low_bit,
    )

else:
    from solver.machine_code.loop import Loop, count_bits, entry_point, low_bit

    def compiled(function: Callable[P, R]) -> Callable[P, R]:
        from solver.machine_code import compiling

        return compiling.allocating(function)

    def lean(function: Callable[P, R]) -> Callable[P, R]:
        return Loop(function)

    inner = lean

    def exact(function: Callable[P, R]) -> Callable[P, R]:
        return Loop(function, exact=True)
