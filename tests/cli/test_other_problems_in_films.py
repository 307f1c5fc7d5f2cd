"""Films, pictures, pages and reports of queens, maps, graphs and problems from files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.support.amounts import long
from tests.support.command import Undoku
from undoku.cli.stats import stats
from undoku.render.write.film_reader import read_frames

ROOT = Path(__file__).parents[2]
FILES = ROOT / "examples" / "problems"
PROBLEMS = {
    "queens": "queens:6",
    "map": "map:australia",
    "graph": f"graph:{FILES / 'house.col'}:3",
    "table": str(FILES / "zebra.toml"),
    "differences": str(FILES / "masts.json"),
}
PANELS = "board,counters,depth,tree,why,solutions,heat"
SUFFIXES = ("mp4", "gif", "webp", "apng", "png", "svg", "pdf", "html")


@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_panel_and_format_shows_every_kind_of_problem(
    undoku: Undoku, tmp_path: Path, problem: str
) -> None:
    """The last frame of the film shows what the search did: it differs from the first."""
    # How pictures are stored does not depend on what they show.
    suffixes = SUFFIXES if problem == "map" else ("gif", "svg", "html")
    outputs = [word for suffix in suffixes for word in ("-o", f"a.{suffix}")]
    undoku(
        "render", PROBLEMS[problem], *("-s", "row-major", "-s", "mrv", "--max-nodes", "30"),
        *("--panels", PANELS, "--size", "480x360", "--fps", "3", "--duration", "1s"), *outputs,
        cwd=tmp_path, code=0,
    )  # fmt: skip
    for suffix in suffixes:
        assert (tmp_path / f"a.{suffix}").stat().st_size > 1000, suffix
    frames = [picture.pixels for picture in read_frames(tmp_path / "a.gif")]
    assert (frames[0] != frames[-1]).any(axis=2).mean() > 0.005
    assert len(np.unique(frames[-1].reshape(-1, 3), axis=0)) > 10


@pytest.mark.filterwarnings("always:.* changes nothing on this problem")
@pytest.mark.parametrize("problem", [long(name) if name == "table" else name for name in PROBLEMS])
def test_a_story_warns_of_no_rule_that_only_the_proof_of_its_sentences_uses(
    undoku: Undoku, tmp_path: Path, problem: str
) -> None:
    words = ("-s", "row-major", "-s", "mrv", "--size", "320x180", "--fps", "4", "-o", "a.gif")
    assert "changes nothing" not in undoku("render", PROBLEMS[problem], *words, cwd=tmp_path).stderr


@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_report_counts_every_kind_of_problem(
    undoku: Undoku, tmp_path: Path, problem: str
) -> None:
    """`solve`, `stats`, `study` and `trace` agree on the nodes of a search."""
    named = PROBLEMS[problem]
    solved = json.loads(undoku("solve", named, "-s", "mrv", "--json", cwd=tmp_path, code=0).stdout)
    undoku("trace", named, "-s", "mrv", "-o", "a.jsonl", cwd=tmp_path, code=0)
    again = json.loads(undoku("solve", "a.jsonl", "--json", cwd=tmp_path, code=0).stdout)
    studied = undoku("study", named, "-s", "mrv", "-j0", "-o", "a.csv", cwd=tmp_path, code=0)
    assert studied.stdout
    nodes = str(solved["results"][0]["nodes"])
    assert str(again["results"][0]["nodes"]) == nodes
    assert nodes in (tmp_path / "a.csv").read_text("utf-8").splitlines()[1].split(",")
    assert nodes in undoku("stats", named, "-s", "mrv", cwd=tmp_path, code=0).stdout


def test_reports_have_the_nouns_of_the_problem_in_every_language(
    undoku: Undoku, tmp_path: Path
) -> None:
    for language, placed, given_up in (
        ("en", "row 1 a, row 2 e", "Row by row: 6 rows given up at once"),
        ("de", "Zeile 1 a, Zeile 2 e", "Zeile für Zeile: 6 Zeilen auf einmal aufgegeben"),
        ("he", "שורה 1 a, שורה 2 e", "שורה אחר שורה\u200f: 6 שורות שננטשו בבת אחת"),
    ):
        words = ("queens:8", "--language", language)
        assert placed in undoku("solve", *words, cwd=tmp_path, code=0).stdout
        assert given_up in undoku("stats", *words, cwd=tmp_path, code=0).stdout
        studied = undoku("study", *words, "-j0", cwd=tmp_path, code=0).stdout
        assert "digit" not in studied and "Ziffer" not in studied
    assert "Row by row: 6 rows given up at once" in repr(stats("queens:8"))
