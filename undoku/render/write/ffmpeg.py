"""Runs one ffmpeg process on raw planes, and reports every failure of it."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from undoku.errors import EncoderError, RunError
from undoku.render.write.ffmpeg_binary import environment, executable
from undoku.render.write.staging import write_error
from undoku.render.write.stall_watch import StallWatch, report_stall
from undoku.texts.text_lines import encodable, write_about

__all__ = ["COLOUR", "FfmpegProcess", "PipedFfmpeg", "describe"]

COLOUR = (
    *("-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"),
    *("-color_range", "tv", "-chroma_sample_location", "center"),
)
"""The colour space of undoku.render.write.yuv. Newer versions of ffmpeg copy it to the file from
the input options, older ones from the output options; neither converts anything."""

_PIPE_BYTES = 1 << 20  # what Linux allows without privileges; the default is 1/16 of it
_KEPT_LINES = 40
_PREFIX = re.compile(r"^(x264 \[error\]: |\[[^\]]*\] *)+")
_NO_REASON = re.compile(
    r"^(Conversion failed|Exiting|Terminating|Task finished|Error (opening output files"
    r"|while opening encoder|muxing a packet|closing file|sending frames|submitting)"
    r"|Nothing was written|Could not open encoder)"
)


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


class PipedFfmpeg:
    """An ffmpeg process that encodes its standard input into one file.

    `arguments` are all arguments between the program's name and the output file. The process runs
    in its own session, so that Ctrl-C on the terminal reaches only the program that started it,
    which then stops it. If ffmpeg makes no progress for some time, one message says so; `wait` is
    that of StallWatch. Raises EncoderError when ffmpeg can't start.
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
        command = [executable(), "-hide_banner", "-nostdin", "-loglevel", "error", "-y"]
        # Without the prefix ffmpeg would interpret a colon or a per cent sign in the path.
        command += [*arguments, f"file:{temporary}"]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=environment(),
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            raise EncoderError(
                f"ffmpeg ({command[0]}) can't be started: {error.strerror or error}",
                remedy="reinstall imageio-ffmpeg, or name another ffmpeg in IMAGEIO_FFMPEG_EXE",
            ) from None
        self._lines: list[str] = []
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
        for line in self._process.stderr:
            if len(self._lines) < _KEPT_LINES:  # the cause comes before its consequences
                self._lines.append(line.decode("utf-8", "replace").strip())

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

    def finish(self) -> None:
        """Close ffmpeg's input and wait for its file. Raises EncoderError or OutputError when it
        reports a failure."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._write_count += 1
        status = self._process.wait()
        self._write_count += 1
        if status != 0:
            raise self._failure("failed")
        self._release()

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
        self._stall_watch.end()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _failure(self, what: str) -> RunError:
        """The error for a process that failed, with ffmpeg's own message."""
        self._stall_watch.end()
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


class FfmpegProcess(PipedFfmpeg):
    """An ffmpeg process that encodes raw planes of `size` (width, height) into one file.
    `pixel_format` is ffmpeg's name of their layout; `arguments` are those of further inputs, then
    of the encoder and the container."""

    def __init__(
        self,
        size: tuple[int, int],
        fps: Fraction,
        pixel_format: str,
        arguments: Sequence[str],
        temporary: Path,
        final: Path,
        *,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        width, height = size
        source = ["-f", "rawvideo", "-pix_fmt", pixel_format, "-video_size", f"{width}x{height}"]
        source += ["-framerate", f"{fps.numerator}/{fps.denominator}", *COLOUR, "-i", "pipe:0"]
        super().__init__([*source, *arguments, *COLOUR], temporary, final, wait=wait)
