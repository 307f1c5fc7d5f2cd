"""The progress line of a run, and the counts of interrupted searches."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from tests.support.amounts import long
from tests.support.command import Undoku
from tests.support.command import run_undoku as undoku
from tests.support.decoding import by_ffmpeg
from tests.support.puzzles import EASY, MEDIUM
from tests.support.system import ROOT
from tests.support.terminals import terminal
from undoku import Outcome, Tally, Trace, board_at, open_trace, parse_puzzle, search, write_trace
from undoku.cli import progress
from undoku.cli.play import Race, View
from undoku.cli.progress import ProgressLine

ENDLESS = ROOT / "examples" / "puzzles" / "fifty-minutes.txt"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line is drawn from the first report on, in a terminal without colours."""
    monkeypatch.setattr(progress, "PATIENCE", 0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")


def test_the_line_shows_how_much_is_done_and_leaves_nothing_behind() -> None:
    terminal = Terminal()
    with ProgressLine(terminal) as line:
        line(100, 400)
        assert " 25%|" in terminal.getvalue()
        assert "| 100/400 [" in terminal.getvalue()
        assert "frames/s]" in terminal.getvalue()
        line.clear()  # for a message on a line of its own
        assert terminal.getvalue().endswith("\r")
    assert terminal.getvalue().rsplit("\r", 2)[1].strip() == ""
    assert terminal.getvalue().endswith("\r")
    assert "\n" not in terminal.getvalue()


def test_without_a_total_the_line_shows_what_is_done() -> None:
    terminal = Terminal()
    with ProgressLine(terminal, unit="nodes") as line:
        line.restart("mrv")
        line(1_230_000, 0)
    assert "mrv: 1.23M nodes [" in terminal.getvalue()
    assert "%" not in terminal.getvalue()


def test_films_that_existed_do_not_affect_the_speed() -> None:
    terminal = Terminal()
    with ProgressLine(terminal, unit="films") as line:
        line(1, 100, 0)
        line(90, 100, 89)
    last = terminal.getvalue().rsplit("90/100", 1)[1]
    assert "? films/s" in last


@pytest.mark.parametrize(("setting", "coloured"), [("1", False), ("", True)])
def test_colour_is_used_unless_it_is_disabled(
    monkeypatch: pytest.MonkeyPatch, setting: str, coloured: bool
) -> None:
    monkeypatch.setenv("NO_COLOR", setting)
    terminal = Terminal()
    with ProgressLine(terminal) as line:
        line(100, 400)
    assert ("\x1b[32m" in terminal.getvalue()) == coloured


@pytest.mark.parametrize("why", ["no terminal", "dumb", "quiet", "short"])
def test_no_progress_is_drawn_without_a_terminal_or_in_a_short_run(
    why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.StringIO() if why == "no terminal" else Terminal()
    monkeypatch.setenv("TERM", "dumb" if why == "dumb" else "xterm")
    monkeypatch.setattr(progress, "PATIENCE", 1000 if why == "short" else 0)
    with ProgressLine(stream, quiet=why == "quiet") as line:
        line(100, 400)
        line.clear()
    assert stream.getvalue() == ""


def interrupt_when(monkeypatch: pytest.MonkeyPatch, reached: Callable[[int, int], object]) -> None:
    """Interrupt the run as soon as its progress, done of a total, has reached something."""

    def interrupted(line: ProgressLine, done: int, total: int, there: int = 0) -> None:
        if reached(done, total):
            raise KeyboardInterrupt

    monkeypatch.setattr(ProgressLine, "__call__", interrupted)


@pytest.mark.parametrize("recorded", ["", "a.jsonl", "a.parquet"])
def test_a_search_reports_counts_that_grow_to_the_final_ones(tmp_path: Path, recorded: str) -> None:
    trace: Trace = search(MEDIUM.grid, "row-major")
    if recorded:
        pytest.importorskip("pyarrow")
        write_trace(trace, str(tmp_path / recorded))
        trace = open_trace(str(tmp_path / recorded))
    found: list[Tally] = []
    trace.progress = found.append
    for _ in trace.chunks() if recorded else [trace.tally()]:
        pass
    nodes = [counts.nodes for counts in found]
    assert nodes == sorted(nodes)
    assert nodes[-1] == trace.tally().nodes == 8797
    assert all(counts.outcome is Outcome.CAPPED for counts in found)
    assert found[-1].backtracks == trace.tally().backtracks


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", ENDLESS, "-s", "mrv", "-s", "row-major"],
        long(["solve", ENDLESS, "-s", "mrv", "-s", "row-major", "--json"]),
        ["stats", ENDLESS, "-s", "mrv", "-s", "row-major"],
    ],
)
def test_interrupted_searches_print_their_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[object]
) -> None:
    """The finished ones with their outcomes, the other one with its counts so far."""
    whole = search(ENDLESS.read_text(), "mrv").tally()
    interrupt_when(monkeypatch, lambda done, total: done > 2 * whole.nodes)
    done = undoku(*map(str, arguments), cwd=tmp_path, code=130)
    assert done.stdout == ""
    head, mrv, row_major, message = done.stderr.splitlines()
    assert head.split()[:2] == ["strategy", "outcome"]
    assert mrv.split()[:4] == ["mrv", "solved", "1", f"{whole.nodes:,}"]
    assert row_major.split()[:3] == ["row-major", "interrupted", "0"]
    assert int(row_major.split()[3].replace(",", "")) > 2 * whole.nodes
    assert message == "undoku: interrupted"


def test_an_interrupted_trace_prints_its_counts_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_when(monkeypatch, lambda done, total: True)
    done = undoku("trace", str(ENDLESS), "-o", "a.jsonl", cwd=tmp_path, code=130)
    assert done.stderr.splitlines()[1].split()[:2] == ["row-major", "interrupted"]
    assert list(tmp_path.iterdir()) == []


def test_highlights_that_are_interrupted_print_what_was_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The total is known since the searches were counted.
    interrupt_when(monkeypatch, lambda done, total: total)
    done = undoku("stats", MEDIUM.grid, cwd=tmp_path, code=130)
    assert [line.split()[1] for line in done.stderr.splitlines()[1:3]] == ["solved", "solved"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs a terminal of our own")
def test_at_a_terminal_a_long_search_shows_that_it_runs() -> None:
    """Until it is interrupted there by Ctrl-C."""
    from tests.support.terminals import terminal

    with terminal("solve", str(ENDLESS), "-s", "row-major") as shown:
        shown.wait_for(lambda _: b"nodes/s" in shown.written)
        shown.press("\x03")
        assert shown.end() == 130
        message = shown.written.decode()
    assert "row-major: " in message
    assert "M nodes [" in message or "k nodes [" in message
    assert "undoku: interrupted" in message
    assert "interrupted" in message.rsplit("strategy", 1)[1].splitlines()[1]


def test_a_terminal_that_was_closed_ends_no_run_by_itself() -> None:
    """It continues, or is ended by a signal, but never by its progress line."""

    class Closed(Terminal):
        def write(self, text: str, /) -> int:
            raise OSError(5, "Input/output error")

        def flush(self) -> None:
            raise OSError(5, "Input/output error")

    with ProgressLine(Closed()) as line:
        for done in range(1, 4):
            line(done, 4)
        line.clear()


# Films to standard output: the bytes in the pipe, and the messages when it breaks.


SIZE = ("--size", "320x180")
FILM = ("render", EASY.grid, "-s", "mrv", *SIZE)
COMMAND = (sys.executable, "-m", "undoku", *FILM)
decoded = partial(by_ffmpeg, decoder="h264")
PLACE = {**os.environ, "PYTHONPATH": str(ROOT)}


def piped(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """Run the command and read both of its streams unchanged."""
    return subprocess.run(
        [*COMMAND, *arguments], cwd=cwd, env=PLACE, capture_output=True, check=False
    )


def test_a_film_in_a_pipe_is_the_film_of_a_file_and_can_be_made_again(
    undoku: Undoku, tmp_path: Path
) -> None:
    done = piped("-o", "-", "--format", "mp4", "--duration", "2s", cwd=tmp_path)
    assert done.returncode == 0
    assert b"frames" in done.stderr
    assert not list(tmp_path.iterdir())
    (tmp_path / "piped.mp4").write_bytes(done.stdout)
    undoku(*FILM, "--duration", "2s", "-o", "film.mp4", cwd=tmp_path, code=0)
    undoku("render", "--again", "piped.mp4", "-o", "again.mp4", cwd=tmp_path, code=0)
    assert done.stdout == (tmp_path / "film.mp4").read_bytes()
    assert decoded(tmp_path / "piped.mp4") == decoded(tmp_path / "again.mp4")


@pytest.mark.parametrize("options", [(), ("--format", "gif", "--duration", "1s")])
def test_a_reader_that_has_gone_is_not_a_failure(tmp_path: Path, options: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*COMMAND, *options, "-o", "-", "-q"], cwd=tmp_path,
        env={**PLACE, "TMPDIR": str(tmp_path)}, stdout=write, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")
    assert not list(tmp_path.iterdir())


def test_a_terminal_is_refused(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    done = subprocess.run([*COMMAND, "-o", "-"], cwd=tmp_path, env=PLACE, stdout=theirs,
                          stderr=subprocess.PIPE, check=False)  # fmt: skip
    os.close(theirs)
    os.close(ours)
    message = "undoku: a terminal can't show a film; pipe it: undoku render … -o - | mpv -\n"
    assert (done.returncode, done.stderr.decode()) == (2, message)


def test_other_formats_are_passed_on_when_they_are_finished(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku(*FILM, "-o", "-", "--format", "gif", "--duration", "2s", "--fps", "10",
                  cwd=tmp_path)  # fmt: skip
    with Image.open(io.BytesIO(done.content)) as film:
        assert (film.format, film.size) == ("GIF", (320, 180))
        assert getattr(film, "n_frames", 0) > 10
    still = undoku(*FILM, "-o", "-", "--at-step", "9", cwd=tmp_path)
    undoku(*FILM, "--at-step", "9", "-o", "f.png", cwd=tmp_path, code=0)
    assert still.content == (tmp_path / "f.png").read_bytes()
    encoded = undoku(*FILM, "-o", "-", "--encoder", "x264", "--duration", "1s", cwd=tmp_path)
    (tmp_path / "encoded.mp4").write_bytes(encoded.content)
    assert len(decoded(tmp_path / "encoded.mp4")) == 60 * 320 * 180 * 3 // 2


def test_messages_go_to_standard_error_alone(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku(*FILM, "-o", "-", "-v", "--captions", "said.srt", cwd=tmp_path, code=0)
    assert done.content[4:8] == b"ftyp"
    assert "said.srt" in done.stderr
    assert "frames/s" in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"said.srt"}


# undoku play: races as text, in a terminal with keys and elsewhere.


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


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), long(signal.SIGTERM, 143)])
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
