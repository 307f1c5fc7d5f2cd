"""The `undoku` command, also as `python -m undoku`."""

from __future__ import annotations

import os
import signal


def _end(number: int, frame: object) -> None:
    """End the process with the exit code of a signal. While modules are loaded there is nothing to
    clean up, and an exception would print a traceback."""
    if number == signal.SIGINT:
        os.write(2, b"undoku: interrupted\n")
    os._exit(128 + number)


def command() -> None:
    """Run the command of this process."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)
    from undoku.cli.main import command as run

    run()


if __name__ == "__main__":
    command()
