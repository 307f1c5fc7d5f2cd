"""The line that says how far a run is."""

from __future__ import annotations

import io

import pytest

from render.cli.progress import ProgressLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which only the test moves on."""
    now = [100.0]
    monkeypatch.setattr("render.cli.progress.time.monotonic", lambda: now[0])
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    return now


def test_the_line_tells_speed_and_time_left(clock: list[float]) -> None:
    terminal = Terminal()
    line = ProgressLine(terminal)
    clock[0] += 2
    line(100, 400)
    assert "━━━━━━──────────────────" in terminal.getvalue()
    assert terminal.getvalue().endswith(" 100/400 frames  50 frames/s  6 s left\x1b[K")


def test_films_that_were_there_say_nothing_about_the_time_left(clock: list[float]) -> None:
    terminal = Terminal()
    line = ProgressLine(terminal, unit="films")
    clock[0] += 0.5
    line(90, 100, 90)
    assert "90/100 films" in terminal.getvalue()
    assert "time left not known yet" in terminal.getvalue()
    clock[0] += 10
    line(92, 100, 90)
    assert terminal.getvalue().endswith("92/100 films  0.2 films/s  40 s left\x1b[K")


def test_nothing_is_drawn_where_nobody_looks(clock: list[float]) -> None:
    nobody = io.StringIO()
    line = ProgressLine(nobody)
    clock[0] += 2
    line(100, 400)
    line.clear()
    assert nobody.getvalue() == ""
