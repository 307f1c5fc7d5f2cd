"""Loops that call functions chosen by the caller, each through a pointer to its machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from undoku.machine_code.entry_code import MISMATCH
from undoku.machine_code.loading import FailedError, raised
from undoku.machine_code.loop import Loop
from undoku.machine_code.signatures import (
    Kind,
    Signature,
    UnsupportedError,
    normal,
    signature_of,
)

__all__ = ["entry_point"]


class _Through:
    """A loop that calls functions chosen by the caller, which are passed by their addresses."""

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
    """See undoku.machine_code.jit."""
    if not slots:
        return loop
    try:
        given, kinds = _addresses(slots, examples)
        assert isinstance(loop, Loop)
        signature = (*kinds, *signature_of(tuple(map(normal, arguments))))
        if loop.machine_entry(signature) is not None:
            return _Through(loop, given, kinds)
    except UnsupportedError:
        pass
    from undoku.machine_code import documented

    return documented.entry_point(
        loop.slow if isinstance(loop, Loop) else loop, slots, examples, arguments
    )


def _addresses(
    slots: tuple[tuple[Callable[..., int], ...], ...], examples: tuple[tuple[Any, ...], ...]
) -> tuple[tuple[Any, ...], Signature]:
    """The addresses of the functions of each slot, and the kind of that tuple."""
    given = []
    kinds: list[Kind] = []
    for functions, example in zip(slots, examples, strict=True):
        signature = signature_of(tuple(map(normal, example)))
        addresses = []
        for function in functions:
            address = function.address_for(signature) if isinstance(function, Loop) else None
            if address is None:
                raise UnsupportedError(str(function))
            addresses.append(address)
        given.append(tuple(addresses))
        kinds.append(("tuple", (("function", signature),) * len(functions)))
    return tuple(given), tuple(kinds)
