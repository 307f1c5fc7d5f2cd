"""Studies: the same counts as a film's search, whatever happens in between."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.puzzles import PUBLISHED, UNSOLVABLE
from tests.support.puzzles import puzzles as random_puzzles
from undoku.errors import OutputError, PuzzleError, SettingsError, StrategyError
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.problem.sources import as_puzzle
from undoku.solver.problem.variants import with_diagonals
from undoku.solver.study.generate import PuzzleRequirements, puzzles
from undoku.solver.study.journal import BLOCK, COLUMNS, HEAD, OUTCOMES, Journal, write_table
from undoku.solver.study.runner import Study, blocks_of, count_block, run_study
from undoku.solver.trace.search_trace import Limits, search

STUDY = Study.of(["row-major", "mrv"])


def collection(count: int, seed: int = 0) -> list[Puzzle]:
    """Distinct puzzles of two sizes: blocks end early where the board changes."""
    source = puzzles(PuzzleRequirements(standard_geometry(4)), seed=seed)
    small = [next(source) for _ in range(count - 40)]
    large = [as_puzzle(one.grid) for one in PUBLISHED.values()] * 8
    return small + large


@given(
    random_puzzles(), st.sampled_from(["row-major", "mrv"]), st.integers(1, 300),
    st.booleans(),
)  # fmt: skip
def test_counts_are_those_of_the_search_that_writes_events(
    puzzle: Puzzle, strategy: str, limit: int, exhaustive: bool
) -> None:
    study = Study.of([strategy], limit, exhaustive)
    (block,) = blocks_of([puzzle], study)
    counts = count_block(study, block).rows["counts"][0, 0].tolist()
    counted = dict(zip(COLUMNS, counts, strict=True))
    tally = search(puzzle, strategy, Limits(limit, exhaustive)).tally()
    assert OUTCOMES[counted.pop("outcome")] is tally.outcome
    assert counted.pop("nanoseconds") == 0
    assert counted == {name: getattr(tally, name) for name in counted}


def test_queens_and_maps_are_studied_like_boards(tmp_path: Path) -> None:
    given_puzzles = [as_puzzle(name) for name in ("queens:6", "queens:6:a2", "map:australia")]
    specs = ["row-major", "mrv/descending", "mrv+naked-singles"]
    journal = run_study(given_puzzles, Study.of(specs), tmp_path / "journal", jobs=0)
    blocks = list(journal.blocks())
    journal.close()
    assert [block.problem for block in blocks] == [one.problem for one in given_puzzles[1:]]
    nodes = [row for block in blocks for row in block.rows["counts"][:, :, 2].tolist()]
    assert nodes == [[search(one, spec).tally().nodes for spec in specs] for one in given_puzzles]


def table(journal: Journal, path: Path) -> str:
    write_table(journal, path, path.suffix)
    return path.read_text()


def test_each_puzzle_is_searched_by_all_seeds_in_turn(tmp_path: Path) -> None:
    """The counts are those of the strategy with the seed; blocks may end within a puzzle."""
    specs = ["mrv-random:1/shuffled:5", "row-major", "mrv+singles"]
    given_puzzles = [as_puzzle(PUBLISHED[name].grid) for name in ("medium", "easy")]
    study = Study.of(specs, 3000, seeds=BLOCK - 100)
    journal = run_study(given_puzzles, study, tmp_path / "journal", jobs=0)
    nodes = journal.column("nodes")
    assert nodes.shape == (2 * study.seeds, 3)
    for row in (0, 1, 70, study.seeds - 1, study.seeds, study.seeds + 90, 2 * study.seeds - 1):
        puzzle, run = divmod(row, study.seeds)
        drawn = f"mrv-random:{1 + run}/shuffled:{5 + run}"
        for column, spec in enumerate([drawn, *specs[1:]]):
            tally = search(given_puzzles[puzzle], spec, Limits(3000)).tally()
            assert nodes[row, column] == tally.nodes
    assert len(set(nodes[: study.seeds, 0].tolist())) > 1
    write_table(journal, tmp_path / "table.csv", ".csv")
    with (tmp_path / "table.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    runs = [int(row["run"]) for row in rows if row["strategy"] == "row-major"]
    assert runs == [*range(study.seeds)] * 2
    journal.close()


def test_a_table_has_a_row_for_each_puzzle_and_strategy(tmp_path: Path) -> None:
    given_puzzles = [as_puzzle(PUBLISHED["medium"].grid), as_puzzle(UNSOLVABLE)]
    journal = run_study(given_puzzles, Study.of(["row-major", "mrv"], 5000), tmp_path / "j", jobs=0)
    rows = list(csv.DictReader(table(journal, tmp_path / "t.csv").splitlines()))
    journal.close()
    assert tuple(rows[0]) == HEAD
    assert [(row["number"], row["strategy"], row["outcome"], row["nodes"]) for row in rows] == [
        ("1", "row-major", "capped", "5000"),
        ("1", "mrv", "solved", "296"),
        ("2", "row-major", "exhausted", rows[2]["nodes"]),
        ("2", "mrv", "exhausted", "1"),
    ]
    assert rows[0]["puzzle"] == str(given_puzzles[0])


def test_parquet_holds_what_csv_holds(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    journal = run_study(collection(150), STUDY, tmp_path / "j", jobs=0)
    text = table(journal, tmp_path / "t.csv")
    write_table(journal, tmp_path / "t.parquet", ".parquet")
    journal.close()
    rows = pq.read_table(tmp_path / "t.parquet").to_pylist()
    assert len(rows) == 300
    assert [{name: str(row[name]) for name in HEAD} for row in rows] == list(
        csv.DictReader(text.splitlines())
    )


def test_an_interrupted_study_continues_where_it_was(tmp_path: Path) -> None:
    given_puzzles = collection(5 * BLOCK)
    whole = run_study(given_puzzles, STUDY, tmp_path / "whole", jobs=0)
    interrupted = Mock(side_effect=[None, None, KeyboardInterrupt])
    with pytest.raises(KeyboardInterrupt):
        run_study(given_puzzles, STUDY, tmp_path / "j", jobs=2, progress=interrupted)
    reported: list[int] = []
    journal = run_study(given_puzzles, STUDY, tmp_path / "j", jobs=0, progress=reported.append)
    assert reported[-1] == 5 * BLOCK
    assert table(journal, tmp_path / "t.csv") == table(whole, tmp_path / "w.csv")
    journal.close()
    assert (tmp_path / "j").read_bytes() == (tmp_path / "whole").read_bytes()
    whole.close()


def test_a_journal_cut_or_damaged_anywhere_is_mended(tmp_path: Path) -> None:
    given_puzzles = collection(2 * BLOCK + 60)
    run_study(given_puzzles, STUDY, tmp_path / "j", jobs=0).close()
    whole = (tmp_path / "j").read_bytes()
    for cut in (0, 1, 50, 130, 5000, len(whole) // 2, len(whole) - 1):
        (tmp_path / "j").write_bytes(whole[:cut])
        run_study(given_puzzles, STUDY, tmp_path / "j", jobs=0).close()
        assert (tmp_path / "j").read_bytes() == whole
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 1
    (tmp_path / "j").write_bytes(damaged + b"rest")
    run_study(given_puzzles, STUDY, tmp_path / "j", jobs=0).close()
    assert (tmp_path / "j").read_bytes() == whole


def test_a_journal_of_other_puzzles_or_settings_is_not_believed(tmp_path: Path) -> None:
    first, second = collection(2 * BLOCK), collection(2 * BLOCK - 20, seed=1)
    run_study(second, STUDY, tmp_path / "j", jobs=0).close()
    for study in (STUDY, Study.of(["row-major", "mrv"], 20)):
        for name in ("j", "fresh"):
            run_study(first, study, tmp_path / name, jobs=0).close()
        assert (tmp_path / "j").read_bytes() == (tmp_path / "fresh").read_bytes()


def test_a_journal_of_another_board_is_not_believed(tmp_path: Path) -> None:
    """The same givens with further units are another puzzle."""
    for geometry in (standard_geometry(9), with_diagonals(standard_geometry(9))):
        puzzle = Puzzle((0,) * 81, geometry)
        journal = run_study([puzzle], STUDY, tmp_path / "j", jobs=0)
        ((_, nodes),) = journal.column("nodes")
        journal.close()
        assert nodes == search(puzzle, "mrv").tally().nodes


def test_puzzles_that_cannot_be_read_keep_their_numbers(tmp_path: Path) -> None:
    unread = PuzzleError("no puzzle")
    given_puzzles: list[Puzzle | PuzzleError] = [unread, *collection(BLOCK + 50)]
    given_puzzles += [unread, unread, *collection(60, seed=3)]
    expected = [
        number for number, puzzle in enumerate(given_puzzles, 1) if isinstance(puzzle, Puzzle)
    ]
    journal = run_study(given_puzzles, STUDY, tmp_path / "j", jobs=0)
    rows = csv.DictReader(table(journal, tmp_path / "t.csv").splitlines())
    journal.close()
    assert [int(row["number"]) for row in rows] == [number for number in expected for _ in "ab"]


def test_a_puzzle_that_cannot_be_read_ends_the_study(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError):
        run_study(map(as_puzzle, (UNSOLVABLE, "12")), STUDY, tmp_path / "j", jobs=0)


@pytest.mark.parametrize(
    ("settings", "kind", "message"),
    [
        (([],), SettingsError, "needs a strategy"),
        ((["mrv", "row-major", "MRV"],), SettingsError, "mrv is named twice"),
        ((["mrw"],), StrategyError, "did you mean mrv"),
        ((["mrv"], 0), SettingsError, "a whole number from 1 to 2.63 - 1, not 0"),
    ],
)
def test_impossible_studies_are_refused(
    settings: tuple[Any, ...], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        Study.of(*settings)


def test_a_journal_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="journal"):
        run_study([], STUDY, tmp_path / "missing" / "j")
