"""The player's script: the committed build is current, and its results and sentences are those of
Python.
"""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from tests.support.player_vectors import PATH, ROOT, written
from tests.support.waiting import PATIENCE

NODE = shutil.which("node") or ""


def test_the_committed_build_is_that_of_the_sources() -> None:
    """python player/bundle.py makes it again."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "player" / "bundle.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "current\n")


def test_the_committed_vectors_are_what_python_says() -> None:
    """python -m tests.support.player_vectors makes them again."""
    assert PATH.read_text("utf-8") == written()


@pytest.mark.skipif(not NODE, reason="there is no node on this machine")
def test_the_script_says_of_searches_what_python_says() -> None:
    """The script's own tests replay the vectors."""
    done = subprocess.run(
        [NODE, "--test", "test/"],
        cwd=ROOT / "player",
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout[-4000:]
