"""What the writers of a film must know: the parameters of its sinks, and its chapters."""

from __future__ import annotations

from undoku.render.film.film import Film
from undoku.render.timeline.chapters import chapters_at
from undoku.render.timeline.notes import Note
from undoku.render.write.further_tracks import FurtherTracks
from undoku.render.write.quality import quality
from undoku.render.write.recipe import about_film, recipe_of
from undoku.render.write.sink import SinkContext

__all__ = ["context_of", "film_chapters", "film_tracks"]


def context_of(film: Film, **picture: int) -> SinkContext:
    """The parameters of a sink for a film, or for one `picture` of it, step=5000 or filmstrip=8, as
    its recipe states. Raises SettingsError for an unknown quality."""
    quality(film.settings.quality)
    recipe = recipe_of(film.traces, film.settings, picture)
    about = about_film(film.title, film.headers, film.tallies, film.command, recipe)
    return SinkContext(film.settings, about, main_colours=film.main_colours)


def film_tracks(film: Film) -> FurtherTracks:
    """The tracks of a film beside its pictures, without its sound."""
    return FurtherTracks(chapters=film_chapters(film))


def film_chapters(film: Film) -> tuple[Note, ...]:
    """The chapters of a film, from its callouts or highlights; none without them."""
    if not (film.callouts or film.notices):
        return ()
    return chapters_at(film.marks, film.timeline.frames, film.heading)
