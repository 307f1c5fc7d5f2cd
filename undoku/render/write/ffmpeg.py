"""The ffmpeg executable, and processes of it that encode what they are given or print what they
read, with every failure reported."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from undoku.errors import EncoderError, RunError
from undoku.render.write.formats import film_clock
from undoku.render.write.staging import write_error
from undoku.render.write.stall_watch import StallWatch, report_stall
from undoku.texts.text_lines import encodable, write_about

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COLOUR = (
    *("-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"),
    *("-color_range", "tv", "-chroma_sample_location", "center"),
)
"""The colour space of undoku.render.write.yuv. Newer versions of ffmpeg copy it to the file from
the input options, older ones from the output options; neither converts anything."""

BITEXACT = ("-fflags", "+bitexact", "-flags:v", "+bitexact")
"""No date and nothing of the machine: the same film gives the same bytes."""

_PIPE_BYTES = 1 << 20  # what Linux allows without privileges; the default is 1/16 of it
_KEPT_LINES = 40
_PREFIX = re.compile(r"^(x264 \[error\]: |\[[^\]]*\] *)+")
_PROGRESS = re.compile(r"(frame|total_size|out_time_us)=(-?\d+)$|\w+=\s*\S+$")
"""A line of ffmpeg's report on what it has written, at the end and between long intervals."""
_NO_REASON = re.compile(
    r"^(Conversion failed|Exiting|Terminating|Task finished|Error (opening output files"
    r"|while opening encoder|muxing a packet|closing file|sending frames|submitting)"
    r"|Nothing was written|Could not open encoder)"
)


def executable() -> str:
    """The path of the ffmpeg that imageio-ffmpeg provides, or that IMAGEIO_FFMPEG_EXE names. Raises
    EncoderError if there is none.
    """
    import imageio_ffmpeg

    try:
        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError:
        raise EncoderError(
            "no ffmpeg was found",
            remedy="install imageio-ffmpeg from a wheel, or name one in IMAGEIO_FFMPEG_EXE",
        ) from None


def ffmpeg_version() -> str:
    """The version that this ffmpeg reports, such as "7.0.2-static". Runs it. Raises EncoderError if
    there is none, or it does not run.
    """
    import imageio_ffmpeg

    path = executable()
    try:
        return str(imageio_ffmpeg.get_ffmpeg_version())
    except (OSError, subprocess.SubprocessError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise EncoderError(
            f"{path!r} does not report its version: {reason}",
            remedy="reinstall imageio-ffmpeg, or name another ffmpeg in IMAGEIO_FFMPEG_EXE",
        ) from None


def describe(about: Sequence[tuple[str, str]]) -> list[str]:
    """The ffmpeg arguments that write metadata: "title" as the title, all other texts as lines of
    the comment."""

    def clean(text: str) -> str:
        return encodable(text.replace("\0", ""))

    titles = [text for name, text in about if name == "title"]
    comment = write_about((name, text) for name, text in about if name != "title")
    # For the file only: chapters keep their titles.
    arguments = ["-map_metadata:g", "-1"]
    if titles:
        arguments += ["-metadata", f"title={clean(titles[0])}"]
    if comment:
        arguments += ["-metadata", "comment=" + clean(comment.rstrip("\n"))]
    return arguments


def raw_input(
    width: int, height: int, fps: Fraction, pixel_format: str, colour: Sequence[str] = COLOUR
) -> list[str]:
    """The ffmpeg arguments of raw pictures on standard input; `pixel_format` is ffmpeg's name of
    their layout, `colour` the arguments for their colour space."""
    source = ["-f", "rawvideo", "-pix_fmt", pixel_format, "-video_size", f"{width}x{height}"]
    return [*source, "-framerate", f"{fps.numerator}/{fps.denominator}", *colour, "-i", "pipe:0"]


def file_input(path: Path, demuxer: str) -> list[str]:
    """The ffmpeg arguments of an input file in the container format `demuxer`. ffmpeg opens only
    that file: no other format, such as a playlist, no address, and no file to which the tracks
    refer."""
    only = ["-enable_drefs", "0"] if demuxer == "mov" else []
    return ["-f", demuxer, "-protocol_whitelist", "file", *only, "-i", f"file:{path}"]


def movie_clock(fps: Fraction) -> list[str]:
    """The ffmpeg arguments for the clock of an MP4 or MOV."""
    clock = str(film_clock(fps))
    return ["-video_track_timescale", clock, "-movie_timescale", clock]


def _started(
    arguments: Sequence[str], stdout: int, stderr: int | IO[bytes], *, bufsize: int = -1
) -> subprocess.Popen[bytes]:
    """An ffmpeg process, whose input is a pipe, in its own session, so that Ctrl-C on the terminal
    reaches only the program that started it, which then stops it. Raises EncoderError when ffmpeg
    can't start."""
    command = [executable(), "-hide_banner", "-nostdin", "-loglevel", "error", *arguments]
    try:
        return subprocess.Popen(
            command,
            bufsize=bufsize,
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=stderr,
            # With FFREPORT ffmpeg would write a log file.
            env={name: text for name, text in os.environ.items() if name != "FFREPORT"},
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except OSError as error:
        raise EncoderError(
            f"ffmpeg ({command[0]}) can't be started: {error.strerror or error}",
            remedy="reinstall imageio-ffmpeg, or name another ffmpeg in IMAGEIO_FFMPEG_EXE",
        ) from None


class FfmpegFailedError(EncoderError):
    """ffmpeg has ended with an error."""


def output_of(
    arguments: Sequence[str], size: int, feed: Iterable[memoryview] = ()
) -> Generator[bytes]:
    """What ffmpeg prints with these arguments, `size` bytes at a time; it ends when the iterator is
    closed. A thread writes `feed` to its standard input while the caller reads. Raises
    FfmpegFailedError; EncoderError when ffmpeg can't start; and what `feed` raises."""
    errors: list[BaseException] = []
    with tempfile.TemporaryFile() as messages:
        process = _started(arguments, subprocess.PIPE, messages)
        writer = threading.Thread(target=_feed, args=(process, feed, errors), daemon=True)
        writer.start()
        assert process.stdout is not None
        try:
            while content := process.stdout.read(size):
                yield content
            writer.join()
            if errors:
                raise errors[0]
            if process.wait():
                messages.seek(0)
                lines = messages.read().decode("utf-8", "replace").strip().splitlines()
                reason = lines[0] if lines else f"exit status {process.returncode}"
                raise FfmpegFailedError(f'ffmpeg failed: "{reason}"')
        finally:
            process.kill()
            writer.join()
            process.wait()
            process.stdout.close()


def _feed(
    process: subprocess.Popen[bytes],
    feed: Iterable[memoryview],
    errors: list[BaseException],
) -> None:
    """Write arrays to the standard input of a process, and close it."""
    assert process.stdin is not None
    try:
        with contextlib.suppress(BrokenPipeError), process.stdin as source:
            for block in feed:
                source.write(block)
    except BaseException as error:
        errors.append(error)


class WrittenByFfmpeg(NamedTuple):
    """What ffmpeg says that it wrote: pictures, the microseconds at which the last packet begins or
    ends, and the bytes of the file; 0 where it says nothing."""

    frames: int
    microseconds: int
    bytes: int


class FfmpegProcess:
    """An ffmpeg process that encodes its standard input into one file.

    `arguments` are all arguments between the program's name and the output file. If ffmpeg makes no
    progress for some time, one message says so; `wait` is that of StallWatch. Raises EncoderError
    when ffmpeg can't start.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        temporary: Path,
        final: Path,
        *,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        self._temporary, self._final = temporary, final
        # Without the prefix ffmpeg would interpret a colon or a per cent sign in the path.
        self._process = _started(
            ["-y", "-progress", "pipe:2", "-stats_period", "3600", *arguments, f"file:{temporary}"],
            subprocess.DEVNULL,
            subprocess.PIPE,
            bufsize=0,
        )
        self._lines: list[str] = []
        self._counts: dict[str, int] = {}
        self._reader = threading.Thread(
            target=self._read_messages, daemon=True, name="ffmpeg stderr"
        )
        self._reader.start()
        self._enlarge_pipe()
        self._write_count = 0
        """Counts writes to ffmpeg, before and after each: odd while a write waits."""
        self._stall_watch = StallWatch(self._progress, self._report_stall, wait=wait)

    @property
    def pid(self) -> int:
        return self._process.pid

    def _progress(self) -> object:
        """A value that changes while ffmpeg works; None while nothing waits for ffmpeg."""
        if self._write_count % 2 == 0:
            return None
        size = 0
        with contextlib.suppress(OSError):
            size = self._temporary.stat().st_size
        return self._write_count, size

    def _report_stall(self) -> None:
        report_stall(f"ffmpeg (process {self.pid})", self._final)

    def _enlarge_pipe(self) -> None:
        if sys.platform == "linux" and self._process.stdin is not None:
            import fcntl

            with contextlib.suppress(OSError):  # the default size works, too
                fcntl.fcntl(self._process.stdin.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)

    def _read_messages(self) -> None:
        """Read ffmpeg's standard error, so that ffmpeg never blocks on it."""
        assert self._process.stderr is not None
        for raw in self._process.stderr:
            line = raw.decode("utf-8", "replace").strip()
            if counted := _PROGRESS.match(line):
                if counted[1]:
                    self._counts[counted[1]] = int(counted[2])
            elif len(self._lines) < _KEPT_LINES:  # the cause comes before its consequences
                self._lines.append(line)

    def write(self, content: NDArray[np.uint8]) -> None:
        """Write bytes, (n,) uint8, such as those of a frame. Raises EncoderError or OutputError
        when ffmpeg has stopped reading."""
        assert self._process.stdin is not None
        rest = content.data
        try:
            while rest:
                self._write_count += 1
                rest = rest[self._process.stdin.write(rest) :]
                self._write_count += 1
        except OSError as error:
            if error.errno not in (errno.EPIPE, errno.EINVAL):  # Windows says EINVAL
                raise
            with contextlib.suppress(OSError):
                self._process.stdin.close()
            self._process.wait()
            raise self._failure("stopped before the film's end") from None

    def finish(self) -> WrittenByFfmpeg:
        """Close ffmpeg's input and wait for its file; returns what ffmpeg says that it wrote.
        Raises EncoderError or OutputError when it reports a failure."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._write_count += 1
        status = self._process.wait()
        self._write_count += 1
        if status != 0:
            raise self._failure("failed")
        self._release()
        counts = (self._counts.get(name, 0) for name in ("frame", "out_time_us", "total_size"))
        return WrittenByFfmpeg(*counts)

    def stop(self) -> None:
        """End the process from another thread than the one that writes to it; that thread gets an
        error. May be called twice."""
        with contextlib.suppress(OSError):
            self._process.kill()

    def kill(self) -> None:
        """End the process if it runs, and wait for it. May be called twice."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._release()

    def _release(self) -> None:
        self._stall_watch.close()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _failure(self, what: str) -> RunError:
        """The error for a process that failed, with ffmpeg's own message."""
        self._stall_watch.close()
        self._reader.join()
        lines = [_PREFIX.sub("", line) for line in self._lines]
        for line in lines:
            if os.strerror(errno.ENOSPC) in line or "No space left on device" in line:
                return write_error(self._final, OSError(errno.ENOSPC, line))
        reasons = [line for line in lines if line and not _NO_REASON.match(line)]
        status = self._process.returncode
        if reasons:
            what += f': "{reasons[0]}"'
        elif status < 0:
            what = f"was ended by {signal.Signals(-status).name} before the film's end"
        else:
            what += f" with exit status {status} and without a reason"
        return EncoderError(f"ffmpeg {what}, so {str(self._final)!r} was not written")
