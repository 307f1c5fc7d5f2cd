"""undoku render: films searches."""

from __future__ import annotations

import re
import shlex
import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from render.api import settings_of
from render.commands.printing import counts, print_json, rate_number, table
from render.commands.searching import puzzle_name, traces_of
from render.embed import snippet, still_path
from render.pipeline import Film, Report, with_rate, write_film, write_still
from render.progress import ProgressLine
from render.provenance import RECIPE, about_of
from render.recipe import traces_and_settings
from render.settings import FilmSettings, parse_pace
from solver.errors import SettingsError
from solver.trace import Header, Trace

__all__ = ["run"]

_SETTINGS = (
    *("size", "fps", "clock", "theme", "title", "last_state"),
    *("intro", "hold", "card", "quality", "loop"),
)
_PACE = ("steps_per_frame", "steps_per_second", "duration", "ramp", "from_step", "to_step")


def run(options: Namespace) -> int:
    started = time.perf_counter()
    traces, settings = _asked(options)
    paths = [Path(name) for name in options.output or ()]
    if not paths:
        paths = [_default_output(options, [trace.header for trace in traces])]
    film = Film(traces, with_rate(settings, paths), _command(options, traces))
    say = _Messages(quiet=options.quiet)
    if film.settings.fps != settings.fps:
        rate = float(film.settings.fps)
        say(f"GIF has no {settings.fps} frames per second; written at {rate:.4g}")
    if options.dry_run:
        return _dry_run(options, film, paths)
    with ProgressLine(quiet=options.quiet) as progress:
        if options.at_step is not None:
            report = write_still(film, options.at_step, paths, overwrite=options.yes)
        else:
            report = write_film(film, paths, overwrite=options.yes, progress=progress)
    embeds = _embeds(options, film, report)
    if options.verbose:
        seconds = time.perf_counter() - started
        say(f"{film.timeline.frames:,} frames in {seconds:.2f} s")
    _print_report(options, film, report, embeds, say)
    return 0


def _asked(options: Namespace) -> tuple[list[Trace], FilmSettings]:
    """What to film and how. Settings come first: a slip in an option is told before a long search
    starts."""
    given = {name: value for name in _SETTINGS if (value := getattr(options, name)) is not None}
    if not options.again:
        if not options.inputs:
            raise SettingsError("there is nothing to film", remedy="give a puzzle or a trace")
        settings = _paced(options, settings_of(given))
        return traces_of(options), settings
    if options.inputs or options.strategy:
        raise SettingsError(
            "--again films what its file was made from", remedy="leave out puzzles and strategies"
        )
    about = about_of(Path(options.again))
    if RECIPE not in about:
        raise SettingsError(
            f"{options.again!r} was made from a recorded trace", remedy="give that trace instead"
        )
    traces, settings = traces_and_settings(about[RECIPE], options.again)
    return traces, _paced(options, settings_of(given, settings))


def _paced(options: Namespace, settings: FilmSettings) -> FilmSettings:
    """The settings with the pace that the options ask for, if they ask for one."""
    if all(getattr(options, name) in (None, False) for name in _PACE):
        return settings
    pace = parse_pace(
        options.steps_per_frame,
        options.duration,
        ramp=options.ramp,
        steps_per_second=options.steps_per_second,
        fps=settings.fps,
        first=options.from_step or 0,
        last=options.to_step,
    )
    return replace(settings, pace=pace)


def _command(options: Namespace, traces: Sequence[Trace]) -> str:
    """What a person would type for this film, without its outputs."""
    words = ["undoku", "render"]
    words += ["--again", options.again] if options.again else options.inputs
    for name in options.strategy or ():
        words += ["--strategy", name]
    for name in (*_SETTINGS, *_PACE, "max_nodes", "max_seconds", "exhaustive", "at_step"):
        value = getattr(options, name, None)
        if value is True:
            words.append("--" + name.replace("_", "-"))
        elif value not in (None, False):
            words += ["--" + name.replace("_", "-"), str(value)]
    del traces
    return shlex.join(words)


def _default_output(options: Namespace, headers: Sequence[Header]) -> Path:
    """output/PUZZLE_STRATEGY_STRATEGY.mp4, in letters that every system takes."""
    source = options.again or options.inputs[0]
    names = [puzzle_name(source)] + [header.strategy or header.name for header in headers]
    telling = "_".join(re.sub(r"[^A-Za-z0-9.+-]+", "-", name).strip("-.") for name in names)
    suffix = ".mp4" if options.at_step is None else f"_step{options.at_step}.png"
    folder = Path("output")
    if not options.dry_run:
        folder.mkdir(exist_ok=True)
    return folder / f"{telling[:120]}{suffix}"


class _Messages:
    """What a person wants to know but a script doesn't: on stderr, and not when quiet."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet

    def __call__(self, text: str) -> None:
        if not self._quiet:
            print(text, file=sys.stderr)


def _embeds(options: Namespace, film: Film, report: Report) -> list[str]:
    """The snippets for the outputs; writes the stills for who wants no motion."""
    if not options.embed:
        return []
    found = []
    for output in report.outputs:
        still = still_path(output.path)
        if still != output.path:
            write_still(film, film.timeline.last, [still], overwrite=True)
        found.append(snippet(options.embed, output, still, film.names, film.tallies))
    return found


def _print_report(
    options: Namespace, film: Film, report: Report, embeds: Sequence[str], say: _Messages
) -> None:
    if options.json:
        outputs: list[dict[str, Any]] = [
            {
                "path": str(output.path),
                "frames": output.frames,
                "duration_s": round(float(output.duration), 6),
                "bytes": output.bytes,
                "width": output.width,
                "height": output.height,
                "fps": rate_number(output.fps),
            }
            for output in report.outputs
        ]
        for output_row, text in zip(outputs, embeds, strict=False):
            output_row["embed"] = text
        results = map(counts, report.names, report.tallies)
        print_json({"outputs": outputs, "results": list(results)})
    elif not options.quiet:
        for number, output in enumerate(report.outputs):
            print(embeds[number] if embeds else output.path)
            counted = f"{output.frames:,} frame{'s' * (output.frames != 1)}"
            say(f"{counted}, {float(output.duration):.2f} s, {output.bytes:,} bytes")
    del film


def _dry_run(options: Namespace, film: Film, paths: Sequence[Path]) -> int:
    timeline = film.timeline
    frames = 1 if options.at_step is not None else timeline.frames
    if options.json:
        print_json(
            {
                "outputs": [str(path) for path in paths],
                "frames": frames,
                "duration_s": round(float(timeline.duration), 6),
                "width": film.settings.width,
                "height": film.settings.height,
                "fps": rate_number(film.settings.fps),
                "results": list(map(counts, film.names, film.tallies)),
            }
        )
    elif not options.quiet:
        print("\n".join(f"would write {path}" for path in paths))
        size = f"{film.settings.width}×{film.settings.height}"
        print(f"{frames:,} frames, {float(timeline.duration):.2f} s, {size}")
        print(table(list(zip(film.names, film.tallies, strict=True))))
    return 0
