"""undoku render: films searches."""

from __future__ import annotations

import re
import shlex
import time
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from undoku.cli.film_options import asked_settings, words_of
from undoku.cli.printing import Messages, free_path, reported
from undoku.cli.progress import ProgressLine, SearchProgress
from undoku.cli.render_outputs import (
    dry_run,
    is_piped,
    opened_pipe,
    print_report,
    request_of,
    sidecars_of,
    single_name,
    snippets,
    stems_of,
    stills,
    take_over,
)
from undoku.cli.searches import searches_of
from undoku.errors import SettingsError
from undoku.render.delivery.outputs import check_paths, with_rate
from undoku.render.delivery.request import OutputRequest, write_requested
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings, settings_of
from undoku.render.settings.table import FILMED_NODES, by_field
from undoku.render.write.file_info import RECIPE, about_of
from undoku.render.write.formats import format_of
from undoku.render.write.recipe import traces_and_settings
from undoku.render.write.staging import folder_made
from undoku.solver.trace.subjects import file_name
from undoku.solver.trace.trace import Header, Trace

_FOLDER = Path("output")
"""The folder for films without a given name."""


def run(options: Namespace) -> int:
    if not is_piped(options):
        return _run(options)
    with opened_pipe(options):
        return _run(options, piped=True)


def _run(options: Namespace, *, piped: bool = False) -> int:
    started = time.perf_counter()
    traces, settings = _asked(options)
    paths = [Path(name) for name in options.output or ()]
    if not paths:
        paths = [_default_output(options, [trace.header for trace in traces])]
    say = Messages(quiet=options.quiet)
    request = request_of(options)
    if request.fitted:
        settings = _fitted_shape(request, settings, paths)
    film = Film(traces, with_rate(settings, paths), command_words(options))
    if film.settings.fps != settings.fps:
        rate = float(film.settings.fps)
        named = next(form.name for path in paths if (form := format_of(path)).rate)
        say(f"{named} has no {settings.fps} frames per second; written at {rate:.4g}")
    check_paths(paths, still=request.single)
    if request.at_step is not None:
        film.shot_of_step(request.at_step)  # which reports a step that there is not
    for warning in film.typesetting.warnings(film.given_texts):
        say(warning)
    with SearchProgress(film.traces, film.labels, quiet=options.quiet):
        frames = film.length  # counts the steps, and reports what can't be planned
    if not (request.single or all(format_of(path).still for path in paths)):
        film.timeline.check_length()
    films = [[path] for path in paths] if request.fitted else [paths]
    sidecars = sidecars_of(options, settings, films, named=not piped)
    for text in (text for some in sidecars for text in some):
        text.check(film)
    stems = stems_of(options, film, alone=not piped)
    for still in stills(options, paths):
        if options.output or _FOLDER.is_dir():  # otherwise it would be created empty
            free_path(str(still), options.yes)
    if options.dry_run:
        return dry_run(options, film, ["-"] if piped else paths)
    counted = time.perf_counter()
    folder = None if options.output else _FOLDER
    with folder_made(folder), ProgressLine(quiet=options.quiet) as progress:

        def tell(text: str) -> None:
            progress.clear()
            say(text)

        report = write_requested(
            film,
            request,
            paths,
            sidecars=sidecars,
            overwrite=options.yes,
            progress=progress,
            stems=stems,
            say=tell,
        )
    if report.flashes and not report.flashes.safe:
        seconds = float(report.flashes.over[0])
        say(f"warning: at {seconds:.1f} s the film flashes more than three times in a second over "
            "a large part of the picture; --flash-safe fades it")  # fmt: skip
    embeds = snippets(options, film, report)
    for output in report.outputs:
        choice = output.encoder
        if choice and choice.reason and (options.encoder or options.verbose):
            say(f"MP4 is written {'directly' if choice.direct else 'by x264'}: {choice.reason}")
    if options.verbose and report.sound:
        say(f"with sound: {report.sound}")
    if options.verbose:
        written = time.perf_counter() - counted
        say(f"{counted - started:.2f} s to read and to count the steps, {written:.2f} s to search, "
            f"draw and encode: {frames / written:,.0f} frames/s")  # fmt: skip
    texts = [text.path for some in sidecars for text in some]
    with reported(*paths, *texts, *stills(options, paths), replaced=options.yes):
        print_report(options, report, embeds, texts, say, piped=piped)
    return 0


def _fitted_shape(
    request: OutputRequest, settings: FilmSettings, paths: Sequence[Path]
) -> FilmSettings:
    """The settings that the platform requires, unless options set others."""
    from undoku.render.delivery.fit import limits_for, suited

    for path in paths:
        limits = limits_for(path, request.max_bytes, request.platform)
        settings = suited(limits, settings, any_size=request.any_size)
    return settings


def _asked(options: Namespace) -> tuple[list[Trace], FilmSettings]:
    """The searches and settings of the film. Settings are checked first, so that a mistake in an
    option is reported before a long search."""
    given = asked_settings(options)
    if not options.again:
        if not options.inputs:
            raise SettingsError("there is nothing to film", remedy="give a puzzle or a trace")
        settings = settings_of(given)
        return searches_of(options, FILMED_NODES), settings
    if options.inputs or options.strategy:
        raise SettingsError(
            "--again can't be combined with puzzles or strategies",
            remedy="leave out puzzles and strategies",
        )
    about = about_of(Path(options.again))
    if RECIPE not in about:
        raise SettingsError(
            f"{options.again!r} was made from a recorded trace", remedy="give that trace instead"
        )
    traces, settings = traces_and_settings(about[RECIPE], options.again)
    _check_files(settings, given, options.again)
    take_over(options, about[RECIPE])
    return traces, settings_of(given, settings)


def _check_files(settings: FilmSettings, given: Mapping[str, object], source: str) -> None:
    """Raise SettingsError if a recipe names a file which the user does not name, too: the film may
    come from a stranger."""
    for field, option in by_field().items():
        path = option.kind.path_in(getattr(settings, field))
        if path and option.name not in given:
            name = option.command_line
            raise SettingsError(
                f"the recipe in {source!r} opens another file, {path!r} for {name}",
                remedy=f"allow it with {name} {shlex.quote(path)}, or give another {name}",
            )


def command_words(options: Namespace) -> str:
    """The command for this film, without its outputs."""
    words = ["undoku", "render"]
    again = getattr(options, "again", None)
    words += ["--again", again] if again else options.inputs
    for name in options.strategy or ():
        words += ["--strategy", name]
    return shlex.join([*words, *words_of(options)])


def _default_output(options: Namespace, headers: Sequence[Header]) -> Path:
    """output/PUZZLE_STRATEGY_STRATEGY.mp4, with characters that are valid on every system."""
    source = options.again or options.inputs[0]
    names = [file_name(source) or "puzzle"] + [header.strategy or header.name for header in headers]
    telling = "_".join(re.sub(r"[^A-Za-z0-9.+-]+", "-", name).strip("-.") for name in names)
    suffix = single_name(options) if request_of(options).single else ".mp4"
    return _FOLDER / f"{telling[:120]}{suffix}"
