"""undoku play: races as text, in a terminal with keys and elsewhere."""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path

import pytest

from tests.support.amounts import long
from tests.support.command import run_undoku as undoku
from tests.support.puzzles import MEDIUM
from tests.support.system import ROOT
from undoku import board_at, parse_puzzle, search
from undoku.cli.play import Race, View

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

from tests.support.terminals import terminal

STRATEGIES = ("row-major", "mrv")
SECOND = 27
"""The column of the second board."""


def board(rows: list[str], column: int = 0) -> list[int]:
    """The first sudoku that begins in this column."""
    lines = [row[column : column + 19] for row in rows if row[column : column + 1] == "│"]
    return [int(mark) for mark in re.sub("[│ ]", "", "".join(lines[:9])).replace("·", "0")]


def paused_at(rows: list[str]) -> list[int]:
    """The step and the speed of a race that is paused; empty while it runs."""
    found = re.search(r"step (\d+) · ([\d,]+) steps/s · paused", "\n".join(rows))
    return [int(number.replace(",", "")) for number in found.groups()] if found else []


def at_step(rows: list[str], step: int) -> bool:
    return paused_at(rows)[:1] == [step]


def test_without_arguments_a_race_of_a_built_in_puzzle_runs_and_its_keys_step_both_ways() -> None:
    with terminal() as shown:
        rows = shown.wait_for(lambda rows: "q quit" in rows[-1])
        assert board(rows) == board(rows, SECOND) == list(parse_puzzle(MEDIUM.grid).board)
        shown.press(" ")
        step, _ = paused_at(shown.wait_for(paused_at))
        for keys, change in (("\x1b[C" * 5, 5), ("\x1b[D" * 2, -2), ("\x1bOC", 1)):
            shown.press(keys)
            step += change
            rows = shown.wait_for(lambda rows: at_step(rows, step))  # noqa: B023
            for column, strategy in zip((0, SECOND), STRATEGIES, strict=True):
                trace = search(MEDIUM.grid, strategy)
                assert board(rows, column) == list(board_at(trace, step))
            assert [row.split()[-2] for row in rows[:2]] == [f"{step}"] * 2
        shown.press("q")
        assert shown.end() == 0
        assert shown.settings == shown.before
        left = shown.written.decode().rpartition("\x1b[?25h\x1b[?1049l")[2]
    assert f"after {step} steps" in left
    film = re.search("undoku render (.*) -o film.mp4", left)
    assert film
    assert parse_puzzle(film[1]) == parse_puzzle(MEDIUM.grid)


def test_the_step_is_that_of_the_boards_while_they_are_on_their_way_to_another() -> None:
    view = View(Race([search(MEDIUM.grid, name) for name in STRATEGIES], STRATEGIES))
    view.press("right")
    rows = view.picture(80, 24).lines(styled=False)
    assert at_step(rows, 0)
    assert board(rows) == list(parse_puzzle(MEDIUM.grid).board)


def test_a_race_that_nobody_touches_ends_by_itself_with_the_result() -> None:
    with terminal("play", "map:australia", "-s", "mrv", "-q") as shown:
        assert shown.end() == 0
        rows = shown.screen
    solved = undoku("play", "map:australia", "-s", "mrv", "-q", cwd=ROOT).stdout.splitlines()
    assert "Solved in 7 steps" in solved
    assert [row for row in rows if row][: len(solved)] == [row for row in solved if row]


def test_narrow_terminals_show_one_board_and_the_picture_follows_the_size() -> None:
    with terminal("play", MEDIUM.grid, size=(40, 24)) as shown:
        shown.press(" ")
        rows = shown.wait_for(paused_at)
        assert "Row by row" in rows
        shown.press("\t")
        rows = shown.wait_for(lambda rows: "Fewest options first" in rows)
        assert "Row by row" not in rows
        shown.resize(100, 24)
        rows = shown.wait_for(lambda rows: "Fewest options first       Row by row" in rows)
        shown.resize(30, 8)
        rows = shown.wait_for(lambda rows: rows[-1].startswith("space pause") and len(rows) == 8)
        assert "Fewest options first" in rows


def test_keys_set_the_speed_and_the_end_can_be_looked_at() -> None:
    with terminal("play", "queens:8", "-s", "mrv") as shown:
        shown.press(" ")
        step, speed = paused_at(shown.wait_for(paused_at))
        for keys, factor in (("+=\x1b[A", 8), ("-\x1b[B", 2)):
            shown.press(keys)
            wanted = range(factor * speed - factor, factor * speed + factor + 1)  # it is rounded
            shown.wait_for(lambda rows: paused_at(rows)[1] in wanted)  # noqa: B023
        assert at_step(shown.screen, step)
        shown.press("+++++++ ")
        rows = shown.wait_for(lambda rows: "Solved in" in "".join(rows))
        trace = search(parse_puzzle("queens:8"), "mrv")
        columns = [row.index("♛") // 2 + 1 for row in rows if "♛" in row]
        assert columns == list(board_at(trace, trace.tally().steps))
        assert shown.process.poll() is None  # it waits for a key
        shown.press("\x1b[D")
        shown.wait_for(lambda rows: at_step(rows, trace.tally().steps - 1))
        shown.press("q")
        assert shown.end() == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_leaves_the_terminal_as_it_was(number: int, code: int) -> None:
    with terminal("play", MEDIUM.grid) as shown:
        shown.wait_for(lambda rows: "q quit" in rows[-1])
        if number == signal.SIGINT:
            shown.press("\x03")
        else:
            shown.process.send_signal(number)
        assert shown.end() == code
        assert shown.settings == shown.before
        assert "\x1b[?25h\x1b[?1049l" in shown.written.decode()
        assert [row for row in shown.screen if row] == ["undoku: interrupted"][: code == 130]


def test_ctrl_z_gives_the_terminal_back_and_the_race_goes_on_later() -> None:
    with terminal("play", MEDIUM.grid) as shown:
        shown.press(" ")
        before = shown.wait_for(paused_at)
        shown.press("\x1a")
        os.waitpid(shown.process.pid, os.WUNTRACED)
        assert shown.wait_for(lambda rows: not any(rows))
        assert shown.settings == shown.before
        shown.process.send_signal(signal.SIGCONT)
        assert shown.wait_for(any) == before
        shown.press("q")
        assert shown.end() == 0


@pytest.mark.parametrize("colourless", ["", "1"])
def test_the_last_step_stands_out_also_without_colours(colourless: str) -> None:
    with terminal("play", MEDIUM.grid, "-s", "mrv", NO_COLOR=colourless) as shown:
        shown.press("\x1b[D" * 20 + "\x1b[C")
        rows = shown.wait_for(lambda rows: at_step(rows, 1))
        place = re.search(r"\+ (\d): row (\d), column (\d)", "\n".join(rows))
        assert place
        value, row, column = map(int, place.groups())
        line = [number for number, text in enumerate(rows) if text[:1] == "│"][row - 1]
        cell = shown.cells.buffer[line][2 * column - 1]
        assert (cell.data, cell.reverse) == (str(value), True)
        assert cell.fg == ("default" if colourless else "blue")
        coloured = re.search(r"\x1b\[[\d;]*3\d", shown.written.decode())
        assert bool(coloured) == (not colourless)


PROBLEMS = {
    MEDIUM.grid: "│9 5 3│6 7 1│8 2 4│",
    "examples/puzzles/jigsaw.txt": "│6 9│7│2│4 3│8 5│1│",
    "examples/puzzles/sixteen.txt": "├───────┼───────┼───────┼───────┤",
    "queens:8": "│♛ · · · · · · ·│",
    "map:usa": "AL blue  IA blue",
    "examples/problems/zebra.toml": "English   3  horse     2",
}


@pytest.mark.parametrize(
    ("problem", "dumb"),
    [
        *((problem, False) for problem in PROBLEMS),
        next((problem, True) for problem in PROBLEMS),
        *(long(problem, True) for problem in [*PROBLEMS][1:]),
    ],
)
def test_without_a_terminal_every_problem_is_plain_text(problem: str, dumb: bool) -> None:
    if dumb:
        with terminal("play", problem, "-s", "mrv", TERM="dumb") as shown:
            assert shown.end() == 0
            printed = shown.written.decode().replace("\r\n", "\n")
    else:
        printed = undoku("play", problem, "-s", "mrv", cwd=ROOT, code=0).stdout
    assert printed.replace("\n", "").isprintable()
    assert any(line.startswith(PROBLEMS[problem]) for line in printed.splitlines())
    assert "Solved in" in printed
    assert f"undoku render {problem} --strategy mrv -o film.mp4" in printed


def test_a_search_that_was_stopped_and_names_of_others_are_plain_text(tmp_path: Path) -> None:
    options = ("--max-nodes", "50", "--label", "\x1b[31mred", "--language", "de")
    printed = undoku("play", *options, cwd=tmp_path, code=0).stdout
    assert "\\x1b[31mred" in printed
    assert "Zeile 4, Spalte" in printed
    assert "Fewest" not in printed
    assert [len(row) for row in printed.splitlines()[:2]] == [80, 80]
    assert [row[-1] for row in printed.splitlines()[:2]] == ["…"] * 2
    assert undoku("play", "nonsense", cwd=tmp_path).returncode == 3


def test_without_arguments_and_without_a_terminal_the_race_is_plain_text(tmp_path: Path) -> None:
    printed = undoku(cwd=tmp_path, code=0).stdout
    assert "33× fewer steps: Fewest options first instead of Row by row\n" in printed
    assert printed == undoku("play", MEDIUM.grid.replace("0", "."), cwd=tmp_path).stdout
