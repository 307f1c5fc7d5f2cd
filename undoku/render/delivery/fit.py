"""Films within a limit of bytes, or within all limits of a platform."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from pathlib import Path

from undoku.errors import SettingsError
from undoku.render.delivery.outputs import Sidecar
from undoku.render.delivery.plan import OutputPlan
from undoku.render.delivery.platforms import PlatformLimit, PlatformLimits, limits_of
from undoku.render.delivery.report import Report
from undoku.render.delivery.size_ladder import (
    COLOURS,
    GIF_RATES,
    VIDEO_RATES,
    Sample,
    SizeChoice,
    choices,
    fit,
    predicted,
)
from undoku.render.delivery.write import Progress, write_film
from undoku.render.draw.canvas import Frame
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.render.write.formats import format_of
from undoku.render.write.sink import FrameSink, SinkContext, open_sink
from undoku.render.write.sound_encoder import SOUND_BYTES
from undoku.render.write.staging import FileTransaction
from undoku.temporary_files import temporary_folder

__all__ = [
    "Fit",
    "limits_for",
    "requested_choice",
    "stretches",
    "suited",
    "take_sample",
    "write_fitted",
]

_TALL = (1080, 1920)

_TALL_SHAPE = Fraction(2, 3)
"""Width over height up to which a picture fills a phone, so that an app's texts cover it."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How one output was fitted: the report of its run, the chosen settings, and the number of
    passes. `unchanged` states whether the requested settings were kept."""

    report: Report
    choice: SizeChoice
    unchanged: bool
    passes: int


def limits_for(path: Path, most: int | None, platform: str | None) -> PlatformLimits:
    """The limits for the file `path`: a number of bytes, and the limits of the platform. Raises
    SettingsError for an unknown platform, or one that does not accept such files.
    """
    limits = PlatformLimits("", "the limit", {})
    if platform is not None:
        limits = limits_of(platform, "video" if format_of(path).video else "picture")
    known = limits.at_most("bytes")
    if most is not None and (known is None or most < known):
        from datetime import date

        asked = PlatformLimit("bytes", most, "the command line", date.min)
        limits = replace(limits, figures={**limits.figures, "bytes": asked})
    return limits


def suited(limits: PlatformLimits, settings: FilmSettings, *, any_size: bool) -> FilmSettings:
    """The settings that the platform requires, unless options set others: with `any_size`, tall if
    wide pictures are refused, and with margins if an app covers a tall picture."""
    shape = limits.at_most("shape")
    if any_size and shape is not None and settings.width > shape * settings.height:
        settings = replace(settings, width=_TALL[0], height=_TALL[1])
    if not settings.margins and settings.width <= _TALL_SHAPE * settings.height:
        settings = replace(settings, margins=limits.margins)
    return settings


def write_fitted(
    film: Film,
    path: Path,
    limits: PlatformLimits,
    *,
    sidecars: Sequence[Sidecar] = (),
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Fit:
    """Write the film within `limits`, with as few reductions as possible: first of the frame rate,
    then, unless a duration was set, of the length, then of the picture size, then, except in
    videos, of the colours. `sidecars` describe the resulting film.

    Raises SettingsError with the nearest possible film if none is within the limits, and the errors
    of `write_film`. A file gets its final name only when it fits.
    """
    form = format_of(path)
    if form.still or form.sequence:
        raise SettingsError(
            f"{str(path)!r} is not a film in one file, so it can't be fitted",
            remedy="give a name that ends in .mp4, .gif, .webp or .apng",
        )
    requested = requested_choice(film)
    keep = film.settings.pace.duration is not None or film.settings.pace.story
    rates, colours = (VIDEO_RATES, ()) if form.video else (GIF_RATES, COLOURS)
    if film.settings.transparent:
        colours = ()  # transparent films have no palette
    candidates = [
        choice
        for choice in choices(requested, limits, rates=rates, keep_length=keep, colours=colours)
        if _can_be_drawn(film, choice)
    ]
    if not candidates:
        raise SettingsError(
            "the boards do not fit into any picture within the limits",
            remedy="film fewer searches",
        )
    reports: list[Report] = []

    def film_of(choice: SizeChoice) -> Film:
        return film.with_settings(_settings(film.settings, choice))

    with FileTransaction() as files:
        staging = files.open(path, overwrite=overwrite, suffix=form.suffix)
        texts = [(files.open(text.path, overwrite=overwrite), text) for text in sidecars]

        def write(choice: SizeChoice) -> int:
            film = film_of(choice)
            temporary = [staging.temporary]
            reports.append(write_film(film, temporary, overwrite=True, progress=progress))
            return reports[-1].outputs[0].bytes

        most = limits.at_most("bytes")
        if most is None:
            write(candidates[0])
            chosen, passes = candidates[0], 1
        else:
            fitted = fit(candidates, most, lambda choice: _predict(film_of(choice), path), write)
            chosen, passes = fitted.choice, fitted.passes
        for text_staging, text in texts:
            files.write_text(text_staging, text.of(film_of(chosen)))
        files.publish()
    output = replace(reports[-1].outputs[0], path=path)
    return Fit(replace(reports[-1], outputs=(output,)), chosen, chosen == requested, passes)


def requested_choice(film: Film) -> SizeChoice:
    """The requested settings, before any reduction."""
    timeline, settings = film.timeline, film.settings
    still = (timeline.intro + timeline.hold + timeline.card) / timeline.fps
    rate = timeline.mean_rate or Fraction(1)
    if timeline.stretches and settings.pace.duration is None and not settings.pace.story:
        # The duration of highlights does not depend on the speed of the rest.
        rate = settings.pace.steps_per_frame or Fraction(1)
        still += (timeline.race - ceil(timeline.span / rate)) / timeline.fps
    return SizeChoice(
        settings.width,
        settings.height,
        settings.fps,
        rate,
        timeline.span,
        still,
        settings.colours,
    )


def _settings(settings: FilmSettings, choice: SizeChoice) -> FilmSettings:
    pace = settings.pace
    if pace.duration is None and not pace.story:
        pace = Pace(choice.steps_per_frame, None, pace.ramp, pace.first, pace.last)
    return replace(
        settings,
        width=choice.width,
        height=choice.height,
        fps=choice.fps,
        pace=pace,
        colours=choice.colours,
    )


def _can_be_drawn(film: Film, choice: SizeChoice) -> bool:
    """Whether the boards have room in a picture of that size."""
    try:
        film.with_settings(_settings(film.settings, choice))
    except SettingsError:
        return False
    return True


def _predict(film: Film, path: Path) -> int:
    """The predicted bytes of the film, from a few samples of it."""
    timeline, context = film.timeline, OutputPlan(film).context
    samples = [
        take_sample(
            film.draw([timeline.shot_at(number) for number in stretch]),
            format_of(path).suffix,
            context,
        )
        for stretch in stretches(timeline.intro, timeline.race)
    ]
    if not samples:
        return 0
    heard = film.settings.sound or film.settings.voice
    sound = ceil(SOUND_BYTES * timeline.duration) if heard and format_of(path).sound else 0
    # The end card is one more complete picture.
    return predicted(samples, timeline.race) + samples[0].first // 2 + sound


def stretches(first: int, frames: int, *, count: int = 6, length: int = 24) -> list[range]:
    """Up to `count` stretches of `length` frame numbers, spread evenly over the `frames` frames
    from number `first` on; all of them if the stretches would cover the film."""
    if frames <= count * length:
        return [range(first, first + frames)] if frames >= 2 else []
    gap = (frames - length) / (count - 1)
    starts = [first + round(gap * number) for number in range(count)]
    return [range(start, start + length) for start in starts]


def take_sample(frames: Iterable[Frame], suffix: str, context: SinkContext) -> Sample:
    """Write frames, at least two and the first whole, to temporary files whose names end in
    `suffix`. Raises what the writers raise."""
    with (
        temporary_folder() as folder,
        open_sink(folder / f"first{suffix}", context) as first,
        open_sink(folder / f"all{suffix}", context) as every,
    ):
        assert isinstance(first, FrameSink)
        assert isinstance(every, FrameSink)
        count = 0
        for frame in frames:
            if not count:
                first.write(frame)
            every.write(frame)
            count += 1
            if count == 1:
                alone = first.finish().bytes
        return Sample(alone, every.finish().bytes, count)
