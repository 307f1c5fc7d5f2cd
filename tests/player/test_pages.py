"""Pages that play searches: what is in the file, and which films are refused."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Undoku
from tests.support.films import made, puzzle_of
from tests.support.player_vectors import PATH, written
from tests.support.puzzles import EASY, HARD, MEDIUM
from tests.support.system import PATIENCE
from undoku import Limits
from undoku.errors import SettingsError
from undoku.player import html_page, search_content
from undoku.player.html_page import film_page
from undoku.render.film.film import Film
from undoku.render.write.file_info import RECIPE, about_of


def film(grid: str = EASY.grid, *strategies: str, **given: Any) -> Film:
    return made(puzzle_of(grid), *strategies or ("row-major", "mrv"), **given)


def test_render_writes_a_page_that_info_and_again_know(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku("render", EASY.grid, "-o", "race.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    about = about_of(tmp_path / "race.html")
    assert RECIPE in about and about["strategies"] == "row-major, mrv"
    assert "Row by row" in undoku("info", "race.html", cwd=tmp_path).stdout
    assert (
        undoku("render", "--again", "race.html", "-o", "again.html", cwd=tmp_path).returncode == 0
    )
    first, again = (
        json.loads(content_of((tmp_path / name).read_text("utf-8")))
        for name in ("race.html", "again.html")
    )
    assert {**first, "command": ""} == {**again, "command": ""}


def content_of(text: str) -> str:
    found = re.search(r'id="undoku-content">([^<]*)</script>', text)
    assert found
    return found[1]


def test_fifty_thousand_steps_of_two_searches_take_less_than_300_kb() -> None:
    shown = film(MEDIUM.grid, "row-major", "column-major", limits=Limits(12_700))
    assert sum(tally.steps for tally in shown.tallies) > 42_000
    assert len(film_page(shown).encode()) < 300_000


def test_a_page_loads_nothing_and_runs_its_own_script_alone() -> None:
    text = film_page(film())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy and policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy[1] and "connect-src" not in policy[1]
    outside = re.findall(r'(?:src|href)="?([^">\s]+)', text.split("<script>")[0])
    assert outside == []
    assert set(re.findall(r"https?://[\w./]+", text)) == {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize(
    "text", ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "<!--<script>"]
)
def test_titles_and_labels_cannot_end_their_element(text: str) -> None:
    page = film_page(film(title=text, labels=[text, "second"]))
    assert page.count("<script") == 3
    assert "<img" not in page and "<!--" not in page
    assert json.loads(content_of(page))["title"] == text


def test_more_steps_than_a_page_holds_are_refused_with_both_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search_content, "MAX_STEPS", 100)
    with pytest.raises(SettingsError) as reported:
        film_page(film(HARD.grid, "row-major", limits=Limits(80)))
    assert "have 136 steps, and a page holds 100" in reported.value.message
    assert "--max-nodes" in (reported.value.remedy or "")


def test_a_page_that_became_too_large_is_refused_and_leaves_no_file(
    undoku: Undoku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html_page, "MAX_BYTES", 1000)
    done = undoku("render", EASY.grid, "-o", "race.html", cwd=tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "and may have 1,000" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_embed_prints_a_frame_without_rights(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku("render", EASY.grid, "-o", "race.html", "--embed", "html", cwd=tmp_path)
    assert '<iframe src="race.html" sandbox="allow-scripts"' in done.stdout
    assert "solves the puzzle in" in done.stdout


def test_a_page_of_a_part_of_the_steps_holds_that_part() -> None:
    shown = film(MEDIUM.grid, "row-major", to_step=500, duration="5s")
    content = json.loads(content_of(film_page(shown)))
    assert content["searches"][0]["events"] == 500


# The results and sentences of the player's script are those of Python.


NODE = shutil.which("node") or ""


def test_the_committed_vectors_are_what_python_says() -> None:
    """python -m tests.support.player_vectors makes them again."""
    assert PATH.read_text("utf-8") == written()


@pytest.mark.skipif(not NODE, reason="there is no node on this machine")
def test_the_script_says_of_searches_what_python_says() -> None:
    """The script's own tests replay the vectors."""
    done = subprocess.run(
        [NODE, "--test", str(PATH.with_name("vectors.test.mjs"))],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout[-4000:]
