"""The memory of a whole process, from its start to its end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.puzzles import HARD, MEDIUM
from tests.support.system import ROOT

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


@pytest.mark.parametrize(
    ("words", "kib"),
    [
        ((MEDIUM.grid, "--size", "640x360", "--fps", "50", "--to-step", "2000"), 100_000),
        # Also while boards move from one layout to the next, which needs whole pictures.
        ((HARD.grid, "--size", "1080x1920", "--duration", "8s", "--fps", "6"), 250_000),
    ],
)
def test_a_film_takes_little_memory(tmp_path: Path, words: tuple[str, ...], kib: int) -> None:
    """Python, drawing and writing together."""
    target = tmp_path / ("film.gif" if kib < 200_000 else "film.mp4")
    command = [sys.executable, "-c", RUN, "render", *words, "-q", "-o", str(target)]
    done = subprocess.run(command, stderr=subprocess.PIPE, check=True, cwd=ROOT)
    assert target.stat().st_size > 200_000
    assert int(done.stderr.split()[-1]) < kib
