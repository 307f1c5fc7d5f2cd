"""Makes all films of a batch: keeps existing ones, shares work, isolates failures."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from sys import intern

from undoku.batch.batch_folder import BatchFolder
from undoku.batch.digests import Entry, Record, key_of
from undoku.batch.estimate import FilmEstimate, estimate
from undoku.batch.film_segments import FilmSegments
from undoku.batch.gallery import STILLS, still_name, write_report
from undoku.batch.inline_executor import InlineExecutor
from undoku.batch.passes import Pass, is_beside
from undoku.batch.schedule import Pending, Schedule
from undoku.batch.work import STILL, Drawn, DrawTask, SearchTask, work
from undoku.cores import cores
from undoku.errors import OutputError, UndokuError
from undoku.solver.trace.trace import Tally
from undoku.worker_pool import Workers, processors

__all__ = ["BatchFilm", "BatchReport", "FilmStatus", "estimate_batch", "run_batch"]


class FilmStatus(StrEnum):
    """The result for a film."""

    MADE = "made"
    KEPT = "kept"
    """It existed already, made from the same inputs."""
    FAILED = "failed"
    LEFT = "left"
    """It was not begun, because another film had failed."""


@dataclass(frozen=True, slots=True)
class BatchFilm:
    """A film of a batch. `reason` states why it failed; otherwise `entry` has its figures."""

    name: str
    status: FilmStatus
    entry: Entry | None = None
    reason: str = ""
    seconds: float = 0.0
    """The duration of its drawing pass with all formats."""
    kept_as: str = ""
    """The new name of an existing file that was not made by a batch, "" if there was none."""


@dataclass(frozen=True, slots=True)
class BatchReport:
    """All films of a batch, in the manifest's order."""

    films: tuple[BatchFilm, ...]

    def count(self, status: FilmStatus) -> int:
        return sum(film.status is status for film in self.films)

    @property
    def exit_code(self) -> int:
        """1 if a film is missing."""
        return int(any(film.status in (FilmStatus.FAILED, FilmStatus.LEFT) for film in self.films))


Watch = Callable[[BatchFilm, int, int], None]
"""Called with each film as it ends, the films ended, and the films in all."""


def run_batch(
    passes: Sequence[Pass],
    folder: Path,
    *,
    jobs: int | None = None,
    force: bool = False,
    fail_fast: bool = False,
    cluster: str | None = None,
    watch: Watch | None = None,
) -> BatchReport:
    """Make the films of `passes` in `folder`, with `jobs` worker processes (None: one for each
    core; 0: in this process), which together with their encoders use that number of cores, or on
    the Dask cluster at the address `cluster`.

    A film is kept if according to the record it was made from the same inputs, settings and
    versions; `force` makes all films again, and renames existing files that no batch made or that
    were changed since. A failed film does not affect the others, unless `fail_fast`. The folder
    gets a report.html. Raises OutputError if the folder can't be used, for instance because another
    batch is using it.
    """
    with BatchFolder(folder) as batch_folder:
        record = Record(batch_folder.record)
        run = _Run(batch_folder, record, passes, force, watch)
        try:
            run.classify()
            run.make(jobs, cluster, fail_fast)
        finally:
            record.close()
        record.rewrite(folder, [name for one in passes for name in one.names])
        report = BatchReport(tuple(run.films[name] for one in passes for name in one.names))
        write_report(batch_folder, [(film.name, film.entry, film.reason) for film in report.films])
        return report


def estimate_batch(
    passes: Sequence[Pass], folder: Path, *, force: bool = False
) -> list[FilmEstimate]:
    """The films that `run_batch` would make or keep, given the films of earlier runs in `folder`.
    Writes nothing. Raises OutputError if the record can't be read."""
    record = Record(BatchFolder(folder).record)
    kept = {
        name
        for one in passes
        for number, name in enumerate(one.names)
        if not force and record.finished(folder, name, key_of(one, number))
    }
    return estimate(passes, record.entries, kept)


class _Run:
    def __init__(
        self,
        batch_folder: BatchFolder,
        record: Record,
        passes: Sequence[Pass],
        force: bool,
        watch: Watch | None,
    ) -> None:
        self._batch_folder = batch_folder
        self._record = record
        self._passes = passes
        self._force = force
        self._watch = watch
        self._names = {name for one in passes for name in one.names}
        self._total = sum(len(one.names) for one in passes)
        self._pending: list[Pending] = []
        self._segments = FilmSegments(batch_folder.work)
        self._failed = False
        self.films: dict[str, BatchFilm] = {}

    def _report(self, film: BatchFilm) -> None:
        self.films[film.name] = film
        self._failed |= film.status is FilmStatus.FAILED
        if self._watch:
            self._watch(film, len(self.films), self._total)

    def classify(self) -> None:
        """Sort the films into existing ones, films to make, and films that can't be made."""
        for number, one in enumerate(self._passes):
            wanted = []
            for film, name in enumerate(one.names):
                entry = None
                if not self._force:
                    entry = self._record.finished(self._batch_folder.path, name, key_of(one, film))
                still = self._batch_folder.path / STILLS / still_name(name)
                if entry and not is_beside(name) and not still.exists():
                    entry = None
                wanted.append(entry is None)
                if entry:
                    self._report(BatchFilm(name, FilmStatus.KEPT, entry))
                elif not self._force and self._foreign(name):
                    wanted[-1] = False
                    difference = self._record.difference(self._batch_folder.path, name)
                    reason = (
                        f"{name!r} exists already, and {difference}; --force makes the film and "
                        "keeps this file under another name"
                    )
                    self._report(BatchFilm(name, FilmStatus.FAILED, reason=reason))
            if any(wanted):
                self._pending.append(Pending(number, one, tuple(wanted)))

    def _foreign(self, name: str) -> bool:
        return self._batch_folder.taken(name) and not self._record.ours(
            self._batch_folder.path, name
        )

    def make(self, jobs: int | None, cluster: str | None, fail_fast: bool) -> None:
        """Make the pending films."""
        if not self._pending:
            return
        self._pending = self._segments.cut(self._pending)
        requested = cores() if jobs is None else jobs
        count = min(requested, len(self._pending))
        work = self._batch_folder.work
        if cluster is not None:
            from undoku.batch.cluster import Cluster

            with Cluster(cluster, work) as remote:
                ahead = Schedule(self._pending, work, remote.capacity, remote.forget)
                self._collect(remote, ahead, lambda: remote.capacity, fail_fast)
        elif count:
            with Workers(count, processors=processors(requested)) as workers:
                self._collect(
                    workers, Schedule(self._pending, work, count), lambda: 2 * count, fail_fast
                )
        else:
            self._collect(InlineExecutor(), Schedule(self._pending, work, 0), lambda: 1, fail_fast)

    def _collect(
        self, executor: Executor, schedule: Schedule, capacity: Callable[[], int], fail_fast: bool
    ) -> None:
        """Run the tasks, at most `capacity()` at once, and collect their results."""
        waiting: dict[Future[Drawn | None], tuple[Pending | None, SearchTask | DrawTask]] = {}
        while not (fail_fast and self._failed):
            while len(waiting) < capacity() and (task := schedule.next()):
                waiting[executor.submit(work, task[1])] = task
            if not waiting:
                break
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                self._finish(*waiting.pop(future), future, schedule)
        for one in self._pending:
            for name in one.drawn.names:
                if name not in self.films:
                    self._report(BatchFilm(name, FilmStatus.LEFT, reason="not begun"))

    def _finish(
        self,
        pending: Pending | None,
        task: SearchTask | DrawTask,
        future: Future[Drawn | None],
        schedule: Schedule,
    ) -> None:
        """Process the end of a task."""
        if pending is None or not isinstance(task, DrawTask):
            assert isinstance(task, SearchTask)
            schedule.searched(task)
            return
        schedule.drawn(pending)
        drawn, error = (None, found) if (found := future.exception()) else (future.result(), None)
        if drawn is None:
            self._fail(pending, error)
        elif pending.span is None:
            self._publish(pending, task, drawn)
        else:
            self._add_segment(pending, task, drawn)
        shutil.rmtree(task.folder, ignore_errors=True)

    def _publish(self, pending: Pending, task: DrawTask, drawn: Drawn) -> None:
        """Rename the films of a pass to their final names."""
        for made in drawn.films:
            name = pending.drawn.names[made.number]
            entry = Entry(
                name,
                key_of(pending.drawn, made.number),
                made.digest,
                made.bytes,
                made.frames,
                made.duration,
                counted(pending.drawn.strategies, drawn.tallies),
            )
            kept_as = ""
            try:
                if self._foreign(name):
                    kept_as = self._batch_folder.set_aside(name, self._names)
                self._record.add(entry)
                if not is_beside(name):
                    still = task.folder / f"{made.number}-{STILL}"
                    shutil.copyfile(task.folder / STILL, still)
                    self._batch_folder.place(still, f"{STILLS}/{still_name(name)}")
                self._batch_folder.place(task.folder / made.file, name)
            except (OutputError, OSError) as error:
                kept = f"; the existing file is kept as {kept_as}" * bool(kept_as)
                self._report(
                    BatchFilm(name, FilmStatus.FAILED, reason=f"{error}{kept}", kept_as=kept_as)
                )
            else:
                self._report(
                    BatchFilm(name, FilmStatus.MADE, entry, seconds=drawn.seconds, kept_as=kept_as)
                )

    def _add_segment(self, pending: Pending, task: DrawTask, drawn: Drawn) -> None:
        """Add a segment; the last one completes the film."""
        try:
            whole = self._segments.add(pending, task, drawn)
        except UndokuError as error:
            self._fail(pending, error)
        else:
            if whole:
                self._publish(pending, *whole)
                shutil.rmtree(whole[0].folder, ignore_errors=True)

    def _fail(self, pending: Pending, error: BaseException | None) -> None:
        for name, wanted in zip(pending.drawn.names, pending.wanted, strict=True):
            if wanted and name not in self.films:  # a film in segments can fail several times
                self._report(BatchFilm(name, FilmStatus.FAILED, reason=str(error)))


def counted(strategies: Sequence[str], tallies: Sequence[Tally]) -> str:
    """The counts of the searches of a film, in a line."""
    return intern(  # many films have the same counts
        "; ".join(
            f"{strategy}: {tally.outcome}, {tally.nodes:,} nodes, {tally.steps:,} steps"
            for strategy, tally in zip(strategies, tallies, strict=True)
        )
    )
