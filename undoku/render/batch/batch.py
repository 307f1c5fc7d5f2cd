"""Makes all films of a manifest: keeps existing ones, shares work, isolates failures.

>>> from undoku.render.batch.batch import make_films
>>> report = make_films("films.toml", "films")                 # doctest: +SKIP
>>> report = make_films({"jobs": [{"puzzles": ["medium.txt"],
...     "matrix": {"aspects": ["16:9", "9:16"]}}]}, "films")      # doctest: +SKIP
"""

from __future__ import annotations

import shutil
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from sys import intern
from typing import Any, Protocol

from undoku.errors import OutputError, UndokuError
from undoku.render.batch.batch_folder import BatchFolder
from undoku.render.batch.film_names import is_sidecar
from undoku.render.batch.gallery import STILLS, still_name, write_report
from undoku.render.batch.jobs import films_of
from undoku.render.batch.journal import Entry, Journal, key_of
from undoku.render.batch.tasks import (
    STILL,
    FilmGroup,
    FilmResult,
    FilmTask,
    LostWorkersError,
    WrittenFile,
    draw,
    film_of,
    in_order,
)
from undoku.render.delivery.fit import limits_for, suited
from undoku.render.write.formats import format_of
from undoku.solver.trace.trace import Tally
from undoku.worker_process import InlineExecutor, Workers, workers_of


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
    """The time that it took, with all formats that were drawn together."""
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


@dataclass(frozen=True, slots=True)
class PlannedFilm:
    """A film that a batch would make: the frames of its clock (a format may store a still passage
    as one frame), and its size in pixels. `kept` is the entry of a film that exists already,
    `problem` states why it can't be made."""

    name: str
    frames: int
    width: int
    height: int
    fps: Fraction
    kept: Entry | None = None
    problem: str = ""


Watch = Callable[[BatchFilm, int, int], None]
"""Called with each film as it ends, the films ended, and the films in all."""

TaskFuture = Future[FilmResult]


class Runner(Protocol):
    """What performs the tasks of a batch."""

    room: int
    """How many tasks may be under way now."""

    def submit(self, task: FilmTask) -> TaskFuture:
        """Start a task."""

    def wait(self, running: Collection[TaskFuture]) -> Collection[TaskFuture]:
        """Wait until some of these have ended; returns them."""


class _LocalRunner:
    """Performs at most `room` tasks at once, through an executor of this machine."""

    def __init__(self, executor: Executor, room: int) -> None:
        self._executor = executor
        self.room = room

    def submit(self, task: FilmTask) -> TaskFuture:
        return self._executor.submit(draw, task)

    def wait(self, running: Collection[TaskFuture]) -> Collection[TaskFuture]:
        return wait(running, return_when=FIRST_COMPLETED).done


def make_films(
    films: str | Path | Mapping[str, Any] | Sequence[FilmGroup],
    folder: str | Path = "output",
    *,
    jobs: int | None = None,
    force: bool = False,
    fail_fast: bool = False,
    cluster: str | None = None,
    watch: Watch | None = None,
) -> BatchReport:
    """Make the films of a manifest, or of its groups, in `folder`, as `undoku batch` does: with
    `jobs` worker processes (None: one for each core; 0: in this process), or on the Dask cluster at
    the address `cluster`.

    A film is kept if according to the journal it was made from the same inputs, settings and
    versions; `force` makes all films again, and renames existing files that no batch made or that
    were changed since. A failed film does not affect the others, unless `fail_fast`. The folder
    gets a report.html. Raises SettingsError for fewer than 0 jobs and the errors of `films_of`
    before any film is begun, and OutputError if the folder can't be used, for instance because
    another batch is using it.
    """
    workers = workers_of(jobs)
    groups = films_of(films) if isinstance(films, str | Path | Mapping) else films
    names = [name for group in groups for name in group.names]
    with BatchFolder(Path(folder)) as batch_folder:
        journal = Journal(batch_folder.journal)
        run = _Run(batch_folder, journal, names, force, watch)
        try:
            if tasks := run.tasks(groups):
                run.make(tasks, workers, cluster, fail_fast)
        finally:
            journal.close()
        journal.rewrite(batch_folder.path, names)
        report = BatchReport(tuple(run.films[name] for name in names))
        write_report(batch_folder, [(film.name, film.entry, film.reason) for film in report.films])
        return report


def planned_films(
    groups: Sequence[FilmGroup], folder: Path, *, force: bool = False
) -> list[PlannedFilm]:
    """The films, without sidecars, that `make_films` would make or keep, given those of earlier
    runs in `folder`. Searches run, because the length of a film depends on them. Writes nothing.
    Raises OutputError if the journal can't be read."""
    journal = Journal(BatchFolder(folder).journal)
    films: list[PlannedFilm] = []
    for group in groups:
        settings, options = group.settings, group.options
        frames, problem = 1, ""
        try:
            if not options.single:
                frames = film_of(group).length
        except UndokuError as error:
            frames, problem = 0, str(error)
        for number, name in enumerate(group.names):
            if is_sidecar(name):
                continue
            shape = settings
            if options.platform is not None:
                limits = limits_for(Path(name), options.max_bytes, options.platform)
                shape = suited(limits, settings, any_size=options.any_size)
            own_frames = min(frames, 1) if format_of(Path(name)).still else frames
            kept = None if force else journal.finished(folder, name, key_of(group, number))
            films.append(
                PlannedFilm(
                    name, own_frames, shape.width, shape.height, settings.fps, kept, problem
                )
            )
    return films


class _Run:
    """One run of a batch: `films` are the results by name, of which `names` are the names."""

    def __init__(
        self,
        folder: BatchFolder,
        journal: Journal,
        names: Sequence[str],
        force: bool,
        watch: Watch | None,
    ) -> None:
        self._folder = folder
        self._journal = journal
        self._names = names
        self._force = force
        self._watch = watch
        self._failed = False
        self.films: dict[str, BatchFilm] = {}

    def _report(self, film: BatchFilm) -> None:
        self.films[film.name] = film
        self._failed |= film.status is FilmStatus.FAILED
        if self._watch:
            self._watch(film, len(self.films), len(self._names))

    def tasks(self, groups: Sequence[FilmGroup]) -> list[FilmTask]:
        """Report the films that exist, and those that can't be made; returns tasks for the rest."""
        tasks = []
        for at, group in enumerate(groups):
            wanted = [
                number
                for number, name in enumerate(group.names)
                if not self._is_settled(name, key_of(group, number))
            ]
            if wanted:
                folder = self._folder.work / f"group-{at}"
                tasks.append(FilmTask(group, tuple(wanted), folder))
        return tasks

    def _is_settled(self, name: str, key: str) -> bool:
        """Whether a film need not or can't be made, which is reported."""
        if self._force:
            return False
        entry = self._journal.finished(self._folder.path, name, key)
        still = self._folder.path / STILLS / still_name(name)
        if entry and (is_sidecar(name) or still.exists()):
            self._report(BatchFilm(name, FilmStatus.KEPT, entry))
            return True
        if difference := self._difference(name):
            reason = (
                f"{name!r} exists already, and {difference}; --force makes the film and "
                "keeps this file under another name"
            )
            self._report(BatchFilm(name, FilmStatus.FAILED, reason=reason))
        return bool(difference)

    def _difference(self, name: str) -> str:
        """How an existing file with the name of a film differs from what a batch made; "" if it
        does not, or there is none."""
        if not self._folder.taken(name):
            return ""
        return self._journal.difference(self._folder.path, name)

    def make(
        self, tasks: Sequence[FilmTask], jobs: int, cluster: str | None, fail_fast: bool
    ) -> None:
        """Perform the tasks."""
        count = min(jobs, len(tasks))
        if cluster is not None:
            from undoku.render.batch.cluster import Cluster

            with Cluster(cluster, self._folder.work) as remote:
                self._perform(remote, tasks, fail_fast)
        elif count:
            with Workers(count) as workers:
                self._perform(_LocalRunner(workers, 2 * count), tasks, fail_fast)
        else:
            self._perform(_LocalRunner(InlineExecutor(), 1), tasks, fail_fast)
        for task in tasks:
            for number in task.wanted:
                if task.group.names[number] not in self.films:
                    name = task.group.names[number]
                    self._report(BatchFilm(name, FilmStatus.LEFT, reason="not begun"))

    def _perform(self, runner: Runner, tasks: Sequence[FilmTask], fail_fast: bool) -> None:
        waiting = deque(in_order(tasks))
        running: dict[TaskFuture, FilmTask] = {}
        suspects: list[FilmTask] = []
        """Tasks at which workers were lost: it may be another one that kills them."""
        alone: FilmTask | None = None
        while not (fail_fast and self._failed):
            while waiting and len(running) < runner.room:
                task = waiting.popleft()
                running[runner.submit(task)] = task
            if not running and suspects:
                alone = suspects.pop(0)
                running[runner.submit(alone)] = alone
            if not running:
                return
            for future in runner.wait(running):
                task = running.pop(future)
                lost = isinstance(future.exception(), LostWorkersError)
                if lost and task is not alone:
                    suspects.append(task)
                else:
                    self._finish(task, future)

    def _finish(self, task: FilmTask, future: TaskFuture) -> None:
        if error := future.exception():
            names = [task.group.names[number] for number in task.wanted]
            at_fault = [name for name in names if repr(name) in str(error)]
            for name in names:
                own = not at_fault or name in at_fault
                reason = str(error) if own else f"it is drawn together with another film: {error}"
                self._report(BatchFilm(name, FilmStatus.FAILED, reason=reason))
        else:
            for file in future.result().files:
                self._publish(task, file, future.result())
        shutil.rmtree(task.folder, ignore_errors=True)

    def _publish(self, task: FilmTask, file: WrittenFile, result: FilmResult) -> None:
        """Rename a film of a task to its final name."""
        name = task.group.names[file.number]
        entry = Entry(
            name,
            key_of(task.group, file.number),
            file.digest,
            file.bytes,
            file.frames,
            file.duration,
            _counts(task.group.strategies, result.tallies),
        )
        kept_as = ""
        try:
            if self._difference(name):
                kept_as = self._folder.set_aside(name, self._names)
            self._journal.add(entry)
            if not is_sidecar(name):
                still = task.folder / f"{file.number}-{STILL}"
                shutil.copyfile(task.folder / STILL, still)
                self._folder.place(still, f"{STILLS}/{still_name(name)}")
            self._folder.place(task.folder / file.file, name)
        except (OutputError, OSError) as error:
            kept = f"; the existing file is kept as {kept_as}" * bool(kept_as)
            film = BatchFilm(name, FilmStatus.FAILED, reason=f"{error}{kept}", kept_as=kept_as)
        else:
            film = BatchFilm(name, FilmStatus.MADE, entry, seconds=result.seconds, kept_as=kept_as)
        self._report(film)


def _counts(strategies: Sequence[str], tallies: Sequence[Tally]) -> str:
    """The counts of the searches of a film, in a line."""
    return intern(  # many films have the same counts
        "; ".join(
            f"{strategy}: {tally.outcome}, {tally.nodes:,} nodes, {tally.steps:,} steps"
            for strategy, tally in zip(strategies, tallies, strict=True)
        )
    )
