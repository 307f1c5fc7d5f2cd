"""Starts a new Python process that finds the same modules as this one."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["command_running"]


def command_running(statements: str) -> list[str]:
    """The words of a command that runs `statements` in a fresh interpreter.

    `python -c` searches the current folder first, which may contain modules with the names of ours.
    Therefore the new process searches `sys.path` of this process.
    """
    home = str(Path(__file__).absolute().parents[1])
    path = [*map(str, sys.path), home]
    return [sys.executable, "-c", f"import sys; sys.path[:] = {path!r}; {statements}"]
