"""undoku batch: many films from one manifest."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from undoku.cli.printing import Results, counted, print_json
from undoku.cli.progress import ProgressLine
from undoku.render.batch.batch import (
    BatchFilm,
    BatchReport,
    FilmStatus,
    PlannedFilm,
    make_films,
    planned_films,
)
from undoku.render.batch.film_names import is_sidecar
from undoku.render.batch.jobs import films_of
from undoku.visible_text import visible


def run(options: Namespace) -> int:
    groups = films_of(options.manifest)
    if options.dry_run:
        return _dry_run(options, planned_films(groups, Path(options.output), force=options.force))
    kept = 0
    with ProgressLine(quiet=options.quiet or options.json, unit="films") as progress:

        def watch(film: BatchFilm, done: int, total: int) -> None:
            nonlocal kept
            kept += film.status is FilmStatus.KEPT
            if not (options.quiet or options.json):
                progress.clear()
                print(_line(film), flush=True)
            progress(done, total, kept)

        report = make_films(
            groups,
            Path(options.output),
            jobs=options.jobs,
            force=options.force,
            fail_fast=options.fail_fast,
            cluster=options.cluster,
            watch=watch,
        )
    if options.json:
        print_json(_summary(report, Path(options.output)))
    elif not options.quiet:
        counts = (_counted(report, status) for status in FilmStatus if report.count(status))
        print(f"{', '.join(counts)}; {visible(str(Path(options.output) / 'report.html'))}")
    for film in report.films:
        if film.status is FilmStatus.FAILED:
            print(f"undoku: {film.name}: {film.reason}", file=sys.stderr)
    return report.exit_code


def batch(
    manifest: str | Path | Mapping[str, Any],
    folder: str | Path = "output",
    *,
    jobs: int | None = None,
    force: bool = False,
    fail_fast: bool = False,
    cluster: str | None = None,
) -> Results:
    """Make the films of a manifest, a file or its content, in `folder`, and list them: see
    `undoku.render.batch.batch.make_films`.

    >>> films = {"name": "four", "puzzles": ["1.....3..4.....2"], "formats": ["png"]}
    >>> undoku.batch({"jobs": [films]}, jobs=0)[0]["status"]
    'made'
    """
    report = make_films(
        manifest, folder, jobs=jobs, force=force, fail_fast=fail_fast, cluster=cluster
    )
    content = _summary(report, Path(folder))
    shown = [("film", "status"), *((film.name, film.status.value) for film in report.films)]
    return Results(content["films"], content, shown, names=2)


def _counted(report: BatchReport, status: FilmStatus) -> str:
    count = report.count(status)
    sidecars = sum(film.status is status and is_sidecar(film.name) for film in report.films)
    return f"{count:,} {status}" + f", {sidecars:,} of them sidecars" * bool(sidecars)


def _line(film: BatchFilm) -> str:
    if film.entry is None:
        return f"{film.status:<6}  {film.name}"
    took = f", in {film.seconds:.1f} s" if film.status is FilmStatus.MADE else ""
    kept = f"; the existing file is kept as {film.kept_as}" * bool(film.kept_as)
    return f"{film.status:<6}  {film.name}  {film.entry.figures}{took}{kept}"


def _summary(report: BatchReport, folder: Path) -> dict[str, Any]:
    films: list[dict[str, object]] = []
    for film in report.films:
        shown: dict[str, object] = {"name": film.name, "status": film.status.value}
        if film.entry:
            shown |= {
                "path": str(folder / film.name),
                "frames": film.entry.frames,
                "duration_s": round(film.entry.duration, 6),
                "bytes": film.entry.bytes,
                "counts": film.entry.counts,
            }
        if film.kept_as:
            shown["kept_as"] = str(folder / film.kept_as)
        if film.reason:
            shown["reason"] = film.reason
        films.append(shown)
    counts = {status.value: report.count(status) for status in FilmStatus}
    return {"folder": str(folder), "report": str(folder / "report.html"), **counts, "films": films}


def _dry_run(options: Namespace, films: list[PlannedFilm]) -> int:
    frames = sum(film.frames for film in films)
    if options.json:
        shown = [
            {
                "name": film.name,
                "frames": film.frames,
                "width": film.width,
                "height": film.height,
                "fps": float(film.fps),
                "kept": film.kept is not None,
                "problem": film.problem,
            }
            for film in films
        ]
        print_json({"films": shown, "frames": frames})
    elif not options.quiet:
        for film in films:
            if film.problem:
                print(f"{film.name}  can't be made: {film.problem}")
                continue
            kept = f", kept ({film.kept.bytes:,} bytes)" if film.kept else ""
            size = f"{film.width}×{film.height}"
            print(f"{film.name}  {counted(film.frames, 'frame')}, {size}{kept}")
        print(f"{counted(len(films), 'film')}, {counted(frames, 'frame')}")
    return 0
