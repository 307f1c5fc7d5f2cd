"""A film: searches with settings, from which any frame can be drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import tee
from typing import TYPE_CHECKING

from undoku.errors import SettingsError, TraceError
from undoku.render.draw.canvas import Frame
from undoku.render.draw.film_parts import excerpt_of, frames_of
from undoku.render.draw.picture import Picture
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.draw.typesetting import Typesetting
from undoku.render.film.acts import Act, Acts
from undoku.render.film.batcher import frames_and_runs
from undoku.render.film.excerpt import excerpt_frames, notes_on
from undoku.render.film.fade import unflashing
from undoku.render.film.film_plan import film_acts, film_layouts, film_timeline
from undoku.render.film.flash_meter import FlashMeter
from undoku.render.film.palette import main_colours, palette_of
from undoku.render.film.quantise import film_theme, posterised
from undoku.render.film.seam import SEAM, returning
from undoku.render.film.search_labels import labelled, search_names
from undoku.render.film.transparency import BLACK, WHITE, without_background
from undoku.render.panels.panel import Script
from undoku.render.panels.panel_registry import shown_panels
from undoku.render.playback.verdict import MAX_NAMED, named, verdict_of
from undoku.render.settings.settings import FilmSettings
from undoku.render.story.claims import ClaimNote
from undoku.render.story.film_notes import cue_notes, cue_search, joined, marks_of
from undoku.render.story.highlights import notices, seen
from undoku.render.story.narration import Narration
from undoku.render.story.question import film_title
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.notes import Note
from undoku.render.timeline.timeline import Phase, Shot, Timeline
from undoku.solver.trace.trace import Tally, Trace
from undoku.texts import wording as say
from undoku.texts.language import number

if TYPE_CHECKING:
    from undoku.render.draw.easel import Drawing, Easel
    from undoku.render.sound.mix import Mix

MAX_PANELS = 6


class Film:
    """Traces with settings, from which any frame can be drawn. `names` are the names of the
    searches in tables and reports, `labels` those in the film, which differ from each other;
    `headers` have these labels. `command` is the command for the film, which files record. How it
    is written to files is determined by `undoku.render.delivery.outputs`.

    Raises SettingsError if the pictures can't be laid out, TraceError if a trace is invalid.
    """

    def __init__(
        self,
        traces: Sequence[Trace] | Narration,
        settings: FilmSettings,
        command: str = "",
    ) -> None:
        self.narration = traces if isinstance(traces, Narration) else Narration(tuple(traces))
        """The searches, and what is measured of them."""
        self.traces = traces = self.narration.traces
        if not 1 <= len(traces) <= MAX_PANELS:
            raise SettingsError(
                f"a film can't show {len(traces)} searches", remedy=f"give 1 to {MAX_PANELS}"
            )
        self.settings = settings
        self.command = command
        problem = traces[0].header.puzzle.problem
        self.typesetting = Typesetting.of(settings.language, settings.font).about(problem)
        with self.typesetting.within():
            headers = (trace.header for trace in traces)
            briefly = len(traces) <= MAX_NAMED
            self.headers = labelled(headers, settings.labels, briefly=briefly)
            self.names = search_names(trace.header for trace in traces)
            self.labels = tuple(header.label for header in self.headers)
            for cue in settings.pace.cues:
                cue_search(cue, self.headers)
            self.theme = film_theme(settings, problem.appearance)
            if settings.sound:
                _ = self.mix  # reports a mistake at once
            exhaustive = any(header.exhaustive for header in self.headers)
            panels = shown_panels(settings, exhaustive=exhaustive)
            self.layout, self._layouts = film_layouts(
                settings, self.headers, panels, titled=settings.title != ""
            )

    def with_settings(self, settings: FilmSettings) -> Film:
        """Another film of the same searches, which shares their measurements."""
        return Film(self.narration, settings, self.command)

    @property
    def given_texts(self) -> list[str]:
        """The texts in the pictures that are not the program's: titles and labels."""
        puzzles = (header.puzzle.title for header in self.headers)
        return [self.title, *self.names, *self.labels, *puzzles]

    @cached_property
    def title(self) -> str:
        """The title, on one line; "" for none. That of a story is its question."""
        with self.typesetting.within():
            return film_title(self.settings, self.headers, self.tallies)

    @property
    def heading(self) -> str:
        """The heading of the film: its title or, without one, its searches."""
        with self.typesetting.within():
            return self.title or say.versus(self.labels)

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """The searches' counts."""
        if self.layout.needs_histories:
            _ = self.narration.whole_histories  # the same run counts
        return self.narration.tallies

    @cached_property
    def timeline(self) -> Timeline:
        """Its beats are as long as their sentences in the film's language need."""
        says = self.settings.pace.story and self._says
        with self.typesetting.within():
            return film_timeline(
                self.settings,
                self.tallies,
                narration=self.narration if says else None,
                shown=self._shown_at_once,
                highlights=self.narration.highlights if self.settings.highlights else (),
            )

    @property
    def _shown_at_once(self) -> Mapping[BeatKind, Sequence[str]]:
        """What a story shows together with boards or bars, except its sentences."""
        verdict = verdict_of(self.headers, self.tallies)
        shown = [(self.labels[each], self.tallies[each]) for each in named(self.tallies)]
        cells = len(self.headers[0].puzzle.empty_cells)
        return {
            BeatKind.QUESTION: [self.title, *(label for label, _ in shown)],
            BeatKind.ANSWER: [say.A_STEP(), *(number(each.steps) for _, each in shown)],
            BeatKind.RATIO: [
                verdict.large or verdict.headline,
                verdict.question or verdict.reason,
            ],
            BeatKind.RACE: [
                *[say.CELLS_FILLED(filled=cells, cells=cells)] * len(shown),
                say.RATE_SECOND(count=cells),
            ],
        }

    @cached_property
    def excerpt(self) -> range:
        """The frames of the timeline that are written. Raises SettingsError for an excerpt that the
        film does not have."""
        return excerpt_frames(self.timeline, self.settings.excerpt)

    @property
    def seam(self) -> int:
        """The number of frames, after those of the timeline, that lead back to the first one."""
        return round(SEAM * self.timeline.fps) if self.settings.seamless else 0

    @property
    def length(self) -> int:
        """The number of frames that are written."""
        return len(self.excerpt) + self.seam

    @property
    def duration(self) -> Fraction:
        """The time in seconds that they take."""
        return self.length / self.timeline.fps

    @property
    def last_shot(self) -> Shot:
        """The last picture of the timeline that is written."""
        return self.timeline.shot_at(self.excerpt[-1])

    @cached_property
    def mix(self) -> Mix:
        """What the film's sound is made of. Raises SettingsError or ReadError for a wrong one."""
        from undoku.render.sound.mix import Mix, load_mix

        return load_mix(self.settings.sound) if self.settings.sound else Mix()

    @property
    def highlights(self) -> tuple[ClaimNote, ...]:
        """The highlights, at which the film slows down; none unless requested."""
        return self.moments if self.settings.highlights else ()

    @cached_property
    def moments(self) -> tuple[ClaimNote, ...]:
        """The turning points of the searches that the film shows, whether or not it slows down for
        them."""
        with self.typesetting.within():
            return seen(self.timeline, self.narration.highlights, self.headers)

    @property
    def _says(self) -> bool:
        """Whether there is room for what a story says."""
        return bool(self.layout.sentence)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """The sentences of a story, of cues, or of highlights; those about the same search by
        frame."""
        timeline = self.timeline
        if timeline.beats:
            with self.typesetting.within():
                return self.narration.notes(timeline, self.title) if self._says else ()
        if self.settings.pace.cues:
            return cue_notes(timeline, self.settings.pace.cues, self.headers)
        return notices(timeline, self.highlights)

    @cached_property
    def sentences(self) -> Sequence[Note]:
        """The notes; those that say the same of a search one after the other are one."""
        return joined(self.notes)

    @property
    def marks(self) -> tuple[Note, ...]:
        """All sentences about the searches in the frames that are written, and the ends of the
        searches, by the number of the frame among these."""
        with self.typesetting.within():
            marks = marks_of(
                self.timeline,
                self.headers,
                self.tallies,
                self.sentences,
                self.highlights,
            )
        return notes_on(self.excerpt, marks)

    @property
    def script(self) -> Script:
        """The information that a scene of the first act needs before its first frame."""
        tells = bool(self.timeline.beats) and self._says
        return Script(
            self.settings,
            self.layout,
            self.theme,
            self.title,
            self.headers,
            self.tallies,
            self.timeline,
            self.narration.whole_histories if self.layout.needs_histories else (),
            notes=self.notes,
            wrong=self.narration.wrong_spans if tells else (),
            lost=self.narration.lost if tells else (),
        )

    @property
    def acts(self) -> tuple[Act, ...]:
        """The acts of the film."""
        with self.typesetting.within():
            return film_acts(self.script, self._layouts)

    @property
    def board_places(self) -> tuple[tuple[int, tuple[float, ...]], ...]:
        """Where boards are: the frames from which on they are there, ascending, and the middle of
        each board, from -1 (the left edge of the picture) to 1."""
        return tuple(
            (
                act.start,
                tuple(
                    (2 * block.board.x + block.board.width) / self.settings.width - 1
                    for block in act.script.layout.blocks
                ),
            )
            for act in self.acts
        )

    def draw(self, shots: Iterable[Shot], easel: Easel | None = None) -> Iterator[Frame]:
        """The frames of `shots`, which must come in the film's order; the first is whole."""
        if self.settings.transparent and not easel:
            black, white = tee(shots)
            on_black, on_white = self.on_two_backgrounds
            return without_background(on_black.draw(black), on_white.draw(white))
        # A document shows all searches alike.
        acts = (Act(self.script),) if easel else self.acts
        with self.typesetting.within():
            drawn = Acts(acts, easel).play(self.traces, shots)
        return self.coloured(self.typesetting.each(drawn))

    @cached_property
    def on_two_backgrounds(self) -> tuple[Film, Film]:
        """The same film on black and on white, from which its transparency follows."""
        black, white = (
            self.with_settings(replace(self.settings, background=background))
            for background in (BLACK, WHITE)
        )
        return black, white

    def coloured(self, frames: Iterator[Frame]) -> Iterator[Frame]:
        """The frames, reduced to the number of colours in the settings."""
        most = self.settings.colours
        if not most:
            return frames
        return posterised(
            frames, palette_of(self.theme, most, overlay=self.settings.heat == "overlay")
        )

    @property
    def main_colours(self) -> Callable[[], tuple[int, ...]]:
        """A function that returns the colours that a palette must hold. Only stories, whose texts
        fade and whose boards move, have more colours than a palette holds."""
        if not self.settings.pace.story or self.settings.colours:
            return tuple
        return partial(main_colours, self.theme, len(self.traces))

    def still(self, shot: Shot) -> tuple[Frame, Drawing]:
        """One picture, as pixels and as geometry."""
        from undoku.render.draw.easel import Easel

        easel = Easel(self.settings.width, self.settings.height, self.theme)
        (frame,) = self.draw([shot], easel)
        if self.settings.transparent:
            (frame,) = self.draw([shot])
        with self.typesetting.within():
            return frame, easel.drawing()

    def frames(self) -> Iterator[Frame]:
        """All frames that are written, in order; faded, if the settings require it, where they
        would flash. Raises SettingsError for a film longer than a day."""
        return frames_of(self.parts())

    def parts_from(self, first: int = 0, *, runs: bool) -> Iterator[Frame | SpriteRun]:
        """All frames from `first` on, in `runs` where possible: 0, or the first frame of a
        picture of the race or after it."""
        if self.settings.transparent:
            on_black, on_white = (
                frames_of(film.parts_from(first, runs=False)) for film in self.on_two_backgrounds
            )
            return without_background(on_black, on_white)
        with self.typesetting.within():
            acts = Acts(self.acts)
        parts = self.typesetting.each(frames_and_runs(acts, self.traces, first))
        if runs and not self.settings.colours:
            return parts
        return self.coloured(frames_of(parts))

    def parts(self, *, runs: bool = False) -> Iterator[Frame | SpriteRun]:
        """Like `frames`; in `runs` where possible."""
        self.timeline.check_length()
        if self.settings.flash_safe:
            return unflashing(lambda: frames_of(self._written(runs=False)), self.meter)
        return self._written(runs=runs)

    def _written(self, *, runs: bool) -> Iterator[Frame | SpriteRun]:
        """The frames of the excerpt and of the seam."""
        begin = self.excerpt.start
        # What a story shows before the race follows from its first pass.
        begin = self.timeline.shot_at(begin).start if begin >= self.timeline.intro else 0
        parts = self.parts_from(begin, runs=runs)
        if self.settings.excerpt:
            parts = excerpt_of(parts, self.excerpt, begin)
        return returning(parts, self.seam) if self.seam else parts

    def pictures(self) -> Iterator[Picture]:
        """All frames as new arrays with their durations."""
        for frame in self.frames():
            yield Picture(frame.pixels.copy(), frame.ticks / self.settings.fps)

    def meter(self) -> FlashMeter:
        """The flash meter of this film."""
        return FlashMeter(self.settings.width, self.settings.height, self.settings.fps)

    def shot_of_step(self, step: int) -> Shot:
        """The state after `step` steps. Raises TraceError if no search has that many."""
        if not 0 <= step <= self.timeline.longest:
            raise TraceError(
                f"there is no step {step}", remedy=f"take 0 to {self.timeline.longest:,}"
            )
        steps = tuple(min(step, tally.steps) for tally in self.tallies)
        start = self.timeline.intro + self.timeline.race * step // max(1, self.timeline.longest)
        return Shot(Phase.STILL, start, 1, steps)
