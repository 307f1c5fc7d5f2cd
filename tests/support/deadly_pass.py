"""What a test plants in a cluster's workers: a pass that kills whoever draws it."""

from __future__ import annotations

import os
import signal
from typing import Any

import undoku.batch.cluster
from undoku.batch.tasks import FilmResult, FilmTask
from undoku.solver.trace.search_trace import SearchTrace

__all__ = ["plant"]


def plant() -> None:
    """From now on this process dies of films that are called poison, and of the first film called
    mortal that any process draws; and it notes every search that it runs."""
    _note_searches()
    room: Any = undoku.batch.cluster
    draw = room.draw

    def deadly(task: FilmTask) -> FilmResult:
        name = task.group.names[0]
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
        found: FilmResult = draw(task)
        return found

    room.draw = deadly


def _note_searches() -> None:
    """Each search becomes a line of the file that UNDOKU_TEST_SEARCHES names."""
    room: Any = SearchTrace
    begin = room._begin

    def noted(trace: SearchTrace) -> Any:
        if path := os.environ.get("UNDOKU_TEST_SEARCHES"):
            with open(path, "a") as file:  # noqa: PTH123
                file.write(f"{trace.header.puzzle} {trace.header.strategy}\n")
        return begin(trace)

    room._begin = noted
