"""Processes that call a compiled loop, with a cache of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

__all__ = [
    "LOOPS",
    "PLAIN",
    "SAID",
    "copy_of_compiled",
    "ended",
    "folder_with_a_compiled_loop",
    "machine_code_in",
    "own_environment",
    "printed_by",
    "process",
]

PLAIN = pytest.mark.skipif(
    "UNDOKU_PLAIN" in os.environ or os.environ.get("UNDOKU_NUMBA") == "documented",
    reason="loops are not entered this way",
)

LOOPS = """
from undoku.machine_code.jit import lean

@lean
def doubled(numbers):
    for place in range(len(numbers)):
        numbers[place] *= 2
    return numbers[-1]
"""

SAID = """
import sys
import numpy, loops
print(loops.doubled(numpy.arange(4)), "numba" in sys.modules)
"""


def own_environment() -> dict[str, str]:
    """The environment without variables that choose how loops are compiled and kept."""
    chosen = ("NUMBA_CACHE_DIR", "UNDOKU_NUMBA", "UNDOKU_PLAIN")
    return {name: value for name, value in os.environ.items() if name not in chosen}


def process(folder: Path, code: str = SAID, **environment: str) -> subprocess.Popen[str]:
    """A process that runs `code` with the module `loops`."""
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=own_environment()
        | {
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)]),
            "UNDOKU_CACHE_DIR": str(folder / "cache"),
            # Python's own cache can't tell two versions of one second and one size apart.
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        | environment,
    )


def printed_by(folder: Path, code: str = SAID, **environment: str) -> str:
    """What such a process prints; it may not complain."""
    return ended(process(folder, code, **environment))


def ended(running: subprocess.Popen[str]) -> str:
    out, errors = running.communicate()
    assert (running.returncode, errors) == (0, "")
    return out.strip()


def folder_with_a_compiled_loop(folder: Path) -> Path:
    """`folder`, with a module and a cache that has its loop."""
    (folder / "loops.py").write_text(LOOPS)
    assert printed_by(folder) == "6 True"
    return folder


def copy_of_compiled(compiled: Path, folder: Path) -> Path:
    """`folder`, with a copy of what `folder_with_a_compiled_loop` made."""
    shutil.copytree(compiled, folder, dirs_exist_ok=True)
    (folder / "cache").chmod(0o700)
    return folder


def machine_code_in(folder: Path) -> Path:
    """The one file of machine code in the cache of a folder."""
    (path,) = (folder / "cache" / "loops").iterdir()
    return path
