"""undoku batch: many films from one manifest."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from undoku.batch.batch import films_of
from undoku.batch.estimate import FilmEstimate, total_seconds
from undoku.batch.passes import is_beside
from undoku.batch.run import BatchFilm, BatchReport, FilmStatus, estimate_batch, run_batch
from undoku.cli.printing import counted, print_json
from undoku.cli.progress import ProgressLine
from undoku.cores import cores

__all__ = ["run"]


def run(options: Namespace) -> int:
    passes = films_of(options.manifest)
    jobs = cores() if options.jobs is None else options.jobs
    if options.dry_run:
        films = estimate_batch(passes, Path(options.output), force=options.force)
        return _dry_run(options, films, jobs)
    kept = 0
    with ProgressLine(quiet=options.quiet or options.json, unit="films") as progress:

        def watch(film: BatchFilm, done: int, total: int) -> None:
            nonlocal kept
            kept += film.status is FilmStatus.KEPT
            if not (options.quiet or options.json):
                progress.clear()
                print(_line(film), flush=True)
            progress(done, total, kept)

        report = run_batch(
            passes,
            Path(options.output),
            jobs=jobs,
            force=options.force,
            fail_fast=options.fail_fast,
            cluster=options.cluster,
            watch=watch,
        )
    if options.json:
        print_json(_summary(report, Path(options.output)))
    elif not options.quiet:
        counts = (_counted(report, status) for status in FilmStatus if report.count(status))
        print(f"{', '.join(counts)}; {Path(options.output) / 'report.html'}")
    for film in report.films:
        if film.status is FilmStatus.FAILED:
            print(f"undoku: {film.name}: {film.reason}", file=sys.stderr)
    return report.exit_code


def _counted(report: BatchReport, status: FilmStatus) -> str:
    count = report.count(status)
    beside = sum(film.status is status and is_beside(film.name) for film in report.films)
    return f"{count:,} {status}" + f" ({beside:,} of them beside films)" * bool(beside)


def _line(film: BatchFilm) -> str:
    if film.entry is None:
        return f"{film.status:<6}  {film.name}"
    took = f", in {film.seconds:.1f} s" if film.status is FilmStatus.MADE else ""
    kept = f"; the existing file is kept as {film.kept_as}" * bool(film.kept_as)
    return f"{film.status:<6}  {film.name}  {film.entry.figures}{took}{kept}"


def _summary(report: BatchReport, folder: Path) -> dict[str, object]:
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


def _dry_run(options: Namespace, films: list[FilmEstimate], jobs: int) -> int:
    seconds, size = total_seconds(films, jobs), sum(film.bytes for film in films)
    frames = sum(film.frames for film in films)
    if options.json:
        shown = [asdict(film) | {"fps": float(film.fps)} for film in films]
        print_json({"films": shown, "frames": frames, "seconds": seconds, "bytes": size})
        return 0
    if not options.quiet:
        for film in films:
            if film.problem:
                print(f"{film.name}  can't be made: {film.problem}")
                continue
            needs = "kept" if film.kept else f"about {film.seconds:.1f} s"
            print(
                f"{film.name}  {counted(film.frames, 'frame')}, {film.width}×{film.height}, "
                f"{needs}, {_rough(film.bytes)}"
            )
        print(
            f"{counted(len(films), 'film')}, {counted(frames, 'frame')}; estimated: "
            f"{seconds:,.{int(seconds < 10)}f} s with {counted(max(1, jobs), 'worker')}, "
            f"{_rough(size)}"
        )
    return 0


def _rough(size: int) -> str:
    """A rounded number of bytes for people."""
    return f"{size / 2**20:,.1f} MiB" if size >= 1 << 20 else f"{size / 1024:,.0f} KiB"
