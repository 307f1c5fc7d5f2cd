"""The journal of a batch: a key and a digest for each film, so that only changed films are made
again, also after an interruption.

The journal is a file of JSON lines in the folder of the batch. Lines are appended as films are
finished, and written in order at the end.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import IO, Any

from undoku.errors import EncoderError
from undoku.render.batch.film_names import is_sidecar, suffix_of
from undoku.render.batch.tasks import FilmGroup
from undoku.render.draw.theme import load_theme
from undoku.render.draw.typefaces import load_typeface
from undoku.render.sound.mix import load_mix
from undoku.render.write.formats import known_format
from undoku.render.write.staging import write_error
from undoku.solver.problem.problem_content import problem_options
from undoku.texts.language_files import load_language


@dataclass(frozen=True, slots=True)
class Entry:
    """The entry of a film: its name, the key of its inputs, its SHA-256, and its figures;
    `duration` is in seconds. `counts` is a line with the counts of its searches."""

    name: str
    key: str
    digest: str
    bytes: int
    frames: int
    duration: float
    counts: str

    @property
    def figures(self) -> str:
        """The figures as text; for a picture or a sidecar of a film only its bytes."""
        size = f"{self.bytes:,} bytes"
        form = known_format(Path(self.name))
        if is_sidecar(self.name) or (form and form.still):
            return size
        return f"{self.frames:,} frame{'s' * (self.frames != 1)}, {self.duration:.2f} s, {size}"


@cache
def versions() -> dict[str, str]:
    """Versions by name; ffmpeg's as it reports it. The version of the compiled loops is a digest of
    their sources, which may change between two versions of undoku."""
    from importlib.metadata import version  # takes a while to load

    from undoku.h264.loops import digest_of_loops

    names = ("undoku", "pillow", "numpy")
    return {name: version(name) for name in names} | {
        "ffmpeg": _of_ffmpeg(),
        "loops": digest_of_loops("undoku.h264", "undoku.render", "undoku.solver")[:12],
    }


def _of_ffmpeg() -> str:
    from undoku.render.write.ffmpeg import ffmpeg_version

    try:
        return ffmpeg_version()
    except EncoderError:
        return "none"  # films that need ffmpeg report the error


def key_of(group: FilmGroup, number: int) -> str:
    """The key of file `number` of a group: of its inputs, its settings and the versions."""
    content = {
        "puzzle": str(group.puzzle),
        "title": group.puzzle.title,
        "board": problem_options(group.puzzle.problem),
        "strategies": group.strategies,
        "limits": repr(group.limits),
        "settings": repr(group.settings),
        "theme": repr(load_theme(group.settings.theme)),
        "language": load_language(group.settings.language).text,
        "typeface": [_kept_digest(file) for file in load_typeface(group.settings.font).files],
        "mix": repr(load_mix(group.settings.sound)) if group.settings.sound else "",
        "voice": _kept_digest(group.settings.voice),
        "options": repr(group.options),
        "format": suffix_of(group.names[number]),
        "versions": versions(),
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _kept_digest(path: str) -> str:
    """The digest of a file, computed once unless it changes; "" for no path, and for a file that
    can't be read, which its films report."""
    if not path:
        return ""
    try:
        status = Path(path).stat()
    except OSError:
        return ""
    return _content_digest(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=64)
def _content_digest(path: str, size: int, changed: int) -> str:
    """The digest of a file with a given size and modification time."""
    return _digest(Path(path).resolve()) or ""


class Journal:
    """The journal at `path`. Invalid lines are skipped, and their films are made again. Raises
    OutputError if it can't be read or written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._entries: dict[str, Entry] = {}
        self._earlier: dict[str, set[str]] = {}  # other digests that a film of that name had
        self._file: IO[str] | None = None
        try:
            if path.exists():
                for line in path.read_text("utf-8", "replace").splitlines():
                    if entry := _parsed(line):
                        self._remember(entry)
        except OSError as error:
            raise write_error(path, error) from None

    def _remember(self, entry: Entry) -> None:
        before = self._entries.get(entry.name)
        if before and before.digest != entry.digest:
            self._earlier.setdefault(entry.name, set()).add(before.digest)
        self._entries[entry.name] = entry

    def finished(self, folder: Path, name: str, key: str) -> Entry | None:
        """The entry of a film that exists, is unchanged, and was made from the same inputs."""
        entry = self._entries.get(name)
        same = entry and entry.key == key and _digest(folder / name) == entry.digest
        return entry if same else None

    def difference(self, folder: Path, name: str) -> str:
        """How the existing file with a name differs from the one that a batch made; "" if it does
        not."""
        entry, path, digest = self._entries.get(name), folder / name, _digest(folder / name)
        if (entry and digest == entry.digest) or digest in self._earlier.get(name, ()):
            return ""
        if path.is_symlink():
            return "it is a link"
        if path.is_dir():
            return "it is a folder"
        try:
            status = path.stat()
        except OSError as error:
            return f"it can't be read: {error.strerror}"
        changed = datetime.fromtimestamp(status.st_mtime).isoformat(" ", "seconds")
        if entry is None:
            return f"no batch made it here; its date is {changed}"
        if status.st_size != entry.bytes:
            return (
                f"it has {status.st_size:,} bytes, and {entry.bytes:,} as a batch made it; it was "
                f"changed on {changed}"
            )
        return f"its content is not what a batch made; it was changed on {changed}"

    def add(self, entry: Entry) -> None:
        """Record a film before it is renamed: if the run is killed in between, the next run makes
        it again."""
        try:
            if self._file is None:
                self._file = self._path.open("a", encoding="utf-8")
                if self._file.tell():
                    self._file.write("\n")  # after a truncated line
            self._file.write(_line(entry))
            self._file.flush()
        except OSError as error:
            raise write_error(self._path, error) from None
        self._remember(entry)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def rewrite(self, folder: Path, names: Iterable[str]) -> None:
        """Rewrite the journal: the films of this batch in order, then others that still exist."""
        self.close()
        ordered = list(dict.fromkeys((*names, *sorted(self._entries))))
        entries = [
            entry
            for name in ordered
            if (entry := self._entries.get(name)) and (folder / name).is_file()
        ]
        temporary = self._path.with_suffix(".part")
        try:
            temporary.write_text("".join(map(_line, entries)), encoding="utf-8")
            temporary.replace(self._path)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise write_error(self._path, error) from None


def _digest(path: Path) -> str | None:
    """The digest of a file, None if it does not exist or is a link."""
    if path.is_symlink():
        return None
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _line(entry: Entry) -> str:
    return json.dumps(asdict(entry), ensure_ascii=False) + "\n"


def _parsed(line: str) -> Entry | None:
    try:
        content: Any = json.loads(line)
        entry = Entry(**content)
    except (ValueError, TypeError, RecursionError):
        return None
    texts = (entry.name, entry.key, entry.digest, entry.counts)
    if not all(isinstance(text, str) for text in texts):
        return None
    numbers = (entry.bytes, entry.frames, entry.duration)
    return entry if all(isinstance(number, int | float) for number in numbers) else None
