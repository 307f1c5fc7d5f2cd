"""Snippets for the outputs of a run, and their stills."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from undoku.cli.single_picture import is_single, write_single
from undoku.errors import SettingsError
from undoku.render.delivery.embed import snippet, still_path
from undoku.render.delivery.report import Report
from undoku.render.delivery.write import write_still
from undoku.render.film.film import Film
from undoku.render.write.formats import format_of, is_sequence

__all__ = ["snippets", "stills"]


def stills(options: Namespace, paths: Sequence[Path]) -> list[Path]:
    """The still pictures that the snippets need beside the outputs, each once; a page in a frame
    needs none. Raises SettingsError if no snippet is possible for one of the outputs."""
    if not options.embed:
        return []
    for path in paths:
        if is_sequence(path):
            raise SettingsError(
                f"{str(path)!r} are many pictures, which a page can't show as one",
                remedy="embed a film or a single picture",
            )
    shown = [path for path in paths if not (options.embed == "html" and format_of(path).page)]
    return list(dict.fromkeys(still_path(path) for path in shown if still_path(path) not in paths))


def snippets(options: Namespace, film: Film, report: Report) -> list[str]:
    """The snippets for the outputs; writes the stills for readers who prefer reduced motion."""
    if not options.embed:
        return []
    for still in stills(options, [output.path for output in report.outputs]):
        if is_single(options):
            write_single(options, film, [still], overwrite=options.yes)
        else:
            write_still(film, film.timeline.last, [still], overwrite=options.yes)
    found = []
    for output in report.outputs:
        still = still_path(output.path)
        found.append(snippet(options.embed, output, still, film.labels, film.tallies))
    return found
