"""Every option of every command refuses an invalid value in one sentence."""

from __future__ import annotations

import pytest

from tests.support.command import commands, options_of, run_undoku
from tests.support.puzzles import EASY

INPUTS = {
    "solve": (EASY.grid,),
    "trace": (EASY.grid,),
    "preview": (EASY.grid,),
    "render": (EASY.grid,),
    "chart": (EASY.grid,),
    "stats": (EASY.grid,),
    "study": ("puzzles.sdm",),
    "batch": ("films.toml",),
    "info": ("film.mp4",),
    "list": ("themes",),
    "generate": (),
    "play": (EASY.grid,),
    "clean": (),
}
"""What each command is about."""


OPTIONS = [(command, *listed) for command in commands() for listed in options_of(command)]


def test_help_lists_every_command_and_its_options() -> None:
    """Otherwise the tests below would check nothing."""
    assert {command for command, _, _ in OPTIONS} == set(INPUTS)
    assert len(OPTIONS) > 150
    assert ("render", "--duration", True) in OPTIONS
    assert ("study", "--strategies", True) in OPTIONS
    assert ("generate", "-n", True) in OPTIONS
    assert ("render", "--ramp", False) in OPTIONS


@pytest.mark.parametrize(("command", "name", "valued"), OPTIONS)
def test_two_hyphens_are_not_a_value_of_an_option(command: str, name: str, valued: bool) -> None:
    """Neither after the option nor joined to it, however this version of argparse treats them."""
    ways = [[f"{name}=--" if name.startswith("--") else f"{name}--"]]
    if valued:
        ways.append([name, "--"])
    for way in ways:
        code, out, err = run_undoku(command, *INPUTS[command], *way)
        assert code == 2, err
        assert out == ""
        assert err.count("\n") == 1, err
        assert err.startswith(f"undoku {command}: error: argument ")
        assert name in err


@pytest.mark.parametrize("command", commands())
def test_an_unknown_option_names_the_help_of_its_command(command: str) -> None:
    """Whatever else is wrong: `undoku --help` has no option of a command."""
    code, out, complaint = run_undoku(command, "--no-such-option")
    assert (code, out) == (2, "")
    assert complaint.count("\n") == 1
    assert complaint.endswith(f"see undoku {command} --help\n")
