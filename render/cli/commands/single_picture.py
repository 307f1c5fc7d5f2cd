"""The options that ask for one picture of a film: a step, or moments on a contact sheet."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from render.delivery.report import Report
from render.delivery.write import write_still
from render.film import Film
from render.metadata.recipe import picture_in
from render.sinks import format_of
from solver.errors import SettingsError

__all__ = ["check_single", "is_single", "single_name", "take_over", "write_single"]


def is_single(options: Namespace) -> bool:
    """Whether one picture is asked for instead of a film."""
    return options.at_step is not None or options.filmstrip is not None


def take_over(options: Namespace, recipe: str) -> None:
    """Ask for the picture that `recipe` is for, where the outputs are pictures and the options
    don't name another one."""
    outputs = [Path(name) for name in options.output or ()]
    if outputs and not is_single(options) and all(format_of(path).still for path in outputs):
        picture = picture_in(recipe)
        options.at_step = picture.get("step")
        options.filmstrip = picture.get("filmstrip")


def check_single(options: Namespace, film: Film) -> None:
    """Raises SettingsError or TraceError for a picture that can't be made, before any is."""
    if options.at_step is not None and options.filmstrip is not None:
        raise SettingsError(
            "a picture shows one step or a filmstrip, not both",
            remedy="leave out --at-step or --filmstrip",
        )
    if options.at_step is not None:
        film.shot_of_step(options.at_step)


def single_name(options: Namespace) -> str:
    """What the name of a picture's file ends in, where none was given."""
    if options.filmstrip is not None:
        return f"_filmstrip{options.filmstrip}.png"
    return f"_step{options.at_step}.png"


def write_single(
    options: Namespace, film: Film, paths: Sequence[Path], *, overwrite: bool
) -> Report:
    """Write the picture that is asked for."""
    if options.filmstrip is not None:
        from render.figures.contact_sheet import write_filmstrip

        return write_filmstrip(film, options.filmstrip, paths, overwrite=overwrite)
    return write_still(film, options.at_step, paths, overwrite=overwrite)
