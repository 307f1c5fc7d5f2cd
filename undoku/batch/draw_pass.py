"""Draws one pass into a folder: its films, the files beside them, and a still for the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path, PurePosixPath

from undoku.batch.passes import HIGHLIGHTS, MARKS, Extras, Pass, is_beside
from undoku.batch.search_cache import CachedSearch
from undoku.render.delivery.captions import captions_sidecar
from undoku.render.delivery.fit import limits_for, suited, write_fitted
from undoku.render.delivery.highlights_json import highlights_text
from undoku.render.delivery.marks_sidecar import marks_sidecar
from undoku.render.delivery.outputs import with_rate
from undoku.render.delivery.plan import OutputPlan
from undoku.render.delivery.report import Report
from undoku.render.delivery.write import Sidecar, write_film, write_picture, write_still
from undoku.render.figures.contact_sheet import write_filmstrip
from undoku.render.film.film import Film
from undoku.render.settings.settings import as_still
from undoku.solver.trace.trace import Tally

__all__ = ["STILL", "DrawResult", "draw_pass", "film_of", "with_batch_settings"]

STILL = "still.png"
"""The name of the picture that a pass writes beside its films, for the report."""


@dataclass(frozen=True, slots=True)
class DrawResult:
    """What was drawn: frames and seconds by file name, and the searches' counts."""

    files: Mapping[str, tuple[int, Fraction]]
    tallies: tuple[Tally, ...]


def with_batch_settings(drawn: Pass) -> Pass:
    """The pass with the settings of batches: one thread for each encoder, because films are encoded
    in parallel, and because the number of threads affects the result."""
    return replace(drawn, settings=replace(drawn.settings, encoder_threads=1))


def film_of(drawn: Pass, kept: Sequence[Path | None] = ()) -> Film:
    """The film of a pass. Raises SettingsError if it would be longer than a day."""
    paths = kept or (None,) * len(drawn.strategies)
    traces = [
        CachedSearch(drawn.puzzle, strategy, drawn.limits, path)
        for strategy, path in zip(drawn.strategies, paths, strict=True)
    ]
    film = Film(traces, as_still(drawn.settings) if drawn.extras.single else drawn.settings)
    if not drawn.extras.single:
        film.timeline.check_length()
    return film


def draw_pass(plan: OutputPlan, extras: Extras, folder: Path, files: Mapping[str, str],
              span: range | None = None) -> DrawResult:  # fmt: skip
    """Draw `files`, names with the suffixes of films or of files beside them, each with the name
    that its film will have, and STILL. For a film in segments, draw only the frames of `span`.
    Existing files are replaced, because a task may be repeated after its worker was lost. Raises
    UndokuError, OSError."""
    film = plan.film
    sidecars = [name for name in files if is_beside(name)]
    paths = [folder / name for name in files if name not in sidecars]
    texts = [_sidecar(folder / name, files[name]) for name in sidecars]
    for text in texts:
        text.check(film)
    if extras.single:
        report = _picture(film, extras, [*paths, folder / STILL])
    elif extras.fitted:
        report = _fitted(film, extras, paths, texts, folder / STILL)
    else:
        report = write_film(
            plan,
            [*paths, folder / STILL],
            sidecars=texts,
            overwrite=True,
            span=span,
        )
    made = {output.path.name: (output.frames, output.duration) for output in report.outputs}
    made |= dict.fromkeys(sidecars, (film.timeline.frames, film.timeline.duration))
    return DrawResult({name: made[name] for name in files}, report.tallies)


def _sidecar(path: Path, film: str) -> Sidecar:
    """The file at `path` beside a film, which will have the name `film`."""
    if path.name.endswith(HIGHLIGHTS):
        return Sidecar(path, highlights_text)
    if path.name.endswith(MARKS):
        return marks_sidecar(path, path.with_name(PurePosixPath(film).name))
    return captions_sidecar(path)


def _picture(film: Film, extras: Extras, paths: Sequence[Path]) -> Report:
    if extras.at_step is not None:
        return write_still(film, extras.at_step, paths, overwrite=True)
    assert extras.filmstrip is not None
    return write_filmstrip(film, extras.filmstrip, paths, overwrite=True)


def _fitted(
    film: Film, extras: Extras, paths: Sequence[Path], texts: Sequence[Sidecar], still: Path
) -> Report:
    """Fit each film separately, because formats differ in size. `texts` describe the first."""
    shot = film.timeline.shot_at(film.timeline.frames - 1)
    write_picture(film, film.still(shot), [still], overwrite=True)
    reports: list[Report] = []
    for path in paths:
        limits = limits_for(path, extras.most_bytes, extras.platform)
        settings = suited(limits, film.settings, any_size=extras.any_size)
        rated = film.with_settings(with_rate(settings, [path]))
        sidecars = () if reports else texts
        fitted = write_fitted(rated, path, limits, sidecars=sidecars, overwrite=True)
        reports.append(fitted.report)
    outputs = tuple(report.outputs[0] for report in reports)
    return Report(outputs, film.names, film.tallies)
