"""The folder of numba's cache, and when a cached function is outdated.

numba asks a locator for the folder, for a stamp of the sources and for a part of the file names.
numba's own stamp covers one file, so a function would retain outdated code that it inlined from
another file. The stamp here covers all our sources that the file imports
(`solver.machine_code.source_digest`), and the libraries that numba's key omits. It is part of the
file names: outdated files are removed and never read, because they may refer to types that no
longer exist. The cache is in the user's
folder for machine code (`solver.machine_code.object_files`). `CheckedCache` also stores a digest in
each file, unlike numba itself, and each signature in its own file, so that processes that compile
at the same time do not write the same index.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import llvmlite
import numba
import numpy as np
from numba.core import caching
from numba.core.serialize import dumps

from solver.machine_code.loop_library import LoopResults
from solver.machine_code.object_files import cache_folder, write_whole
from solver.machine_code.source_digest import digest_of_compiled_sources, function_digest

__all__ = ["CheckedCache", "InCacheFolder", "Notebook", "loop_cache"]

if TYPE_CHECKING:

    class _Locator:
        """The common part of numba's locators of functions in files."""

        def __init__(self, function: Callable[..., Any], path: str) -> None: ...
        def get_cache_path(self) -> str: ...
        def ensure_cache_path(self) -> None: ...

else:
    _Locator = object

_LOCK = Lock()
_VARIANT = ["documented"]
_WRITABLE: dict[str, list[str]] = {}
"""The files in each writable folder at the time of the first request."""


class _Stamped(_Locator):
    """A locator of a function in a file, whose files are named after the function and the stamp."""

    def __init__(self, function: Callable[..., Any], path: str) -> None:
        super().__init__(function, path)
        self._stamp = _stamp(function_digest(function.__code__))
        self._variant = _VARIANT[0]
        qualified = function.__qualname__.replace("<", "").replace(">", "")
        self._name = f"{function.__module__.rpartition('.')[2]}.{qualified}-"

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return f"{self._variant}-{sha256(self._stamp.encode()).hexdigest()[:16]}"

    def ensure_cache_path(self) -> None:
        """Check that the folder can be written, as numba does, but once for each folder; then
        remove outdated files of the function."""
        folder = self.get_cache_path()
        if folder not in _WRITABLE or not Path(folder).is_dir():
            super().ensure_cache_path()
            _WRITABLE[folder] = [path.name for path in Path(folder).iterdir()]
        kept = self._name + self.get_disambiguator()
        other = self._name + ("documented-" if self._variant == "fast" else "fast-")
        for name in _WRITABLE[folder]:
            outdated = name.startswith(self._name) and not name.startswith((kept, other))
            if outdated and name.endswith((".nbi", ".nbc")):
                Path(folder, name).unlink(missing_ok=True)


class InCacheFolder(_Stamped, caching.UserWideCacheLocator):  # type: ignore[misc]
    """A folder for each folder of sources, in the user's folder for machine code."""

    def __init__(self, function: Callable[..., Any], path: str) -> None:
        super().__init__(function, path)
        self._path = path

    def get_cache_path(self) -> str:
        folder = cache_folder()
        if folder is None:
            raise OSError("nothing can be kept")
        return str(folder / "numba" / self.get_suitable_cache_subpath(self._path))


class Notebook(caching.IPythonCacheLocator):  # type: ignore[misc]
    """Loops in a notebook, which may call all our loops."""

    def get_source_stamp(self) -> str:
        return _stamp(super().get_source_stamp(), digest_of_compiled_sources())


_COMPILER = "2"
"""Changes with the options that this package passes to numba."""


def _stamp(*parts: str) -> str:
    return " ".join((*parts, _VARIANT[0], _COMPILER, llvmlite.__version__, np.__version__))


_LOCATORS = ",".join(
    [f"{__name__}.{kind.__name__}" for kind in (InCacheFolder, Notebook)]
    + ["ZipCacheLocator"]  # the stamp covers the whole file
)


@contextmanager
def loop_cache(variant: str) -> Iterator[None]:
    """Use these locators for the functions that are passed to numba within the block. Loops that
    are compiled in different ways from the same source have different variants."""
    with _LOCK:
        before = numba.config.CACHE_LOCATOR_CLASSES
        numba.config.CACHE_LOCATOR_CLASSES = _LOCATORS
        _VARIANT[0] = variant
        try:
            yield
        finally:
            numba.config.CACHE_LOCATOR_CLASSES = before


class _CheckedFile:
    """Replaces numba's index and data files of one function."""

    def __init__(self, folder: str, name: str, stamp: str) -> None:
        self._folder, self._name, self._stamp = Path(folder), name, stamp

    def _path(self, key: Any) -> Path:
        return self._folder / f"{self._name}.{sha256(repr(key).encode()).hexdigest()[:16]}.nbc"

    def flush(self) -> None:
        pass

    def load(self, key: Any) -> Any:
        with suppress(OSError):
            content = self._path(key).read_bytes()
            if sha256(content[32:]).digest() == content[:32]:
                stamp, version, known, kept = pickle.loads(content[32:])
                if (stamp, version, known) == (self._stamp, numba.__version__, key):
                    return kept
        return None

    def save(self, key: Any, kept: Any) -> None:
        content = dumps((self._stamp, numba.__version__, key, kept))
        # A full disk: it is compiled again.
        write_whole(self._path(key), sha256(content).digest() + content)


class CheckedCache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of a loop, in files whose digest is checked before they are used."""

    _impl_class = LoopResults

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _CheckedFile(
            self._impl.locator.get_cache_path(),
            self._impl.filename_base,
            self._impl.locator.get_source_stamp(),
        )
