"""Makes the machine code for a wheel: python -m undoku.machine_code.carrying LEVEL FOLDER

Compiles all loops of the tables for a level of this architecture, with NUMBA_CPU_NAME and
NUMBA_CPU_FEATURES set by the caller (`environment_for`), and writes their files to FOLDER, with a
folder for each package.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from undoku.machine_code.code_digest import REMEMBERED
from undoku.machine_code.filling import fill, loop_named
from undoku.machine_code.known_loops import KnownLoop, known_loops
from undoku.machine_code.object_files import CARRIED, LOOPS, SUFFIX, cache_folder
from undoku.machine_code.processors import Processor, architecture, host, levels_of
from undoku.machine_code.signatures import class_of
from undoku.machine_code.source_digest import digest_of_compiled_sources

__all__ = ["environment_for", "is_valid", "levels_of_this_machine", "make_carried"]

_PACKAGES = ("undoku",)


def levels_of_this_machine() -> list[Processor]:
    """The levels in a wheel for the architecture of this machine."""
    return levels_of(architecture())


def environment_for(level: Processor, cache: Path) -> dict[str, str]:
    """The environment of the process that compiles for a level."""
    return {
        "NUMBA_CPU_NAME": level.name,
        "NUMBA_CPU_FEATURES": level.features,
        "UNDOKU_CACHE_DIR": str(cache),
    }


def is_valid(known: KnownLoop) -> bool:
    """Whether a loop of that name with as many parameters still exists, and each tuple that it
    takes has as many members."""
    loop = loop_named(known.module, known.loop)
    if loop is None or loop.py_func.__code__.co_argcount != len(known.signature):
        return False
    kinds = list(known.signature)
    while kinds:
        kind = kinds.pop()
        if isinstance(kind, tuple) and kind[0] in ("tuple", "named", "function"):
            kinds += kind[-1]
            if kind[0] == "named":
                try:
                    fields: tuple[str, ...] = class_of(kind[1])._fields  # type: ignore[attr-defined]
                except (ImportError, AttributeError):
                    return False
                if len(fields) != len(kind[2]):
                    return False
    return True


def make_carried(label: str, folder: Path) -> list[str]:
    """Compile all known loops into `folder`/PACKAGE/…/`label`, beside the digests of their sources;
    returns the names of loops that could not be compiled, because their entries in the table are
    outdated."""
    cache = cache_folder()
    assert cache is not None
    known = [one for package in _PACKAGES for one in known_loops(package) if one.role != "called"]
    fill(known)
    missing = []
    for one in known:
        loop = loop_named(one.module, one.loop)
        name = loop.digest(one.signature, host()) if loop else ""
        made = cache / LOOPS / f"{name}{SUFFIX}"
        if not made.is_file():
            missing.append(f"{one.module}.{one.loop}")
            continue
        into = folder / one.module.partition(".")[0] / CARRIED / label
        into.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made, into / made.name)
    digest_of_compiled_sources()
    shutil.copyfile(cache / REMEMBERED, folder / "undoku" / CARRIED / REMEMBERED)
    return missing


if __name__ == "__main__":
    left = make_carried(sys.argv[1], Path(sys.argv[2]))
    if left:
        print("not compiled, update the tables by make loops:", *sorted(left), sep="\n  ")
