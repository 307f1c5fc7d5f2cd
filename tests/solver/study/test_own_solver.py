"""Solvers of one's own in a study, and the times of searches."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import Undoku
from tests.support.foreign_solvers import global_grid
from tests.support.puzzles import EASY, HARD, MEDIUM
from tests.support.system import ROOT, peak_of
from undoku import study, write_lines
from undoku.errors import RunError, SettingsError, TraceError, UndokuError
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import as_puzzle, read
from undoku.solver.study.journal import write_table
from undoku.solver.study.own_solver import OwnSolver, program
from undoku.solver.study.runner import Study, run_study
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.trace import Outcome, Trace

PUZZLES = [as_puzzle(EASY.grid), as_puzzle(MEDIUM.grid)]


def program_of(folder: Path, spec: str) -> str:
    """The command of a program that reads a puzzle and prints the trace of its search by a
    strategy."""
    for puzzle in PUZZLES:
        (folder / str(puzzle)).write_text("".join(write_lines(search(puzzle, spec))))
    (folder / "mine.sh").write_text(f'read puzzle; cat "{folder}/$puzzle"\n')
    return f"sh {folder / 'mine.sh'}"


def by_mrv(puzzle: Puzzle) -> Trace:
    return search(puzzle, "mrv")


def by_row(puzzle: Puzzle) -> Trace:
    return search(puzzle, "row-major")


def rows_of(study: Study, folder: Path, jobs: int = 0) -> list[dict[str, str]]:
    journal = run_study(PUZZLES, study, folder / "journal", jobs=jobs)
    write_table(journal, folder / "t.csv", ".csv")
    journal.close()
    return [*csv.DictReader((folder / "t.csv").read_text().splitlines())]


@pytest.mark.parametrize("jobs", [0, 2])
def test_a_program_and_a_function_are_counted_like_a_strategy(tmp_path: Path, jobs: int) -> None:
    solvers = [program(program_of(tmp_path, "mrv")), OwnSolver("own", by_mrv)]
    rows = rows_of(Study.of(["mrv", *solvers]), tmp_path, jobs)
    assert [row.pop("strategy") for row in rows] == ["mrv", "mine", "own"] * 2
    assert rows[0] == rows[1] == rows[2] and rows[3] == rows[4] == rows[5]
    assert "seconds" not in rows[0]


def test_a_function_that_fills_a_grid_is_watched() -> None:
    results = study([MEDIUM.grid], "row-major", global_grid)
    counts = {one["name"]: one["most"] for one in results}
    assert counts["global_grid"] == counts["row-major"] == 8797


def first_free(cells: list[int]) -> bool:
    """Queens of a list of columns, row by row."""
    if 0 not in cells:
        return True
    row = cells.index(0)
    for column in range(1, len(cells) + 1):
        if all(
            column != cells[above] and abs(column - cells[above]) != row - above
            for above in range(row)
        ):
            cells[row] = column
            if first_free(cells):
                return True
            cells[row] = 0
    return False


@pytest.mark.filterwarnings("ignore:each value was written once")
def test_a_function_is_given_every_board_and_a_list_for_another_problem() -> None:
    queens, plain = study(["queens:6"], first_free, "row-major")
    assert queens["most"] == plain["most"]
    jigsaw = read(str(ROOT / "examples" / "puzzles" / "jigsaw.txt"))
    solution = search(jigsaw, "mrv").tally().solution
    assert solution

    def known(rows: list[list[int]]) -> None:
        for cell, value in enumerate(solution):
            rows[cell // jigsaw.size][cell % jigsaw.size] = value

    assert study([jigsaw], known)[0]["solved"] == 1


def test_the_command_counts_a_program_and_draws_times(undoku: Undoku, tmp_path: Path) -> None:
    (tmp_path / "two.sdm").write_text(f"{EASY.grid}\n{MEDIUM.grid}\n")
    asked = ["study", "two.sdm", "-s", "mrv", "--solver", program_of(tmp_path, "mrv"), "-j0"]
    undoku(*asked, "--figure", "plain.svg", cwd=tmp_path, code=0)
    more = ["--times", "-o", "s.csv", "--figure", "timed.svg"]
    done = undoku(*asked, *more, cwd=tmp_path, code=0)
    assert re.search(r"^mine +170 ", done.stdout, re.MULTILINE)
    plain, timed = (
        float(re.findall(r'height="([\d.]+)pt"', (tmp_path / name).read_text())[0])
        for name in ("plain.svg", "timed.svg")
    )
    assert timed > 1.3 * plain
    assert (tmp_path / "s.csv").read_text().splitlines()[0].endswith(",max_depth,seconds")


def test_the_limit_of_nodes_stops_a_program_where_it_stops_a_strategy(tmp_path: Path) -> None:
    mine = program(program_of(tmp_path, "row-major"))
    rows = rows_of(Study.of(["row-major", mine, OwnSolver("own", by_row)], 60), tmp_path)
    assert [row.pop("strategy") for row in rows] == ["row-major", "mine", "own"] * 2
    assert rows[0] == rows[1] == rows[2] and rows[3] == rows[4] == rows[5]
    assert [(row["outcome"], row["nodes"]) for row in rows[::3]] == [
        ("solved", "52"),
        ("capped", "60"),
    ]


ENDLESS = """
import os, sys
puzzle = sys.stdin.readline().strip()
print(f'{{"undoku":1,"givens":"{puzzle}"}}')
cell = puzzle.index("." if "." in puzzle else "0")
open("pid", "w").write(str(os.getpid()))
while True:
    print(f'["place",{cell},1]\\n["undo",{cell}]\\n' * 1000, end="")
"""


def test_a_program_without_end_is_ended_at_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(ENDLESS)
    solver = program(f"{sys.executable} mine.py")
    tallies = []
    assert peak_of(lambda: tallies.append(solver.tally(PUZZLES[0], Limits(400_000)))) < 32 << 20
    (tally,) = tallies
    assert (tally.outcome, tally.nodes) == (Outcome.CAPPED, 400_000)
    with pytest.raises(ProcessLookupError):
        os.kill(int(Path("pid").read_text()), 0)


SILENT = "echo $$ > pid; sleep 60"
WITHOUT_GUESSES = """
read puzzle; echo $$ > pid; echo "{\\"undoku\\":1,\\"givens\\":\\"$puzzle\\"}"
while :; do echo '["place",1,4,"forced"]'; echo '["undo",1]'; done
"""


@pytest.mark.parametrize("code", [SILENT, WITHOUT_GUESSES], ids=["silent", "without guesses"])
def test_a_program_that_never_guesses_is_ended_at_the_limit_of_time(
    undoku: Undoku, tmp_path: Path, code: str
) -> None:
    (tmp_path / "mine.sh").write_text("sh search.sh\n:\n")  # it ends only after the other
    (tmp_path / "search.sh").write_text(code)
    (tmp_path / "one.sdm").write_text(EASY.grid)
    asked = ["study", "one.sdm", "--solver", "sh mine.sh", "--max-time", "0.6s", "-j0"]
    undoku(*asked, "-o", "s.csv", cwd=tmp_path, code=0)
    (row,) = csv.DictReader((tmp_path / "s.csv").read_text().splitlines())
    assert (row["outcome"], row["nodes"]) == ("capped", "1")
    assert bool(int(row["forced"])) == (code is not SILENT)
    left = ["ps", "-o", "stat=", "-p", (tmp_path / "pid").read_text().strip()]
    state = subprocess.run(left, capture_output=True, text=True, check=False).stdout
    assert state[:1] in ("", "Z")  # it is gone, or waits for the system to remove it


@pytest.mark.parametrize(("most", "left"), [(0.5, "(sleep 60; : > late) & "), (1e300, "")])
def test_a_whole_trace_counts_whatever_the_program_leaves_behind_and_whatever_the_limit(
    tmp_path: Path, most: float, left: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it leaves behind keeps its output open, and is ended at the limit."""
    monkeypatch.chdir(tmp_path)
    Path("trace").write_text("".join(write_lines(search(EASY.grid, "mrv"))))
    Path("mine.sh").write_text(f"{left}cat trace")
    (counts,) = study([EASY.grid], program("sh mine.sh"), max_seconds=most)
    assert counts["capped"] == 0 and counts["most"] == search(EASY.grid, "mrv").tally().nodes
    assert not Path("late").exists()


def test_a_limit_of_time_stops_the_search_of_a_strategy_too() -> None:
    (counts,) = study([HARD.grid], "row-major", max_nodes=None, max_seconds=1e-6)
    assert counts["capped"] == 1 and counts["most"] < 50_000


def test_times_are_in_the_table_of_a_study_that_measures_them(tmp_path: Path) -> None:
    rows = rows_of(Study.of(["row-major", OwnSolver("own", by_mrv)], timed=True), tmp_path)
    assert all(0 < float(row["seconds"]) < 60 for row in rows)


@pytest.mark.parametrize(
    ("code", "kind", "message"),
    [
        ("exit 4", RunError, "mine.sh' ended with exit code 4 for "),
        ("echo x", TraceError, "the header is not a JSON object"),
        ("while :; do echo yyyyyyyyyyyyyyyy; done", TraceError, "the header is not a JSON object"),
        ("cat other", TraceError, "mine.sh' prints a trace of another"),
    ],
)
def test_a_program_that_fails_ends_the_study_with_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    code: str,
    kind: type[UndokuError],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.sh").write_text(code)
    Path("other").write_text("".join(write_lines(by_mrv(PUZZLES[0]))))
    study = Study.of([program("sh mine.sh")])
    with pytest.raises(kind, match=message):
        run_study(PUZZLES[1:], study, tmp_path / "journal", jobs=0)


def test_a_command_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="can't be started: No such file"):
        run_study(PUZZLES, Study.of([program("./none")]), tmp_path / "journal", jobs=0)
    for wrong in ("", "'"):
        with pytest.raises(SettingsError, match="command"):
            program(wrong)


def test_workers_that_are_impossible_are_refused_with_the_remedy() -> None:
    def nested(rows: list[list[int]]) -> None:
        pass

    with pytest.raises(SettingsError, match="must not be negative: -1; give 0"):
        study([EASY.grid], jobs=-1)
    with pytest.raises(SettingsError, match=r"can't be sent to worker processes.*jobs=0"):
        study([EASY.grid], nested, jobs=1)
