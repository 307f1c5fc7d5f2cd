"""A film: searches with settings, all that is needed to draw any frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from render.drawing.canvas import Frame
from render.drawing.cutting import spanned
from render.drawing.easel import Drawing, Easel
from render.drawing.sprite_run import SpriteRun
from render.flashing.fade import unflashing
from render.flashing.meter import FlashMeter
from render.layout.page import arrange
from render.metadata.chapter_list import Chapter
from render.metadata.file_info import RECIPE
from render.metadata.film_texts import about_film
from render.metadata.further_tracks import FurtherTracks
from render.metadata.recipe import recipe_of
from render.metadata.text_lines import encodable
from render.panels.registry import shown_panels
from render.panels.script import Script
from render.picture import Picture
from render.playback.survey import Survey, survey
from render.scene.batcher import frames_and_runs
from render.scene.palette import palette_of
from render.scene.quantise import posterised
from render.scene.scene import Scene
from render.settings import FilmSettings, default_title
from render.sinks.contract import FilmShape
from render.sinks.encoder_choice import Way, way_of
from render.sinks.h264.quality import quality
from render.story.chapters import chapters_at
from render.story.highlight_timing import notices, slowed, windows
from render.story.highlights import Highlight, find_highlights
from render.style.theme import load_theme
from render.timing.timeline import Phase, Shot, Timeline, plan
from solver.errors import SettingsError, TraceError
from solver.trace import Tally, Trace

__all__ = ["MOST_PANELS", "Film"]

MOST_PANELS = 6


class Film:
    """Traces with settings: all that is needed to draw any frame. `command` is what a person
    would type for it; files say so.

    Raises SettingsError when the pictures can't be laid out, TraceError when a trace is wrong.
    """

    def __init__(self, traces: Sequence[Trace], settings: FilmSettings, command: str = "") -> None:
        if not 1 <= len(traces) <= MOST_PANELS:
            raise SettingsError(
                f"{len(traces)} searches in one picture", remedy=f"take 1 to {MOST_PANELS}"
            )
        self.traces = tuple(traces)
        self.settings = settings
        self.command = command
        self.headers = tuple(trace.header for trace in traces)
        self.names = tuple(header.name for header in self.headers)
        title = settings.title
        if title is None:
            title = default_title(self.names, len({header.puzzle for header in self.headers}))
        self.title = " ".join(encodable(title).split())
        self.theme = load_theme(settings.theme)
        quality(settings.quality)
        self.panels = shown_panels(settings)
        self.layout = arrange(
            settings.width,
            settings.height,
            len(traces),
            max(header.puzzle.geometry.side for header in self.headers),
            title=bool(self.title),
            panels=self.panels,
            legend=settings.heat == "overlay",
        )

    def with_settings(self, settings: FilmSettings) -> Film:
        """The same searches as another film; what was measured of them is measured once."""
        film = Film(self.traces, settings, self.command)
        same = settings.highlights == self.settings.highlights
        for known in ("surveys", "tallies", *(["highlights"] * same)):
            if known in self.__dict__:
                film.__dict__[known] = self.__dict__[known]
        return film

    @cached_property
    def surveys(self) -> tuple[Survey, ...]:
        """The whole searches, folded: each runs through once, without being held."""
        return tuple(survey(trace) for trace in self.traces)

    @cached_property
    def tallies(self) -> tuple[Tally, ...]:
        """The searches' counts."""
        if self.layout.needs_surveys:
            _ = self.surveys  # the same run counts
        return tuple(trace.tally() for trace in self.traces)

    @cached_property
    def timeline(self) -> Timeline:
        settings = self.settings
        planned = plan(
            [tally.steps for tally in self.tallies],
            settings.fps,
            settings.pace,
            clock=settings.clock,
            seconds=[Fraction(round(tally.seconds * 10**9), 10**9) for tally in self.tallies],
            intro=settings.intro,
            hold=settings.hold,
            card=settings.card,
            title=settings.title_card or Fraction(0),
        )
        return slowed(planned, windows(planned, self.highlights))

    @cached_property
    def highlights(self) -> tuple[Highlight, ...]:
        """The moments that the film slows down for and tells of; none unless asked for."""
        return tuple(find_highlights(self.traces)) if self.settings.highlights else ()

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """The parts of the film that its highlights make; none without them."""
        return chapters_at(self.timeline, self.highlights, self.title or " vs ".join(self.names))

    @property
    def tracks(self) -> FurtherTracks:
        """What the film's files hold beside its pictures."""
        return FurtherTracks(self.chapters)

    @cached_property
    def shape(self) -> FilmShape:
        recipe = recipe_of(self.traces, self.settings)
        return FilmShape(
            self.settings.width,
            self.settings.height,
            self.settings.fps,
            self.settings.quality,
            about_film(self.title, self.headers, self.tallies, self.command, recipe),
            self.settings.loop,
            direct=self.settings.encoder == "direct",
            encoder_threads=self.settings.encoder_threads,
            key_interval=self.settings.key_interval,
            variable_rate=self.settings.variable_rate,
            closed=self.settings.closed,
        )

    @cached_property
    def way(self) -> Way:
        """How an MP4 of this film is written."""
        return way_of(self.settings.encoder, self.shape, self.timeline, self.draw)

    @property
    def mp4_shape(self) -> FilmShape:
        """The shape where an MP4 is written."""
        return replace(self.shape, direct=self.way.direct, way=self.way.told)

    def picture_shape(self, **picture: int) -> FilmShape:
        """The shape of a single picture; its recipe says which: step=5000 or filmstrip=8."""
        recipe = encodable(recipe_of(self.traces, self.settings, picture))
        about = ((name, recipe if name == RECIPE else text) for name, text in self.shape.about)
        return replace(self.shape, about=tuple(about))

    @property
    def script(self) -> Script:
        """What a scene needs to know before its first frame."""
        return Script(
            self.layout,
            self.theme,
            self.title,
            self.headers,
            self.tallies,
            self.timeline,
            self.surveys if self.layout.needs_surveys else (),
            plain=self.settings.last_state,
            notices=notices(self.timeline, self.highlights),
        )

    def draw(self, shots: Iterable[Shot], easel: Easel | None = None) -> Iterator[Frame]:
        """The frames of `shots`, which must come in the film's order; the first is whole."""
        return self.coloured(Scene(self.script, easel).play(self.traces, shots))

    def coloured(self, frames: Iterator[Frame]) -> Iterator[Frame]:
        """The frames in as many colours as the settings allow."""
        most, overlay = self.settings.colours, self.settings.heat == "overlay"
        return posterised(frames, palette_of(self.theme, most, overlay=overlay)) if most else frames

    def still(self, shot: Shot) -> tuple[Frame, Drawing]:
        """One picture, as pixels and as geometry."""
        easel = Easel(self.settings.width, self.settings.height, self.theme)
        (frame,) = self.draw([shot], easel)
        return frame, easel.drawing()

    def frames(self, span: range | None = None) -> Iterator[Frame]:
        """All frames in order, faded if the settings say so where they would flash, or those in a
        `span` of ticks. Raises SettingsError beyond a day."""
        self.timeline.check_length()

        def drawn() -> Iterator[Frame]:
            frames = self.draw(self.timeline.shots())
            return frames if span is None else spanned(frames, span)

        return unflashing(drawn, self.meter) if self.settings.flash_safe else drawn()

    def drawn(self, first: int = 0, *, runs: bool) -> Iterator[Frame | SpriteRun]:
        """All from the picture on that stands on tick `first`, in `runs` where they can be."""
        if runs and not self.settings.colours:
            return frames_and_runs(scene := Scene(self.script), scene.players(self.traces), first)
        return self.draw(self.timeline.shots(first))

    def parts(
        self, *, runs: bool = False, span: range | None = None
    ) -> Iterator[Frame | SpriteRun]:
        """As `frames`; in `runs` where they can be."""
        if self.settings.flash_safe:
            return self.frames(span)
        self.timeline.check_length()
        parts = self.drawn(runs=runs)
        return parts if span is None else spanned(parts, span)

    def pictures(self) -> Iterator[Picture]:
        """All frames as arrays of their own with their durations."""
        for frame in self.frames():
            yield Picture(frame.pixels.copy(), frame.ticks / self.settings.fps)

    def meter(self) -> FlashMeter:
        """What measures this film's flashing. Every second pixel tells: nothing that flashes is
        as thin as one."""
        return FlashMeter(self.settings.width, self.settings.height, self.settings.fps, every=2)

    def shot_of_step(self, step: int) -> Shot:
        """The state after `step` steps. Raises TraceError when no search has so many."""
        if not 0 <= step <= self.timeline.longest:
            raise TraceError(
                f"there is no step {step}", remedy=f"take 0 to {self.timeline.longest:,}"
            )
        steps = tuple(min(step, tally.steps) for tally in self.tallies)
        start = self.timeline.intro + self.timeline.race * step // max(1, self.timeline.longest)
        return Shot(Phase.STILL, start, 1, steps)
