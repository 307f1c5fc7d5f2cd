"""Many films from one manifest.

>>> from undoku.batch.batch import make_films
>>> report = make_films("films.toml", "films")                 # doctest: +SKIP
>>> report = make_films({"jobs": [{"puzzles": ["medium.txt"],
...     "matrix": {"aspects": ["16:9", "9:16"]}}]}, "films")      # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from undoku.batch.passes import Pass
    from undoku.batch.run import BatchReport, Watch

__all__ = ["films_of", "make_films"]


def films_of(manifest: str | Path | Mapping[str, Any]) -> list[Pass]:
    """The films of a manifest, joined into drawing passes. The manifest is a TOML file, or the same
    tables as a mapping, whose file names are relative to the working folder. Raises SettingsError,
    StrategyError or PuzzleError with the place of a mistake, ReadError.
    """
    from undoku.batch.jobs import passes_of
    from undoku.batch.manifest import manifest_of, read_manifest

    if isinstance(manifest, Mapping):
        return passes_of(manifest_of(manifest))
    return passes_of(read_manifest(Path(manifest)))


def make_films(
    manifest: str | Path | Mapping[str, Any],
    folder: str | Path = "output",
    *,
    jobs: int | None = None,
    force: bool = False,
    fail_fast: bool = False,
    cluster: str | None = None,
    watch: Watch | None = None,
) -> BatchReport:
    """Make the films of a manifest in `folder`, as `undoku batch` does.

    The options are those of undoku.batch.run.run_batch. Failed films are in the report. Raises the
    errors of `films_of` before any film is begun, and OutputError if the folder can't be used.
    """
    from undoku.batch.run import run_batch

    return run_batch(
        films_of(manifest),
        Path(folder),
        jobs=jobs,
        force=force,
        fail_fast=fail_fast,
        cluster=cluster,
        watch=watch,
    )
