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


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--duration", "soon", "'soon' is not a valid duration; write it as 20s, 1m30s or 1:30"),
        ("--fps", "0", "0 frames per second is out of range; take 0.1 to 240"),
        ("--loop", "70000", "70000 is not a whole number from 0 to 65535"),
        ("--clock", "wall", "there is no clock 'wall'; known: steps, finish, time"),
        ("--title-card", "25h", "90000 seconds is out of range; take 0 s to 24 h"),
        ("--max-seconds", "soon", "'soon' is not a valid duration; write it as 20s, 1m30s or 1:30"),
        ("--max-size", "lots", "'lots' is not a valid file size; write it as 5MB or 800k"),
    ],
)
def test_a_bad_value_is_reported_with_its_option_and_what_is_valid(
    option: str, value: str, sentence: str
) -> None:
    code, out, err = run_undoku("render", EASY.grid, option, value)
    assert (code, out) == (2, "")
    reported = f"undoku render: error: argument {option}: {sentence}; see undoku render --help\n"
    assert err == reported


@pytest.mark.parametrize("command", commands())
def test_an_unknown_option_names_the_help_of_its_command(command: str) -> None:
    """Whatever else is wrong: `undoku --help` has no option of a command."""
    code, out, complaint = run_undoku(command, "--no-such-option")
    assert (code, out) == (2, "")
    assert complaint.count("\n") == 1
    assert complaint.endswith(f"see undoku {command} --help\n")


def test_an_option_that_is_written_wrongly_is_answered_with_the_right_one() -> None:
    reported = "undoku chart: error: there is no option '--labl'; did you mean --label? see undoku"
    assert run_undoku("chart", "x", "-o", "y.png", "--labl=a")[2].startswith(reported)
    reported = "undoku solve: error: there is no place for 'more'; see undoku solve --help\n"
    assert run_undoku("solve", "one", "more")[2] == reported
