"""Running a batch as a process of its own, and looking at what it leaves behind."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.support.manifests import QUICK
from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE

__all__ = ["TWENTY", "Ended", "Running", "processes"]

_MARK = "UNDOKU_TEST_RUN"

TWENTY = (
    QUICK
    + """
[[jobs]]
name = "{puzzle}/{strategies}_{theme}"
formats = ["mp4", "gif"]
[jobs.matrix]
puzzles = ["easy.txt", "medium.txt"]
strategies = [["row-major", "mrv"], "mrv", "row-major", ["mrv", "row-major"]]
themes = ["dark"]
[[jobs]]
name = "stills/{puzzle}_{theme}"
formats = "png"
puzzles = ["easy.txt", "medium.txt"]
matrix.themes = ["dark", "light"]
"""
)
"""Twenty films."""


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
        try:
            _, errors = self._process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            raise
        return Ended(self._process.returncode, errors)

    def ends_within(self, seconds: float) -> bool:
        """Whether it ends by itself in this time."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid


def processes(mark: str) -> list[tuple[int, str]]:
    """The processes of a run that are alive: number and command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if f"{_MARK}={mark}".encode() not in (entry / "environ").read_bytes().split(b"\0"):
                continue
            if (entry / "stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                continue
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        found.append((int(entry.name), command))
    return found
