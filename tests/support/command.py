"""The command run inside the test's own process, with streams of its own."""

from __future__ import annotations

import contextlib
import io
import re
import signal
import sys
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

from undoku.cli.main import main


class Done(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str

    @property
    def content(self) -> bytes:
        """What was written to standard output, a film for instance, as it is."""
        return self.stdout.encode("utf-8", "surrogateescape")


def run_undoku(
    *arguments: str, cwd: Path | str = ".", stdin: str = "", code: int | None = None
) -> Done:
    """Run the command in this process, in the folder `cwd`, with streams of its own; fails if it
    ends with another exit code than `code`."""
    read = io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin.encode())), "utf-8")
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    numbers = (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM))
    before = {number: signal.getsignal(number) for number in numbers}
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.chdir(cwd)
        patch.setattr(sys, "stdin", read)
        try:
            ended = main(arguments)
        except SystemExit as end:
            ended = int(end.code or 0)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8", "surrogateescape"))
    message, reported = texts
    assert code in (None, ended), reported
    return Done(ended, message, reported)


class Undoku(Protocol):
    """The fixture `undoku`: runs the command with `arguments` in the folder `cwd`."""

    def __call__(
        self, *arguments: str, cwd: Path, stdin: str = "", code: int | None = None
    ) -> Done: ...


class Listed(NamedTuple):
    """One spelling of an option, and whether it takes a value."""

    name: str
    valued: bool


def commands() -> list[str]:
    """The names of all commands."""
    return re.findall(r"^    ([a-z]+)(?: |$)", run_undoku("--help").stdout, re.MULTILINE)


def options_of(command: str) -> list[Listed]:
    """All spellings of all options of a command."""
    found = []
    for line in run_undoku(command, "--help").stdout.splitlines():
        if re.match(r"  -", line):
            spellings = re.split(r"  +", line.strip())[0].split(", ")
            valued = " " in spellings[-1]  # from Python 3.13 on only the last one has the value
            found += [Listed(spelling.partition(" ")[0], valued) for spelling in spellings]
    return found
