"""The options for a single picture: a step, or moments on a contact sheet."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from undoku.errors import SettingsError
from undoku.render.delivery.report import Report
from undoku.render.delivery.write import write_still
from undoku.render.film.film import Film
from undoku.render.write.formats import format_of
from undoku.render.write.recipe import picture_in

__all__ = ["check_single", "is_single", "single_name", "take_over", "write_single"]


def is_single(options: Namespace) -> bool:
    """Whether a single picture is requested instead of a film."""
    return options.at_step is not None or options.filmstrip is not None


def take_over(options: Namespace, recipe: str) -> None:
    """Request the picture in `recipe`, if the outputs are pictures and the options do not name
    another one."""
    outputs = [Path(name) for name in options.output or ()]
    if outputs and not is_single(options) and all(format_of(path).still for path in outputs):
        picture = picture_in(recipe)
        options.at_step = picture.get("step")
        options.filmstrip = picture.get("filmstrip")


def check_single(options: Namespace, film: Film) -> None:
    """Raise SettingsError or TraceError for a picture that can't be made, before the work
    begins."""
    if options.at_step is not None and options.filmstrip is not None:
        raise SettingsError(
            "a picture shows one step or a filmstrip, not both",
            remedy="leave out --at-step or --filmstrip",
        )
    if options.at_step is not None:
        film.shot_of_step(options.at_step)


def single_name(options: Namespace) -> str:
    """The end of the default file name of a picture."""
    if options.filmstrip is not None:
        return f"_filmstrip{options.filmstrip}.png"
    return f"_step{options.at_step}.png"


def write_single(
    options: Namespace, film: Film, paths: Sequence[Path], *, overwrite: bool
) -> Report:
    """Write the requested picture."""
    if options.filmstrip is not None:
        from undoku.render.figures.contact_sheet import write_filmstrip

        return write_filmstrip(film, options.filmstrip, paths, overwrite=overwrite)
    return write_still(film, options.at_step, paths, overwrite=overwrite)
