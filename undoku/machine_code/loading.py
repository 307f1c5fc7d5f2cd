"""Makes Python functions from files of machine code through Python's C interface, without
loading numba."""

from __future__ import annotations

import ctypes
import pickle
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from undoku.machine_code.elf_loader import load_elf
from undoku.machine_code.entry_code import table_of
from undoku.machine_code.object_files import ObjectFile
from undoku.machine_code.signatures import Signature, UnsupportedError

__all__ = ["FailedError", "fits", "native_address", "raised", "ready"]


class FailedError(Exception):
    """A loop ended with an error; the argument is the error as numba pickled it."""


def raised(failed: FailedError) -> BaseException:
    """The exception that the loop raised."""
    (pickled,) = failed.args
    if not isinstance(pickled, bytes):
        return RuntimeError("a compiled loop failed")
    kind, arguments, *_ = pickle.loads(pickled)
    made: BaseException = kind(*(arguments or ()))
    return made


@cache
def fits() -> bool:
    """Whether objects and arrays have the memory layout that entries assume: a 64-bit interpreter
    with a global lock and without debugging counters, and arrays as in numpy since 1.7."""
    if ctypes.sizeof(ctypes.c_void_p) != 8 or object.__basicsize__ != 16:
        return False
    if sys.version_info >= (3, 13):  # loading sysconfig takes 2 ms
        import sysconfig

        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            return False
    array = np.zeros((3, 5), np.int16)[:, 1:4]

    def read(kind: type, offset: int) -> Any:
        return kind.from_address(id(array) + offset).value  # type: ignore[attr-defined]

    word = ctypes.c_size_t
    extents = [word.from_address(read(word, 32) + 8 * axis).value for axis in range(2)]
    strides = [word.from_address(read(word, 40) + 8 * axis).value for axis in range(2)]
    return (
        read(word, 8) == id(np.ndarray)
        and read(word, 16) == array.__array_interface__["data"][0]
        and read(ctypes.c_int, 24) == array.ndim
        and (*extents, *strides) == (*array.shape, *array.strides)
        and read(word, 56) == id(array.dtype)
        and read(ctypes.c_int, 64) == array.flags.num
    )


_LOADED: dict[str, dict[str, int]] = {}


def _addresses(file: ObjectFile) -> dict[str, int]:
    """The addresses of the symbols of a file by their names; each file is loaded only once. Raises
    UnsupportedError if the process lacks a function that it needs."""
    if file.entry not in _LOADED:
        try:
            _LOADED[file.entry] = load_elf(file.code)
        except UnsupportedError:
            from undoku.machine_code.llvm_loader import load_with_llvm

            _LOADED[file.entry] = load_with_llvm(file)
    return _LOADED[file.entry]


def native_address(file: ObjectFile) -> int:
    """The address at which other loops call the loop."""
    return _addresses(file)[file.native]


class _Method(ctypes.Structure):
    """Python's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_char_p),
    )


_FASTCALL = 0x80  # METH_FASTCALL
_KEPT: list[Any] = []
"""The structures to which Python functions point."""


def ready(file: ObjectFile, signature: Signature) -> Callable[..., Any]:
    """The function that calls the loop of a file: it returns `MISMATCH` for arguments of types
    other than `signature`, and raises `FailedError` if the loop ends with an error."""
    addresses = _addresses(file)
    objects = table_of(signature, FailedError, np.ndarray)
    table = (ctypes.c_void_p * len(objects)).from_address(addresses[file.table])
    table[:] = list(map(id, objects))
    method = _Method(file.loop.encode(), addresses[file.entry], _FASTCALL, None)
    _KEPT.append((method, objects))
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = (ctypes.POINTER(_Method), ctypes.c_void_p, ctypes.c_void_p)
    made: Callable[..., Any] = make(ctypes.byref(method), None, None)
    return made
