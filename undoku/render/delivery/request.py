"""What is made of a film: a single picture, the film, or for each output a film within limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from undoku.errors import SettingsError
from undoku.render.delivery.outputs import Sidecar, with_rate
from undoku.render.delivery.write import Progress, Report, write_film, write_still
from undoku.render.film.film import Film


@dataclass(frozen=True, slots=True)
class OutputRequest:
    """The options of outputs that are not settings of the film. `at_step` or `filmstrip` make
    single pictures: the state after a number of steps, or a number of moments of the search.
    `max_bytes` and `platform` are limits to which each film is fitted. `any_size` states that no
    size was set, so that the platform may determine the shape. `beside` are the names of requested
    options that need a whole film, such as captions. Raises SettingsError for a contradiction.
    """

    at_step: int | None = None
    filmstrip: int | None = None
    max_bytes: int | None = None
    platform: str | None = None
    any_size: bool = False
    beside: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.at_step is not None and self.filmstrip is not None:
            self._refuse("a picture shows one step or a filmstrip, not both", "one of the two")
        if self.single and self.fitted:
            self._refuse("single pictures can't be fitted to limits", "the picture or the limits")
        if self.single and self.beside:
            name = self.beside[0]
            self._refuse(f"{name} need a film, not a single picture", f"{name} or the picture")
        if self.fitted and "stems" in self.beside:
            self._refuse("stems need a film that is not fitted to limits", "stems or the limits")

    def _refuse(self, sentence: str, remedy: str) -> NoReturn:
        raise SettingsError(sentence, remedy=f"leave out {remedy}")

    @property
    def single(self) -> bool:
        """Whether single pictures are made, not films."""
        return self.at_step is not None or self.filmstrip is not None

    @property
    def fitted(self) -> bool:
        """Whether films are fitted to limits, each separately."""
        return self.max_bytes is not None or self.platform is not None


def write_requested(
    film: Film,
    request: OutputRequest,
    paths: Sequence[Path],
    *,
    sidecars: Sequence[Sequence[Sidecar]] = ((),),
    overwrite: bool = False,
    progress: Progress | None = None,
    stems: Path | None = None,
    say: Callable[[str], object] | None = None,
) -> Report:
    """Write the outputs: films within limits each with its own `sidecars`, because formats differ
    in size, and otherwise all in one pass. `say` is told how films were reduced, and what a long
    run will take. Raises the errors of `write_film`."""
    if request.at_step is not None:
        return write_still(film, request.at_step, paths, overwrite=overwrite)
    if request.filmstrip is not None:
        from undoku.render.delivery.filmstrip import write_filmstrip

        return write_filmstrip(film, request.filmstrip, paths, overwrite=overwrite)
    if not request.fitted:
        return write_film(
            film,
            paths,
            sidecars=sidecars[0],
            overwrite=overwrite,
            progress=progress,
            stems=stems,
            say=say,
        )
    from undoku.render.delivery.fit import limits_for, suited, write_fitted

    fits = []
    for path, texts in zip(paths, sidecars, strict=True):
        limits = limits_for(path, request.max_bytes, request.platform)
        settings = suited(limits, film.settings, any_size=request.any_size)
        rated = film.with_settings(with_rate(settings, [path]))
        fits.append(
            write_fitted(
                rated, path, limits, sidecars=texts, overwrite=overwrite, progress=progress
            )
        )
        if say and not fits[-1].unchanged:
            say(f"{path}: made to fit as {fits[-1].chosen}")
    return replace(
        fits[0].report,
        outputs=tuple(one.report.outputs[0] for one in fits),
        chosen=tuple(one.chosen for one in fits),
    )
