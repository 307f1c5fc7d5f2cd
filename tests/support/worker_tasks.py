"""Functions that tests give to workers."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from pathlib import Path

from undoku.errors import SettingsError


def refuse() -> None:
    raise SettingsError("it is refused", remedy="ask otherwise")


def fail() -> None:
    raise KeyError("the key")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(flag: Path) -> str:
    """Die, unless the file that remembers it exists."""
    if not flag.exists():
        flag.touch()
        die()
    return "second turn"


def terminate_in_a_callback(path: Path) -> None:
    """A file says that the task cleaned up."""
    try:
        ctypes.CFUNCTYPE(None)(_terminate_itself)()
        time.sleep(60)
    finally:
        path.write_text("cleaned up")


def _terminate_itself() -> None:
    os.kill(os.getpid(), signal.SIGTERM)
    for _ in range(9):  # instructions at which the signal is seen
        pass


def talk() -> str:
    print("not an answer")
    os.write(1, b"nor this\n")
    return "answer"


def hold(path: Path) -> None:
    """A file exists as long as the task is at it."""
    path.write_text(str(os.getpid()))
    try:
        time.sleep(60)
    finally:
        path.unlink()
