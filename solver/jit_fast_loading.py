"""Compiled loops that are loaded quickly, by parts of numba that it does not document.

What they gain stands in docs/architecture.md. Importing this raises ImportError with a numba that
it was not tested with, or that lacks one of the parts; `solver.jit_documented` then stands in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from llvmlite import binding
from numba import types
from numba.core import caching, codegen, cpu, dispatcher

from solver.jit_cache import loop_cache
from solver.jit_documented import wide_type

__all__ = ["TESTED", "entry_point", "exact", "inner", "lean"]

TESTED = (0, 62), (0, 68)
"""The first and the last version of numba that this was tested with."""

if not TESTED[0] <= tuple(map(int, numba.__version__.split(".")[:2])) <= TESTED[1]:
    raise ImportError(f"numba {numba.__version__} was not tested")
for _owner, _name in (
    (caching.FunctionCache, "_index_key"),
    (caching.IndexDataCacheFile, "load"),
    (codegen.JITCodeLibrary, "_get_module_for_linking"),
    (codegen.JitEngine, "_load_defined_symbols"),
    (dispatcher.Dispatcher, "get_call_template"),
    (cpu.CPUTargetOptions, "_nrt"),
):
    if not hasattr(_owner, _name):
        raise ImportError(f"this numba has no {_name}")

_VARIANT = "fast"

F = TypeVar("F", bound=Callable[..., Any])


def _linked_late(library: Any) -> type:
    """The kind of `library` that reads what others link with when one does.

    Beside its machine code each loop's file holds the loop as numba links it into others that are
    compiled later: mostly none, and reading it takes longer than all else."""

    class LinkedLate(type(library)):  # type: ignore[misc]
        def _get_module_for_linking(self) -> Any:
            if self._bitcode:  # type: ignore[has-type]
                self._shared_module = binding.parse_bitcode(self._bitcode)  # type: ignore[has-type]
                self._codegen._engine._load_defined_symbols(self._shared_module)
                self._bitcode = b""
            return self._shared_module

    return LinkedLate


_LINKED_LATE: dict[type, type] = {}
_NOTHING = binding.parse_assembly("").as_bitcode()


def _counts_references(found: Any) -> bool:
    """Whether a loop as it lies in the cache counts references, as one does that calls a loop that
    does; also where that can't be told."""
    try:
        _, _, (machine_code, *_) = found[0]
        return b"NRT_" in machine_code
    except (TypeError, ValueError, IndexError):
        return True


class _LoopCache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache on disk, for loops that are ready as they lie there.

    Before it loads anything numba imports all that it knows of Python and of arrays, and compiles
    its counting of references: 0.2 s and 35 MB, of no use to a loop that doesn't count. Where none
    lies here, numba does the same when it compiles."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return self._load_bare(sig, target_context)
        except (AttributeError, TypeError, ValueError):  # a numba that is made otherwise
            return super().load_overload(sig, target_context)

    def _load_bare(self, sig: Any, target_context: Any) -> Any:
        with self._guard_against_spurious_io_errors():
            found = self._cache_file.load(self._index_key(sig, target_context.codegen()))
            if found is None:
                return None
            if _counts_references(found):
                return super().load_overload(sig, target_context)
            (title, kind, (machine_code, bitcode)), *others = found
            bare = (title, kind, (machine_code, _NOTHING))
            # What numba looks for by name before it asks for an address.
            names = (
                others[0].llvm_func_name,
                others[0].llvm_cpython_wrapper_name,
                others[0].llvm_cfunc_wrapper_name,
            )
            known = target_context.codegen()._engine._defined_symbols
            known.update(name for name in names if b"\0%s\0" % name.encode() in machine_code)
            loaded = self._impl.rebuild(target_context, (bare, *others))
            library = loaded.library
            if type(library) not in _LINKED_LATE:
                _LINKED_LATE[type(library)] = _linked_late(library)
            library.__class__, library._bitcode = _LINKED_LATE[type(library)], bitcode
            return loaded


def _widening(kind: type) -> type:
    """The kind of dispatcher that takes whole numbers from other loops as int64, as Python has only
    one kind, too. Numba would compile it anew for each mixture of widths."""

    class Widening(kind):  # type: ignore[misc]
        __slots__ = ()

        def get_call_template(self, args: Any, kws: Any) -> Any:
            wide = {name: wide_type(kind) for name, kind in kws.items()}
            return super().get_call_template(tuple(map(wide_type, args)), wide)

    return Widening


_WIDENING: dict[type, type] = {}


def exact(function: F, **options: Any) -> F:
    """See solver.jit."""
    loop: Any = numba.njit(nogil=True, _nrt=False, **options)(function)
    with loop_cache(_VARIANT):
        loop._cache = _LoopCache(function)
    return loop  # type: ignore[no-any-return]


def _lean(function: F, **options: Any) -> F:
    loop: Any = exact(function, **options)
    kind = type(loop)
    if kind not in _WIDENING:
        _WIDENING[kind] = _widening(kind)
    loop.__class__ = _WIDENING[kind]
    return loop  # type: ignore[no-any-return]


def lean(function: F) -> F:
    """See solver.jit."""
    return _lean(function)


def inner(function: F) -> F:
    """See solver.jit."""
    return _lean(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


_ENTRY_POINTS: dict[tuple[Any, ...], Callable[..., int]] = {}


def entry_point(
    loop: Any,
    slots: tuple[tuple[Any, ...], ...],
    examples: tuple[tuple[Any, ...], ...],
    arguments: tuple[Any, ...],
) -> Callable[..., int]:
    """See solver.jit. What is returned is the machine code's own entry: numba's usual way in looks
    at the type of every argument again, which takes longer than most searches."""
    if (loop, slots) in _ENTRY_POINTS:
        return _ENTRY_POINTS[loop, slots]
    pointers = []
    for functions, example in zip(slots, examples, strict=True):
        called_with = tuple(numba.typeof(argument) for argument in example)
        for function in functions:
            function.compile(called_with)
        pointer = types.FunctionType(types.int64(*called_with))
        pointers.append(types.UniTuple(pointer, len(functions)))
    taken = (*pointers, *(numba.typeof(argument) for argument in arguments))
    if taken not in loop.overloads:
        # Left to itself numba would compile the loop anew for each choice of functions.
        loop.disable_compile(False)
        loop.compile(taken)
        loop.disable_compile()
    return _ENTRY_POINTS.setdefault((loop, slots), loop.overloads[taken].entry_point)
