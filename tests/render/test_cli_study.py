"""The study command as a person and a script use it."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PIL import Image

from tests.puzzles import HARD, PUBLISHED
from tests.render.test_cli import ROOT, undoku

GRIDS = [one.grid for one in PUBLISHED.values()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "puzzles.sdm").write_text("\n".join(GRIDS) + "\n")
    return tmp_path


def test_a_study_prints_its_summary_and_writes_its_rows(folder: Path) -> None:
    done = undoku("study", "puzzles.sdm", "-s", "row-major", "mrv", "-o", "s.csv", cwd=folder)
    assert done.returncode == 0, done.stderr
    head, first, second, foot = done.stdout.splitlines()
    assert head.split()[:2] == ["strategy", "median"]
    assert first.split()[:2] == ["row-major", "4,428"]
    assert second.split()[0] == "mrv"
    assert foot.startswith("5 puzzles")
    rows = list(csv.DictReader((folder / "s.csv").read_text().splitlines()))
    assert [int(row["nodes"]) for row in rows[::2]] == [one.calls for one in PUBLISHED.values()]
    assert sorted(path.name for path in folder.iterdir()) == ["puzzles.sdm", "s.csv"]


def test_a_study_as_json_holds_the_summary(folder: Path) -> None:
    done = undoku("study", "puzzles.sdm", "--json", "--max-nodes", "5000", cwd=folder)
    content = json.loads(done.stdout)
    assert content["puzzles"] == 5
    row_major, mrv = content["strategies"]
    assert (row_major["name"], row_major["capped"]) == ("row-major", 0.4)
    assert mrv["wins"] == 5
    assert mrv["bound"] is True


def test_a_figure_is_drawn_and_is_the_same_each_time(folder: Path) -> None:
    arguments = ["study", "puzzles.sdm", "-q", "-y", "-j0", "--figure"]
    for name in ("a.png", "a.svg"):
        assert undoku(*arguments, name, cwd=folder).returncode == 0
        first = (folder / name).read_bytes()
        assert undoku(*arguments, name, cwd=folder).returncode == 0
        assert (folder / name).read_bytes() == first
    with Image.open(folder / "a.png") as picture:
        assert picture.size == (1440, 540)
        assert len(picture.convert("RGB").getcolors(1 << 20) or ()) > 20
    assert undoku(*arguments, "a.pdf", cwd=folder).returncode == 0
    assert (folder / "a.pdf").read_bytes().startswith(b"%PDF")
    undoku(*arguments, "b.png", "-s", "mrv", cwd=folder)
    with Image.open(folder / "b.png") as picture:
        assert picture.size == (840, 540)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["missing.sdm"], 3, "there is no file 'missing.sdm'"),
        (["puzzles.sdm", "-s", "mrw"], 2, "did you mean mrv?"),
        (["puzzles.sdm", "-o", "s.xls"], 2, "end its name in .csv or .parquet"),
        (["puzzles.sdm", "--figure", "s.gif"], 2, "end its name in .png, .svg, .pdf"),
        (["puzzles.sdm", "-o", "puzzles.sdm"], 3, "exists already"),
        (["broken.sdm"], 2, "broken.sdm, line 2"),
        (["puzzles.sdm", "-o", "no/s.csv"], 3, "can't be written"),
    ],
)
def test_a_study_that_cannot_be_gets_a_sentence(
    folder: Path, arguments: list[str], code: int, sentence: str
) -> None:
    (folder / "broken.sdm").write_text(GRIDS[0] + "\n" + GRIDS[1][:-1] + "x\n")
    done = undoku("study", "-j0", *arguments, cwd=folder)
    assert done.returncode == code
    assert sentence in done.stderr
    assert done.stdout == ""


def test_puzzles_that_cannot_be_read_are_passed_over_on_request(folder: Path) -> None:
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
    assert "1 passed over, the first: broken.sdm, line 2, column 81: 'x' is no" in done.stdout


def test_an_interrupted_study_ends_quickly_and_is_taken_up_again(tmp_path: Path) -> None:
    (tmp_path / "many.sdm").write_text("\n".join([HARD.grid] * 1024))
    command = [sys.executable, "-m", "render.cli", "study", "many.sdm", "-q", "-s", "row-major"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [*command, "-o", "s.csv"], cwd=tmp_path, env=environment, stderr=subprocess.PIPE
    )
    journal = tmp_path / "s.csv.journal"
    deadline = time.monotonic() + 60
    while not (journal.exists() and journal.stat().st_size > 10_000):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    asked = time.monotonic()
    _, said = process.communicate()
    assert time.monotonic() - asked < 2
    assert (process.returncode, said) == (130, b"undoku: interrupted\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["many.sdm", "s.csv.journal"]
    done = undoku(*command[3:], "-j0", "-o", "s.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader((tmp_path / "s.csv").read_text().splitlines()))
    assert [int(row["number"]) for row in rows] == list(range(1, 1025))
    assert {int(row["nodes"]) for row in rows} == {HARD.calls}
    assert not journal.exists()
