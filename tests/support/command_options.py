"""The options of the commands, as their help lists them."""

from __future__ import annotations

import contextlib
import io
import re
from typing import NamedTuple

from undoku.cli.main import main

__all__ = ["Listed", "commands", "options_of", "run_command"]


class Listed(NamedTuple):
    """One spelling of an option, and whether it takes a value."""

    name: str
    valued: bool


def run_command(*arguments: str) -> tuple[int, str, str]:
    """The exit code of a command, and what it prints and complains."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
    return code, out.getvalue(), err.getvalue()


def commands() -> list[str]:
    """The names of all commands."""
    return re.findall(r"^    ([a-z]+) ", run_command("--help")[1], re.MULTILINE)


def options_of(command: str) -> list[Listed]:
    """All spellings of all options of a command."""
    found = []
    for line in run_command(command, "--help")[1].splitlines():
        if re.match(r"  -", line):
            for spelling in re.split(r"  +", line.strip())[0].split(", "):
                name, _, value = spelling.partition(" ")
                found.append(Listed(name, bool(value)))
    return found
