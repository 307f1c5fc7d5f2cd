"""One ffmpeg process that is fed with finished planes and can't fail unseen."""

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

from render.ffmpeg_binary import environment, executable
from render.metadata.text_lines import encodable, write_about
from render.sinks.staging import write_error
from render.stall_watch import StallWatch, say_stalled
from solver.errors import EncoderError, RunError

__all__ = ["COLOUR", "FedProcess", "FfmpegProcess", "describe"]

COLOUR = (
    *("-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"),
    *("-color_range", "tv", "-chroma_sample_location", "center"),
)
"""What render.sinks.yuv makes. Said of the input it reaches the file with newer versions of ffmpeg,
said of the output with older ones; neither converts anything."""

_PIPE_BYTES = 1 << 20  # what Linux allows without privileges; the default is 1/16 of it
_KEPT_LINES = 40
_PREFIX = re.compile(r"^(x264 \[error\]: |\[[^\]]*\] *)+")
_NO_REASON = re.compile(
    r"^(Conversion failed|Exiting|Terminating|Task finished|Error (opening output files"
    r"|while opening encoder|muxing a packet|closing file|sending frames|submitting)"
    r"|Nothing was written|Could not open encoder)"
)


def describe(about: Sequence[tuple[str, str]]) -> list[str]:
    """The arguments that write a film's texts: "title" as the title, all others as lines of the
    comment."""

    def clean(text: str) -> str:
        return encodable(text.replace("\0", ""))

    titles = [text for name, text in about if name == "title"]
    comment = write_about((name, text) for name, text in about if name != "title")
    # Of the whole file only: chapters keep their titles.
    arguments = ["-map_metadata:g", "-1"]
    if titles:
        arguments += ["-metadata", f"title={clean(titles[0])}"]
    if comment:
        arguments += ["-metadata", "comment=" + clean(comment.rstrip("\n"))]
    return arguments


class FedProcess:
    """ffmpeg encoding what it is given on its standard input into one file.

    `arguments` are all between ffmpeg's own name and that of the file. The process stands in a
    session of its own, so that Ctrl-C on the terminal reaches only the program that started it,
    which then stops it. While it makes no progress for a while that is said, once; `wait` is
    StallWatch's. Raises EncoderError when it can't start.
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
        # The prefix keeps a colon or a per cent sign in a folder's name from meaning something.
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
                remedy="install imageio-ffmpeg anew, or name another in IMAGEIO_FFMPEG_EXE",
            ) from None
        self._lines: list[str] = []
        self._listener = threading.Thread(target=self._listen, daemon=True, name="ffmpeg stderr")
        self._listener.start()
        self._widen()
        self._beat = 0
        """Odd while ffmpeg is waited for; it grows when it takes something."""
        self._stall_watch = StallWatch(self._progress, self._say_stalled, wait=wait)

    @property
    def pid(self) -> int:
        return self._process.pid

    def _progress(self) -> object:
        """What changes as long as ffmpeg works; None while it is not waited for."""
        if self._beat % 2 == 0:
            return None
        size = 0
        with contextlib.suppress(OSError):
            size = self._temporary.stat().st_size
        return self._beat, size

    def _say_stalled(self) -> None:
        say_stalled(f"ffmpeg (process {self.pid})", self._final)

    def _widen(self) -> None:
        if sys.platform == "linux" and self._process.stdin is not None:
            import fcntl

            with contextlib.suppress(OSError):  # the default size works too
                fcntl.fcntl(self._process.stdin.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)

    def _listen(self) -> None:
        """Read all that ffmpeg says, so that it never waits for a reader."""
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if len(self._lines) < _KEPT_LINES:  # the cause comes before its consequences
                self._lines.append(line.decode("utf-8", "replace").strip())

    def write(self, content: NDArray[np.uint8]) -> None:
        """Hand over bytes, (n,) uint8, such as those of a frame. Raises EncoderError or
        OutputError when ffmpeg has stopped listening."""
        assert self._process.stdin is not None
        rest = content.data
        try:
            while rest:
                self._beat += 1
                rest = rest[self._process.stdin.write(rest) :]
                self._beat += 1
        except OSError as error:
            if error.errno not in (errno.EPIPE, errno.EINVAL):  # Windows says EINVAL
                raise
            with contextlib.suppress(OSError):
                self._process.stdin.close()
            self._process.wait()
            raise self._failure("stopped before the film's end") from None

    def finish(self) -> None:
        """Tell ffmpeg that the film is over and wait for its file. Raises EncoderError or
        OutputError when it reports a failure."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._beat += 1
        status = self._process.wait()
        self._beat += 1
        if status != 0:
            raise self._failure("failed")
        self._release()

    def stop(self) -> None:
        """End the process from another thread than the one that feeds it, which is told by an
        error. Safe to call twice."""
        with contextlib.suppress(OSError):
            self._process.kill()

    def kill(self) -> None:
        """End the process, if it runs, and wait until it is gone. Safe to call twice."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._release()

    def _release(self) -> None:
        self._stall_watch.end()
        self._listener.join()
        for stream in (self._process.stdin, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _failure(self, what: str) -> RunError:
        """The sentence for a process that has ended badly, with its own words."""
        self._stall_watch.end()
        self._listener.join()
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


class FfmpegProcess(FedProcess):
    """ffmpeg encoding raw planes into one file. `pixel_format` is ffmpeg's name of their layout;
    `arguments` are those of further inputs, then the encoder's and the container's."""

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
