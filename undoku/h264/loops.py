"""Loops: functions over arrays that Cython compiles when undoku is built.

Their source is plain Python and is also their reference: with UNDOKU_PLAIN set, it runs as it is.
`packaging/loop_source` states what a loop may contain. Import modules with loops where they
are called, not at the top of a module that a short command needs.

The names of arrays give the type of their elements and the number of their dimensions; arrays are
contiguous, in C order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cache, update_wrapper
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
F32_2D = NDArray[np.float32]
F64 = NDArray[np.float64]
I8_2D = NDArray[np.int8]
I16 = NDArray[np.int16]
I32 = NDArray[np.int32]
I32_2D = NDArray[np.int32]
I64 = NDArray[np.int64]
I64_2D = NDArray[np.int64]
I64_3D = NDArray[np.int64]
U8 = NDArray[np.uint8]
U8_2D = NDArray[np.uint8]
U8_3D = NDArray[np.uint8]
U16 = NDArray[np.uint16]
U32 = NDArray[np.uint32]
U64 = NDArray[np.uint64]
U64_2D = NDArray[np.uint64]

ReadU8 = NDArray[np.uint8]
ReadI16_2D = NDArray[np.int16]
"""Arrays that loops only read, and that may be read-only."""

COMPILED = not os.environ.get("UNDOKU_PLAIN")
"""Whether loops are compiled in this process."""

_REMEDY = "build them: pip install . or, in a checkout, make loops"

_DEPTH = len(str(__package__).split("."))
"""A package with compiled loops is as deep as that of this module."""

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


class BuildError(ImportError):
    """The compiled loops of a package are missing, or older than their sources."""

    def __init__(self, message: str) -> None:
        super().__init__(f"{message}; {_REMEDY}")


def loop(function: Callable[P, R]) -> Callable[P, R]:
    """A loop that Python calls: the compiled function of this name, which releases the GIL."""
    if not COMPILED:
        return function
    package = ".".join(function.__module__.split(".")[:_DEPTH])
    name = f"{function.__module__.replace('.', '_')}__{function.__name__}"
    compiled: Callable[P, R] | None = getattr(_extension(package), name, None)
    if compiled is None:
        raise BuildError(
            f"{function.__name__} of {function.__module__} is not among the compiled loops"
        )
    return compiled


@cache
def _extension(package: str) -> ModuleType:
    """The compiled loops of a package. Raises BuildError if they are missing or outdated."""
    try:
        extension = import_module(f"{package}.compiled")
    except ImportError as problem:
        raise BuildError(f"the compiled loops of {package} can't be loaded: {problem}") from None
    root = Path(__file__).parents[_DEPTH]
    if (root / "setup.py").exists():  # a checkout, whose sources may have changed
        _check(extension, [root / name for name in extension.FILES], package)
    return extension


def _check(extension: ModuleType, files: list[Path], package: str) -> None:
    built = Path(str(extension.__file__)).stat().st_mtime_ns
    if all(file.exists() and file.stat().st_mtime_ns <= built for file in files):
        return
    texts = (file.read_text("utf-8") for file in files)
    if not all(file.exists() for file in files) or _digest(texts) != extension.DIGEST:
        raise BuildError(f"the compiled loops of {package} are older than their sources")


def _digest(texts: Iterable[str]) -> str:
    from hashlib import sha256  # most commands need none

    return sha256("".join(texts).encode()).hexdigest()


def digest_of_loops(*packages: str) -> str:
    """A digest of the sources of the compiled loops of packages, 64 hexadecimal digits."""
    return _digest((_extension(each).DIGEST for each in packages) if COMPILED else ["plain"])


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """A loop that only other loops call; from Python it runs uncompiled."""
    return function


def narrow(function: Callable[P, R]) -> Callable[P, R]:
    """An inner loop whose integers have 32 bits: sums over samples are then vector instructions."""
    return function


def group(cls: type[T]) -> type[T]:
    """A NamedTuple that loops take. What compiled loops need of its arrays, 0.1 µs for each, is
    determined once and remembered in the `__dict__` of the tuple, which other named tuples lack."""
    remembering = type(cls.__name__, (cls,), {"__getstate__": _nothing})
    return update_wrapper(remembering, cls, updated=())  # type: ignore[return-value]


def _nothing(_: object) -> None:
    """The state of a group to be pickled or copied beside its parts."""


def low_bit(mask: int) -> int:
    """The index of the lowest set bit of a mask, 1 <= mask < 2^63."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1


def high_bit(mask: int) -> int:
    """The index of the highest set bit of a mask, 1 <= mask < 2^63."""
    return int(mask).bit_length() - 1


def count_bits(mask: int) -> int:
    """The number of bits set in a mask, 0 <= mask < 2^63."""
    return int(mask).bit_count()


def rarely() -> None:
    """Tell the compiler that the branch which calls this is rarely taken, so that the other code
    gets the registers."""


def call_outside(function: Callable[[int, int], int], first: int, second: int) -> int:
    """Call a Python function from a loop."""
    return function(first, second)
