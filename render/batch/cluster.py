"""Runs drawing passes on a Dask distributed scheduler.

A task carries its puzzle and settings; its films come back as bytes, or lie in the batch's folder
already where the worker sees that folder too. The scheduler gives the task of a lost worker to
another one, and gives up a task that several workers died of.
"""

from __future__ import annotations

import secrets
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from render.batch.schedule import Pending
from render.batch.versions import versions
from render.batch.work import STILL, Drawn, DrawTask, draw
from solver.errors import OutputError, RunError, SettingsError, UndokuError
from solver.workers import Done, WorkerBugError

__all__ = ["Cluster"]

_PATIENCE = 20  # seconds until a scheduler must answer, and until it must have a worker
_TOKEN = "token"


@dataclass(frozen=True, slots=True)
class _Sent:
    """A task as it travels. `token` is what a file in the shared folder holds, if it is shared."""

    task: DrawTask
    token: str


@dataclass(frozen=True, slots=True)
class _Returned:
    """What comes back. `files` are the films' bytes by name, empty where they are in place."""

    drawn: Drawn
    files: dict[str, bytes]
    versions: dict[str, str]


class Cluster:
    """A connection to the scheduler at `address`, such as "tcp://host:8786".

    Raises SettingsError when dask isn't installed, RunError when no scheduler answers there or it
    has no worker.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise SettingsError(
                "a cluster needs dask", remedy='pip install "undoku[cluster]"'
            ) from None
        try:
            connect: Any = Client  # the library has no types
            self._client = connect(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise RunError(
                f"no Dask scheduler answers at {address!r}: {error}",
                remedy="start one with dask scheduler",
            ) from None
        try:
            self._client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            self._client.close()
            raise RunError(
                f"the scheduler at {address!r} has no worker",
                remedy=f"start one with dask worker {address}",
            ) from None

    def run(
        self, folder: Path, pending: Sequence[Pending]
    ) -> Iterator[Done[tuple[Pending | None, Any], Drawn | None]]:
        """Draw the passes and yield each as it ends; its films then lie in its task's folder below
        `folder`."""
        from distributed import as_completed

        token = secrets.token_hex(16)
        (folder / _TOKEN).write_text(token)
        waiting: dict[str, tuple[Any, Pending, DrawTask]] = {}
        left = iter(pending)
        # The library's own futures, not its executor's: those never end when a result is lost
        # together with the worker that had it.
        iterate: Any = as_completed
        ended = iterate(loop=self._client.loop)
        try:
            while True:
                # A few for each thread of the cluster: results must not pile up.
                room = 2 * max(1, sum(self._client.nthreads().values()))
                for one in islice(left, max(0, room - len(waiting))):
                    task = DrawTask(one.drawn, one.wanted, folder / one.folder, span=one.span)
                    future = self._client.submit(_draw_there, _Sent(task, token), pure=False)
                    waiting[future.key] = future, one, task
                    ended.add(future)
                if not waiting:
                    return
                future, one, task = waiting.pop(next(ended).key)
                yield self._done(future, one, task)
                future.release()
        finally:
            for future, *_ in waiting.values():
                future.cancel()

    def _done(
        self, future: Any, one: Pending, task: DrawTask
    ) -> Done[tuple[Pending | None, Any], Drawn | None]:
        from distributed import KilledWorker

        try:
            returned: _Returned = future.result()
            if returned.versions != versions():
                raise RunError(
                    f"a worker has {_differing(returned.versions)}, here there is "
                    f"{_differing(versions(), returned.versions)}",
                    remedy="install the same versions everywhere",
                )
            if returned.files:
                task.folder.mkdir()
            for name, content in returned.files.items():
                (task.folder / name).write_bytes(content)
        except UndokuError as error:
            return Done((one, task), None, error)
        except KilledWorker as error:
            return Done(
                (one, task),
                None,
                RunError(f"{error.allowed_failures + 1} workers were lost at this task"),
            )
        except OSError as error:
            return Done((one, task), None, OutputError(f"the disk refused: {error.strerror}"))
        except Exception:
            return Done((one, task), None, WorkerBugError(traceback.format_exc().strip()))
        return Done((one, task), returned.drawn, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.close()


def _differing(first: dict[str, str], second: dict[str, str] | None = None) -> str:
    other = versions() if second is None else second
    return ", ".join(
        f"{name} {number}" for name, number in first.items() if other.get(name) != number
    )


def _draw_there(sent: _Sent) -> _Returned:
    """What a worker of the cluster does."""
    task = sent.task
    if _shared(task.folder.parent, sent.token):
        return _Returned(draw(task), {}, versions())
    with tempfile.TemporaryDirectory(prefix="undoku-") as folder:
        drawn = draw(replace(task, folder=Path(folder)))
        names = [made.file for made in drawn.films] + [STILL]
        files = {name: (Path(folder) / name).read_bytes() for name in names}
    return _Returned(drawn, files, versions())


def _shared(folder: Path, token: str) -> bool:
    """Whether this is the batch's own folder, and not one that is only called the same."""
    try:
        return (folder / _TOKEN).read_text() == token
    except OSError:
        return False
