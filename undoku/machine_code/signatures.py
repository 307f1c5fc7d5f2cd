"""The types of the arguments of a loop, as plain values that can be written to a file.

    "int64", "uint8", "float64", "bool", "none"
    ("array", dtype, dimensions, layout)     layout "C", "F" or "A"; dtype as numpy writes it, or
                                             the fields of a structured one
    ("tuple", kinds)
    ("named", "module:class", kinds)         a NamedTuple
    ("function", kinds)                      a pointer to a loop that returns an int64

Integers of Python and numpy are int64; read-only arrays are treated like all others.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

import numpy as np

__all__ = [
    "Kind",
    "Signature",
    "UnsupportedError",
    "class_name",
    "class_of",
    "dtype_of",
    "dtype_text",
    "frozen",
    "normal",
    "signature_of",
]

Kind = Any
"""A type: a word, or a tuple that begins with one."""

Signature = tuple[Kind, ...]


class UnsupportedError(Exception):
    """An unsupported type; numba's own function must call the loop."""


def frozen(value: Any) -> Any:
    """A value from JSON with lists converted to tuples."""
    return tuple(map(frozen, value)) if isinstance(value, list | tuple) else value


def dtype_text(dtype: np.dtype[Any]) -> Any:
    """A dtype in the form of signatures."""
    if dtype.hasobject or not dtype.isnative:
        raise UnsupportedError(str(dtype))
    if not dtype.names:
        return dtype.str
    text = frozen(dtype.descr)
    _STRUCTURED.setdefault(text, dtype)
    return text


_STRUCTURED: dict[Any, np.dtype[Any]] = {}
"""One object for all equal structured dtypes: the first that occurred. Numpy itself has one object
for each plain dtype."""


def dtype_of(text: Any) -> np.dtype[Any]:
    """The dtype that `dtype_text` wrote."""
    if isinstance(text, str):
        return np.dtype(text)
    return _STRUCTURED.setdefault(text, np.dtype([tuple(field) for field in text]))


def class_name(kind: type) -> str:
    """The name by which `class_of` finds a class."""
    name = f"{kind.__module__}:{kind.__qualname__}"
    with suppress(ImportError, AttributeError):
        if class_of(name) is kind:
            return name
    raise UnsupportedError(name)


def class_of(name: str) -> type:
    """The class that a signature names. Raises ImportError or AttributeError if it no longer
    exists."""
    module, _, path = name.partition(":")
    found: Any = sys.modules.get(module) or import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    assert isinstance(found, type)
    return found


def signature_of(arguments: tuple[Any, ...]) -> Signature:
    """The types of `arguments`, which are results of `normal`. Raises UnsupportedError for an
    unsupported type.
    """
    return tuple(map(_kind_of, arguments))


def _kind_of(value: Any) -> Kind:
    if value is None:
        return "none"
    kind = type(value)
    if kind is bool:
        return "bool"
    if kind is int:
        return "int64"
    if kind is float:
        return "float64"
    if kind is np.ndarray:
        flags = value.flags
        if not flags.aligned:
            raise UnsupportedError("an array that is not aligned")
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        return "array", dtype_text(value.dtype), value.ndim, layout
    if kind is tuple:
        return "tuple", signature_of(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return "named", class_name(kind), signature_of(value)
    raise UnsupportedError(str(kind))


def normal(value: Any) -> Any:
    """An argument with numpy scalars converted to Python numbers, subclasses of arrays to arrays,
    and equal dtypes to one object."""
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.integer | np.floating):
        return value.item()
    if isinstance(value, int) and type(value) not in (int, bool):
        return int(value)
    if isinstance(value, np.ndarray):
        array = np.asarray(value)
        same = dtype_of(dtype_text(array.dtype))
        return array if array.dtype is same else array.view(same)
    if type(value) is tuple:
        return tuple(map(normal, value))
    if isinstance(value, tuple) and hasattr(value, "_make"):
        return type(value)._make(map(normal, value))
    return value
