"""The options of `undoku render` for sound that are not settings of a film."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from undoku.cli.single_picture import is_single
from undoku.errors import SettingsError
from undoku.render.delivery.plan import OutputPlan
from undoku.render.delivery.sound_files import stems_folder

__all__ = ["stems_of"]


def stems_of(options: Namespace, plan: OutputPlan, *, alone: bool) -> Path | None:
    """The folder of the stems; None if there is none. `alone` states that the film is written as a
    whole, and once. Raises SettingsError if the film can't have stems."""
    if options.stems is None:
        return None
    if is_single(options) or not alone:
        raise SettingsError(
            "--stems can't be combined with --at-step, --filmstrip, --max-size, --for or -o -",
            remedy="leave out --stems or the other one",
        )
    return stems_folder(plan.film, options.stems)
