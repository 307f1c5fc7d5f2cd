"""A terminal in which a command runs: it has a size and keys, and shows what the command writes."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pyte

from tests.support.system import ROOT, until

_ALTERNATE = re.compile(rb"\x1b\[\?1049[hl]")
"""To the other screen and back, which pyte does not know."""

_UNFINISHED = re.compile(rb"\x1b\[\?2026h(?!.*\x1b\[\?2026l).*", re.DOTALL)
"""A picture that has not been read to its end."""


class Terminal:
    """A pseudo-terminal with a process of its own, and what it shows."""

    def __init__(
        self, size: tuple[int, int], arguments: tuple[str, ...], **environment: str
    ) -> None:
        self._main, self._side = pty.openpty()
        self.written = b""
        self.resize(*size)
        self.before = termios.tcgetattr(self._side)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "undoku", *arguments],
            stdin=self._side,
            stdout=self._side,
            stderr=self._side,
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), **environment},
            preexec_fn=self._own,  # noqa: PLW1509  (no threads here)
        )

    def _own(self) -> None:
        """Make this the terminal of the process, so that Ctrl-C sends its signal there."""
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def resize(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        fcntl.ioctl(self._side, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    @property
    def settings(self) -> list[object]:
        return termios.tcgetattr(self._side)

    @property
    def screen(self) -> list[str]:
        """The rows that are shown, without spaces at the end."""
        return [row.rstrip() for row in self.cells.display]

    @property
    def cells(self) -> pyte.Screen:
        """What is shown, with colours."""
        parts = _ALTERNATE.split(_UNFINISHED.sub(b"", self.written))
        shown = pyte.Screen(self.width, self.height)
        stream = pyte.ByteStream(shown)
        # A screen that was left is restored; each part here begins one that is empty, or goes on.
        stream.feed(parts[-1] if len(parts) % 2 == 0 else parts[0] + b"".join(parts[2::2]))
        return shown

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._main)
        os.close(self._side)

    def press(self, keys: str) -> None:
        os.write(self._main, keys.encode())

    def _read(self, seconds: float) -> bool:
        """Read what was written; False if nothing comes within `seconds`, or nothing can come."""
        if not select.select([self._main], [], [], seconds)[0]:
            return False
        try:
            self.written += os.read(self._main, 1 << 16)
        except OSError:
            return False
        return True

    def wait_for(self, wanted: Callable[[list[str]], object]) -> list[str]:
        """The first screen that is `wanted`."""

        def found() -> list[str] | None:
            self._read(0.05)
            shown = self.screen
            return shown if wanted(shown) else None

        return until(found) or []

    def end(self) -> int:
        """Read on to the end of the command; returns its exit code."""
        code = until(lambda: None if self._read(0.05) else self.process.poll() is not None)
        while self._read(0):
            pass
        return self.process.wait() if code else -1


@contextmanager
def terminal(
    *arguments: str, size: tuple[int, int] = (80, 24), **environment: str
) -> Iterator[Terminal]:
    """A terminal that runs the command until the context ends."""
    shown = Terminal(size, arguments, **environment)
    try:
        yield shown
    finally:
        shown.close()
