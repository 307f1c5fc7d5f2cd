"""How far a run is: a line that is drawn over on a terminal, and nothing anywhere else."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType
from typing import Self, TextIO

__all__ = ["ProgressLine"]

_EVERY = 0.1  # seconds between two drawings
_BAR = 24  # characters


class ProgressLine:
    """Draws "encoding ━━━━━━      412/1,200 frames  310 frames/s  3 s left" on a terminal.

    Call it with the frames (or what `unit` names) done and in all, 0 in all where nobody knows; use
    it as a context manager so that the line is gone when the run ends, however it ends.
    """

    def __init__(
        self, stream: TextIO | None = None, *, quiet: bool = False, unit: str = "frames"
    ) -> None:
        self._stream = stream or sys.stderr
        self._unit = unit
        self._shown = (
            not quiet and self._stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        )
        self._started = time.monotonic()
        self._next = self._started + _EVERY
        self._there = 0
        self._drawn = False

    def __call__(self, done: int, total: int, there: int = 0) -> None:
        """`there` of those done were there before, and say nothing about the speed."""
        if not self._shown:
            return
        now = time.monotonic()
        if there > self._there:
            self._there, self._started = there, now
        if now < self._next:
            return
        self._next = now + _EVERY
        rate = (done - there) / max(now - self._started, 1e-9)
        if not total:
            self._put(f"{done:,} {self._unit}  {rate:,.0f} {self._unit}/s")
            return
        left = f"{(total - done) / rate:.0f} s left" if rate else "time left not known yet"
        filled = _BAR * done // max(1, total)
        bar = "━" * filled + "─" * (_BAR - filled)
        if "NO_COLOR" not in os.environ:
            bar = f"\x1b[32m{bar[:filled]}\x1b[0m{bar[filled:]}"
        speed = f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
        self._put(f"{bar} {done:,}/{total:,} {self._unit}  {speed} {self._unit}/s  {left}")

    def _put(self, text: str) -> None:
        self._stream.write(f"\r{text}\x1b[K")
        self._stream.flush()
        self._drawn = True

    def clear(self) -> None:
        """Take the line away, so that something else can be printed in its place."""
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.clear()
