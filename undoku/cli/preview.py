"""undoku preview: the player in the browser, updated when its files change."""

from __future__ import annotations

import sys
import threading
import webbrowser
from argparse import Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path

from undoku.cli.film_options import asked_settings
from undoku.cli.progress import SearchProgress
from undoku.cli.render import command_words
from undoku.cli.searches import searches_of
from undoku.errors import SettingsError, UndokuError
from undoku.player.preview import (
    FilmsSource,
    FollowedSource,
    PreviewServer,
    PreviewSource,
    watch_files,
)
from undoku.render.batch.jobs import films_of
from undoku.render.batch.manifest import read_manifest
from undoku.render.batch.tasks import film_of
from undoku.render.delivery.outputs import with_rate
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.solver.trace.recorded import holds_trace
from undoku.solver.trace.trace import Trace

_PAGE = [Path("race.html")]
"""The format that determines the pace of films in a page."""


def run(options: Namespace) -> int:
    source = _source(options)
    if not isinstance(source, FollowedSource):
        source.content()  # report mistakes before anything opens
    server = PreviewServer(source, options.port or 0)
    server.start()
    stop = threading.Event()
    try:
        print(server.address, flush=True)
        if not options.quiet:
            print("Ctrl-C ends the preview", file=sys.stderr, flush=True)
        if not options.no_browser:
            webbrowser.open(server.address)
        if isinstance(source, FilmsSource):
            _follow(source, server, stop)
        stop.wait()
    finally:
        stop.set()
        server.close()
    return 0


def _follow(source: FilmsSource, server: PreviewServer, stop: threading.Event) -> None:
    """Update the pages when files change, in a thread."""

    def changed() -> None:
        source.forget()
        try:
            source.content()
        except UndokuError as error:
            server.changed(str(error))
        else:
            server.changed()

    watcher = threading.Thread(target=watch_files, args=(source.files, changed, stop), daemon=True)
    watcher.start()


def _source(options: Namespace) -> PreviewSource:
    if not options.inputs:
        raise SettingsError("there is nothing to show", remedy="give a puzzle, trace or manifest")
    if any(name.endswith(".toml") for name in options.inputs):
        return _manifest(options)
    settings = with_rate(settings_of(asked_settings(options)), _PAGE)

    def filmed(traces: Sequence[Trace]) -> Film:
        return Film(traces, settings, command_words(options))

    if "-" in options.inputs and holds_trace("-"):
        return FollowedSource(searches_of(options), filmed)

    def counted() -> list[tuple[str, Film]]:
        film = filmed(searches_of(options))
        with SearchProgress(film.traces, film.labels, quiet=options.quiet):
            film.timeline.check_length()
        return [("", film)]

    return FilmsSource(counted, lambda: _files(options))


def _manifest(options: Namespace) -> PreviewSource:
    if len(options.inputs) > 1:
        raise SettingsError(
            "a manifest can't be shown together with other inputs",
            remedy="leave out the other inputs",
        )
    path = Path(options.inputs[0])

    def made() -> list[tuple[str, Film]]:
        groups = [group for group in films_of(path) if not group.options.single]
        if not groups:
            raise SettingsError(f"{str(path)!r} has no film")
        return [(group.names[0], film_of(group)) for group in groups]

    def files() -> Iterable[Path]:
        found = [path]
        try:
            content = read_manifest(path).content
        except UndokuError:
            return found
        return [*found, *(path.parent / name for name in _names_in(content))]

    return FilmsSource(made, files)


def _names_in(content: object) -> Iterable[str]:
    """The texts in a manifest that name files: puzzles, collections, themes, texts."""
    if isinstance(content, str):
        if len(content) < 250 and "\n" not in content and "/" not in content[:1]:
            yield content
    elif isinstance(content, dict):
        for value in content.values():
            yield from _names_in(value)
    elif isinstance(content, list):
        for value in content:
            yield from _names_in(value)


def _files(options: Namespace) -> Iterable[Path]:
    """The files that inputs and options name."""
    named = [*options.inputs, options.theme, options.language, options.font]
    for name in named:
        if name and "\n" not in name and len(name) < 250 and Path(name).is_file():
            yield Path(name)
