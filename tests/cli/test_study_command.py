"""The study command as a person and a script use it, and its tables in every language."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Undoku
from tests.support.given_studies import CAPPED, EXHAUSTED, SOLVED, study_of, wins_of_nodes
from tests.support.puzzles import HARD, PUBLISHED
from tests.support.system import PATIENCE, ROOT, peak_of, until
from undoku.cli.study import study, study_results, wins_table
from undoku.errors import PuzzleError
from undoku.render.figures.scales import share_text
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.study.journal import Journal
from undoku.solver.study.runner import Study, run_study
from undoku.solver.study.summary import Summary, summarise
from undoku.texts.language import speaking
from undoku.texts.language_files import load_language

GRIDS = [one.grid for one in PUBLISHED.values()]
STUDY = ("study", "puzzles.sdm", "-j0", "-q")


def nodes(path: Path) -> list[int]:
    """The nodes in each row of a table."""
    return [int(row["nodes"]) for row in csv.DictReader(path.read_text().splitlines())]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "puzzles.sdm").write_text("\n".join(GRIDS) + "\n")
    return tmp_path


def test_a_study_prints_its_summary_and_writes_its_rows(undoku: Undoku, folder: Path) -> None:
    done = undoku(
        "study", "puzzles.sdm", "-s", "row-major", "mrv", "-o", "s.csv", cwd=folder, code=0
    )
    head, first, second, foot = done.stdout.split("\n\n")[0].splitlines()
    assert "row-major against mrv" in done.stdout
    assert head.split()[:2] == ["strategy", "median"]
    assert first.split()[:2] == ["row-major", "4,428"]
    assert second.split()[0] == "mrv"
    assert foot.startswith("5 puzzles")
    assert nodes(folder / "s.csv")[::2] == [one.calls for one in PUBLISHED.values()]
    assert sorted(path.name for path in folder.iterdir()) == ["puzzles.sdm", "s.csv"]


def test_a_study_as_json_holds_the_summary(undoku: Undoku, folder: Path) -> None:
    done = undoku("study", "puzzles.sdm", "--json", "-j0", "--max-nodes", "5000", cwd=folder)
    content = json.loads(done.stdout)
    assert content["puzzles"] == 5
    row_major, mrv = content["strategies"]
    assert (row_major["name"], row_major["capped"]) == ("row-major", 0.4)
    assert (row_major["quantiles"]["0.5"], row_major["exact"]) == (4428, 3)
    assert mrv["wins"] == 5
    assert mrv["bound"] is True


def test_figures_are_drawn_and_are_the_same_each_time(undoku: Undoku, folder: Path) -> None:
    """Of the distribution and of wins, in one run."""
    drawn = []
    for _ in range(2):
        undoku(*STUDY, "-y", "--figure", "a.svg", "--wins", "b.pdf", cwd=folder, code=0)
        drawn.append([(folder / name).read_bytes() for name in ("a.svg", "b.pdf")])
    assert drawn[0] == drawn[1]
    assert drawn[0][1].startswith(b"%PDF")
    assert b'width="720pt"' in drawn[0][0]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["missing.sdm", "-o", "s.csv"], 3, "there is no file 'missing.sdm'"),
        (["puzzles.sdm", "-s", "mrw"], 2, "did you mean mrv?"),
        (["puzzles.sdm", "-o", "s.xls"], 2, "end its name in .csv or .parquet"),
        (["puzzles.sdm", "--figure", "s.gif"], 2, "give a name that ends in .png, .svg, .pdf"),
        (["puzzles.sdm", "-o", "puzzles.sdm"], 3, "exists already"),
        (["puzzles.sdm", "--wins", "w.svg", "-s", "mrv"], 2, "needs two strategies"),
        (["none.sdm", "--skip", "--figure", "n.svg"], 2, "a figure needs at least one puzzle"),
        (["broken.sdm", "-o", "s.csv"], 2, "broken.sdm, line 2"),
        (["puzzles.sdm", "-o", "no/s.csv"], 3, "there is no folder 'no'"),
        (["puzzles.sdm", "--figure", "no/s.svg"], 3, "there is no folder 'no'"),
        (["puzzles.sdm", "-y", "-o", "folder.csv"], 3, "'folder.csv' is a folder"),
        (["puzzles.sdm", "-o", "long" * 99 + ".csv"], 3, "can't be written: File name too long"),
    ],
)
def test_an_impossible_study_is_refused_in_one_sentence(
    undoku: Undoku, folder: Path, arguments: list[str], code: int, sentence: str
) -> None:
    (folder / "broken.sdm").write_text(GRIDS[0] + "\n" + GRIDS[1][:-1] + "x\n")
    (folder / "none.sdm").write_text(GRIDS[0][1:])
    (folder / "folder.csv").mkdir()
    there = set(folder.iterdir())
    done = undoku("study", "-j0", *arguments, cwd=folder, code=code)
    assert sentence in done.stderr
    assert done.stdout == ""
    assert set(folder.iterdir()) == there


def test_puzzles_that_cannot_be_read_are_skipped_on_request(undoku: Undoku, folder: Path) -> None:
    (folder / "broken.sdm").write_text(GRIDS[0] + "\n" + GRIDS[1][:-1] + "x\n" + GRIDS[2])
    done = undoku("study", "broken.sdm", "-j0", "--skip", "--json", "-o", "s.csv", cwd=folder)
    content = json.loads(done.stdout)
    assert (content["puzzles"], content["unread"]) == (2, 1)
    rows = list(csv.DictReader((folder / "s.csv").read_text().splitlines()))
    # The numbers are those of broken.sdm:1 and broken.sdm:3.
    assert [(row["number"], row["puzzle"].replace(".", "0")) for row in rows[::2]] == [
        ("1", GRIDS[0]), ("3", GRIDS[2]),
    ]  # fmt: skip
    done = undoku("study", "broken.sdm", "-j0", "--skip", cwd=folder)
    assert (
        "1 passed over, the first: broken.sdm, line 2, column 81: 'x' is neither a value"
        in done.stdout
    )


def test_puzzles_of_a_list_that_cannot_be_read_are_skipped_on_request() -> None:
    puzzles: list[Puzzle | str] = [GRIDS[0], "...", parse_puzzle(GRIDS[1])]
    content: Any = study(puzzles, "mrv", skip=True).content
    assert (content["puzzles"], content["unread"]) == (2, 1)
    with pytest.raises(PuzzleError, match="3 cells where 16 are needed"):
        study(puzzles, "mrv")


def test_many_puzzles_that_cannot_be_read_need_no_memory(tmp_path: Path) -> None:
    """Each error took two kilobytes."""
    (tmp_path / "bad.sdm").write_text(f"{GRIDS[0]}\n" + "not a puzzle\n" * 1_500)
    study_bad = partial(study, tmp_path / "bad.sdm", "mrv", skip=True)
    assert study_bad().content["unread"] == 1_500  # type: ignore[index]
    assert peak_of(study_bad) < 1 << 20


def test_an_interrupted_study_ends_and_is_continued(undoku: Undoku, tmp_path: Path) -> None:
    (tmp_path / "many.sdm").write_text("\n".join([HARD.grid] * 256))
    command = [sys.executable, "-m", "undoku", "study", "many.sdm", "-q", "-s", "row-major"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [*command, "-o", "s.csv"], cwd=tmp_path, env=environment, stderr=subprocess.PIPE
    )
    journal = tmp_path / "s.csv.journal"
    until(lambda: journal.exists() and journal.stat().st_size > 2_000)
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=PATIENCE)
    assert (process.returncode, message) == (130, b"undoku: interrupted\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["many.sdm", "s.csv.journal"]
    undoku(*command[3:], "-j0", "-o", "s.csv", cwd=tmp_path, code=0)
    assert nodes(tmp_path / "s.csv") == [HARD.calls] * 256
    assert not journal.exists()


def test_a_continued_study_leaves_nothing_of_the_killed_one(undoku: Undoku, folder: Path) -> None:
    """Killed when its figure is drawn and its table, the last file, is written."""
    script = """
import os, signal, sys
import undoku.cli.study as study
from undoku.cli.main import main

study.write_table = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
main(sys.argv[1:])
"""
    arguments = [*STUDY, "-o", "s.csv", "--figure", "s.svg"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, *arguments]
    killed = subprocess.run(command, cwd=folder, env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not (folder / "s.csv").exists() and not (folder / "s.svg").exists()
    undoku(*arguments, cwd=folder, code=0)
    assert sorted(path.name for path in folder.iterdir()) == ["puzzles.sdm", "s.csv", "s.svg"]


@pytest.mark.parametrize(
    ("there", "message"),
    [
        ("a diary\n", "a study of other settings"),
        ("not even a line", "a study of other settings"),
        ("other strategies", "a study of other settings"),
        ("other puzzles", "a study of other puzzles"),
        ("an active study", "another study is using 's.csv.journal'; wait for it"),
    ],
)
def test_a_journal_of_something_else_is_not_discarded_silently(
    undoku: Undoku, folder: Path, there: str, message: str
) -> None:
    path = folder / "s.csv.journal"
    study = Study.of(["mrv"] if there == "other strategies" else ["row-major", "mrv"])
    if "other" in there:
        run_study(map(parse_puzzle, GRIDS[::-1]), study, path, jobs=0).close()
    elif there == "an active study":
        active = Journal(path, study.names, study.max_nodes, study.exhaustive)
    else:
        path.write_text(there)
    content = path.read_bytes()
    assert message in undoku(*STUDY, "-o", "s.csv", cwd=folder, code=3).stderr
    assert path.read_bytes() == content
    if there == "an active study":
        active.close()
    undoku(*STUDY, "-o", "s.csv", "-y", cwd=folder, code=0)
    assert not path.exists()


def test_a_study_of_a_collection_that_has_grown_is_continued(undoku: Undoku, folder: Path) -> None:
    study = Study.of(["row-major", "mrv"])
    run_study(map(parse_puzzle, GRIDS[:3]), study, folder / "s.csv.journal", jobs=0).close()
    undoku(*STUDY, "-o", "s.csv", cwd=folder, code=0)
    assert nodes(folder / "s.csv")[::2] == [one.calls for one in PUBLISHED.values()]


def repr_of(summary: Summary) -> str:
    return repr(study_results(summary))


def test_the_table_names_every_strategy_and_what_is_compared(tmp_path: Path) -> None:
    text = repr_of(study_of(tmp_path, [[1000, 10], [3000, 40]]))
    head, first, second, foot = text.splitlines()
    assert "ratio to a" in head
    assert first.split() == ["a", "2,000", "1,100", "1,500", "2,500", "2,900", "3,000", "0.00%",
                             "0.00%", "0", "1"]  # fmt: skip
    assert second.split()[:2] == ["b", "25"]
    assert second.split()[9:11] == ["2", "0.01155"]
    assert foot.startswith("2 puzzles")


def test_one_puzzle_has_no_interval_and_none_no_table(tmp_path: Path) -> None:
    table = repr_of(study_of(tmp_path, [[100, 50]]))
    assert table.splitlines()[2].split()[-1] == "0.5"
    assert "1 puzzle; " in table
    assert "resamples" not in table
    with closing(Journal(tmp_path / "j", ("a",), 1000, False)) as journal:
        assert repr_of(summarise(journal)) == "no puzzles"


def test_a_share_is_written_as_none_or_all_only_if_it_is() -> None:
    reported = [share_text(share) for share in (0, 1 / 20_000, 0.125, 1 - 1 / 20_001, 1)]
    assert reported == ["0.00%", "<0.01%", "12.50%", ">99.99%", "100.00%"]


def test_inexact_numbers_are_marked_and_puzzles_without_a_solution_are_counted(
    tmp_path: Path,
) -> None:
    some = study_of(tmp_path, [[5, 5]] * 3, [[EXHAUSTED, CAPPED], [SOLVED] * 2, [SOLVED] * 2])
    assert "* capped searches count with the nodes they reached" in repr_of(some)
    assert "1 puzzle of these without a solution" in repr_of(some)
    ended = [[SOLVED], [SOLVED], [SOLVED], [CAPPED], [CAPPED]]
    row = repr_of(study_of(tmp_path, [[10], [20], [1000], [1000], [1000]], ended))
    assert row.splitlines()[1].split()[:8] == [
        "a", "1,000", "12", "20", "≥1,000", "≥1,000", "≥1,000", "40.00%"
    ]  # fmt: skip


def test_the_table_of_wins_says_all_of_it(tmp_path: Path) -> None:
    found = wins_of_nodes(tmp_path, [[1, 2], [2, 1], [1, 3]], capped=[[0, 0], [0, 0], [0, 1]])
    text = wins_table(found)
    rows = [line.split() for line in text.splitlines()]
    assert ["4", "3", "2", "(1)", "1", "(2)", "0"] in rows
    assert "backtracks of a" in text
    assert any(row[:7] == ["a", "against", "b", "2", "1", "0", "66.7%"] for row in rows)
    assert wins_table(wins_of_nodes(tmp_path, [[1], [2]])) == ""


HOSTILE = "red\x07\x1b[31m\u202eback"
SHOWN = r"red\x07\x1b[31m\u202eback"


def test_names_cannot_steer_a_terminal(tmp_path: Path) -> None:
    """Bells, colours and overrides of the direction are escapes everywhere in the tables."""
    study = study_of(tmp_path, [[1, 2], [2, 1], [1, 3]])
    hostile = tuple(replace(one, name=f"{HOSTILE} {one.name}") for one in study.strategies)
    text = repr_of(replace(study, strategies=hostile))
    assert text.replace("\n", "").isprintable()
    assert text.count(SHOWN) == 3  # two rows and the head of the ratios
    wins = wins_of_nodes(tmp_path, [[1, 2], [2, 1], [1, 3]])
    names = tuple(f"{HOSTILE} {name}" for name in wins.strategies)
    wins = replace(wins, strategies=names, plain=names[0], tails=(0.5, None))
    text = wins_table(wins)
    assert text.replace("\n", "").isprintable()
    assert text.count(SHOWN) == 4 + 1 + 2 + 2  # the heads of both groups, a pair, tail indices


def test_tables_are_in_the_language_of_the_command(tmp_path: Path) -> None:
    """Their numbers, too; names of strategies stay."""
    summary = study_of(tmp_path, [[1000, 10], [3000, 40]])
    wins = wins_of_nodes(tmp_path, [[1, 2], [2, 1], [1, 3]])
    with speaking(load_language("de")):
        first, second = repr_of(summary), wins_table(wins)
    assert "Verhältnis zu a" in first
    assert "2.000" in first
    assert "0,01155" in first
    assert "2 Rätsel" in first
    assert "a gegen b" in second
    assert "66,7" in second
    english = ("ratio", "wins", "puzzles", "nodes", "tie", "against")
    assert not any(word in f"{first} {second}".split() for word in english)
