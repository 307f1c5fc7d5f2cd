"""The memory of a whole process, from its start to its end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.support.paths import ROOT
from tests.support.puzzles import HARD, MEDIUM

RUN = """
import sys
from undoku.cli.main import main
sys.argv = ["undoku", *sys.argv[1:]]
code = main()
status = open("/proc/self/status").read()
print(status.partition("VmHWM:")[2].split()[0], file=sys.stderr)
sys.exit(code)
"""


pytestmark = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="Linux tells the peak of a process"
)


def peak(*words: str | Path) -> int:
    """The peak memory of `undoku render` with these words in KiB."""
    command = [sys.executable, "-c", RUN, "render", *map(str, words), "-q", "-y"]
    done = subprocess.run(command, stderr=subprocess.PIPE, check=True, cwd=ROOT)
    return int(done.stderr.decode().split()[-1])


def test_a_gif_of_two_boards_takes_less_than_100_mb(tmp_path: Path) -> None:
    """Python, drawing and writing together."""
    target = tmp_path / "film.gif"
    words = [MEDIUM.grid, "--strategy", "row-major", "--strategy", "mrv", "--size", "640x360"]
    assert peak(*words, "--fps", "50", "--to-step", "2000", "-o", target) < 100_000
    with Image.open(target) as file:
        assert file.n_frames > 1500  # type: ignore[attr-defined]


def test_a_film_of_1080x1920_whose_boards_move_takes_less_than_250_mb(tmp_path: Path) -> None:
    """Also while boards move from one layout to the next, which needs whole pictures."""
    words = [HARD.grid, "--size", "1080x1920", "--duration", "12s", "--fps", "15"]
    assert peak(*words, "-o", tmp_path / "film.mp4") < 250_000
