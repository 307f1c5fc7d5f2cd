"""How a film is written: the parameters of its sinks, and the encoder of an MP4."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from undoku.render.film.film import Film
from undoku.render.timeline.chapters import chapters_at
from undoku.render.timeline.notes import Note
from undoku.render.write.encoder_choice import direct_refusal, fixed_choice
from undoku.render.write.file_info import RECIPE
from undoku.render.write.further_tracks import FurtherTracks
from undoku.render.write.quality import quality
from undoku.render.write.recipe import about_film, recipe_of
from undoku.render.write.sink import EncoderChoice, SinkContext
from undoku.texts.text_lines import encodable

__all__ = ["OutputPlan", "piped_plan", "planned"]


class OutputPlan:
    """How `film` is written. Raises SettingsError for an unknown quality."""

    def __init__(self, film: Film) -> None:
        quality(film.settings.quality)
        self.film = film
        self._encoder_choice: EncoderChoice | None = None

    @cached_property
    def context(self) -> SinkContext:
        """The parameters of a sink; those of an MP4 are `mp4_context`."""
        film, settings = self.film, self.film.settings
        recipe = recipe_of(film.traces, settings)
        about = about_film(film.title, film.headers, film.tallies, film.command, recipe)
        return SinkContext(settings, about, main_colours=film.main_colours)

    @property
    def encoder_choice(self) -> EncoderChoice | None:
        """How an MP4 is written; None until the beginning of the film, written directly, shows
        which encoder is better."""
        return self._encoder_choice or fixed_choice(self.film.settings)

    def choose(self, encoder_choice: EncoderChoice) -> None:
        """Choose how an MP4 is written, where the settings leave this open."""
        self._encoder_choice = encoder_choice

    @property
    def mp4_context(self) -> SinkContext:
        """The parameters of the sink of an MP4, whose encoder is chosen."""
        choice = self.encoder_choice
        assert choice is not None
        return replace(self.context, encoder=choice)

    @property
    def chapters(self) -> tuple[Note, ...]:
        """The chapters of the film, from its callouts or highlights; none without them."""
        film = self.film
        if not (film.callouts or film.notices):
            return ()
        return chapters_at(film.marks, film.timeline.frames, film.heading)

    @property
    def tracks(self) -> FurtherTracks:
        """The tracks of the film beside its pictures."""
        return FurtherTracks(self.chapters)

    def picture_context(self, **picture: int) -> SinkContext:
        """The parameters of the sink of a single picture; the recipe states which: step=5000 or
        filmstrip=8."""
        recipe = encodable(recipe_of(self.film.traces, self.film.settings, picture))
        about = ((name, recipe if name == RECIPE else text) for name, text in self.context.about)
        return replace(self.context, about=tuple(about))


def planned(film: Film | OutputPlan) -> OutputPlan:
    """The plan itself, or a new one of a film."""
    return film if isinstance(film, OutputPlan) else OutputPlan(film)


def piped_plan(plan: OutputPlan) -> OutputPlan:
    """The plan for an MP4 that is written while it is drawn, if this is possible and no other way
    was requested."""
    settings = plan.film.settings
    if settings.encoder != "auto" or direct_refusal(settings):
        return plan
    return OutputPlan(plan.film.with_settings(replace(settings, encoder="direct")))
