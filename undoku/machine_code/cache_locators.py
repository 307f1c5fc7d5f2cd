"""The folder of numba's cache, and when a cached function is outdated.

numba asks a locator, a class that the documented variable NUMBA_CACHE_LOCATOR_CLASSES names, for
the folder, for a stamp of the sources and for a part of the file names. numba's own stamp covers
one file, so a function would retain outdated code that it inlined from another file. The stamp here
covers all our sources that the file imports (`undoku.machine_code.source_digest`), and the
libraries that numba's key omits. It is part of the file names: outdated files are removed and never
read, because they may refer to types that no longer exist. The cache is in the user's folder for
machine code (`undoku.machine_code.object_files`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, Self

import llvmlite
import numba
import numpy as np

from undoku.machine_code.object_files import cache_folder
from undoku.machine_code.source_digest import digest_of_compiled_sources, function_digest

__all__ = ["FileLocator", "NotebookLocator", "loop_cache"]

_LOCK = Lock()
_VARIANT = ["documented"]
_FILES_BEFORE: dict[Path, list[str]] = {}
"""The files in each folder when the first of its functions was located."""


class FileLocator:
    """Locates the machine code of a function in a source file: in a folder for each folder of
    sources, in files that are named after the function and the stamp."""

    def __init__(self, name: str, folder: Path, digest: str) -> None:
        """For a function whose files begin with `name` and have a digest of its sources."""
        self._stamp = _stamp(digest)
        self._variant = _VARIANT[0]
        self._name = f"{name.replace('<', '').replace('>', '')}-"
        self._folder = folder

    @classmethod
    def from_function(cls, function: Callable[..., Any], source: str) -> Self | None:
        """The locator of a function; None if its source is not a file or nothing can be stored."""
        path, folder = Path(source).absolute(), cache_folder()
        if not path.is_file() or folder is None:
            return None
        sources = f"{path.parent.name}_{sha256(str(path.parent).encode()).hexdigest()[:40]}"
        name = f"{path.stem}.{function.__qualname__}"
        made = cls(name, folder / "numba" / sources, function_digest(function.__code__))
        return made if made._is_usable() else None

    def _is_usable(self) -> bool:
        try:
            self.ensure_cache_path()
        except OSError:
            return False
        return True

    def get_cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """The digest of the sources and what else machine code depends on."""
        return self._stamp

    def get_disambiguator(self) -> str:
        """The part of the names of files that changes with the stamp."""
        return f"{self._variant}-{sha256(self._stamp.encode()).hexdigest()[:16]}"

    def ensure_cache_path(self) -> None:
        """Create the folder, and remove outdated files of the function. Raises OSError if the
        folder can't be created."""
        if self._folder not in _FILES_BEFORE or not self._folder.is_dir():
            self._folder.mkdir(parents=True, exist_ok=True)
            _FILES_BEFORE[self._folder] = [path.name for path in self._folder.iterdir()]
        kept = self._name + self.get_disambiguator()
        other = self._name + ("documented-" if self._variant == "fast" else "fast-")
        for name in _FILES_BEFORE[self._folder]:
            outdated = name.startswith(self._name) and not name.startswith((kept, other))
            if outdated and name.endswith((".nbi", ".nbc")):
                (self._folder / name).unlink(missing_ok=True)


class NotebookLocator(FileLocator):
    """Locates the machine code of a function in a notebook, which may call all our loops."""

    @classmethod
    def from_function(cls, function: Callable[..., Any], source: str) -> Self | None:
        """The locator of a function; None if it was not entered in IPython."""
        path, folder = Path(source), cache_folder()
        cell = source.startswith("<ipython-") or path.parent.name.startswith("ipykernel_")
        if not cell or folder is None:
            return None
        content = sha256(inspect.getsource(function).encode()).hexdigest()
        name = f"{path.stem}.{function.__qualname__}"
        made = cls(name, folder / "numba" / "cells", f"{content} {digest_of_compiled_sources()}")
        return made if made._is_usable() else None


_COMPILER = "3"
"""Changes with the options that this package passes to numba."""


def _stamp(digest: str) -> str:
    return " ".join((digest, _VARIANT[0], _COMPILER, llvmlite.__version__, np.__version__))


_LOCATORS = ",".join(
    [f"{__name__}.{kind.__name__}" for kind in (FileLocator, NotebookLocator)]
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
