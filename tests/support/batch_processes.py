"""Running a batch as a process of its own, and looking at what it leaves behind."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

from tests.support.manifests import QUICK
from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE

_MARK = "UNDOKU_TEST_RUN"

TWELVE = (
    QUICK
    + """
[[jobs]]
name = "{puzzle}/{strategies}_{theme}"
formats = ["mp4", "gif"]
[jobs.matrix]
puzzles = ["easy.txt", "medium.txt"]
strategies = [["row-major", "mrv"], "mrv"]
themes = ["dark"]
[[jobs]]
name = "stills/{puzzle}_{theme}"
formats = "png"
puzzles = ["easy.txt", "medium.txt"]
matrix.themes = ["dark", "light"]
"""
)
"""Twelve films."""


class Ended(NamedTuple):
    """How a run ended."""

    code: int
    errors: str


class Running:
    """`undoku batch` with a mark in its environment, which all processes that it starts inherit."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.mark = secrets.token_hex(8)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "undoku", "batch", "films.toml", "-q", *arguments],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT), _MARK: self.mark} | environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def end(self, number: signal.Signals | None = None) -> Ended:
        """Wait for its end, after sending a signal if one is given."""
        if number is not None:
            self._process.send_signal(number)
        with self._process:
            _, errors = self._process.communicate(timeout=PATIENCE)
        return Ended(self._process.returncode, errors)

    @property
    def runs(self) -> bool:
        return self._process.poll() is None


def processes(mark: str) -> list[psutil.Process]:
    """The processes of a run that are alive."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get(_MARK) == mark:
                found.append(process)
    return found
