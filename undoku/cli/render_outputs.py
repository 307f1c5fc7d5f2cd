"""The outputs of `undoku render`: single pictures, standard output, the files and snippets that
come with a film, and what is printed about them."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from undoku.cli.printing import Messages, counted, counts, print_json, rate_number, table
from undoku.errors import SettingsError, UndokuError
from undoku.render.delivery.embed import snippet, still_path
from undoku.render.delivery.film_sound import stems_folder
from undoku.render.delivery.outputs import Sidecar
from undoku.render.delivery.request import OutputRequest, write_requested
from undoku.render.delivery.write import Report, write_picture
from undoku.render.film.film import Film
from undoku.render.settings.number_kinds import parse_bytes
from undoku.render.settings.settings import FilmSettings
from undoku.render.write.formats import format_named, format_of, is_sequence
from undoku.render.write.recipe import picture_in
from undoku.render.write.sink import Written
from undoku.temporary_files import temporary_folder
from undoku.visible_text import visible


def request_of(options: Namespace) -> OutputRequest:
    """What is made: a picture, a film, or films within limits."""
    return OutputRequest(
        at_step=options.at_step,
        filmstrip=options.filmstrip,
        max_bytes=None if options.max_size is None else parse_bytes(options.max_size),
        platform=getattr(options, "for"),
        any_size=options.size is None and not options.again,
        beside=tuple(name for name in ("captions", "marks", "stems") if getattr(options, name)),
    )


def take_over(options: Namespace, recipe: str) -> None:
    """Request the picture in `recipe`, if the outputs are pictures and the options do not name
    another one."""
    outputs = [Path(name) for name in options.output or ()]
    if (
        outputs
        and not request_of(options).single
        and all(format_of(path).still for path in outputs)
    ):
        picture = picture_in(recipe)
        options.at_step = picture.get("at_step")
        options.filmstrip = picture.get("filmstrip")


def single_name(options: Namespace) -> str:
    """The end of the default file name of a picture."""
    if options.filmstrip is not None:
        return f"_filmstrip{options.filmstrip}.png"
    return f"_step{options.at_step}.png"


_STDOUT = "-"


def is_piped(options: Namespace) -> bool:
    """Whether an output is `-`. Raises SettingsError if that contradicts other options."""
    piped = _STDOUT in (options.output or ())
    if options.format and not piped:
        raise SettingsError(
            "--format is only for standard output, but no output is -",
            remedy="end each file's name in its format",
        )
    if not piped:
        return False
    if len(options.output) > 1:
        raise SettingsError(
            "with -o -, no other output is possible",
            remedy="pipe it through tee, or run the command again",
        )
    for name in ("json", "embed"):
        if getattr(options, name):
            raise SettingsError(
                f"--{name} prints to standard output, where the film goes",
                remedy="name a file for the film",
            )
    return True


@contextmanager
def opened_pipe(options: Namespace) -> Iterator[None]:
    """Replace the output `-` by a file of `--format` in its own folder; at the end, write that file
    to standard output if it exists. Raises SettingsError for an unknown format or if standard
    output is a terminal, OSError if it can't be written.
    """
    if sys.stdout.isatty() and not options.dry_run:
        raise SettingsError(
            "a terminal can't show a film", remedy="pipe it: undoku render … -o - | mpv -"
        )
    form = format_named(options.format or ("png" if request_of(options).single else "mp4"))
    with temporary_folder() as folder:
        path = folder / f"film{form.suffix}"
        options.output = [str(path)]
        try:
            yield
        except UndokuError as error:
            # The name of the file is internal; messages use the requested output.
            error.message = error.message.replace(str(path), _STDOUT)
            raise
        if path.exists():
            with path.open("rb") as made:
                shutil.copyfileobj(made, sys.stdout.buffer, 1 << 20)
            sys.stdout.buffer.flush()


def sidecars_of(
    options: Namespace,
    settings: FilmSettings,
    films: Sequence[Sequence[Path]],
    *,
    named: bool = True,
) -> list[list[Sidecar]]:
    """The text files that appear with each of several films, of which the paths are given; films
    that are not `named` have no list of highlights. Raises SettingsError if two films would write
    the same file."""
    found: list[list[Sidecar]] = []
    owners: dict[Path, Path] = {}
    for path, *_ in films:
        texts = []
        if options.captions is not None:
            from undoku.render.delivery.captions import captions_sidecar

            texts.append(captions_sidecar(Path(options.captions)))
        if options.marks:
            from undoku.render.delivery.marks import marks_sidecar

            texts += [marks_sidecar(Path(name), path) for name in options.marks]
        if settings.highlights and named and not request_of(options).single:
            from undoku.render.delivery.marks import highlights_sidecar

            texts.append(highlights_sidecar(path))
        for text in texts:
            owner = owners.setdefault(text.path.absolute(), path)
            if owner != path:
                raise SettingsError(
                    f"{str(owner)!r} and {str(path)!r} are fitted separately, but both would write "
                    f"{str(text.path)!r}",
                    remedy="fit one output at a time"
                    if options.captions or options.marks
                    else "give the outputs different names",
                )
        found.append(texts)
    return found


def stems_of(options: Namespace, film: Film, *, alone: bool) -> Path | None:
    """The folder of the stems; None if there is none. `alone` states that the film does not go to
    standard output. Raises SettingsError if the film can't have stems."""
    if options.stems is None:
        return None
    if not alone:
        raise SettingsError("with -o -, no stems are possible", remedy="leave out one of the two")
    return stems_folder(film, options.stems)


def stills(options: Namespace, paths: Sequence[Path]) -> list[Path]:
    """The still pictures that the snippets need beside the outputs, each once; a page in a frame
    needs none. Raises SettingsError if no snippet is possible for one of the outputs."""
    if not options.embed:
        return []
    for path in paths:
        if is_sequence(path):
            raise SettingsError(
                f"{str(path)!r}: an image sequence can't be embedded",
                remedy="embed a film or a single picture",
            )
    shown = [path for path in paths if not (options.embed == "html" and format_of(path).page)]
    return list(dict.fromkeys(still_path(path) for path in shown if still_path(path) not in paths))


def snippets(options: Namespace, film: Film, report: Report) -> list[str]:
    """The snippets for the outputs; writes the stills for readers who prefer reduced motion."""
    if not options.embed:
        return []
    request = request_of(options)
    for still in stills(options, [output.path for output in report.outputs]):
        if request.single:
            write_requested(film, request, [still], overwrite=options.yes)
        else:
            write_picture(film, film.still(film.last_shot), [still], overwrite=options.yes)
    found = []
    for output in report.outputs:
        still = still_path(output.path)
        found.append(snippet(options.embed, output, still, film.labels, film.tallies))
    return found


def _output_row(output: Written) -> dict[str, object]:
    """An output for `--json`."""
    row: dict[str, object] = {
        "path": str(output.path),
        "frames": output.frames,
        "duration_s": round(float(output.duration), 6),
        "bytes": output.bytes,
        "width": output.width,
        "height": output.height,
        "fps": rate_number(output.fps),
    }
    if choice := output.encoder:
        row |= {"encoder": choice.encoder, "encoder_why": choice.reason or "asked for"}
    return row


def print_report(
    options: Namespace,
    report: Report,
    embeds: Sequence[str],
    sidecars: Sequence[Path],
    say: Messages,
    *,
    piped: bool = False,
) -> None:
    """Name the outputs and the `sidecars` on stdout, unless the film itself was `piped`
    there, and count them."""
    if options.json:
        outputs = [_output_row(output) for output in report.outputs]
        for key, texts in (("embed", embeds), ("chosen", report.chosen)):
            for row, text in zip(outputs, texts, strict=False):
                row[key] = text
        results = map(counts, report.names, report.tallies)
        content: dict[str, Any] = {"outputs": outputs, "results": list(results)}
        if report.sound:
            content["sound"] = {
                "lufs": round(report.sound.integrated, 1),
                "peak_dbfs": round(report.sound.peak, 1),
            }
        if sidecars:
            content["beside"] = list(map(str, sidecars))
        if report.flashes:
            content["flashes"] = {
                "most_in_a_second": float(report.flashes.most),
                "red_in_a_second": float(report.flashes.red),
                "safe": report.flashes.safe,
            }
        print_json(content)
    elif not options.quiet:
        for number, output in enumerate(report.outputs):
            if not piped:
                print(embeds[number] if embeds else visible(str(output.path)))
            frames = counted(output.frames, "frame")
            say(f"{frames}, {float(output.duration):.2f} s, {output.bytes:,} bytes")
        for path in sidecars:
            (say if piped else print)(visible(str(path)))


def dry_run(options: Namespace, film: Film, paths: Sequence[Path | str]) -> int:
    """Print what would be written; returns the exit code."""
    frames, duration = film.length, film.duration
    if request_of(options).single:
        frames, duration = 1, 1 / film.settings.fps
    if options.json:
        print_json(
            {
                "outputs": [str(path) for path in paths],
                "frames": frames,
                "duration_s": round(float(duration), 6),
                "width": film.settings.width,
                "height": film.settings.height,
                "fps": rate_number(film.settings.fps),
                "results": list(map(counts, film.names, film.tallies)),
            }
        )
    elif not options.quiet:
        print("\n".join(f"would write {visible(str(path))}" for path in paths))
        size = f"{film.settings.width}×{film.settings.height}"
        print(f"{frames:,} frames, {float(duration):.2f} s, {size}")
        print(table(list(zip(film.names, film.tallies, strict=True))))
    return 0
