"""The file of marks that appears with a film."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from undoku.errors import SettingsError
from undoku.render.delivery.edl import edl_text
from undoku.render.delivery.fcpxml import fcpxml_text
from undoku.render.delivery.marked_film import MarkedFilm
from undoku.render.delivery.otio import check_otio, otio_text
from undoku.render.delivery.write import Sidecar
from undoku.render.delivery.youtube_chapters import youtube_chapters
from undoku.render.film.film import Film
from undoku.render.write.formats import known_format

__all__ = ["MARK_SUFFIXES", "marks_sidecar"]

_WRITERS: dict[str, Callable[[MarkedFilm], str]] = {
    ".edl": edl_text,
    ".otio": otio_text,
    ".fcpxml": fcpxml_text,
    ".chapters.txt": youtube_chapters,
}

MARK_SUFFIXES = tuple(_WRITERS)
"""The suffixes of files of marks."""


def marks_sidecar(path: Path, output: Path) -> Sidecar:
    """The marks of the film `output`, to be written to `path` with it, in the format of its suffix.
    Raises SettingsError for another suffix, and for a format whose library is not installed."""
    suffix = next((one for one in _WRITERS if path.name.lower().endswith(one)), "")
    if not suffix:
        raise SettingsError(
            f"{str(path)!r} is not a name for marks",
            remedy=f"give a name that ends in {', '.join(MARK_SUFFIXES)}",
        )
    if suffix == ".otio":
        check_otio()

    def marks_text(film: Film) -> str:
        return _WRITERS[suffix](_marked(film, path, output))

    return Sidecar(path, marks_text, marks_text)


def _marked(film: Film, path: Path, output: Path) -> MarkedFilm:
    settings, form = film.settings, known_format(output)
    try:
        file = output.absolute().relative_to(path.absolute().parent).as_posix()
    except ValueError:
        file = output.name
    return MarkedFilm(
        film.heading,
        file,
        settings.width,
        settings.height,
        settings.fps,
        film.timeline.frames,
        film.marks,
        settings.image_sequence,
        bool((settings.sound or settings.voice) and form and form.sound),
    )
