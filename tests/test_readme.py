"""The pages keep their word: their commands run, and their pictures are what the commands make."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.support.command import Undoku

ROOT = Path(__file__).parent.parent
PAGES = ["README.md", "examples/README.md"]


def commands(page: str) -> list[list[str]]:
    """The undoku commands of a page's sh blocks, without the first word."""
    blocks = re.findall(
        r"^```sh\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    lines = [line for block in blocks for line in block.splitlines()]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("undoku ")]


def output_of(command: list[str]) -> str:
    return command[command.index("-o") + 1] if "-o" in command else ""


PICTURES = [
    command for page in PAGES for command in commands(page) if "media/" in output_of(command)
]
MADE_ELSEWHERE = {
    ROOT / name
    for page in PAGES
    for name in re.findall(
        r"^.*(?:--screenshot=|--wins )(\S+)", (ROOT / page).read_text("utf-8"), re.MULTILINE
    )
}
"""Pictures that a browser takes of a page, and that a study of some minutes draws."""
OTHERS = [command for command in commands("README.md") if command not in PICTURES]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the examples in it, as the commands want it."""
    shutil.copytree(ROOT / "examples" / "puzzles", tmp_path / "examples" / "puzzles")
    for name in ("docs/media", "examples/media"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [c for c in PICTURES if "fifty-minutes" not in " ".join(c)],
    ids=output_of,
)
def test_a_picture_is_what_the_command_beside_it_makes(
    undoku: Undoku, desk: Path, command: list[str]
) -> None:
    """Pixel by pixel, except for shades that depend on the version of a font library."""
    done = undoku(*command, cwd=desk)
    assert done.returncode == 0, done.stderr
    name = output_of(command)
    with Image.open(ROOT / name) as shown, Image.open(desk / name) as made:
        frames = getattr(made, "n_frames", 1)
        assert frames == getattr(shown, "n_frames", 1)
        for number in {0, frames // 2, frames - 1}:
            shown.seek(number)
            made.seek(number)
            old, new = (np.asarray(picture.convert("RGB"), np.int16) for picture in (shown, made))
            assert old.shape == new.shape
            assert (np.abs(old - new).max(2) > 48).mean() < 0.01


def test_every_picture_of_a_page_has_its_command() -> None:
    shown = 0
    for page in PAGES:
        folder = (ROOT / page).parent
        made = {ROOT / output_of(command) for command in PICTURES} | MADE_ELSEWHERE
        for name in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", (ROOT / page).read_text("utf-8")):
            assert folder / name in made
            shown += 1
    assert shown > 10


@pytest.mark.long
def test_the_commands_of_the_readme_run_one_after_the_other(undoku: Undoku, desk: Path) -> None:
    """As a stranger would: in order, word for word."""
    for command in OTHERS:
        done = undoku(*command, cwd=desk)
        assert done.returncode == 0, f"{command}: {done.stderr}"


def test_every_page_that_is_linked_exists() -> None:
    links = 0
    for page in [*PAGES, *(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md"))]:
        folder = (ROOT / page).parent
        for name in re.findall(r"\]\((?!http)([^)#]+)[^)]*\)", (ROOT / page).read_text("utf-8")):
            assert (folder / name).exists(), f"{page} links to {name}"
            links += 1
    assert links > 50


def test_the_page_of_formats_has_every_format_and_its_measured_bytes() -> None:
    """As the benchmark's page says it."""
    from undoku.render.write.formats import formats

    page = (ROOT / "docs" / "formats.md").read_text("utf-8")
    results = (ROOT / "benchmarks" / "results" / "formats.txt").read_text("utf-8")
    for entry in formats():
        row = re.search(rf"^\| {re.escape(entry.name)} \| (.*)$", page, re.MULTILINE)
        measured = re.search(rf"^{re.escape(entry.name)} {{2,}}([\d,]+) ", results, re.MULTILINE)
        assert row and measured, f"{entry.name} is missing"
        assert f"`{entry.suffix}`" in row[1]
        assert row[1].endswith(f"| {measured[1]} |")
