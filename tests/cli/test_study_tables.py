"""The tables of `undoku study`: what they say, and in which language."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from tests.support.given_studies import CAPPED, EXHAUSTED, SOLVED, study_of, wins_of_nodes
from undoku.cli.study import summary_table, wins_table
from undoku.render.figures.scales import share_text
from undoku.solver.study.journal import Journal
from undoku.solver.study.summary import summarise
from undoku.texts.language import speaking
from undoku.texts.language_files import load_language


def test_the_table_names_every_strategy_and_what_is_compared(tmp_path: Path) -> None:
    text = summary_table(study_of(tmp_path, [[1000, 10], [3000, 40]]))
    head, first, second, foot = text.splitlines()
    assert "ratio to a" in head
    assert first.split() == ["a", "2,000", "1,100", "1,500", "2,500", "2,900", "3,000", "0.00%",
                             "0", "1"]  # fmt: skip
    assert second.split()[:2] == ["b", "25"]
    assert second.split()[8:10] == ["2", "0.01155"]
    assert foot.startswith("2 puzzles")


def test_one_puzzle_has_no_interval_and_none_no_table(tmp_path: Path) -> None:
    table = summary_table(study_of(tmp_path, [[100, 50]]))
    assert table.splitlines()[2].split()[-1] == "0.5"
    assert "1 puzzle; " in table
    assert "resamples" not in table
    with closing(Journal(tmp_path / "j", ("a",), 1000, False)) as journal:
        assert summary_table(summarise(journal)) == "no puzzles"


def test_a_share_is_written_as_none_or_all_only_if_it_is() -> None:
    reported = [share_text(share) for share in (0, 1 / 20_000, 0.125, 1 - 1 / 20_001, 1)]
    assert reported == ["0.00%", "<0.01%", "12.50%", ">99.99%", "100.00%"]


def test_inexact_numbers_are_marked(tmp_path: Path) -> None:
    capped = study_of(tmp_path, [[10, 20], [10, 20]], [[CAPPED, SOLVED], [CAPPED] * 2])
    assert "* capped searches count as their cap" in summary_table(capped)
    ended = [[SOLVED], [SOLVED], [SOLVED], [CAPPED], [CAPPED]]
    row = summary_table(study_of(tmp_path, [[10], [20], [1000], [1000], [1000]], ended))
    assert row.splitlines()[1].split()[:8] == [
        "a", "1,000", "12", "20", "≥1,000", "≥1,000", "≥1,000", "40.00%"
    ]  # fmt: skip


def test_puzzles_without_a_solution_are_counted(tmp_path: Path) -> None:
    summary = study_of(
        tmp_path, [[5, 5]] * 3, [[EXHAUSTED, CAPPED], [SOLVED, SOLVED], [SOLVED, SOLVED]]
    )
    assert "1 puzzle of these without a solution" in summary_table(summary)


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
    text = summary_table(replace(study, strategies=hostile))
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
        first, second = summary_table(summary), wins_table(wins)
    assert "Verhältnis zu a" in first
    assert "2.000" in first
    assert "0,01155" in first
    assert "2 Rätsel" in first
    assert "a gegen b" in second
    assert "66,7" in second
    english = ("ratio", "wins", "puzzles", "nodes", "tie", "against")
    assert not any(word in f"{first} {second}".split() for word in english)
