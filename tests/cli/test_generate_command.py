"""The generate command as a person and a script use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import Undoku
from undoku.solver.problem.sources import collection, read
from undoku.solver.trace.search_trace import Limits, search


def test_generate_prints_one_puzzle_a_line(undoku: Undoku, tmp_path: Path) -> None:
    first, again, other = (
        undoku("generate", "-n", "3", "--seed", seed, cwd=tmp_path, code=0).stdout for seed in "889"
    )
    assert [len(line) for line in first.splitlines()] == [81, 81, 81]
    assert first == again != other


def test_generate_writes_a_collection_in_the_format_of_its_suffix(
    undoku: Undoku, tmp_path: Path
) -> None:
    done = undoku("generate", "-n", "4", "--givens", "30-32", "-o", "x.sdm", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    puzzles = list(collection(tmp_path / "x.sdm"))
    assert len(puzzles) == 4
    assert all(30 <= sum(value > 0 for value in puzzle.givens) <= 32 for puzzle in puzzles)
    again = undoku("generate", "-o", "x.sdm", cwd=tmp_path, code=3)
    assert "exists already" in again.stderr
    undoku("generate", "-o", "x.sdm", "-y", cwd=tmp_path, code=0)
    assert len(list(collection(tmp_path / "x.sdm"))) == 1


def test_generate_makes_other_boards_as_grids_that_can_be_read_back(
    undoku: Undoku, tmp_path: Path
) -> None:
    done = undoku("generate", "--size", "9", "--extra", "diagonals", cwd=tmp_path, code=0)
    (tmp_path / "x.txt").write_text(done.stdout)
    puzzle = read(str(tmp_path / "x.txt"))
    assert [unit.kind for unit in puzzle.problem.units].count("diagonal") == 2
    assert search(puzzle, "mrv", Limits(exhaustive=True)).tally().solutions == 1


def test_generate_as_json_states_the_nodes_of_each_target(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku(
        "generate", "--target", "row-major>=2000", "--target", "mrv<=400", "--json", cwd=tmp_path
    )
    (found,) = json.loads(done.stdout)
    assert found["nodes"]["row-major"] >= 2000
    assert found["nodes"]["mrv"] <= 400
    assert found["givens"] == 81 - found["puzzle"].count(".")


def test_generate_as_json_counts_no_search_without_end(
    undoku: Undoku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`most` needs too many nodes to be counted, but a puzzle with it is found quickly."""
    monkeypatch.setattr("undoku.cli.generate.COUNTED", 100_000)
    done = undoku("generate", "--target", "most>=1000", "--json", cwd=tmp_path)
    (found,) = json.loads(done.stdout)
    assert found["nodes"] == {"most": 100_000}
    assert found["capped"] == ["most"]


def test_boards_of_another_size_are_printed_and_written(undoku: Undoku, tmp_path: Path) -> None:
    """A usual one on a line; one with further units with them."""
    words = ("generate", "-n", "2", "--size", "6")
    done = undoku(*words, "-o", "x.sdm", "--json", cwd=tmp_path)
    written = (tmp_path / "x.sdm").read_text().split()
    assert [one["puzzle"] for one in json.loads(done.stdout)] == written
    assert undoku(*words, cwd=tmp_path).stdout.split() == written
    assert [puzzle.size for puzzle in collection(tmp_path / "x.sdm")] == [6] * 2
    for one in json.loads(undoku(*words, "--extra", "groups", "--json", cwd=tmp_path).stdout):
        assert [unit.kind for unit in read(one["puzzle"]).problem.units].count("group") == 6
