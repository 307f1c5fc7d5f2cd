"""Compiled loops through numba's documented interface only.

The twin of `undoku.machine_code.numba_internals`: slower to load, and slower with arrays in tuples,
but correct with any numba that pyproject.toml allows.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

import numba
from llvmlite import ir
from numba import types
from numba.core import event
from numba.extending import intrinsic

from undoku.machine_code.cache_locators import loop_cache
from undoku.machine_code.compile_notice import compiling
from undoku.machine_code.object_files import cache_folder

__all__ = [
    "compiled",
    "count_bits",
    "entry_point",
    "exact",
    "inner",
    "lean",
    "low_bit",
    "superword",
    "wide_type",
    "widened",
]

F = TypeVar("F", bound=Callable[..., Any])

_VARIANT = "documented"


# Numba warns each time a tuple of functions is passed. Their use here is limited and tested, and
# the warning means nothing to users.
warnings.filterwarnings("ignore", "First-class function type feature is experimental")


class _Notice(event.Listener):  # type: ignore[misc]
    """Reports that a loop is being compiled."""

    def on_start(self, event: event.Event) -> None:
        compiling()

    def on_end(self, event: event.Event) -> None:
        pass


event.register("numba:compile", _Notice())


def compiled(function: F) -> F:
    """See undoku.machine_code.jit."""
    with loop_cache(_VARIANT):
        loop: F = numba.njit(cache=cache_folder() is not None, nogil=True)(function)
        return loop


exact = compiled


def lean(function: F) -> F:
    """See undoku.machine_code.jit. Numba compiles a function again for each combination of
    integer widths, and computes with unsigned integers modulo 2^64. Other loops therefore call a
    wrapper that passes all integers as int64."""
    assert isinstance(function, FunctionType)
    names = list(inspect.signature(function).parameters)
    wide = ", ".join(f"widened({name})" for name in names)
    source = f"def wide({', '.join(names)}):\n    return loop({wide})\n"
    space: dict[str, Any] = {
        "__name__": function.__module__,
        "loop": compiled(function),
        "widened": widened,
    }
    # Numba caches machine code by the file name of a function.
    exec(compile(source, function.__code__.co_filename, "exec"), space)
    outer = space["wide"]
    outer.__defaults__, outer.__doc__ = function.__defaults__, function.__doc__
    outer.__name__ = function.__name__
    outer.__qualname__ = f"{function.__qualname__}.wide"
    return compiled(outer)  # type: ignore[no-any-return]


inner = superword = lean


def wide_type(kind: Any) -> Any:
    """The type to which an argument from another loop is converted."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.Integer) and kind != types.uint64:
        return types.int64
    return kind


@intrinsic  # type: ignore[untyped-decorator]
def widened(_typing: Any, value: Any) -> Any:
    """An integer as int64, except uint64; anything else unchanged."""
    kind = wide_type(value)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if isinstance(signature.args[0], types.Integer):
            return context.cast(builder, arguments[0], signature.args[0], kind)
        if context.enable_nrt:
            context.nrt.incref(builder, kind, arguments[0])
        return arguments[0]

    return kind(value), emit


@intrinsic  # type: ignore[untyped-decorator]
def low_bit(_typing: Any, mask: Any) -> Any:
    """One machine instruction."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = context.cast(builder, arguments[0], signature.args[0], types.int64)
        return builder.cttz(wide, ir.Constant(ir.IntType(1), 1))

    return types.int64(mask), emit


@intrinsic  # type: ignore[untyped-decorator]
def count_bits(_typing: Any, mask: Any) -> Any:
    """One machine instruction."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = context.cast(builder, arguments[0], signature.args[0], types.int64)
        return builder.ctpop(wide)

    return types.int64(mask), emit


_CALLBACKS: dict[tuple[Callable[..., int], Any], Any] = {}


def entry_point(
    loop: Callable[..., int],
    slots: tuple[tuple[Callable[..., int], ...], ...],
    examples: tuple[tuple[Any, ...], ...],
    arguments: tuple[Any, ...],
) -> Callable[..., int]:
    """See undoku.machine_code.jit. C callbacks of one signature have one type, so a loop
    is compiled once for     it."""
    del arguments
    given = []
    for functions, example in zip(slots, examples, strict=True):
        signature = types.int64(*(numba.typeof(argument) for argument in example))
        for function in functions:
            if (function, signature) not in _CALLBACKS:
                with loop_cache(_VARIANT):
                    keep = cache_folder() is not None
                    made = numba.cfunc(signature, cache=keep)(function.py_func)  # type: ignore[attr-defined]
                _CALLBACKS[function, signature] = made
        given.append(tuple(_CALLBACKS[function, signature] for function in functions))

    def call(*values: Any) -> int:
        return loop(*given, *values[len(given) :])

    return call
