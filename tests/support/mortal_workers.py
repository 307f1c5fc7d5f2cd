"""The workers of a cluster, each in a process of its own that is begun again whenever it dies; some
films kill whoever draws them. Dask's own nannies give up a worker that dies while it starts.

Arguments: the address of the scheduler, the number of workers, a folder for their files.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from distributed import Worker

import undoku.render.batch.cluster
from undoku.render.batch.tasks import FilmResult, FilmTask, draw


def _note(line: str) -> None:
    with Path(os.environ["UNDOKU_TEST_NOTES"]).open("a") as file:
        file.write(line + "\n")


def _deadly(task: FilmTask) -> FilmResult:
    """Draw films. This process dies of films that are called poison, and of the first film called
    mortal that any process draws; each film becomes lines of the file that UNDOKU_TEST_NOTES
    names."""
    name, died = task.group.names[0], Path(os.environ["UNDOKU_TEST_FLAG"])
    _note(f"begin {name}")
    if name.startswith("poison") or (name.startswith("mortal") and not died.exists()):
        died.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    drawn = draw(task)
    _note(f"end {name}")
    return drawn


async def _work(scheduler: str, folder: str) -> None:
    worker: Any = Worker  # the library has no types
    async with worker(scheduler, nthreads=1, local_directory=folder, dashboard=False) as running:
        await running.finished()


def _workers(scheduler: str, count: int, folder: str) -> None:
    """Keep so many workers running. A new one need not load the library: it is a fork."""
    cluster: Any = undoku.render.batch.cluster
    cluster.draw = _deadly
    running = 0
    while True:
        while running < count:
            if not os.fork():
                asyncio.run(_work(scheduler, folder))
                os._exit(0)
            running += 1
        os.wait()
        running -= 1


if __name__ == "__main__":
    _workers(sys.argv[1], int(sys.argv[2]), sys.argv[3])
