"""The messages to and from a worker of a cluster, and the work that it does there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from undoku.batch.search_cache import CachedFiles, cache_search
from undoku.batch.versions import versions
from undoku.batch.work import STILL, Drawn, DrawTask, SearchTask, draw
from undoku.errors import OutputError, RunError, UndokuError
from undoku.render.draw.theme import Theme, register_theme
from undoku.render.sound.mix import Mix
from undoku.render.sound.mix_file import register_mix
from undoku.temporary_files import temporary_folder
from undoku.texts.language import Language
from undoku.texts.language_files import register_language

__all__ = ["TOKEN", "Returned", "Sent", "draw_remotely", "receive", "search_remotely"]

TOKEN = "token"
"""The file in the folder of the batch that distinguishes it from another folder with the same
name."""

_MAX_EVENTS = 1 << 24
"""The maximum number of events of a search that is sent, 64 MiB: workers hold them in memory."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A task with its theme, its language and its mix, None for built-in ones; they may be the
    user's own files. `token` is the content of the file TOKEN in the folder of the batch."""

    task: DrawTask
    theme: Theme
    language: Language
    mix: Mix | None
    token: str


@dataclass(frozen=True, slots=True)
class Returned:
    """The result of a task. `files` are the bytes of the films by name, empty if they are in the
    folder of the batch already."""

    drawn: Drawn
    files: dict[str, bytes]
    versions: dict[str, str]


def search_remotely(task: SearchTask) -> CachedFiles | None:
    """Search on a worker; the result is sent to the workers that draw it. None if it is not
    available: they run the search themselves then."""
    with temporary_folder() as folder:
        path = folder / "search.events"
        try:
            cache_search(task.puzzle, task.strategy, task.limits, path, most=_MAX_EVENTS)
            return CachedFiles.read(path)
        except (UndokuError, OSError):
            return None


def draw_remotely(sent: Sent, *searches: CachedFiles | None) -> Returned:
    """Draw a pass on a worker. Raises UndokuError."""
    task = sent.task
    register_theme(task.drawn.settings.theme, sent.theme)
    register_language(task.drawn.settings.texts, sent.language)
    if sent.mix:
        register_mix(task.drawn.settings.sound, sent.mix)
    with temporary_folder() as folder:
        kept = tuple(
            found.write(folder / f"search-{number}.events") if found else None
            for number, found in enumerate(searches)
        )
        task = replace(task, kept=kept)
        if _shared(task.folder.parent, sent.token):
            return Returned(draw(task), {}, versions())
        drawn = draw(replace(task, folder=folder / "films"))
        names = [*(made.file for made in drawn.films), STILL]
        files = {name: (folder / "films" / name).read_bytes() for name in names}
    return Returned(drawn, files, versions())


def receive(task: DrawTask, returned: Returned) -> Drawn:
    """Write the films of a result to the folder of the task. Raises RunError if the versions on the
    worker differ, OutputError."""
    if returned.versions != versions():
        raise RunError(
            f"a worker has {_differing(returned.versions)}, this machine has "
            f"{_differing(versions(), returned.versions)}",
            remedy="install the same versions everywhere",
        )
    try:
        if returned.files:
            task.folder.mkdir(exist_ok=True)
        for name, content in returned.files.items():
            (task.folder / name).write_bytes(content)
    except OSError as error:
        raise OutputError(f"writing failed: {error.strerror or error}") from None
    return returned.drawn


def _differing(first: dict[str, str], second: dict[str, str] | None = None) -> str:
    other = versions() if second is None else second
    return ", ".join(
        f"{name} {number}" for name, number in first.items() if other.get(name) != number
    )


def _shared(folder: Path, token: str) -> bool:
    """Whether this is the folder of the batch, and not another folder with the same name."""
    try:
        return (folder / TOKEN).read_text() == token
    except OSError:
        return False
