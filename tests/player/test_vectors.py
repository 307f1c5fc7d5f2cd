"""The results and sentences of the player's script are those of Python."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.support.player_vectors import PATH, written
from tests.support.system import PATIENCE

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
