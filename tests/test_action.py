"""The GitHub Action: its steps do what they say, in an environment of their own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COUNTS = {"a.mp4": "mrv: solved, 2 nodes", "b.gif": "mrv: solved, 3 nodes"}


def compare(folder: Path, found: dict[str, str], *options: str) -> tuple[int, str]:
    """The exit code and the comment for what a batch has found."""
    films = [{"name": name, "status": "made", "counts": counts} for name, counts in found.items()]
    films.append({"name": "failed.mp4", "status": "failed"})
    (folder / "report.json").write_text(json.dumps({"films": films}))
    done = subprocess.run(
        [sys.executable, ROOT / "action" / "compare_counts.py", "report.json", *options],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "counts.json").write_text(json.dumps(COUNTS))
    return tmp_path


def test_counts_that_are_as_expected_pass(folder: Path) -> None:
    code, comment = compare(folder, COUNTS, "counts.json", "--films", "https://example.org/films")
    assert code == 0
    assert "### Counts as expected" in comment
    assert "| `a.mp4` | mrv: solved, 2 nodes |  |" in comment
    assert comment.endswith("[The films](https://example.org/films)\n")


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (COUNTS | {"a.mp4": "mrv: solved, 9 nodes"}, "**was: mrv: solved, 2 nodes**"),
        (COUNTS | {"c.mp4": "mrv: solved, 1 node"}, "**new**"),
        ({"a.mp4": COUNTS["a.mp4"]}, "**missing**"),
    ],
)
def test_counts_that_changed_fail(folder: Path, found: dict[str, str], told: str) -> None:
    code, comment = compare(folder, found, "counts.json")
    assert code == 1
    assert "### Counts changed" in comment
    assert told in comment


def test_counts_are_updated_where_that_is_asked_for(folder: Path) -> None:
    changed = COUNTS | {"a.mp4": "mrv: solved, 9 nodes"}
    assert compare(folder, changed, "counts.json", "--update")[0] == 0
    assert json.loads((folder / "counts.json").read_text()) == changed


def test_a_missing_file_of_counts_is_an_error_of_its_own(folder: Path) -> None:
    assert compare(folder, COUNTS, "none.json")[0] == 2
    assert compare(folder, COUNTS, "")[0] == 0


def test_the_action_names_scripts_and_inputs_that_exist() -> None:
    text = (ROOT / "action.yml").read_text()
    for name in re.findall(r"\$GITHUB_ACTION_PATH/([\w./]+)", text):
        assert (ROOT / name).is_file()
    declared = set(re.findall(r"^  (\w[\w-]*):$", text.partition("outputs:")[0], re.MULTILINE))
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == declared


@pytest.mark.long
def test_its_steps_render_a_manifest_in_an_empty_environment(tmp_path: Path) -> None:
    """Installed as the action does it, into an environment that has nothing."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "environment"], check=True)
    (tmp_path / "puzzle.txt").write_text((ROOT / "examples/puzzles/easy.txt").read_text())
    (tmp_path / "films.toml").write_text(
        '[[jobs]]\nname = "film"\npuzzles = ["puzzle.txt"]\nstrategies = ["mrv"]\n'
        'formats = ["gif"]\nsize = "320x180"\nduration = "3s"\n'
    )
    environment = {
        "PATH": f"{tmp_path / 'environment' / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "MANIFEST": "films.toml",
        "FOLDER": "films",
        "JOBS": "1",
        "UNDOKU_CACHE_DIR": str(tmp_path / "cache"),
        "REPORT": str(tmp_path / "report.json"),
    }
    script = ROOT / "action" / "render.sh"
    subprocess.run(["bash", script], cwd=tmp_path, env=environment, check=True)
    (film,) = json.loads((tmp_path / "report.json").read_text())["films"]
    assert (film["status"], film["name"]) == ("made", "film.gif")
    assert "nodes" in film["counts"]
