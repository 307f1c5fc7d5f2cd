"""The whole way from traces to finished files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from render.canvas import Frame, Pixels
from render.fade import SHARES, faded
from render.flashes import Flashes, FlashMeter
from render.layout import arrange
from render.provenance import RECIPE
from render.recipe import recipe_of
from render.scene import Scene, Script
from render.settings import FilmSettings, default_title
from render.sinks import format_of, open_sink
from render.sinks.contract import FilmShape, Written
from render.snapshot import Player
from render.theme import load_theme
from render.timeline import Phase, Shot, Timeline, plan
from solver.errors import SettingsError, TraceError
from solver.trace import Tally, Trace

__all__ = ["MOST_PANELS", "Film", "Picture", "Progress", "Report", "write_film", "write_still"]

MOST_PANELS = 4

Progress = Callable[[int, int], None]
"""Called with the frames done and the frames in all."""


class Picture(NamedTuple):
    """A picture and how long it stands.

    `pixels` is (height, width, 3) uint8 RGB, a copy of its own; `seconds` > 0.
    """

    pixels: Pixels
    seconds: Fraction


@dataclass(frozen=True, slots=True)
class Report:
    """What a run made: the outputs in the order they were asked for, and the searches' counts."""

    outputs: tuple[Written, ...]
    names: tuple[str, ...]
    tallies: tuple[Tally, ...]
    flashes: Flashes | None = None
    """What the film measured against the limit for flashing; None for a still picture."""


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
        self.title = " ".join(title.split())
        self.theme = load_theme(settings.theme)
        self.layout = arrange(
            settings.width,
            settings.height,
            len(traces),
            max(header.puzzle.size for header in self.headers),
            title=bool(self.title),
        )

    @cached_property
    def tallies(self) -> tuple[Tally, ...]:
        """The searches' counts: each runs through once, without being held."""
        return tuple(trace.tally() for trace in self.traces)

    @cached_property
    def timeline(self) -> Timeline:
        settings = self.settings
        return plan(
            [tally.steps for tally in self.tallies],
            settings.fps,
            settings.pace,
            clock=settings.clock,
            seconds=[Fraction(round(tally.seconds * 10**9), 10**9) for tally in self.tallies],
            intro=settings.intro,
            hold=settings.hold,
            card=settings.card,
        )

    @cached_property
    def shape(self) -> FilmShape:
        about = [
            ("title", self.title or " vs ".join(self.names)),
            ("puzzle", ", ".join(dict.fromkeys(str(header.puzzle) for header in self.headers))),
            ("strategies", ", ".join(self.names)),
            ("counts", "; ".join(map(_counted, self.names, self.tallies))),
        ]
        if self.command:
            about.append(("command", self.command))
        if recipe := recipe_of(self.traces, self.settings):
            about.append((RECIPE, recipe))
        return FilmShape(
            self.settings.width,
            self.settings.height,
            self.settings.fps,
            self.settings.quality,
            tuple(about),
            self.settings.loop,
            self.settings.encoder_threads,
        )

    def draw(self, shots: Sequence[Shot] | Iterator[Shot]) -> Iterator[Frame]:
        """The frames of `shots`, which must come in the film's order; the first is whole."""
        scene = Scene(
            Script(
                self.layout,
                self.theme,
                self.title,
                self.headers,
                self.tallies,
                self.timeline,
                plain=self.settings.last_state,
            )
        )
        players = [
            Player(trace, scene.recorders(number)) for number, trace in enumerate(self.traces)
        ]
        for shot in shots:
            snapshots = [
                player.advance(step) for player, step in zip(players, shot.steps, strict=True)
            ]
            yield scene.draw(shot, snapshots)

    def frames(self) -> Iterator[Frame]:
        """All frames, in order."""
        return self.draw(self.timeline.shots())

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


def _counted(name: str, tally: Tally) -> str:
    """One search in a file's own words."""
    return (
        f"{name}: {tally.outcome}, {tally.nodes} nodes, {tally.steps} steps, "
        f"{tally.backtracks} backtracks"
    )


def write_film(
    film: Film,
    paths: Sequence[Path],
    *,
    overwrite: bool = False,
    flash_safe: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Write the film in every format that `paths` ask for, in one pass over the searches.

    With `flash_safe` a film that would flash beyond the limit is faded until it doesn't. Raises
    OutputError, EncoderError; then none of the files has appeared.
    """
    _check_paths(paths)
    if all(format_of(path).still for path in paths):
        last = film.timeline.shot_at(film.timeline.frames - 1)
        return _write(film, film.draw([last]), paths, overwrite, None)
    meter = film.meter()
    frames = _unflashing(film) if flash_safe else film.frames()
    report = _write(film, _watched(frames, meter), paths, overwrite, progress)
    return replace(report, flashes=meter.flashes())


def _watched(frames: Iterator[Frame], meter: FlashMeter) -> Iterator[Frame]:
    for frame in frames:
        meter.watch(frame)
        yield frame


def _unflashing(film: Film) -> Iterator[Frame]:
    """The film with the mildest fade, or none, that keeps it under the limit for flashing."""
    for share in (1.0, *SHARES):
        meter = film.meter()
        for frame in faded(film.frames(), share):
            meter.watch(frame)
        if meter.flashes().safe:
            break
    return faded(film.frames(), share)


def write_still(film: Film, step: int, paths: Sequence[Path], *, overwrite: bool = False) -> Report:
    """Write the picture of the state after `step` steps.

    Raises SettingsError when a path asks for a moving format, else as `write_film`.
    """
    _check_paths(paths)
    for path in paths:
        if not format_of(path).still:
            raise SettingsError(
                f"a single step is a picture, but {str(path)!r} is a film",
                remedy="give a name that ends in .png",
            )
    return _write(film, film.draw([film.shot_of_step(step)]), paths, overwrite, None)


def _check_paths(paths: Sequence[Path]) -> None:
    if not paths:
        raise SettingsError("there is no output", remedy="name a file, such as film.mp4")
    seen: set[Path] = set()
    for path in paths:
        format_of(path)
        if path.absolute() in seen:
            raise SettingsError(f"{str(path)!r} is named twice", remedy="give each file once")
        seen.add(path.absolute())


def _write(
    film: Film,
    frames: Iterator[Frame],
    paths: Sequence[Path],
    overwrite: bool,
    progress: Progress | None,
) -> Report:
    total = film.timeline.frames
    with ExitStack() as stack:
        sinks = []
        for path in paths:
            sink = stack.enter_context(open_sink(path, film.shape, overwrite=overwrite))
            stack.callback(sink.staging.discard)
            sink.staging.held = True
            sinks.append(sink)
        done = 0
        for frame in frames:
            for sink in sinks:
                sink.write(frame)
            done += frame.ticks
            if progress:
                progress(done, total)
        outputs = tuple(sink.finish() for sink in sinks)
        # All are verified: now they appear together, or none does.
        for number, sink in enumerate(sinks):
            try:
                sink.staging.publish()
            except BaseException:
                for earlier in sinks[:number]:
                    earlier.staging.retract()
                raise
    return Report(outputs, film.names, film.tallies)


def with_rate(settings: FilmSettings, paths: Sequence[Path]) -> FilmSettings:
    """The settings at a frame rate that the formats hold: GIF alone gets one of its own rates."""
    moving = [path for path in paths if not format_of(path).still]
    if moving and all(format_of(path).name == "GIF" for path in moving):
        from render.sinks.slots import legal_rate

        return replace(settings, fps=legal_rate(settings.fps))
    return settings
