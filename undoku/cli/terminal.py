"""The terminal as a screen with keys: it shows lines of text on a screen of its own, and is as it
was before once it is left, in any way."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Self

from undoku.stop_signals import Handler

_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
"""Another screen without a cursor, and back."""

_BEGIN, _END = "\x1b[?2026h\x1b[H", "\x1b[?2026l"
"""Around a picture from the upper left corner, which terminals show as a whole if they can."""

_KEYS = {
    **{f"\x1b{bracket}{letter}": name for bracket in "[O" for letter, name in
       zip("ABCD", ("up", "down", "right", "left"), strict=True)},
    **{f"{first}{letter}": name for first in "\x00\xe0" for letter, name in
       zip("HPMK", ("up", "down", "right", "left"), strict=True)},
}  # fmt: skip
"""What terminals, and the console of Windows, send for keys that are no characters."""


def is_terminal() -> bool:
    """Whether keys can be read, and pictures shown."""
    usual = "dumb" if os.name == "posix" else ""
    streams = sys.stdin, sys.stdout
    return all(stream and stream.isatty() for stream in streams) and (
        os.environ.get("TERM", usual) != "dumb"
    )


def size() -> tuple[int, int]:
    """The columns and rows of the terminal, of 80 × 24 where it does not say."""
    try:
        found = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        return 80, 24
    return found.columns or 80, found.lines or 24


class Screen:
    """A context in which the terminal shows `draw`n lines and tells which keys are pressed."""

    def __init__(self) -> None:
        self._shown: list[str] = []
        self._suspended: Handler = None
        """What Ctrl-Z did before."""

    def __enter__(self) -> Self:
        self._restore = _read_at_once()
        if hasattr(signal, "SIGTSTP"):
            self._suspended = signal.signal(signal.SIGTSTP, self._suspend)
        _write(_ENTER)
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # a terminal that was closed
            if self._suspended is not None:
                signal.signal(signal.SIGTSTP, self._suspended)
            _write(_LEAVE)
            self._restore()

    def _suspend(self, number: int, frame: FrameType | None) -> None:
        """Give the terminal back while the process is stopped, as by Ctrl-Z."""
        self.__exit__()
        os.kill(os.getpid(), signal.SIGSTOP)
        self.__enter__()
        self._shown = []

    def draw(self, lines: list[str]) -> None:
        """Show lines, which must fill the terminal."""
        if lines != self._shown:
            self._shown = lines
            _write(_BEGIN + "\r\n".join(lines) + _END)

    def keys(self, seconds: float) -> list[str]:
        """The keys pressed since the last call: characters, "up", "down", "left" and "right".
        Waits at most `seconds` for the first one. A terminal that was closed is "q"."""
        typed = re.findall(r"\x1b[\[O][\d;]*.|[\x00\xe0].|.", _typed(seconds), re.DOTALL)
        return [_KEYS.get(key, key) for key in typed]


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if sys.platform == "win32":
    import msvcrt

    def _read_at_once() -> Callable[[], None]:
        os.system("")  # from now on the console interprets escape sequences
        return partial(os.system, "")

    def _typed(seconds: float) -> str:
        end = time.monotonic() + seconds
        while not msvcrt.kbhit() and time.monotonic() < end:
            time.sleep(0.01)
        typed = ""
        while msvcrt.kbhit():
            typed += msvcrt.getwch()
        if "\x03" in typed:
            raise KeyboardInterrupt
        return typed

else:
    import select
    import termios
    import tty

    def _read_at_once() -> Callable[[], None]:
        """Let keys be read when they are pressed; returns what restores the terminal."""
        before = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin, termios.TCSADRAIN)
        return partial(termios.tcsetattr, sys.stdin, termios.TCSADRAIN, before)

    def _typed(seconds: float) -> str:
        """What is typed within `seconds`."""
        if not select.select([sys.stdin], [], [], seconds)[0]:
            return ""
        return os.read(sys.stdin.fileno(), 1024).decode("utf-8", "replace") or "q"
