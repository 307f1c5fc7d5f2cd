"""For which processors machine code is made: this one, or the levels that a wheel carries."""

from __future__ import annotations

import sys
from functools import cache
from typing import NamedTuple

from llvmlite import binding

__all__ = ["LEVELS", "Processor", "host", "levels_here"]


class Processor(NamedTuple):
    """LLVM's name of a processor and of what it can, and the name that files have for both."""

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
"""By architecture: the levels that a wheel carries, the best first, with what a processor must
have. x86-64-v2 is what numpy's wheels need; most processors since 2013 have v3."""


def _listed(features: tuple[str, ...]) -> str:
    return ",".join(f"+{feature}" for feature in features)


def level(architecture: str, name: str) -> Processor:
    """A level of `LEVELS`."""
    return Processor(name, name, _listed(LEVELS[architecture][name]))


def levels_of(architecture: str) -> list[Processor]:
    """The levels of an architecture, the best first; none of an unknown one."""
    return [level(architecture, name) for name in LEVELS.get(architecture, ())]


@cache
def levels_here() -> list[Processor]:
    """The levels of this architecture whose machine code runs on this processor, the best first."""
    can = binding.get_host_cpu_features()
    architecture = binding.get_process_triple().partition("-")[0]
    found = LEVELS.get(architecture, {})
    return [
        level(architecture, name)
        for name, needed in found.items()
        if all(can.get(feature, False) for feature in needed)
    ]


@cache
def host() -> Processor:
    """This processor, or the one for which NUMBA_CPU_NAME and NUMBA_CPU_FEATURES ask, which is how
    a wheel is built."""
    import os

    name = os.environ.get("NUMBA_CPU_NAME") or binding.get_host_cpu_name()
    features = os.environ.get("NUMBA_CPU_FEATURES")
    if features is None:
        features = binding.get_host_cpu_features().flatten()
    return Processor(f"{sys.platform}-{name}", name, features)
