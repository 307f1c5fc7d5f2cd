"""The memory of a whole process, from its start to its end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from render.sinks.gif.gif_blocks import count_blocks
from tests.support.puzzles import MEDIUM

RUN = """
import sys
from render.cli.main import main
sys.argv = ["undoku", *sys.argv[1:]]
code = main()
status = open("/proc/self/status").read()
print(status.partition("VmHWM:")[2].split()[0], file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells it")
def test_a_gif_of_two_boards_takes_less_than_150_mb(tmp_path: Path) -> None:
    """Python, numba, drawing and writing together, once the loops are compiled."""
    target = tmp_path / "film.gif"
    command = [sys.executable, "-c", RUN, "render", MEDIUM.grid, "--strategy", "row-major"]
    command += ["--strategy", "mrv", "--size", "640x360", "--fps", "50"]
    command += ["-q", "-y", "-o", str(target)]
    root = Path(__file__).parents[2]
    for last in ("20", "2000"):  # the first may compile
        done = subprocess.run(
            [*command, "--to-step", last], stderr=subprocess.PIPE, check=True, cwd=root
        )
    assert count_blocks(target).images > 1500
    peak = int(done.stderr.decode())
    assert peak < 150 * 1000, "is a loop of films not lean (solver.jit)? That costs 35 MB"
