"""undoku clean: files of killed runs are removed, files of active runs are not."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.support.command import Undoku
from tests.support.puzzles import EASY
from undoku.render.write.staging import Staging

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files there can't be locked")

LEFT = ".undoku-0123456789ab.mp4"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file of a killed run, and one of no run."""
    (tmp_path / LEFT).write_bytes(b"12345")
    (tmp_path / "film.mp4").write_text("precious")
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_dry_run_lists_and_removes_nothing(undoku: Undoku, folder: Path) -> None:
    done = undoku("clean", ".", "--dry-run", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"would remove  {LEFT}  5 bytes\n"
    assert names(folder) == [LEFT, "film.mp4"]


def test_leftovers_of_killed_runs_are_removed_and_files_of_active_ones_are_not(
    undoku: Undoku, folder: Path
) -> None:
    staging = Staging(folder / "other.gif")
    done = undoku("clean", str(folder), cwd=folder, code=0)
    assert done.stdout == f"removed  {folder / LEFT}  5 bytes\n"
    assert done.stderr == f"left  {staging.temporary}  0 bytes: it belongs to an active run\n"
    assert names(folder) == [staging.temporary.name, "film.mp4"]
    staging.discard()
    assert undoku("clean", str(folder), cwd=folder).stdout == "nothing to remove\n"


def test_without_a_folder_the_working_one_and_the_systems_are_cleaned(
    undoku: Undoku, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = folder / "system"
    (system / ".undoku-ba9876543210").mkdir(parents=True)
    (system / "other").mkdir()
    monkeypatch.setattr("undoku.cli.clean.gettempdir", lambda: str(system))
    done = undoku("clean", "--json", cwd=folder)
    assert json.loads(done.stdout) == [
        {"path": LEFT, "bytes": 5, "owner": "dead", "removed": True},
        {"path": f"{system}/.undoku-ba9876543210", "bytes": 0, "owner": "dead", "removed": True},
    ]
    assert names(folder) == ["film.mp4", "system"]
    assert names(system) == ["other"]


def test_the_next_run_says_what_lies_in_its_folder_and_how_to_remove_it(
    undoku: Undoku, folder: Path
) -> None:
    for number in range(4):
        (folder / f".undoku-{number:012}.gif").write_bytes(b"123")
    arguments = ("render", EASY.grid, "-s", "mrv", "--at-step", "3", "--size", "320x180", "-o")
    done = undoku(*arguments, "a.png", cwd=folder, code=0)
    (line,) = (one for one in done.stderr.splitlines() if "undoku clean" in one)
    assert line == (
        "'.' holds .undoku-000000000000.gif, .undoku-000000000001.gif, .undoku-000000000002.gif "
        "and 2 more (17 bytes) of runs that were killed; undoku clean . removes this"
    )
    assert "undoku clean" not in undoku(*arguments, "b.png", "-q", cwd=folder).stderr
    undoku("clean", ".", cwd=folder)
    assert "undoku clean" not in undoku(*arguments, "c.png", cwd=folder).stderr
    assert names(folder) == ["a.png", "b.png", "c.png", "film.mp4"]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0,
    reason="the administrator may remove everything",
)
def test_files_that_cannot_be_removed_are_reported(undoku: Undoku, folder: Path) -> None:
    folder.chmod(0o500)
    try:
        done = undoku("clean", ".", cwd=folder)
    finally:
        folder.chmod(0o700)
    assert done.returncode == 3
    assert "can't be removed" in done.stderr
