"""The output `-`: a film on standard output."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from undoku.cli.single_picture import is_single
from undoku.errors import SettingsError, UndokuError
from undoku.render.write.formats import format_named
from undoku.temporary_files import temporary_folder

__all__ = ["Pipe", "is_piped", "opened_pipe"]

_STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Pipe:
    """The destination of the film: `stream`, while it is drawn, if its format allows this;
    otherwise `path`, a file in its own folder whose bytes are passed on when it is finished."""

    path: Path
    stream: BinaryIO
    streamed: bool
    """Whether the format can be written while it is drawn."""


def is_piped(options: Namespace) -> bool:
    """Whether an output is `-`. Raises SettingsError if that contradicts other options."""
    piped = _STDOUT in (options.output or ())
    if options.format and not piped:
        raise SettingsError(
            "--format sets the format of standard output, but no output is -",
            remedy="end each file's name in its format",
        )
    if not piped:
        return False
    if len(options.output) > 1:
        raise SettingsError(
            "standard output takes one film, and no file beside it",
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
def opened_pipe(options: Namespace) -> Iterator[Pipe]:
    """Replace the output `-` by a file of `--format` in its own folder; at the end, write that file
    to standard output if it exists. Raises SettingsError for an unknown format or if standard
    output is a terminal, OSError if it can't be written.
    """
    if sys.stdout.isatty() and not options.dry_run:
        raise SettingsError(
            "a terminal can't show a film", remedy="pipe it: undoku render … -o - | mpv -"
        )
    form = format_named(options.format or ("png" if is_single(options) else "mp4"))
    with temporary_folder() as folder:
        path = folder / f"film{form.suffix}"
        pipe = Pipe(path, sys.stdout.buffer, form.streamed)
        options.output = [str(pipe.path)]
        try:
            yield pipe
        except UndokuError as error:
            # The name of the file is internal; messages use the requested output.
            error.message = error.message.replace(str(pipe.path), _STDOUT)
            raise
        if pipe.path.exists():
            with pipe.path.open("rb") as made:
                shutil.copyfileobj(made, pipe.stream, 1 << 20)
            pipe.stream.flush()
