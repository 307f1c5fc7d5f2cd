"""What a test plants in a cluster's workers: a pass that kills whoever draws it."""

from __future__ import annotations

import os
import signal
from typing import Any

import render.batch.cluster
from render.batch.work import Drawn, DrawTask

__all__ = ["plant"]


def plant() -> None:
    """From now on this process dies of films that are called poison, and of the first film called
    mortal that any process draws."""
    room: Any = render.batch.cluster
    draw = room.draw

    def deadly(task: DrawTask) -> Drawn:
        name = task.drawn.names[0]
        flag = os.environ.get("UNDOKU_TEST_FLAG", "")
        if name.startswith("poison"):
            os.kill(os.getpid(), signal.SIGKILL)
        if name.startswith("mortal") and flag:
            try:
                os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        found: Drawn = draw(task)
        return found

    room.draw = deadly
