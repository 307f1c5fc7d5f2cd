"""Every option of every command refuses a value that can't be one, in one sentence."""

from __future__ import annotations

import contextlib
import io
import re

import pytest

from render.cli.main import main
from tests.support.puzzles import EASY

INPUTS = {
    "solve": (EASY.grid,),
    "trace": (EASY.grid,),
    "render": (EASY.grid,),
    "chart": (EASY.grid,),
    "stats": (EASY.grid,),
    "study": ("puzzles.sdm",),
    "batch": ("films.toml",),
    "info": ("film.mp4",),
    "list": ("themes",),
    "generate": (),
}
"""What each command is about."""


def said(*arguments: str) -> tuple[int, str, str]:
    """The exit code of a command, and what it prints and complains."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
    return code, out.getvalue(), err.getvalue()


def options() -> list[tuple[str, str, bool]]:
    """Each command, each spelling of each of its options, and whether that takes a value, as the
    help lists them."""
    commands = re.findall(r"^    ([a-z]+) ", said("--help")[1], re.MULTILINE)
    found = []
    for command in commands:
        for line in said(command, "--help")[1].splitlines():
            if re.match(r"  -", line):
                for spelling in re.split(r"  +", line.strip())[0].split(", "):
                    name, _, value = spelling.partition(" ")
                    found.append((command, name, bool(value)))
    return found


OPTIONS = options()


def test_help_lists_every_command_and_its_options() -> None:
    """Else the tests below would look at nothing."""
    assert {command for command, _, _ in OPTIONS} == set(INPUTS)
    assert len(OPTIONS) > 150
    assert ("render", "--duration", True) in OPTIONS
    assert ("study", "--strategies", True) in OPTIONS
    assert ("generate", "-n", True) in OPTIONS
    assert ("render", "--ramp", False) in OPTIONS


@pytest.mark.parametrize(("command", "name", "valued"), OPTIONS)
def test_two_hyphens_are_no_value_of_an_option(command: str, name: str, valued: bool) -> None:
    """Neither behind the option nor joined to it, whatever this Python's argparse makes of them."""
    ways = [[f"{name}=--" if name.startswith("--") else f"{name}--"]]
    if valued:
        ways.append([name, "--"])
    for way in ways:
        code, out, err = said(command, *INPUTS[command], *way)
        assert code == 2, err
        assert out == ""
        assert err.count("\n") == 1, err
        assert err.startswith(f"undoku {command}: error: argument ")
        assert name in err


def test_a_command_that_is_not_there_is_refused_in_one_sentence() -> None:
    code, out, err = said("flim")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "'flim'" in err
