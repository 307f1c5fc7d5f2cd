"""The text files that appear with a film: captions, marks, and the list of its highlights."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from undoku.cli.single_picture import is_single
from undoku.errors import SettingsError
from undoku.render.delivery.write import Sidecar
from undoku.render.settings.settings import FilmSettings

__all__ = ["sidecars_each", "sidecars_of"]


def sidecars_of(
    options: Namespace, settings: FilmSettings, paths: Sequence[Path], *, named: bool = True
) -> list[Sidecar]:
    """The text files that appear with a film in `paths`; a film that is not `named` has no list of
    highlights. Raises SettingsError for captions and marks that can't be combined with it."""
    found = []
    if options.captions is not None:
        if is_single(options):
            raise SettingsError(
                "captions need a film, not a single picture",
                remedy="leave out --captions, or --at-step and --filmstrip",
            )
        from undoku.render.delivery.captions import captions_sidecar

        found.append(captions_sidecar(Path(options.captions)))
    for name in options.marks or ():
        if is_single(options):
            raise SettingsError(
                "marks need a film, not a single picture",
                remedy="leave out --marks, or --at-step and --filmstrip",
            )
        from undoku.render.delivery.marks_sidecar import marks_sidecar

        found.append(marks_sidecar(Path(name), paths[0]))
    if settings.highlights and named and not is_single(options):
        from undoku.render.delivery.highlights_json import highlights_sidecar

        found.append(highlights_sidecar(paths[0]))
    return found


def sidecars_each(
    options: Namespace, settings: FilmSettings, paths: Sequence[Path]
) -> list[list[Sidecar]]:
    """The text files of each of `paths`, which are separate films. Raises SettingsError if two of
    them would write the same file."""
    found = [sidecars_of(options, settings, [path]) for path in paths]
    owners: dict[Path, Path] = {}
    for path, texts in zip(paths, found, strict=True):
        for text in texts:
            owner = owners.setdefault(text.path.absolute(), path)
            if owner != path:
                raise SettingsError(
                    f"{str(owner)!r} and {str(path)!r} are fitted separately, but both would write "
                    f"{str(text.path)!r}",
                    remedy="fit one output at a time"
                    if options.captions or options.marks
                    else "give the outputs different names",
                )
    return found
