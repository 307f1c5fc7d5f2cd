"""A compiled loop: a function whose machine code is loaded or compiled when it is first called."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, update_wrapper
from pathlib import Path
from threading import RLock
from types import FunctionType
from typing import Any, Protocol

from undoku.errors import RunError
from undoku.machine_code.entry_code import MISMATCH
from undoku.machine_code.loading import FailedError, fits, native_address, raised, ready
from undoku.machine_code.object_files import (
    LOOPS,
    ObjectFile,
    cache_folder,
    carried_folder,
    digest_of,
    find,
)
from undoku.machine_code.processors import Processor, host, levels_here
from undoku.machine_code.signatures import Signature, UnsupportedError, normal, signature_of
from undoku.machine_code.source_digest import function_digest

__all__ = ["Compiler", "Loop", "count_bits", "low_bit"]

_LOCK = RLock()


def low_bit(mask: int) -> int:
    """The index of the lowest set bit of a mask, 1 <= mask < 2^63. In loops one instruction."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1


def count_bits(mask: int) -> int:
    """The number of bits set in a mask, 0 <= mask < 2^63. In loops one instruction."""
    return int(mask).bit_count()


@contextmanager
def _compiler_required() -> Iterator[None]:
    """Report a missing compiler clearly: an installation with machine code for all its loops may
    lack numba and llvmlite, and a loop may have to be compiled nevertheless."""
    try:
        yield
    except ModuleNotFoundError as missing:
        name = (missing.name or "").partition(".")[0]
        if name not in ("numba", "llvmlite"):
            raise
        raise RunError(
            f"a loop has to be compiled for this computer, and {name} is not installed",
            remedy="install it with: pip install numba",
        ) from None


class Compiler(Protocol):
    """Makes machine code for loops that have no file of it."""

    def make(self, loop: Loop, signature: Signature, role: str) -> ObjectFile | None:
        """Compile a loop; see `undoku.machine_code.filling`."""
        ...

    def own(self, loop: Loop) -> Callable[..., Any]:
        """The loop as numba itself calls it."""
        ...


class Loop:
    """A compiled function. Called from Python, it runs machine code from a file, or compiled now by
    `compiler`; called in another loop, it becomes part of that loop's code. `exact` loops accept
    integers from other loops in their own width, others as int64. The straight-line code of
    `superword` loops is vectorised (see undoku.machine_code.jit).
    """

    def __init__(
        self,
        function: Callable[..., Any],
        compiler: Compiler,
        *,
        exact: bool = False,
        superword: bool = False,
    ) -> None:
        assert isinstance(function, FunctionType)
        self._compiler = compiler
        update_wrapper(self, function)
        self.py_func = function
        self.exact = exact
        self.superword = superword
        self.module = function.__module__
        self.name = function.__qualname__
        self._entries: list[Callable[..., Any]] = []
        self._by_signature: dict[Signature, Callable[..., Any] | None] = {}
        self._addresses: dict[Signature, int | None] = {}

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
            return self.slow(*values)
        new = signature not in self._by_signature
        entry = self.entry_for(signature)
        if new:
            self._entries.append(entry)
        result = entry(*values)
        if result is MISMATCH:
            raise OverflowError(f"a number that {self.name} takes does not fit into 64 bits")
        return result

    @cached_property
    def _parameters(self) -> inspect.Signature:
        return inspect.signature(self.py_func)

    @cached_property
    def slow(self) -> Callable[..., Any]:
        """The loop as numba itself calls it."""
        return self._compiler.own(self)

    def entry_for(self, signature: Signature) -> Callable[..., Any]:
        """The function that calls the loop with arguments of these types, or returns `MISMATCH`;
        numba's own function if there is no other."""
        return self.machine_entry(signature) or self.slow

    @_compiler_required()
    def machine_entry(self, signature: Signature) -> Callable[..., Any] | None:
        """The function that runs the machine code of the loop for these types; None if numba itself
        must call it."""
        with _LOCK:
            if signature not in self._by_signature:
                file = self.file_for(signature)
                self._by_signature[signature] = ready(file, signature) if file else None
            return self._by_signature[signature]

    @_compiler_required()
    def address_for(self, signature: Signature) -> int | None:
        """The address at which loops call this one as a function of their caller's choice, which
        returns an int64; None if it has none. Kept, because every search asks for a dozen."""
        with _LOCK:
            if signature not in self._addresses:
                file = self.file_for(signature, "chosen")
                fits_slot = file is not None and file.returns == "int64"
                self._addresses[signature] = native_address(file) if file and fits_slot else None
            return self._addresses[signature]

    @_compiler_required()
    def file_for(self, signature: Signature, role: str = "entered") -> ObjectFile | None:
        """The machine code of the loop: loaded or made. None if numba itself must call the loop.
        For `role` see `undoku.machine_code.known_loops`."""
        if not fits() or not self.has_file:
            return None
        file = self.found(signature) or self._compiler.make(self, signature, role)
        return file if file and file.code else None

    @cached_property
    def has_file(self) -> bool:
        """Whether the source of the loop is a file, whose digest names its machine code."""
        code = self.py_func.__code__
        return Path(code.co_filename).is_file() and not code.co_freevars

    @_compiler_required()
    def found(self, signature: Signature) -> ObjectFile | None:
        """The machine code of the loop, if it is in a file."""
        package = carried_folder(self.module.partition(".")[0])
        if package is not None:
            for processor in levels_here():
                file = find(package / processor.label, self.digest(signature, processor))
                if file is not None:
                    return file
        folder = cache_folder()
        return find(folder / LOOPS, self.digest(signature, host())) if folder else None

    def digest(self, signature: Signature, processor: Processor) -> str:
        """The name of the file of the loop's machine code for a processor."""
        return digest_of(
            self._source,
            self.module,
            self.name,
            json.dumps(signature),
            processor.name,
            processor.features,
            *(["superword"] if self.superword else []),
        )

    @cached_property
    def _source(self) -> str:
        return function_digest(self.py_func.__code__)
