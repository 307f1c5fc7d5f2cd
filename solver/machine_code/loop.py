"""A compiled loop: a function whose machine code is found, or made, when it is first called."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable
from functools import cached_property, update_wrapper
from threading import RLock
from types import FunctionType
from typing import Any

from solver.machine_code.entry_code import MISMATCH
from solver.machine_code.loading import FailedError, fits, native_address, raised, ready
from solver.machine_code.object_files import (
    LOOPS,
    ObjectFile,
    cache_folder,
    carried_folder,
    digest_of,
    find,
)
from solver.machine_code.processors import Processor, host, levels_here
from solver.machine_code.signatures import (
    Kind,
    Signature,
    UnsupportedError,
    normal,
    signature_of,
)
from solver.source_digest import source_digest

__all__ = ["Loop", "count_bits", "entry_point", "low_bit"]

_LOCK = RLock()


def low_bit(mask: int) -> int:
    """The index of the lowest set bit of a mask, 1 <= mask < 2^63. In loops one instruction."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1


def count_bits(mask: int) -> int:
    """How many bits are set in a mask, 0 <= mask < 2^63. In loops one instruction."""
    return int(mask).bit_count()


class Loop:
    """A function that is compiled. Called from Python it runs machine code that lies in a file, or
    that numba makes now; called in another loop it becomes part of that one's.

    `exact` loops take whole numbers from other loops in the width that they have, others as int64.
    """

    def __init__(self, function: Callable[..., Any], *, exact: bool = False) -> None:
        assert isinstance(function, FunctionType)
        update_wrapper(self, function)
        self.py_func = function
        self.exact = exact
        self.module = function.__module__
        self.name = function.__qualname__
        self._entries: list[Callable[..., Any]] = []
        self._by_signature: dict[Signature, Callable[..., Any]] = {}

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        try:
            if not named:
                for entry in self._entries:
                    result = entry(*arguments)
                    if result is not MISMATCH:
                        return result
            return self._called(arguments, named)
        except FailedError as failed:
            raise raised(failed) from None

    def _called(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        bound = self._parameters.bind(*arguments, **named)
        bound.apply_defaults()
        values = tuple(map(normal, bound.args))
        try:
            signature = signature_of(values)
        except UnsupportedError:
            return self._slow(*values)
        new = signature not in self._by_signature
        entry = self.entry_for(signature)
        if new:
            self._entries.append(entry)
        result = entry(*values)
        return self._slow(*values) if result is MISMATCH else result

    @cached_property
    def _parameters(self) -> inspect.Signature:
        return inspect.signature(self.py_func)

    @cached_property
    def _slow(self) -> Callable[..., Any]:
        """The loop as numba itself calls it."""
        from solver.machine_code import compiling

        return compiling.numbas_own(self)

    def entry_for(self, signature: Signature) -> Callable[..., Any]:
        """What calls the loop with arguments of these types, or returns `MISMATCH`; numba's own way
        where there is no other."""
        with _LOCK:
            if signature not in self._by_signature:
                file = self.file_for(signature)
                self._by_signature[signature] = ready(file, signature) if file else self._slow
            return self._by_signature[signature]

    def file_for(self, signature: Signature, role: str = "entered") -> ObjectFile | None:
        """The loop's machine code: found, or made. None where numba itself must call it. For `role`
        see `solver.machine_code.known_loops`."""
        if not fits() or not self.has_file:
            return None
        return self.found(signature) or self._made(signature, role)

    @cached_property
    def has_file(self) -> bool:
        """Whether the loop's source is a file, by which its machine code is known."""
        code = self.py_func.__code__
        return os.path.isfile(code.co_filename) and not code.co_freevars

    def found(self, signature: Signature) -> ObjectFile | None:
        """The loop's machine code, if it lies in a file."""
        package = carried_folder(self.module.partition(".")[0])
        if package is not None:
            for processor in levels_here():
                file = find(package / processor.label, self.digest(signature, processor))
                if file is not None:
                    return file
        folder = cache_folder()
        return folder and find(folder / LOOPS, self.digest(signature, host()))

    def digest(self, signature: Signature, processor: Processor) -> str:
        """The name of the file of the loop's machine code for a processor."""
        return digest_of(
            self._source, self.module, self.name, json.dumps(signature), *processor
        )

    @cached_property
    def _source(self) -> str:
        code = self.py_func.__code__
        return f"{source_digest(code.co_filename)} {code.co_firstlineno}"

    def _made(self, signature: Signature, role: str) -> ObjectFile | None:
        from solver.machine_code import filling

        return filling.make(self, signature, role)


class _Through:
    """A loop that calls functions of a caller's choice, which are bound to it by their addresses."""

    def __init__(self, loop: Loop, given: tuple[Any, ...], kinds: Signature) -> None:
        self._loop, self._given, self._kinds = loop, given, kinds
        self._entry: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any) -> Any:
        rest = arguments[len(self._given) :]
        try:
            if self._entry is not None:
                result = self._entry(*self._given, *rest)
                if result is not MISMATCH:
                    return result
            rest = tuple(map(normal, rest))
            self._entry = self._loop.entry_for((*self._kinds, *signature_of(rest)))
            return self._entry(*self._given, *rest)
        except FailedError as failed:
            raise raised(failed) from None


def entry_point(
    loop: Callable[..., int],
    slots: tuple[tuple[Callable[..., int], ...], ...],
    examples: tuple[tuple[Any, ...], ...],
    arguments: tuple[Any, ...],
) -> Callable[..., int]:
    """See solver.jit."""
    if not slots:
        return loop
    try:
        given, kinds = _addresses(slots, examples)
        assert isinstance(loop, Loop)
        called = _Through(loop, given, kinds)
        if loop.file_for((*kinds, *signature_of(tuple(map(normal, arguments))))) is not None:
            return called
    except UnsupportedError:
        pass
    from solver import jit_documented
    from solver.machine_code import compiling

    return jit_documented.entry_point(compiling.numbas_own(loop), slots, examples, arguments)


def _addresses(
    slots: tuple[tuple[Callable[..., int], ...], ...], examples: tuple[tuple[Any, ...], ...]
) -> tuple[tuple[Any, ...], Signature]:
    """For each slot the addresses of its functions, and the kind of that tuple."""
    given = []
    kinds: list[Kind] = []
    for functions, example in zip(slots, examples, strict=True):
        signature = signature_of(tuple(map(normal, example)))
        addresses = []
        for function in functions:
            file = function.file_for(signature, "chosen") if isinstance(function, Loop) else None
            if file is None or file.returns != "int64":
                raise UnsupportedError(str(function))
            addresses.append(native_address(file))
        given.append(tuple(addresses))
        kinds.append(("tuple", (("function", signature),) * len(functions)))
    return tuple(given), tuple(kinds)
