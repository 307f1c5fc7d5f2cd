"""Running a batch as a process of its own, and looking at what it leaves behind."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tests.support.manifests import QUICK
from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE

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


def alive() -> Iterator[tuple[int, int, Path]]:
    """The processes that run: the number, that of the parent, and the folder in /proc."""
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, parent, *_ = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            if state != "Z":
                yield int(entry.name), int(parent), entry


def processes(mark: str) -> list[tuple[int, str]]:
    """The processes of a run that are alive: number and command line."""
    found = []
    for number, _, entry in alive():
        with suppress(OSError):
            if f"{_MARK}={mark}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                found.append((number, command))
    return found
