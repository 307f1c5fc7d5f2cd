"""The `undoku` command: runs it, reports mistakes and signals that end it, returns exit codes."""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import shlex
import signal
import sys
import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn, TextIO

from undoku.cli.parser import command_line
from undoku.errors import OutputError, ReadError, RunError, UndokuError
from undoku.render.write.stall_watch import allow_notices
from undoku.stop_signals import TERMINATING, Handler, raise_from, stop_repeating
from undoku.temporary_files import Leftover, tell_leftovers
from undoku.visible_text import visible

_INTERRUPTED = 128 + signal.SIGINT

_BEFORE: dict[int, Handler] = {}


def _handle_termination() -> None:
    """Make each of the terminating signals raise SystemExit with 128 + its number in the same
    way."""
    for number in TERMINATING:
        _BEFORE[number] = raise_from(number, partial(SystemExit, 128 + number))


def _release_termination() -> None:
    """Restore the previous handlers of the terminating signals; call `_stopped` first."""
    while _BEFORE:
        signal.signal(*_BEFORE.popitem())


def _ignore_interrupts() -> None:
    """Ignore SIGINT from now on. Otherwise a process that is interrupted while Python shuts down is
    killed by the signal instead of returning its exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Python sets a flag when KeyboardInterrupt leaves executed source text, as in libraries while
    # they are imported, and finally kills itself by the signal even if the exception was caught.
    # Executing any text clears the flag.
    exec("")


def _stopped(error: BaseException | None = None) -> int | None:
    """The exit code of a run that a signal has ended or should have ended, or None; `error` is the
    exception that ended the run. From now on signals raise no exceptions."""
    received = stop_repeating()
    if received is not None:
        return 128 + received
    if isinstance(error, KeyboardInterrupt):
        return _INTERRUPTED
    if isinstance(error, RuntimeError):
        # Python 3.11 wraps exceptions that interrupt the creation of a class.
        if isinstance(error.__cause__, KeyboardInterrupt):
            return _INTERRUPTED
        if isinstance(error.__cause__, SystemExit) and isinstance(error.__cause__.code, int):
            return error.__cause__.code
    return None


_NAMED = 3
"""The maximum number of leftovers that are reported by name."""


def command() -> NoReturn:
    """Run the command of this process. After it has finished, interrupts are ignored."""
    raise_from(signal.SIGINT, KeyboardInterrupt)  # even if C code drops the first exception
    # Else numpy's library of linear algebra starts a thread for each processor, which takes 10 ms,
    # and the last bits of sums depend on how many there are.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()  # until the modules are imported, which creates no garbage
    code = main()
    _ignore_interrupts()
    gc.freeze()  # else Python looks for garbage in everything that is left, for 50 ms
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:  # a terminal that was closed: Python would change the exit code to 120
            _silence(stream)
    sys.exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with `arguments` (by default the process's); returns the exit code."""
    try:
        _print_utf8()
        code = _run(arguments)
        if sys.stdout:
            sys.stdout.flush()  # errors of writing must occur now, not when Python shuts down
        ended = _stopped()  # a library may have dropped the exception of a signal
        return code if ended is None else _tell_end(ended)
    except BaseException as error:
        if (ended := _stopped(error)) is not None:
            return _tell_end(ended)
        if (known := _exit_code(error)) is not None:
            return known
        raise
    finally:
        _release_termination()


def _exit_code(error: BaseException) -> int | None:
    """Report an error that ended the command; returns the exit code, or None if it is a bug."""
    if isinstance(error, MemoryError):
        error = RunError("there is not enough memory for this")
    if isinstance(error, UndokuError):
        _complain(error)
        return error.exit_code
    if isinstance(error, ImportError) and _is_of_build(error):
        print(f"undoku: {error}", file=sys.stderr)
        return RunError.exit_code
    if isinstance(error, BrokenPipeError):
        # The reader of the output has closed it; Python must not complain at exit either.
        _silence(sys.stdout)
        return 0
    if isinstance(error, OSError) and _is_stdout(error):
        _silence(sys.stdout)
        _complain(OutputError(f"standard output can't be written: {error.strerror}"))
        return OutputError.exit_code
    return None


def _is_of_build(error: ImportError) -> bool:
    from undoku.h264.loops import BuildError  # imports numpy, which not every command needs

    return isinstance(error, BuildError)


def _run(arguments: Sequence[str] | None) -> int:
    if sys.stdout is None:
        raise OutputError("standard output is closed", remedy="leave it open, or use >/dev/null")
    try:
        Path.cwd()
    except OSError:
        raise ReadError("the working folder was removed", remedy="change to another one") from None
    words = sys.argv[1:] if arguments is None else arguments
    options = command_line().parse_args(words or ["play"])
    if options.version:
        from importlib.metadata import PackageNotFoundError, version  # takes a while to load

        try:
            print(f"undoku {version('undoku')}")
        except PackageNotFoundError:
            raise ReadError(
                "the metadata of undoku is missing, and with it the version",
                remedy="install undoku again",
            ) from None
        return 0
    _handle_termination()
    quiet = not sys.stderr or getattr(options, "quiet", False)
    allow_notices(not quiet and (sys.stderr.isatty() or getattr(options, "verbose", False)))
    tell_leftovers(None if quiet else _say_leftovers)
    warnings.showwarning = _say_warning
    if quiet:
        warnings.simplefilter("ignore")
    run = options.load()
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
    return int(run(options))


def _say_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """What takes the place of `warnings.showwarning`."""
    print(f"undoku: {visible(str(message))}", file=sys.stderr, flush=True)


def _tell_end(code: int) -> int:
    """Report that the user interrupted the run; a terminated run ends silently."""
    if code == _INTERRUPTED:
        print("undoku: interrupted", file=sys.stderr)
    return code


def _say_leftovers(folder: Path, found: list[Leftover]) -> None:
    names = ", ".join(str(one.path.relative_to(folder)) for one in found[:_NAMED])
    more = f" and {len(found) - _NAMED:,} more" * (len(found) > _NAMED)
    size = sum(one.bytes for one in found)
    print(
        f"{visible(repr(str(folder)))} holds {visible(names)}{more} ({size:,} bytes) of runs that "
        f"were killed; undoku clean {visible(shlex.quote(str(folder)))} removes this",
        file=sys.stderr,
        flush=True,
    )


def _is_stdout(error: OSError) -> bool:
    """Whether a write to standard output failed: errors of other files are OutputErrors, which name
    them."""
    return error.filename is None and error.errno in (errno.ENOSPC, errno.EIO, errno.EFBIG)


def _silence(stream: TextIO) -> None:
    """Drop what a stream still holds, which can't be written."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _print_utf8() -> None:
    """Messages contain × and ✓ in any locale. If standard error is closed, they are lost."""
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _complain(error: UndokuError) -> None:
    print(f"undoku: {error}", file=sys.stderr)
    if error.place and (excerpt := error.place.excerpt()):
        print(excerpt, file=sys.stderr)


if __name__ == "__main__":
    command()
