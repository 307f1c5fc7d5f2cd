"""All files of one run, in any formats: none appears unless all of them are valid."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from undoku.errors import SettingsError
from undoku.render.draw.canvas import Frame, whole
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.film.excerpt import notes_on
from undoku.render.film.film import Film
from undoku.render.playback.verdict import verdict_of
from undoku.render.settings.settings import FilmSettings, as_still
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.chapters import chapters_at
from undoku.render.timeline.notes import FILM, Note, NoteKind
from undoku.render.timeline.pace import PaceKind
from undoku.render.write.formats import (
    OutputFormat,
    format_of,
    formats,
    is_sequence,
    supported_rate,
)
from undoku.render.write.further_tracks import FurtherTracks
from undoku.render.write.part_queue import RunWriter, ThreadedWriter
from undoku.render.write.quality import quality
from undoku.render.write.recipe import about_film, recipe_of
from undoku.render.write.sink import (
    DocumentSink,
    Encoded,
    EncoderChoice,
    FrameSink,
    PageSink,
    Sink,
    SinkContext,
    Written,
    open_sink,
)
from undoku.render.write.staging import FileTransaction, Staging

if TYPE_CHECKING:
    from undoku.render.draw.easel import Drawing


class Sidecar(NamedTuple):
    """A text file that appears with a film, or not at all: its path, and the function `of` that
    returns its text for a film. `check` raises SettingsError, before any frame is drawn, for a film
    without such a text."""

    path: Path
    of: Callable[[Film], str]
    check: Callable[[Film], object] = lambda _: None


def outputs_among(subjects: Iterable[Any]) -> tuple[list[Any], list[Path]]:
    """The subjects that are no outputs, and the outputs: file names of an output format."""
    others: list[Any] = []
    paths: list[Path] = []
    for subject in subjects:
        path = Path(subject) if isinstance(subject, str | os.PathLike) else None
        if path and any(form.takes(path) for form in formats()):
            paths.append(path)
        else:
            others.append(subject)
    return others, paths


def check_paths(paths: Sequence[Path], *, still: bool = False) -> None:
    """Raise SettingsError if there is no path, if one is named twice or has an unknown format, or,
    for a `still`, if its format is for films."""
    if not paths:
        raise SettingsError("there is no output", remedy="name a file, such as film.mp4")
    seen: set[Path] = set()
    for path in paths:
        chosen = format_of(path)
        if not chosen.still and still:
            kind = "page" if chosen.page else "film"
            raise SettingsError(
                f"a single step is a picture, but {str(path)!r} is a {kind}",
                remedy="give a name that ends in .png, .svg or .pdf",
            )
        if path.absolute() in seen:
            raise SettingsError(f"{str(path)!r} is named twice", remedy="give each file once")
        seen.add(path.absolute())


def check_settings(settings: FilmSettings, paths: Iterable[Path]) -> None:
    """Raise SettingsError if one of the formats can't contain a film with these settings: one that
    is transparent, or an excerpt."""
    for path in paths:
        chosen = format_of(path)
        if settings.excerpt and chosen.page:
            raise SettingsError(
                f"a page contains the whole film, not an excerpt ({str(path)!r})",
                remedy="leave out --excerpt, and open the page at #from=laps&to=laps",
            )
        if settings.transparent and chosen.pictures and not chosen.alpha:
            raise SettingsError(
                f"{chosen.name} can't store a transparent film ({str(path)!r})",
                remedy=f"write {', '.join(one.suffix for one in formats() if one.alpha)}, or leave "
                "out --background none",
            )


def check_names(paths: Iterable[Path], *, overwrite: bool = False) -> None:
    """Raise OutputError if one of the files can't be written to its folder, before the work
    begins."""
    for path in paths:
        if not is_sequence(path):  # a sequence creates its own folder
            Staging(path, overwrite=overwrite).discard()


class _FrameWriter:
    """Writes frames and runs to several sinks: a single one receives the run itself, several ones
    receive its frames."""

    def __init__(self, sinks: Sequence[RunWriter]) -> None:
        self._sinks = sinks

    def write(self, frame: Frame) -> None:
        for sink in self._sinks:
            sink.write(frame)

    def write_run(self, run: SpriteRun) -> None:
        if len(self._sinks) == 1:
            self._sinks[0].write_run(run)
            return
        for frame in run.frames():
            self.write(frame)


def context_of(film: Film, **picture: int) -> SinkContext:
    """The parameters of a sink for a film, or for one `picture` of it, step=5000 or filmstrip=8, as
    its recipe states. Raises SettingsError for an unknown quality."""
    quality(film.settings.quality)
    recipe = recipe_of(film.traces, film.settings, picture)
    about = about_film(film.heading, film.headers, film.tallies, film.command, recipe)
    return SinkContext(film.settings, about, main_colours=film.main_colours)


def film_tracks(film: Film) -> FurtherTracks:
    """The tracks of a film beside its pictures, without its sound."""
    return FurtherTracks(chapters=film_chapters(film))


_CHAPTERS_APART = Fraction(1, 2)
"""The minimum time in seconds from the beginning of a chapter of a story to the next one."""


def film_chapters(film: Film) -> tuple[Note, ...]:
    """The chapters of a film, from its callouts or highlights; none without them. In a story the
    verdict is one, too, when the film begins with it and when it ends with it."""
    if not film.notes:
        return ()
    timeline = film.timeline
    with film.typesetting.within():
        verdict = verdict_of(film.headers, film.tallies).text
    verdicts = [
        Note(beat.start, beat.end, FILM, NoteKind.CHAPTER, verdict)
        for beat in timeline.beats
        if beat.kind in (BeatKind.RATIO, BeatKind.CARD)
    ]
    apart = max(1, round(timeline.fps * _CHAPTERS_APART)) if timeline.beats else 1
    return chapters_at(
        [*film.marks, *notes_on(film.excerpt, verdicts)], film.length, film.heading, apart
    )


@contextmanager
def opened(
    paths: Sequence[Path],
    context: SinkContext,
    *,
    overwrite: bool = False,
    sidecars: Iterable[Sidecar] = (),
    stems: Iterable[Path] = (),
) -> Iterator[Outputs]:
    """The writers of `paths`, of `sidecars` and of `stems`. Raises SettingsError, OutputError,
    EncoderError; leaving the context without `finish` removes all files."""
    with ExitStack() as stack:
        files = stack.enter_context(FileTransaction())
        sinks: list[Sink] = []
        for path in paths:
            sinks.append(stack.enter_context(open_sink(path, context, overwrite=overwrite)))
            files.add(sinks[-1].staging)
        texts = [(files.open(text.path, overwrite=overwrite), text) for text in sidecars]
        outputs = Outputs(sinks, [*map(format_of, paths)], context, files, texts)
        outputs.stems = [files.open(stem, overwrite=overwrite) for stem in stems]
        if outputs.thread:
            stack.callback(outputs.thread.close)
        yield outputs


class Outputs:
    """The open writers of a run: `sinks` of these `forms`, among them those of `frames`, of
    `documents` and of `pages`; and the files of `texts` and of `stems`."""

    def __init__(
        self,
        sinks: Sequence[Sink],
        forms: Sequence[OutputFormat],
        context: SinkContext,
        files: FileTransaction,
        texts: Sequence[tuple[Staging, Sidecar]],
    ) -> None:
        self._sinks, self._files, self._texts = sinks, files, texts
        self._sound = context.tracks.sound
        self._forms = forms
        self.stems: Sequence[Staging] = ()
        self.documents = [sink for sink in sinks if isinstance(sink, DocumentSink)]
        self.pages = [sink for sink in sinks if isinstance(sink, PageSink)]
        moving, self._stills = (
            [
                sink
                for sink, form in zip(sinks, forms, strict=True)
                if isinstance(sink, FrameSink) and form.pictures and form.still == still
            ]
            for still in (False, True)
        )
        self.frames = [*moving, *self._stills]
        writers: list[RunWriter] = [sink for sink in moving if not sink.in_thread]
        self.thread: ThreadedWriter | None = None
        if beside := [sink for sink in moving if sink.in_thread]:
            self.thread = ThreadedWriter(_FrameWriter(beside))
            writers.append(self.thread)
        self._writer = _FrameWriter(writers)

    def write(self, frame: Frame) -> None:
        """Add a frame to all writers of frames."""
        self._writer.write(frame)
        for sink in self._stills:
            sink.write(frame)

    def write_run(self, run: SpriteRun) -> None:
        """Add the frames of a run, which plays it. Sinks of single pictures receive only the last
        frame."""
        self._writer.write_run(run)
        for sink in self._stills:
            sink.write(Frame(run.pixels, whole(run.pixels)))

    @property
    def encoded(self) -> Encoded | None:
        """The statistics so far of an MP4 that is written directly; None if there is none."""
        return next((sink.encoded for sink in self.frames if sink.encoded), None)

    def set_encoder(self, encoder: EncoderChoice) -> None:
        """Store the reason in the MP4s that are written directly."""
        for sink in self.frames:
            if sink.encoded:
                sink.context = sink.context._replace(encoder=encoder)

    def draw(self, drawing: Drawing) -> None:
        """Write the page of all documents."""
        for sink in self.documents:
            sink.write(drawing)

    def write_page(self, page: str, frames: int) -> None:
        """Write all pages, for a film with this number of frames."""
        for sink in self.pages:
            sink.write(page, frames)

    def finish(self, film: Film | None = None) -> tuple[Written, ...]:
        """Verify all files, write the texts about `film`, then rename all files; returns their
        descriptions in the order of the paths."""
        if self.thread:
            self.thread.drain()
        written = tuple(
            sink.finish()._replace(encoder=sink.context.encoder if form.direct_writer else None)
            for form, sink in zip(self._forms, self._sinks, strict=True)
        )
        for staging, text in self._texts:
            assert film
            self._files.write_text(staging, text.of(film))
        if self.stems and self._sound:
            from undoku.render.write.wav import write_stems

            write_stems(self._sound.soundtrack, self.stems)
        self._files.publish()
        return written


def with_rate(settings: FilmSettings, paths: Sequence[Path]) -> FilmSettings:
    """The settings adapted to the formats. The frame rate is changed to one that the formats
    support, if all of them support the same: a GIF gets one of its own rates. If all formats loop,
    a story is short. A single picture has no story. If a file contains only sound, the film has
    sound. Raises SettingsError for an unknown quality, and the errors of `check_settings`."""
    quality(settings.quality)
    check_settings(settings, paths)
    moving = [chosen for path in paths if not (chosen := format_of(path)).still]
    if not moving:
        return as_still(settings) if paths else settings
    settings = with_sound(settings, paths)
    if settings.pace.kind is PaceKind.STORY and all(each.loops for each in moving):
        settings = replace(settings, pace=replace(settings.pace, kind=PaceKind.SHORT))
    if len({chosen.rate for chosen in moving}) == 1 and moving[0].rate:
        return replace(settings, fps=supported_rate(moving[0], settings.fps))
    return settings


def with_sound(settings: FilmSettings, paths: Sequence[Path]) -> FilmSettings:
    """The settings with sound, if a file contains only sound."""
    if settings.sound or settings.voice or all(format_of(path).pictures for path in paths):
        return settings
    from undoku.render.sound.mix import DEFAULT_MIX

    return replace(settings, sound=DEFAULT_MIX)
