"""The processors for which machine code is made: this one, or the levels in a wheel."""

from __future__ import annotations

import os
import platform
import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from undoku.machine_code.object_files import cache_folder, write_whole

__all__ = ["LEVELS", "Processor", "architecture", "host", "levels_here", "levels_of"]


class Processor(NamedTuple):
    """LLVM's names of a processor and of its features, and the label of both in file names."""

    label: str
    name: str
    features: str


_V2 = ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")
_V3 = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")

LEVELS: dict[str, dict[str, tuple[str, ...]]] = {
    "x86_64": {"x86-64-v3": _V3, "x86-64-v2": _V2},
    "aarch64": {"generic": ("neon",)},
    "arm64": {"generic": ("neon",)},
}
"""The levels in a wheel for each architecture, the best first, with the features that a processor
must have. x86-64-v2 is what numpy's wheels need; most processors since 2013 have v3."""


def _listed(features: tuple[str, ...]) -> str:
    return ",".join(f"+{feature}" for feature in features)


def level(architecture: str, name: str) -> Processor:
    """A level of `LEVELS`."""
    return Processor(name, name, _listed(LEVELS[architecture][name]))


def levels_of(architecture: str) -> list[Processor]:
    """The levels of an architecture, the best first; none of an unknown one."""
    return [level(architecture, name) for name in LEVELS.get(architecture, ())]


@cache
def architecture() -> str:
    """LLVM's name of this machine's architecture."""
    return platform.machine().replace("AMD64", "x86_64")


@cache
def levels_here() -> list[Processor]:
    """The levels of this architecture whose machine code runs on this processor, the best first."""
    available = _flags()
    return [
        level(architecture(), name)
        for name, needed in LEVELS.get(architecture(), {}).items()
        if available.issuperset(needed)
    ]


@cache
def host() -> Processor:
    """This processor, or the one set by NUMBA_CPU_NAME and NUMBA_CPU_FEATURES, with which wheels
    are built."""
    name, features = os.environ.get("NUMBA_CPU_NAME"), os.environ.get("NUMBA_CPU_FEATURES")
    if not name or features is None:
        own_name, own_features = _read_stored() or _ask_llvm()
        name, features = name or own_name, own_features if features is None else features
    return Processor(f"{sys.platform}-{name}", name, features)


def _ask_llvm() -> tuple[str, str]:
    """The name and the features of this processor from LLVM; they are stored in the cache."""
    from llvmlite import binding

    found = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    path = _storage()
    if path is not None:
        write_whole(path, "\n".join((_digest(*found), *found)).encode())
    return found


def _read_stored() -> tuple[str, str] | None:
    """The stored answer of LLVM for this processor, if any. It saves loading LLVM, which takes 50
    ms."""
    path = _storage()
    with suppress(OSError, ValueError):
        if path is not None:
            digest, name, features = path.read_text("ascii").split("\n")
            if digest == _digest(name, features):
                return name, features
    return None


def _storage() -> Path | None:
    """The cache file for this model of processor and this LLVM; None if the model is unknown or
    there is no cache."""
    folder, found = cache_folder(), find_spec("llvmlite")
    if folder is None or found is None or found.origin is None or "flags" not in _described():
        return None
    model = [f"{key} {_described().get(key)}" for key in _MODEL_KEYS]
    with suppress(OSError):
        status = Path(found.origin).stat()
        llvm = (found.origin, str(status.st_mtime_ns), str(status.st_size))
        return folder / f"processor-{_digest(*model, *llvm)[:32]}"
    return None


_MODEL_KEYS = ("vendor_id", "cpu family", "model", "model name", "stepping", "flags")
"""The lines of /proc/cpuinfo that identify the model of a processor."""

_NAMES = {
    "sahf": "lahf_lm", "sse3": "pni", "sse4.1": "sse4_1", "sse4.2": "sse4_2", "bmi": "bmi1",
    "lzcnt": "abm", "neon": "asimd",
}  # fmt: skip
"""Linux's names of processor features whose LLVM names differ."""


def _flags() -> set[str]:
    """The features of this processor, by LLVM's names: only those that levels require, if Linux
    lists them."""
    described = _described()
    listed = (described.get("flags") or described.get("Features") or "").split()
    if not listed:
        from llvmlite import binding

        return {name for name, present in binding.get_host_cpu_features().items() if present}
    required = {name for level in LEVELS.get(architecture(), {}).values() for name in level}
    return {name for name in required if _NAMES.get(name, name) in listed}


@cache
def _described() -> dict[str, str]:
    """The description of the first processor in /proc/cpuinfo (proc(5)); {} on other systems."""
    try:
        with Path("/proc/cpuinfo").open("rb", buffering=0) as file:
            first = file.read(1 << 14).decode("utf-8", "replace").partition("\n\n")[0]
    except OSError:
        return {}
    parts = (line.partition(":") for line in first.splitlines())
    return {key.strip(): value.strip() for key, _, value in parts}


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode()).hexdigest()
