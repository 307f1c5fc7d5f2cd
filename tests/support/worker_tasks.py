"""Functions that tests give to workers."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from undoku.errors import SettingsError


def act(task: tuple[str, object]) -> object:
    """Do what the task says."""
    what, argument = task
    if what == "square":
        assert isinstance(argument, int)
        return argument * argument
    if what == "refuse":
        raise SettingsError("it is refused", remedy="ask otherwise")
    if what == "fail":
        raise KeyError(argument)
    if what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "die once":  # a file remembers that it was done
        try:
            Path(str(argument)).open("x").close()
        except FileExistsError:
            return "second turn"
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "terminate in a callback":  # then a file says that the task cleaned up
        try:
            ctypes.CFUNCTYPE(None)(_terminate_itself)()
            time.sleep(60)
        finally:
            Path(str(argument)).write_text("cleaned up")
    if what == "processors":  # of this process and of one that it starts
        ask = "import os; print(sorted(os.sched_getaffinity(0)))"
        reported = subprocess.run([sys.executable, "-c", ask], capture_output=True, check=True)
        return [sorted(os.sched_getaffinity(0)), json.loads(reported.stdout)]
    if what == "print":
        print("not an answer")
        os.write(1, b"nor this\n")
        return "answer"
    if what == "hold":  # a file stands as long as the task is at it
        path = Path(str(argument))
        path.write_text(str(os.getpid()))
        try:
            time.sleep(60)
        finally:
            path.unlink()
    return None


def _terminate_itself() -> None:
    os.kill(os.getpid(), signal.SIGTERM)
    for _ in range(9):  # instructions at which the signal is seen
        pass
