"""Has the end card's chart drawn by a process of its own, while the film goes on.

matplotlib takes a third of a second and 40 MB. A process that makes one film keeps both: another
one draws the chart beside the race and ends. One that makes several films imports matplotlib, from
its second card on or, where it says that it will make several, at once: the cheaper way then.
"""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import sys
from typing import ClassVar

import numpy as np

from render.drawing.canvas import Pixels
from render.panels.end_card_chart import CardChart, chart_pixels

__all__ = ["CardPress", "serve"]

_PATIENCE = 60.0
"""Seconds: matplotlib's first run on a machine looks through all of its fonts."""

_CODE = (
    "import sys; sys.path[:] = sys.argv[1:]; import render.panels.end_card_process as p; p.serve()"
)


class CardPress:
    """Makes one chart, in a process that says whether it makes `several`. `close` ends what was
    ordered and is not needed any more."""

    _before: ClassVar = False
    """Whether this process has ordered one before."""

    def __init__(self, chart: CardChart, *, several: bool = False) -> None:
        self._chart = chart
        self._several = several
        self._process: subprocess.Popen[bytes] | None = None

    def order(self) -> None:
        """Begin to draw, where that is of use."""
        several, CardPress._before = self._several or CardPress._before, True
        packed = not sys.executable or hasattr(sys, "frozen")  # as one program: no interpreter
        if packed or several or "matplotlib" in sys.modules:
            return
        with contextlib.suppress(OSError):  # where none can be started, we draw ourselves
            self._process = subprocess.Popen(
                [sys.executable, "-c", _CODE, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            assert self._process.stdin
            with self._process.stdin as line:
                pickle.dump(self._chart, line)
            self._process.stdin = None

    def pixels(self) -> Pixels:
        """The chart, (height, width, 3), read-only; the same wherever it was drawn."""
        chart, process = self._chart, self._process
        if process:
            drawn = b""
            with contextlib.suppress(subprocess.TimeoutExpired):
                drawn, _ = process.communicate(timeout=_PATIENCE)
            self.close()
            if process.returncode == 0 and len(drawn) == chart.height * chart.width * 3:
                return np.frombuffer(drawn, np.uint8).reshape(chart.height, chart.width, 3)
        return chart_pixels(chart)

    def close(self) -> None:
        """End the process; harmless when there is none."""
        process, self._process = self._process, None
        if process:
            process.kill()
            process.communicate()


def serve() -> None:
    """Draw the chart that comes on standard input; its pixels go to standard output."""
    chart: CardChart = pickle.load(sys.stdin.buffer)
    sys.stdout.buffer.write(chart_pixels(chart).tobytes())
