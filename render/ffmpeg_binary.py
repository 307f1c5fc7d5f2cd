"""Where the ffmpeg executable is, which it is, and what it is started with."""

from __future__ import annotations

import os
import subprocess

from solver.errors import EncoderError

__all__ = ["environment", "executable", "ffmpeg_version"]


def executable() -> str:
    """The path of the ffmpeg that imageio-ffmpeg brings, or that IMAGEIO_FFMPEG_EXE names.

    Raises EncoderError when there is none.
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
    """The version that this ffmpeg tells, such as "7.0.2-static". Runs it.

    Raises EncoderError when there is none, or it doesn't run.
    """
    import imageio_ffmpeg

    path = executable()
    try:
        return str(imageio_ffmpeg.get_ffmpeg_version())
    except (OSError, subprocess.SubprocessError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise EncoderError(
            f"{path!r} doesn't tell its version: {reason}",
            remedy="install imageio-ffmpeg anew, or name another in IMAGEIO_FFMPEG_EXE",
        ) from None


def environment() -> dict[str, str]:
    """The environment for ffmpeg: ours without FFREPORT, which has it write a log to some file."""
    return {name: text for name, text in os.environ.items() if name != "FFREPORT"}
