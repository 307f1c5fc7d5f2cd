"""Every option of every command refuses a value that can't be one, in one sentence."""

from __future__ import annotations

import pytest

from tests.support.command_options import commands, options_of, said
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


OPTIONS = [(command, *listed) for command in commands() for listed in options_of(command)]


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
