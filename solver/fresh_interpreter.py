"""How a new process of Python is started that finds the same modules as this one."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["command_running"]


def command_running(statements: str) -> list[str]:
    """The words of a command that runs `statements` in a fresh interpreter.

    `python -c` looks for modules in the current folder first, where one may be named as ours are;
    so the statements run with this process's own path, which also has what was added to it since.
    """
    home = str(Path(__file__).absolute().parents[1])
    path = [*map(str, sys.path), home]
    return [sys.executable, "-c", f"import sys; sys.path[:] = {path!r}; {statements}"]
