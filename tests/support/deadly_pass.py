"""What a test plants in a cluster's workers as they start: films that kill whoever draws them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import undoku.render.batch.cluster
from undoku.render.batch.tasks import FilmResult, FilmTask, draw
from undoku.solver.trace.search_trace import SearchTrace
from undoku.solver.trace.trace import Events


def dask_setup(worker: object) -> None:
    """From now on this process dies of films that are called poison, and of the first film called
    mortal that any process draws; and each search that it runs and each film that it draws becomes
    lines of the file that UNDOKU_TEST_NOTES names."""
    del worker
    cluster: Any = undoku.render.batch.cluster
    cluster.draw = _deadly
    traces: Any = SearchTrace
    chunks = SearchTrace.chunks

    def noted(trace: SearchTrace) -> Iterator[Events]:
        _note(f"search {trace.header.puzzle} {trace.header.strategy}")
        return chunks(trace)

    traces.chunks = noted


def _note(line: str) -> None:
    with Path(os.environ["UNDOKU_TEST_NOTES"]).open("a") as file:
        file.write(line + "\n")


def _deadly(task: FilmTask) -> FilmResult:
    name, died = task.group.names[0], Path(os.environ["UNDOKU_TEST_FLAG"])
    _note(f"begin {name}")
    if name.startswith("poison") or (name.startswith("mortal") and not died.exists()):
        died.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    drawn = draw(task)
    _note(f"end {name}")
    return drawn
