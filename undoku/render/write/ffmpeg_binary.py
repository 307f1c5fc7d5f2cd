"""The ffmpeg executable: its path, its version, and its environment."""

from __future__ import annotations

import os
import subprocess

from undoku.errors import EncoderError

__all__ = ["environment", "executable", "ffmpeg_version"]


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


def environment() -> dict[str, str]:
    """The environment for ffmpeg: that of this process without FFREPORT, which makes it write a log
    file."""
    return {name: text for name, text in os.environ.items() if name != "FFREPORT"}
