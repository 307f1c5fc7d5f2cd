"""Films within a limit of bytes, or within all limits of a platform, in few passes.

Settings are reduced in a stated order: first the frame rate (the duration is the same, with more
steps in each frame), then the length (more steps per frame at that rate), then the size of the
picture, and finally the colours, in formats with palettes. The first film in that order that is
within all limits is chosen. (Colours come last because they save least, since the palette of a
film is already small: reduced from some 100 colours to 31, a GIF has 94 to 96 % of its bytes, with
15 colours 82 to 92 %, with 7 colours 72 to 85 %; WebP and APNG are similar.)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import cache
from math import ceil
from pathlib import Path
from typing import TypeVar

from undoku.errors import SettingsError
from undoku.render.delivery.outputs import Sidecar, context_of
from undoku.render.delivery.platforms import PlatformLimit, PlatformLimits, limits_of
from undoku.render.delivery.write import Progress, Report, write_film
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.render.write.formats import OutputFormat, format_of
from undoku.render.write.sink import FrameSink, SinkContext, open_sink
from undoku.render.write.sound_encoder import SOUND_BYTES
from undoku.render.write.staging import FileTransaction
from undoku.temporary_files import temporary_folder

_GIF_RATES = tuple(Fraction(100, delay) for delay in (2, 3, 4, 5, 6, 8, 10))
_VIDEO_RATES = tuple(Fraction(rate) for rate in (60, 50, 30, 25))
"""The frame rates to which a film may be reduced, descending."""

_MORE_STEPS = tuple(
    Fraction(half, 2) for half in (3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024)
)

_MIN_SECONDS = 4
"""The minimum length of the search in a shortened film, in seconds."""

_SCALES = (Fraction(5, 6), Fraction(3, 4), Fraction(2, 3), Fraction(1, 2))

_MIN_SIDE = 160
"""The minimum side of a reduced picture, in pixels."""

COLOURS = (31, 15, 7)
"""The reduced numbers of colours; with the transparent colour of a GIF each is a power of two."""

_MARGINS = Fraction(97, 100), Fraction(85, 100), Fraction(0)
"""The shares of the limit below which a prediction must be, for each pass: the last one writes the
smallest film."""

_TALL_SHAPE = Fraction(2, 3)
"""Width over height up to which a picture fills a phone, so that an app's texts cover it."""

Candidate = TypeVar("Candidate")


@dataclass(frozen=True, slots=True)
class Fit:
    """How one output was fitted: the report of its run, the settings of its film, and what was
    `chosen`, in words. `unchanged` states whether the requested settings were kept."""

    report: Report
    settings: FilmSettings
    chosen: str
    unchanged: bool


def limits_for(path: Path, most: int | None, platform: str | None) -> PlatformLimits:
    """The limits for the file `path`: a number of bytes, and the limits of the platform. Raises
    SettingsError for an unknown platform, or one that does not accept such files.
    """
    limits = PlatformLimits("the limit", {})
    if platform is not None:
        limits = limits_of(platform, "video" if format_of(path).video else "picture")
    known = limits.at_most("bytes")
    if most is not None and (known is None or most < known):
        asked = PlatformLimit("bytes", most, "the command line", date.min)
        limits = replace(limits, figures={**limits.figures, "bytes": asked})
    return limits


def suited(limits: PlatformLimits, settings: FilmSettings, *, any_size: bool) -> FilmSettings:
    """The settings that suit the platform, unless options set others: with `any_size` its usual
    size, with margins if an app covers a tall picture, its level of H.264 and its loudness. Raises
    SettingsError for films that must not flash, of which several versions are not written."""
    if settings.flash_safe:
        raise SettingsError(
            "a film that is fitted to limits can't be flash-safe", remedy="leave out one of the two"
        )
    if limits.loudness is not None:
        settings = replace(settings, loudness=limits.loudness)
    if any_size and limits.size:
        settings = replace(settings, width=limits.size[0], height=limits.size[1])
    if not settings.margins and settings.width <= _TALL_SHAPE * settings.height:
        settings = replace(settings, margins=limits.margins)
    level = limits.at_most("level")
    if level is not None and level < float(settings.level):
        settings = replace(settings, level=f"{level:.1f}")
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
    allowed = candidates(film, limits, form)
    reports: list[Report] = []
    with FileTransaction() as files:
        staging = files.open(path, overwrite=overwrite, suffix=form.suffix)
        texts = [(files.open(text.path, overwrite=overwrite), text) for text in sidecars]

        def write(candidate: Film) -> int:
            paths = [staging.temporary]
            reports.append(write_film(candidate, paths, overwrite=True, progress=progress))
            staging.lock()
            return reports[-1].outputs[0].bytes

        most = limits.at_most("bytes")
        fitted = allowed[0]
        if most is None:
            write(fitted)
        else:
            fitted = first_within(
                allowed, int(most), lambda one: predicted_bytes(one, path), write, _described
            )
        for text_staging, text in texts:
            files.write_text(text_staging, text.of(fitted))
        files.publish()
    output = reports[-1].outputs[0]._replace(path=path)
    report = replace(reports[-1], outputs=(output,))
    unchanged = fitted.settings == _requested(film)
    return Fit(report, fitted.settings, _described(fitted), unchanged)


def _described(film: Film) -> str:
    settings, timeline = film.settings, film.timeline
    return (
        f"{settings.width}×{settings.height}, {float(settings.fps):.4g} frames/s, "
        f"{float(timeline.mean_rate):.4g} steps per frame, {float(timeline.duration):.4g} s"
        + (f", {settings.colours} colours" if settings.colours else "")
    )


def candidates(film: Film, limits: PlatformLimits, form: OutputFormat) -> list[Film]:
    """The film with the requested settings, followed by more and more reduced ones, as far as they
    can be drawn and exceed no limit that can be checked before they are written. Raises
    SettingsError, with the nearest possible film, if none is left."""
    requested = _requested(film)
    limits.check_shape(requested.width, requested.height)
    films = []
    for settings in _reduced(_within(requested, limits), film.timeline.span, form):
        try:
            films.append(film.with_settings(settings))
        except SettingsError:
            continue  # the boards have no room in this picture
    if not films:
        raise SettingsError(
            "the boards do not fit into any picture within the limits",
            remedy="film fewer searches",
        )
    allowed = [one for one in films if not limits.broken_by(one)]
    if not allowed:
        broken = "; ".join(limits.broken_by(films[-1]))
        fewer = "film fewer steps"
        raise SettingsError(
            f"this film can't be made within the limits: even with {_described(films[-1])} it has "
            f"{broken}",
            remedy=fewer if requested.pace.steps_per_frame else f"{fewer}, or allow a shorter film",
        )
    return allowed


def _requested(film: Film) -> FilmSettings:
    """The settings of the film, with the rate of its race unless its length is fixed."""
    pace = film.settings.pace
    if pace.duration is not None or pace.story:
        return film.settings
    pace = Pace(pace.steps_per_frame or Fraction(1), None, pace.ramp, pace.first, pace.last)
    return replace(film.settings, pace=pace)


def _within(settings: FilmSettings, limits: PlatformLimits) -> FilmSettings:
    """The settings in a size and at a rate within the limits."""
    scale = Fraction(1)
    for limit, side in (("width", settings.width), ("height", settings.height)):
        if (most := limits.at_most(limit)) and side > most:
            scale = min(scale, Fraction(most) / side)
    pixels, area = limits.at_most("pixels"), settings.width * settings.height
    if pixels and area > pixels:
        scale = min(scale, Fraction((pixels / area) ** 0.5))
    fps = limits.at_most("fps")
    if fps and settings.fps > fps:
        settings = _with_rate(settings, Fraction(fps))
    return _scaled(settings, scale) if scale < 1 else settings


def _reduced(settings: FilmSettings, span: int, form: OutputFormat) -> Iterator[FilmSettings]:
    """The settings, followed by more and more reduced ones, for a film of `span` steps."""
    yield settings
    step = settings
    for fps in _VIDEO_RATES if form.video else _GIF_RATES:
        if fps < settings.fps:
            step = _with_rate(settings, fps)
            yield step
    slow = step
    for factor in _MORE_STEPS:
        if slow.pace.steps_per_frame is None:  # the length is fixed
            break
        rate = slow.pace.steps_per_frame * factor
        if ceil(span / rate) < _MIN_SECONDS * slow.fps:
            break
        step = replace(slow, pace=replace(slow.pace, steps_per_frame=rate))
        yield step
    full = step
    for scale in _SCALES:
        smaller = _scaled(full, scale)
        if min(smaller.width, smaller.height) >= _MIN_SIDE:
            step = smaller
            yield step
    if form.video or settings.transparent:  # they have no palette
        return
    for most in COLOURS:
        if not settings.colours or most < settings.colours:
            yield replace(step, colours=most)


def _scaled(settings: FilmSettings, scale: Fraction) -> FilmSettings:
    """The settings with a smaller picture, with even sides."""
    sides = (settings.width, settings.height)
    width, height = (max(2, int(side * scale) // 2 * 2) for side in sides)
    return replace(settings, width=width, height=height)


def _with_rate(settings: FilmSettings, fps: Fraction) -> FilmSettings:
    """The settings at another frame rate, with as many steps per second as before."""
    pace = settings.pace
    if pace.steps_per_frame is not None:
        pace = replace(pace, steps_per_frame=pace.steps_per_frame * settings.fps / fps)
    return replace(settings, fps=fps, pace=pace)


def first_within(
    films: Sequence[Candidate],
    limit: int,
    predict: Callable[[Candidate], int],
    write: Callable[[Candidate], int],
    described: Callable[[Candidate], str] = str,
) -> Candidate:
    """The first of `films` whose file has at most `limit` bytes.

    `predict` estimates the bytes of a film from samples; `write` writes it and returns its bytes.
    A miss corrects the predictions, so that a second film fits; only if it does not, although 15 %
    of the limit were left, the smallest one is tried. Raises SettingsError with the nearest
    possible size if none fits.
    """
    estimate = cache(predict)
    correction, start = Fraction(1), 0
    sizes: dict[int, Candidate] = {}
    for margin in _MARGINS:
        room = int(limit * margin / correction)
        # Sizes decrease in this order, so a binary search finds the film with few samples.
        at = bisect_left(films, -room, start, key=lambda one: -estimate(one))
        # Predictions can be wrong: the last film is written before it is refused.
        at = min(at, len(films) - 1)
        size = write(films[at])
        if size <= limit:
            return films[at]
        sizes.setdefault(size, films[at])
        correction = max(correction, Fraction(size, max(1, estimate(films[at]))))
        start = at + 1
        if start == len(films):
            break
    nearest = min(sizes)
    raise SettingsError(
        f"no film of these searches was found that fits into {limit:,} bytes",
        remedy=f"the nearest has {nearest:,} bytes: {described(sizes[nearest])}",
    )


_SAMPLES, _SAMPLE_FRAMES = 6, 24
"""The number of samples of a race, and the frames of each."""


def predicted_bytes(film: Film, path: Path) -> int:
    """The predicted bytes of the film in the file `path`, from samples spread evenly over its race
    in the excerpt, or from all of it if they would cover it."""
    timeline, form, context = film.timeline, format_of(path), context_of(film)
    first = max(timeline.intro, film.excerpt.start)
    race = min(timeline.intro + timeline.race, film.excerpt.stop) - first
    length, starts = _SAMPLE_FRAMES, [0]
    if race < 2:
        return 0
    if race <= _SAMPLES * _SAMPLE_FRAMES:
        length = race
    else:
        gap = (race - length) / (_SAMPLES - 1)
        starts = [round(gap * number) for number in range(_SAMPLES)]
    samples = [
        _sample(film, range(first + start, first + start + length), form, context)
        for start in starts
    ]
    growth = sum(whole - key for key, whole in samples)
    moving = ceil(Fraction(growth, len(samples) * (length - 1)) * (race - 1))
    heard = form.sound and (film.settings.sound or film.settings.voice)
    sound = ceil(SOUND_BYTES * film.duration) if heard else 0
    # The end card is one more complete picture.
    return max(key for key, _ in samples) + moving + samples[0][0] // 2 + sound


def _sample(
    film: Film, numbers: range, form: OutputFormat, context: SinkContext
) -> tuple[int, int]:
    """The bytes of a file with only the first of the frames with these `numbers`, two or more, and
    of one with all of them. Raises what the writers raise."""
    with (
        temporary_folder() as folder,
        open_sink(folder / f"first{form.suffix}", context) as first,
        open_sink(folder / f"all{form.suffix}", context) as every,
    ):
        assert isinstance(first, FrameSink)
        assert isinstance(every, FrameSink)
        for number, frame in enumerate(film.draw([film.timeline.shot_at(at) for at in numbers])):
            if not number:
                first.write(frame)
                alone = first.finish().bytes
            every.write(frame)
        return alone, every.finish().bytes
