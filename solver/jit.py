"""Compiles the inner loops with numba, or leaves them plain Python when UNDOKU_PLAIN is set.

The same source runs both ways: plain Python is the reference that the compiled loops are tested
against. Rooms with compiled functions take half a second to load; import them where they are
called, not at the top of a room that a short command needs.

A loop that calls functions of the caller's choice (a cell order, a list of inference rules) takes
them as arguments. Each is compiled by itself, once, and the loop calls it through a pointer, so
that one compiled loop serves every combination and only what a strategy uses is ever compiled.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

__all__ = ["bound", "compiled", "count_bits", "exact", "inner", "lean", "low_bit"]

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

    def bound(
        loop: Callable[..., int],
        slots: tuple[tuple[Callable[..., int], ...], ...],
        examples: tuple[tuple[Any, ...], ...],
        arguments: tuple[Any, ...],
    ) -> Callable[..., int]:
        """Compile `loop(*slots, *arguments)` for functions of any choice; returns the loop.

        `slots` holds tuples of functions; those of one slot are called with arguments of the
        types of `examples` at the same place, and return an int. A loop is bound for one set of
        argument types, once for each choice of functions.
        """
        return loop

else:
    import warnings

    import numba
    from llvmlite import binding, ir
    from numba import types
    from numba.core.caching import FunctionCache
    from numba.extending import intrinsic

    from solver.compile_notice import compiling

    # Numba says so each time a tuple of functions is passed. The use made of them here is narrow
    # and tested, and the sentence means nothing to somebody who renders a film.
    warnings.filterwarnings("ignore", "First-class function type feature is experimental")

    def _late(library):
        """The kind of `library` that reads what others would link with when one does.

        Beside its machine code each loop's file holds the loop as numba links it into others that
        are compiled later: mostly nobody, and reading it takes longer than all else."""

        class Late(type(library)):
            def _get_module_for_linking(self):
                if self._bitcode:
                    self._shared_module = binding.parse_bitcode(self._bitcode)
                    self._codegen._engine._load_defined_symbols(self._shared_module)
                    self._bitcode = b""
                return self._shared_module

        return Late

    _LATE = {}
    _NOTHING = binding.parse_assembly("").as_bitcode()

    def _counts(found):
        """Whether a loop as it lies in the cache counts references, as one does that calls a loop
        that does; also where that can't be told."""
        try:
            _, _, (machine_code, *_) = found[0]
            return b"NRT_" in machine_code
        except (TypeError, ValueError, IndexError):
            return True

    class _Shelf(FunctionCache):
        """Numba's cache on disk, for loops that are ready as they lie there.

        Before it loads anything numba imports all that it knows of Python and of arrays, and
        compiles its counting of references: 0.2 s and 35 MB, of no use to a loop that doesn't
        count. Where none lies here, numba does the same when it compiles."""

        def load_overload(self, sig, target_context):
            try:
                return self._load_bare(sig, target_context)
            except (AttributeError, TypeError, ValueError):  # a numba that is made otherwise
                return super().load_overload(sig, target_context)

        def _load_bare(self, sig, target_context):
            with self._guard_against_spurious_io_errors():
                found = self._cache_file.load(self._index_key(sig, target_context.codegen()))
                if found is None:
                    compiling()
                    return None
                if _counts(found):
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
                if type(library) not in _LATE:
                    _LATE[type(library)] = _late(library)
                library.__class__, library._bitcode = _LATE[type(library)], bitcode
                return loaded

    def _plain(kind):
        """The type as which a loop takes an argument of another loop's."""
        kind = types.unliteral(kind)
        if isinstance(kind, types.Integer) and kind != types.uint64:
            return types.int64
        return kind

    def _called_plainly(dispatcher):
        """The kind of `dispatcher` that takes whole numbers from other loops as int64, as Python
        has only one kind, too. Numba would compile it anew for each mixture of widths."""

        class Plain(dispatcher):
            __slots__ = ()

            def get_call_template(self, args, kws):
                plain = {name: _plain(kind) for name, kind in kws.items()}
                return super().get_call_template(tuple(map(_plain, args)), plain)

        return Plain

    _PLAIN = {}

    def exact(function, **options):
        """See above."""
        loop = numba.njit(nogil=True, _nrt=False, **options)(function)
        loop._cache = _Shelf(function)
        return loop

    def _lean(function, **options):
        loop = exact(function, **options)
        kind = type(loop)
        if kind not in _PLAIN:
            _PLAIN[kind] = _called_plainly(kind)
        loop.__class__ = _PLAIN[kind]
        return loop

    # Kept beside the source, or in the user's cache folder where that can't be written.
    compiled = numba.njit(cache=True, nogil=True)

    def lean(function):
        """See above."""
        return _lean(function)

    def inner(function):
        """See above."""
        return _lean(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)

    @intrinsic
    def low_bit(_typing, mask):
        """One machine instruction."""

        def emit(context, builder, signature, arguments):
            wide = context.cast(builder, arguments[0], signature.args[0], types.int64)
            return builder.cttz(wide, ir.Constant(ir.IntType(1), 1))

        return types.int64(mask), emit

    @intrinsic
    def count_bits(_typing, mask):
        """One machine instruction."""

        def emit(context, builder, signature, arguments):
            wide = context.cast(builder, arguments[0], signature.args[0], types.int64)
            return builder.ctpop(wide)

        return types.int64(mask), emit

    _BOUND = {}

    def bound(loop, slots, examples, arguments):
        """See above. What is returned is the machine code's own entry: numba's usual way in looks
        at the type of every argument again, which takes longer than most searches."""
        if (loop, slots) in _BOUND:
            return _BOUND[loop, slots]
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
        return _BOUND.setdefault((loop, slots), loop.overloads[taken].entry_point)
